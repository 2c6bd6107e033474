#include "tools/kernel_bench/families/elementwise_family.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "base/check.h"
#include "base/status_macros.h"
#include "jit/asm/code_blob.h"
#include "jit/emitters/catalogue.h"
#include "jit/emitters/catalogue_entry.h"
#include "jit/emitters/row_kernel.h"
#include "jit/isa/isa.h"
#include "jit/isa/target.h"
#include "tools/kernel_bench/bench_case.h"
#include "tools/kernel_bench/families/case_buffers.h"
#include "tools/kernel_bench/families/peer_entrants.h"
#include "tools/kernel_bench/families/references.h"
#include "tools/kernel_bench/families/yardsticks.h"
#include "tools/kernel_bench/peer.h"

namespace burin::kernel_bench {
namespace {

using jit::CatalogueEntry;
using jit::LaneKind;

constexpr int kElementBytes = 4;

struct Shape {
  int64_t rows;
  int64_t columns;

  int64_t elements() const { return rows * columns; }
  std::string Name() const { return absl::StrCat(rows, "x", columns); }
};

// A row that the first cache holds with its result, and the activations of a transformer's layer.
constexpr Shape kShapes[] = {{1, 4096}, {128, 3072}};

std::string CaseName(const CatalogueEntry& entry, const Shape& shape) {
  return absl::StrCat(entry.function.name, "/", shape.Name());
}

// One element as a number.
double Read(LaneKind kind, const void* data, size_t index) {
  if (kind == LaneKind::kF32) return static_cast<double>(static_cast<const float*>(data)[index]);
  return static_cast<double>(static_cast<const int32_t*>(data)[index]);
}

void Fill(LaneKind kind, const FunctionReference& range, int64_t count, std::mt19937& random, void* data) {
  std::uniform_real_distribution<float> floats(static_cast<float>(range.low), static_cast<float>(range.high));
  std::uniform_int_distribution<int32_t> integers(static_cast<int32_t>(range.low), static_cast<int32_t>(range.high));
  for (int64_t i = 0; i < count; ++i) {
    switch (kind) {
      case LaneKind::kF32:
        static_cast<float*>(data)[i] = floats(random);
        break;
      case LaneKind::kI32:
        static_cast<int32_t*>(data)[i] = integers(random);
        break;
      case LaneKind::kBool:
        static_cast<int32_t*>(data)[i] = static_cast<int32_t>(random() & 1);
        break;
    }
  }
}

// The work of one case: its buffers, filled, and what should come out.
class Work {
 public:
  static absl::StatusOr<std::shared_ptr<Work>> Create(const CatalogueEntry& entry, const Shape& shape,
                                                      const CaseOptions& options) {
    auto work = std::shared_ptr<Work>(new Work(entry, shape));
    const int64_t bytes = shape.elements() * kElementBytes;
    BURIN_ASSIGN_OR_RETURN(work->buffers_, CaseBuffers::Create(entry.function.inputs, bytes, bytes, options.cold,
                                                               options.target.caches()));
    std::mt19937 random(1);
    for (int input = 0; input < entry.function.inputs; ++input) {
      Fill(entry.inputs[static_cast<size_t>(input)], work->reference_.value_or(FunctionReference()), shape.elements(),
           random, work->buffers_->In<void>(0, input));
    }
    work->buffers_->Replicate();
    work->ComputeExpected();
    return work;
  }

  const CatalogueEntry& entry() const { return entry_; }
  const Shape& shape() const { return shape_; }
  const std::shared_ptr<CaseBuffers>& buffers() const { return buffers_; }
  bool has_reference() const { return reference_.has_value(); }

  // Calls what does the work on copy 0, and compares.
  Accuracy Check(const std::function<void()>& call) const {
    buffers_->Spoil();
    call();
    const size_t count = static_cast<size_t>(shape_.elements());
    if (entry_.output == LaneKind::kF32) {
      return CompareResults(absl::MakeConstSpan(buffers_->Out<const float>(0), count), absl::MakeConstSpan(expected_),
                            reference_->tolerance);
    }
    return CompareResults(absl::MakeConstSpan(buffers_->Out<const int32_t>(0), count), absl::MakeConstSpan(expected_),
                          reference_->tolerance);
  }

 private:
  Work(const CatalogueEntry& entry, const Shape& shape)
      : entry_(entry), shape_(shape), reference_(FindReference(entry.function.name)) {}

  void ComputeExpected() {
    if (!reference_.has_value()) return;
    expected_.resize(static_cast<size_t>(shape_.elements()));
    std::vector<double> inputs(entry_.inputs.size());
    for (size_t i = 0; i < expected_.size(); ++i) {
      for (size_t input = 0; input < inputs.size(); ++input) {
        inputs[input] = Read(entry_.inputs[input], buffers_->In<const void>(0, static_cast<int>(input)), i);
      }
      expected_[i] = reference_->function(inputs.data());
    }
  }

