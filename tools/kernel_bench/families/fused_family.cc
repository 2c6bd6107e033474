#include "tools/kernel_bench/families/fused_family.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/aligned_buffer.h"
#include "base/check.h"
#include "base/status_macros.h"
#include "ir/model.h"
#include "ir/text.h"
#include "jit/isa/isa.h"
#include "jit/isa/target.h"
#include "jit/limits/loops.h"
#include "snippets/decompose/decompose.h"
#include "snippets/kernel/fused_kernel.h"
#include "tools/kernel_bench/bench_case.h"
#include "tools/kernel_bench/families/body_work.h"
#include "tools/kernel_bench/families/case_buffers.h"
#include "tools/kernel_bench/families/fused_cases.h"
#include "tools/kernel_bench/families/op_by_op.h"
#include "tools/kernel_bench/families/peer_entrants.h"
#include "tools/kernel_bench/peer.h"

namespace burin::kernel_bench {
namespace {

constexpr char kBodyCase[] = "body";

// What all who do the work have alike.
Entrant Like(const BodyWork& work) {
  Entrant entrant;
  entrant.units_per_repeat = static_cast<double>(work.elements());
  entrant.bytes_per_repeat = work.bytes();
  return entrant;
}

// Is a kernel with memory to run it in.
struct Compiled {
  explicit Compiled(snippets::FusedKernel given) : kernel(std::move(given)) {}

  void Run(const BodyWork& work, int copy) {
    kernel.Run(work.inputs(copy), work.outputs(copy), scratch.data(), 0, kernel.items());
  }

  snippets::FusedKernel kernel;
  AlignedBuffer scratch;
};

absl::StatusOr<std::shared_ptr<Compiled>> Compile(const ir::Model& body, const jit::Target& target) {
  const std::unique_ptr<ir::Model> primitive = body.Clone();
  BURIN_RETURN_IF_ERROR(snippets::Decompose(*primitive));
  BURIN_ASSIGN_OR_RETURN(snippets::FusedKernel kernel, snippets::FusedKernel::Create(*primitive, target, {}));
  auto compiled = std::make_shared<Compiled>(std::move(kernel));
  BURIN_ASSIGN_OR_RETURN(compiled->scratch, AlignedBuffer::Create(compiled->kernel.scratch_bytes()));
  return compiled;
}

// Our kernel for machines like `target`.
absl::StatusOr<Entrant> Fused(const std::shared_ptr<BodyWork>& work, const jit::Target& target) {
  BURIN_ASSIGN_OR_RETURN(const std::shared_ptr<Compiled> compiled, Compile(work->body(), target));
  Entrant entrant = Like(*work);
  entrant.name = target.Supports(jit::IsaLevel::kAvx512) ? "burin 512" : "burin 256";
  entrant.implementation = absl::StrCat("one kernel, ", compiled->kernel.scratch_bytes(), " bytes of scratch memory");
  entrant.timed = "the kernel's call, all items by one thread";
  entrant.run = Rotating(work->copies(), [work, compiled](int copy) { compiled->Run(*work, copy); });
  entrant.check = [work, compiled] { return work->Check([&] { compiled->Run(*work, 0); }); };
  return entrant;
}

absl::StatusOr<Entrant> Unfused(const std::shared_ptr<BodyWork>& work, const jit::Target& target) {
  BURIN_ASSIGN_OR_RETURN(OpByOp created, OpByOp::Create(work->body(), target));
  const auto steps = std::make_shared<const OpByOp>(std::move(created));
  const auto call = [work, steps](int copy) { steps->Run(work->inputs(copy), work->outputs(copy)); };
  Entrant entrant = Like(*work);
  entrant.name = "op by op";
  entrant.implementation = absl::StrCat(steps->kernels(), " kernels with memory between them");
  entrant.timed = "the calls of all kernels";
  entrant.run = Rotating(work->copies(), call);
  entrant.check = [work, call] { return work->Check([&] { call(0); }); };
  return entrant;
}

// The kernel's own instructions, on operands in the first cache.
absl::StatusOr<Entrant> InFirstCache(const std::string& text, const CaseOptions& options) {
  BURIN_ASSIGN_OR_RETURN(const std::unique_ptr<ir::Model> body, ir::ParseModel(text));
  BURIN_ASSIGN_OR_RETURN(const std::shared_ptr<BodyWork> work,
                         BodyWork::Create(*body, {options.target, /*cold=*/false, {}}));
  BURIN_ASSIGN_OR_RETURN(const std::shared_ptr<Compiled> compiled, Compile(*body, options.target));
  Entrant entrant = Like(*work);
  entrant.role = Role::kYardstick;
  entrant.name = "instructions";
  entrant.implementation = absl::StrCat("the kernel on ", work->elements(), " elements in the first cache");
  entrant.timed = "the kernel's call";
  entrant.run = [work, compiled](int64_t repeats) {
    for (int64_t repeat = 0; repeat < repeats; ++repeat) compiled->Run(*work, 0);
  };
  return entrant;
}

// Reads all inputs and writes all outputs, by loops that do nothing else.
absl::StatusOr<Entrant> Memory(const std::shared_ptr<BodyWork>& work, const jit::Target& target) {
  constexpr auto kBlock = static_cast<int64_t>(jit::CopyLoop::kBlockBytes);
  static_assert(jit::ReadLoop::kBlockBytes == jit::CopyLoop::kBlockBytes);
  BURIN_ASSIGN_OR_RETURN(jit::CopyLoop copy_created, jit::CopyLoop::Create(target.isa()));
  BURIN_ASSIGN_OR_RETURN(jit::ReadLoop read_created, jit::ReadLoop::Create(target.isa()));
  const auto copies = std::make_shared<const jit::CopyLoop>(std::move(copy_created));
  const auto reads = std::make_shared<const jit::ReadLoop>(std::move(read_created));
  const auto call = [work, copies, reads](int copy) {
    const std::vector<const void*>& in = work->inputs(copy);
    const std::vector<void*>& out = work->outputs(copy);
    for (size_t i = 0; i < std::max(in.size(), out.size()); ++i) {
      const int64_t read = i < in.size() ? work->input_bytes()[i] / kBlock : 0;
      const int64_t written = i < out.size() ? work->output_bytes()[i] / kBlock : 0;
      const int64_t both = std::min(read, written);
      if (both > 0) copies->Run(in[i], out[i], both, 1);
      if (read > both) reads->Run(static_cast<const char*>(in[i]) + both * kBlock, read - both, 1);
      // What is written beyond what is read comes of what was just read.
      if (written > both && in[0] != nullptr && work->input_bytes()[0] >= work->output_bytes()[i]) {
        copies->Run(in[0], static_cast<char*>(out[i]) + both * kBlock, written - both, 1);
      }
    }
  };
  Entrant entrant = Like(*work);
  entrant.role = Role::kYardstick;
  entrant.name = "memory";
  entrant.implementation = "loops that read all inputs and write all outputs";
  entrant.timed = "the loops alone";
  entrant.run = Rotating(work->copies(), call);
  return entrant;
}

absl::Status AddPeersOf(const FusedCase& fused, const std::shared_ptr<BodyWork>& work, const CaseOptions& options,
                        std::vector<Entrant>& entrants) {
  const auto check = [work](const std::function<void()>& call) { return work->Check(call); };
  for (PeerGraph graph : fused.graphs) {
    for (int copy = 0; copy < work->copies(); ++copy) {
      PeerGraph::Buffers buffers;
      for (const void* const in : work->inputs(copy)) buffers.in.push_back(static_cast<const float*>(in));
      for (void* const out : work->outputs(copy)) buffers.out.push_back(static_cast<float*>(out));
      graph.copies.push_back(std::move(buffers));
    }
    BURIN_RETURN_IF_ERROR(AddGraphPeers(options.peers, graph, Like(*work), check, entrants));
  }
  return absl::OkStatus();
}

class FusedBodies : public Family {
 public:
  explicit FusedBodies(const std::string& body_text) : cases_(FusedCases()) {
    if (body_text.empty()) return;
    FusedCase body;
    body.name = kBodyCase;
    body.text = body_text;
    cases_.push_back(std::move(body));
  }

