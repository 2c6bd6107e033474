#include "tools/kernel_bench/families/copy_family.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/check.h"
#include "base/status_macros.h"
#include "jit/code_cache.h"
#include "jit/isa/isa.h"
#include "jit/isa/target.h"
#include "jit/kernels/copy.h"
#include "jit/limits/loops.h"
#include "tools/kernel_bench/bench_case.h"
#include "tools/kernel_bench/families/case_buffers.h"
#include "tools/kernel_bench/families/movement.h"
#include "tools/kernel_bench/families/peer_entrants.h"
#include "tools/kernel_bench/families/yardsticks.h"
#include "tools/kernel_bench/peer.h"

namespace burin::kernel_bench {
namespace {

// Of the few kernels of a case.
constexpr size_t kCodeBytes = size_t{1} << 20;

// The work of one case: its buffers, filled, and what should come out.
class Work {
 public:
  static absl::StatusOr<std::shared_ptr<Work>> Create(Movement movement, const CaseOptions& options) {
    auto work = std::shared_ptr<Work>(new Work(std::move(movement)));
    // The input is at least as long as the output, since the yardstick copies as much as is written.
    const int64_t in_bytes = std::max(work->movement_.in_bytes(), work->movement_.out_bytes());
    BURIN_ASSIGN_OR_RETURN(work->buffers_, CaseBuffers::Create(1, in_bytes, work->movement_.out_bytes(), options.cold,
                                                               options.target.caches()));
    uint8_t* const in = work->buffers_->In<uint8_t>(0, 0);
    // No byte is that of a spoiled output, and neighbours differ at every element size; 251 is prime.
    for (int64_t i = 0; i < in_bytes; ++i) in[i] = static_cast<uint8_t>((i + i / 251) % 251);
    work->buffers_->Replicate();
    work->expected_.resize(static_cast<size_t>(work->movement_.out_bytes()));
    work->movement_.Run(in, work->expected_.data());
    return work;
  }

  const Movement& movement() const { return movement_; }
  const std::shared_ptr<CaseBuffers>& buffers() const { return buffers_; }

  // Calls what does the work on copy 0, and compares.
  Accuracy Check(const std::function<void()>& call) const {
    buffers_->Spoil();
    call();
    const uint8_t* const out = buffers_->Out<const uint8_t>(0);
    Accuracy accuracy;
    for (size_t i = 0; i < expected_.size(); ++i) {
      if (out[i] == expected_[i]) continue;
      accuracy.right = false;
      accuracy.note = absl::StrCat("byte ", i, " is ", out[i], " instead of ", expected_[i]);
      break;
    }
    return accuracy;
  }

 private:
  explicit Work(Movement movement) : movement_(std::move(movement)) {}

  const Movement movement_;
  std::shared_ptr<CaseBuffers> buffers_;
  std::vector<uint8_t> expected_;
};

// What all who do the work have alike.
Entrant Like(const Work& work) {
  Entrant entrant;
  entrant.units_per_repeat = static_cast<double>(work.movement().out_bytes());
  entrant.bytes_per_repeat = 2 * work.movement().out_bytes();
  return entrant;
}

// A plan with the cache that its code is in.
struct Kernel {
  jit::CodeCache cache{kCodeBytes};
  std::optional<jit::CopyPlan> plan;
};

absl::StatusOr<Entrant> Own(const std::shared_ptr<Work>& work, const jit::Target& target) {
  const auto kernel = std::make_shared<Kernel>();
  BURIN_ASSIGN_OR_RETURN(kernel->plan, jit::CopyPlan::Create(work->movement().ToSpec(), target, kernel->cache));
  const auto call = [work, kernel](int copy) {
    CaseBuffers& buffers = *work->buffers();
    kernel->plan->Run(buffers.In<const void>(copy, 0), buffers.Out<void>(copy), 0, kernel->plan->work_items());
  };
  Entrant entrant = Like(*work);
  entrant.name = target.Supports(jit::IsaLevel::kAvx512) ? "burin 512" : "burin 256";
  entrant.implementation = absl::StrCat(kernel->plan->kernel_name(), ", work items: ", kernel->plan->work_items());
  entrant.timed = "the plan's run over all its items";
  entrant.run = Rotating(work->buffers()->copies(), call);
  entrant.check = [work, call] { return work->Check([&call] { call(0); }); };
  return entrant;
}

absl::Status AddPeersOf(const std::shared_ptr<Work>& work, const CaseOptions& options, std::vector<Entrant>& entrants) {
  const Movement& movement = work->movement();
  if (movement.permutation.empty() || movement.element_bytes != sizeof(float)) return absl::OkStatus();
  PeerWork peer_work;
  peer_work.function = "Transpose";
  peer_work.dims = movement.in_dims;
  peer_work.permutation = movement.permutation;
  for (int copy = 0; copy < work->buffers()->copies(); ++copy) {
    peer_work.copies.push_back({work->buffers()->In<const float>(copy, 0), work->buffers()->Out<float>(copy)});
  }
  const auto check = [work](const std::function<void()>& call) { return work->Check(call); };
  return AddPeers(options.peers, peer_work, Like(*work), check, entrants);
}

absl::StatusOr<BenchCase> Make(const Movement& movement, const CaseOptions& options) {
  BURIN_ASSIGN_OR_RETURN(const std::shared_ptr<Work> work, Work::Create(movement, options));
  BenchCase made;
  made.family = "copy";
  made.name = movement.name;
  made.unit = "bytes";
  made.buffers = work->buffers()->Describe();
  const jit::Target& target = options.target;
  constexpr int64_t kBlockBytes = static_cast<int64_t>(jit::CopyLoop::kBlockBytes);
  const int64_t copied = movement.out_bytes() / kBlockBytes * kBlockBytes;
  BURIN_ASSIGN_OR_RETURN(Entrant copy,
                         CopyYardstick(target.isa(), work->buffers(), copied, static_cast<double>(copied)));
  made.entrants.push_back(std::move(copy));
  if (target.Supports(jit::IsaLevel::kAvx512)) {
    BURIN_ASSIGN_OR_RETURN(Entrant wide, Own(work, target));
    made.entrants.push_back(std::move(wide));
  }
  BURIN_ASSIGN_OR_RETURN(Entrant narrow, Own(work, target.WithCap(jit::IsaLevel::kAvx2)));
  made.entrants.push_back(std::move(narrow));
  BURIN_RETURN_IF_ERROR(AddPeersOf(work, options, made.entrants));
  return made;
}

class Copy : public Family {
 public:
  absl::string_view name() const override { return "copy"; }

  absl::string_view description() const override {
    return "Movements of data: copies, transposes, broadcasts; bytes are those written.";
  }

  std::vector<std::string> CaseNames() const override {
    std::vector<std::string> names;
    for (const Movement& movement : AllMovements()) names.push_back(movement.name);
    return names;
  }

  absl::StatusOr<BenchCase> MakeCase(absl::string_view case_name, const CaseOptions& options) const override {
    for (const Movement& movement : AllMovements()) {
      if (movement.name == case_name) return Make(movement, options);
    }
    BURIN_CHECK(false) << "no case: " << std::string(case_name);
    return absl::InternalError("no such case");
  }
};

}  // namespace

std::unique_ptr<Family> CopyFamily() { return std::make_unique<Copy>(); }

}  // namespace burin::kernel_bench