  const CatalogueEntry& entry_;
  const Shape shape_;
  const std::optional<FunctionReference> reference_;
  std::shared_ptr<CaseBuffers> buffers_;
  std::vector<double> expected_;
};

// What all who do the work have alike.
Entrant Like(const Work& work) {
  Entrant entrant;
  entrant.units_per_repeat = static_cast<double>(work.shape().elements());
  entrant.bytes_per_repeat = (work.entry().function.inputs + 1) * work.shape().elements() * kElementBytes;
  return entrant;
}

// Our kernel for machines like `target`.
absl::StatusOr<Entrant> Own(const std::shared_ptr<Work>& work, const jit::Target& target) {
  const jit::RowFunction& function = work->entry().function;
  BURIN_ASSIGN_OR_RETURN(const jit::CodeBlob blob, jit::RowKernel::Generate(function, target));
  BURIN_ASSIGN_OR_RETURN(jit::RowKernel created, jit::RowKernel::Create(function, target));
  const auto kernel = std::make_shared<const jit::RowKernel>(std::move(created));
  const auto call = [work, kernel](int copy) {
    CaseBuffers& buffers = *work->buffers();
    const void* inputs[jit::RowFunction::kMaxInputs];
    const int count = work->entry().function.inputs;
    for (int input = 0; input < count; ++input) inputs[input] = buffers.In<const void>(copy, input);
    kernel->Run(absl::MakeConstSpan(inputs, static_cast<size_t>(count)), buffers.Out<void>(copy),
                work->shape().elements());
  };
  Entrant entrant = Like(*work);
  entrant.name = target.Supports(jit::IsaLevel::kAvx512) ? "burin 512" : "burin 256";
  entrant.implementation = absl::StrCat(blob.name, ", ", blob.code_bytes, " bytes of code");
  entrant.timed = "the kernel's call";
  entrant.run = Rotating(work->buffers()->copies(), call);
  if (work->has_reference()) {
    entrant.check = [work, call] { return work->Check([&call] { call(0); }); };
  }
  return entrant;
}

absl::Status AddPeersOf(const std::shared_ptr<Work>& work, const CaseOptions& options, std::vector<Entrant>& entrants) {
  const CatalogueEntry& entry = work->entry();
  const bool of_floats = entry.output == LaneKind::kF32 && entry.inputs == std::vector<LaneKind>{LaneKind::kF32};
  if (!of_floats || !work->has_reference()) return absl::OkStatus();
  PeerWork peer_work;
  peer_work.function = entry.function.name;
  peer_work.dims = {work->shape().rows, work->shape().columns};
  for (int copy = 0; copy < work->buffers()->copies(); ++copy) {
    peer_work.copies.push_back({work->buffers()->In<const float>(copy, 0), work->buffers()->Out<float>(copy)});
  }
  const auto check = [work](const std::function<void()>& call) { return work->Check(call); };
  return AddPeers(options.peers, peer_work, Like(*work), check, entrants);
}

class Elementwise : public Family {
 public:
  absl::string_view name() const override { return "elementwise"; }

  absl::string_view description() const override {
    return "Every element-wise function that can be emitted, over rows.";
  }

  std::vector<std::string> CaseNames() const override {
    std::vector<std::string> names;
    for (const CatalogueEntry& entry : jit::EmitterCatalogue()) {
      for (const Shape& shape : kShapes) names.push_back(CaseName(entry, shape));
    }
    return names;
  }

  absl::StatusOr<BenchCase> MakeCase(absl::string_view case_name, const CaseOptions& options) const override {
    for (const CatalogueEntry& entry : jit::EmitterCatalogue()) {
      for (const Shape& shape : kShapes) {
        if (CaseName(entry, shape) == case_name) return Make(entry, shape, options);
      }
    }
    BURIN_CHECK(false) << "no case: " << std::string(case_name);
    return absl::InternalError("no such case");
  }

 private:
  static absl::StatusOr<BenchCase> Make(const CatalogueEntry& entry, const Shape& shape, const CaseOptions& options) {
    BURIN_ASSIGN_OR_RETURN(const std::shared_ptr<Work> work, Work::Create(entry, shape, options));
    BenchCase made;
    made.family = "elementwise";
    made.name = CaseName(entry, shape);
    made.unit = "elements";
    made.buffers = work->buffers()->Describe();
    const jit::Target& target = options.target;
    BURIN_ASSIGN_OR_RETURN(Entrant copy, CopyYardstick(target.isa(), work->buffers(), shape.elements() * kElementBytes,
                                                       static_cast<double>(shape.elements())));
    BURIN_ASSIGN_OR_RETURN(Entrant fma, FmaYardstick(target.isa()));
    made.entrants.push_back(std::move(copy));
    made.entrants.push_back(std::move(fma));
    if (target.Supports(jit::IsaLevel::kAvx512)) {
      BURIN_ASSIGN_OR_RETURN(Entrant wide, Own(work, target));
      made.entrants.push_back(std::move(wide));
    }
    BURIN_ASSIGN_OR_RETURN(Entrant narrow, Own(work, target.WithCap(jit::IsaLevel::kAvx2)));
    made.entrants.push_back(std::move(narrow));
    BURIN_RETURN_IF_ERROR(AddPeersOf(work, options, made.entrants));
    return made;
  }
};

}  // namespace

std::unique_ptr<Family> ElementwiseFamily() { return std::make_unique<Elementwise>(); }

}  // namespace burin::kernel_bench