  absl::string_view name() const override { return "fused"; }

  absl::string_view description() const override {
    return "Bodies of Subgraphs in one kernel, against their operations one by one.";
  }

  std::vector<std::string> CaseNames() const override {
    std::vector<std::string> names;
    for (const FusedCase& fused : cases_) names.push_back(fused.name);
    return names;
  }

  absl::StatusOr<BenchCase> MakeCase(absl::string_view case_name, const CaseOptions& options) const override {
    for (const FusedCase& fused : cases_) {
      if (fused.name == case_name) return Make(fused, options);
    }
    BURIN_CHECK(false) << "no case: " << std::string(case_name);
    return absl::InternalError("no such case");
  }

 private:
  static absl::StatusOr<BenchCase> Make(const FusedCase& fused, const CaseOptions& options) {
    BURIN_ASSIGN_OR_RETURN(const std::unique_ptr<ir::Model> body, fused.Body());
    BURIN_ASSIGN_OR_RETURN(const std::shared_ptr<BodyWork> work, BodyWork::Create(*body, options));
    BenchCase made;
    made.family = "fused";
    made.name = fused.name;
    made.unit = "elements";
    made.buffers = work->Describe();
    BURIN_ASSIGN_OR_RETURN(Entrant memory, Memory(work, options.target));
    made.entrants.push_back(std::move(memory));
    if (!fused.small_text.empty()) {
      BURIN_ASSIGN_OR_RETURN(Entrant instructions, InFirstCache(fused.small_text, options));
      made.entrants.push_back(std::move(instructions));
    }
    if (options.target.Supports(jit::IsaLevel::kAvx512)) {
      BURIN_ASSIGN_OR_RETURN(Entrant wide, Fused(work, options.target));
      made.entrants.push_back(std::move(wide));
    }
    BURIN_ASSIGN_OR_RETURN(Entrant narrow, Fused(work, options.target.WithCap(jit::IsaLevel::kAvx2)));
    made.entrants.push_back(std::move(narrow));
    BURIN_ASSIGN_OR_RETURN(Entrant unfused, Unfused(work, options.target));
    made.entrants.push_back(std::move(unfused));
    BURIN_RETURN_IF_ERROR(AddPeersOf(fused, work, options, made.entrants));
    return made;
  }

  std::vector<FusedCase> cases_;
};

}  // namespace

std::unique_ptr<Family> FusedFamily(const std::string& body_text) { return std::make_unique<FusedBodies>(body_text); }

}  // namespace burin::kernel_bench
