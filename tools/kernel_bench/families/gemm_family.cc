#include "tools/kernel_bench/families/gemm_family.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/aligned_buffer.h"
#include "base/check.h"
#include "base/status_macros.h"
#include "jit/code_cache.h"
#include "jit/isa/isa.h"
#include "jit/isa/target.h"
#include "jit/kernels/gemm/gemm.h"
#include "jit/limits/loops.h"
#include "tools/kernel_bench/bench_case.h"
#include "tools/kernel_bench/families/case_buffers.h"
#include "tools/kernel_bench/families/gemm_work.h"
#include "tools/kernel_bench/families/peer_entrants.h"
#include "tools/kernel_bench/families/yardsticks.h"

namespace burin::kernel_bench {
namespace {

// Of the few kernels of a case.
constexpr size_t kCodeBytes = size_t{4} << 20;

constexpr GemmOperand kConstant = GemmOperand::kConstant;
constexpr GemmOperand kPlain = GemmOperand::kPlain;
constexpr GemmOperand kTransposed = GemmOperand::kTransposed;

constexpr GemmCase kCases[] = {
    // What fits the first caches.
    {32, 32, 32, kConstant},
    {64, 64, 64, kConstant},
    {128, 128, 128, kConstant},
    {49, 64, 256, kConstant},
    {7, 64, 512, kConstant},
    // Encoders of text and images.
    {64, 768, 768, kConstant},
    {128, 768, 768, kConstant},
    {197, 768, 768, kConstant},
    {384, 768, 768, kConstant},
    {128, 3072, 768, kConstant},
    {128, 768, 3072, kConstant},
    {384, 1024, 1024, kConstant},
    {384, 4096, 1024, kConstant},
    {384, 1024, 4096, kConstant},
    {512, 512, 512, kConstant},
    {1024, 1024, 1024, kConstant},
    // With ends.
    {100, 1000, 500, kConstant},
    {77, 333, 999, kConstant},
    // Few rows.
    {1, 1024, 1024, kConstant},
    {1, 1000, 2048, kConstant},
    {1, 4096, 4096, kConstant},
    {2, 4096, 4096, kConstant},
    {4, 4096, 4096, kConstant},
    {16, 4096, 4096, kConstant},
    // B that comes with each call.
    {64, 64, 64, kPlain},
    {128, 768, 768, kPlain},
    {384, 1024, 1024, kPlain},
    {128, 128, 64, kTransposed},
    {384, 768, 768, kTransposed},
    {1, 4096, 4096, kPlain},
    {16, 4096, 4096, kPlain},
};

// Rows with which memory is as likely a limit as arithmetic.
constexpr int64_t kFewRows = 16;

double UnitsOf(const GemmCase& gemm_case) {
  return static_cast<double>(gemm_case.m) * static_cast<double>(gemm_case.n) * static_cast<double>(gemm_case.k);
}

// What all who do the work have alike.
Entrant Like(const GemmWork& work) {
  Entrant entrant;
  entrant.units_per_repeat = UnitsOf(work.gemm_case());
  entrant.bytes_per_repeat = work.bytes();
  return entrant;
}

// Is a kernel with the cache that its code is in, and memory to run it in.
struct Kernel {
  Kernel(std::unique_ptr<jit::CodeCache> cache_in, jit::Gemm gemm_in)
      : cache(std::move(cache_in)), gemm(std::move(gemm_in)) {}

  void Run(const GemmWork& work, int copy) {
    jit::GemmArgs args;
    args.a = work.a(copy);
    args.b = work.b(copy);
    args.c = work.c(copy);
    args.scratch = scratch.data();
    gemm.Run(args, 0, gemm.work_items(args));
  }

  std::unique_ptr<jit::CodeCache> cache;
  jit::Gemm gemm;
  AlignedBuffer scratch;
};

absl::StatusOr<Entrant> Own(const std::shared_ptr<GemmWork>& work, const jit::Target& target) {
  auto cache = std::make_unique<jit::CodeCache>(kCodeBytes);
  BURIN_ASSIGN_OR_RETURN(jit::Gemm gemm, jit::Gemm::Create(work->gemm_case().Spec(), nullptr, target, *cache));
  const auto kernel = std::make_shared<Kernel>(std::move(cache), std::move(gemm));
  BURIN_ASSIGN_OR_RETURN(kernel->scratch, AlignedBuffer::Create(static_cast<size_t>(kernel->gemm.scratch_bytes())));
  Entrant entrant = Like(*work);
  entrant.name = target.Supports(jit::IsaLevel::kAvx512) ? "burin 512" : "burin 256";
  entrant.implementation = kernel->gemm.plan().ToString();
  entrant.timed = "the kernel's run over all its items";
  entrant.run = Rotating(work->buffers().copies(), [work, kernel](int copy) { kernel->Run(*work, copy); });
  entrant.check = [work, kernel] { return work->Check([&] { kernel->Run(*work, 0); }); };
  return entrant;
}

// Reads as much as B is.
absl::StatusOr<Entrant> ReadOfB(const std::shared_ptr<GemmWork>& work, const jit::Target& target) {
  BURIN_ASSIGN_OR_RETURN(jit::ReadLoop created, jit::ReadLoop::Create(target.isa()));
  const auto loop = std::make_shared<const jit::ReadLoop>(std::move(created));
  const int64_t blocks = work->b_bytes() / static_cast<int64_t>(jit::ReadLoop::kBlockBytes);
  Entrant entrant;
  entrant.role = Role::kYardstick;
  entrant.name = "read loop";
  entrant.implementation = "aligned loads of whole vectors, over B";
  entrant.timed = "the loop alone";
  entrant.units_per_repeat = UnitsOf(work->gemm_case());
  entrant.bytes_per_repeat = work->b_bytes();
  entrant.run = Rotating(work->buffers().copies(),
                         [work, loop, blocks](int copy) { loop->Run(work->b(copy), std::max<int64_t>(blocks, 1), 1); });
  return entrant;
}

absl::StatusOr<BenchCase> Make(const GemmCase& gemm_case, const CaseOptions& options) {
  BURIN_ASSIGN_OR_RETURN(const std::shared_ptr<GemmWork> work, GemmWork::Create(gemm_case, options));
  BenchCase made;
  made.family = "gemm";
  made.name = gemm_case.Name();
  made.unit = "multiply-adds";
  made.buffers = work->buffers().Describe();
  const jit::Target& target = options.target;
  BURIN_ASSIGN_OR_RETURN(Entrant fma, FmaYardstick(target.isa()));
  made.entrants.push_back(std::move(fma));
  if (gemm_case.m < kFewRows) {
    BURIN_ASSIGN_OR_RETURN(Entrant read, ReadOfB(work, target));
    made.entrants.push_back(std::move(read));
  }
  if (target.Supports(jit::IsaLevel::kAvx512)) {
    BURIN_ASSIGN_OR_RETURN(Entrant wide, Own(work, target));
    made.entrants.push_back(std::move(wide));
  }
  BURIN_ASSIGN_OR_RETURN(Entrant narrow, Own(work, target.WithCap(jit::IsaLevel::kAvx2)));
  made.entrants.push_back(std::move(narrow));
  // Nobody else has a matrix that is transposed without an operator more, nor several copies of a constant.
  if (options.peers.empty() || gemm_case.b == kTransposed || (options.cold && gemm_case.b == kConstant)) return made;
  const auto check = [work](const std::function<void()>& call) { return work->Check(call); };
  BURIN_RETURN_IF_ERROR(AddGraphPeers(options.peers, work->Graph(), Like(*work), check, made.entrants));
  return made;
}

class Gemms : public Family {
 public:
  absl::string_view name() const override { return "gemm"; }

  absl::string_view description() const override {
    return "Products of matrices, MxNxK: with a constant B, packed ahead, and with B as it comes.";
  }

  std::vector<std::string> CaseNames() const override {
    std::vector<std::string> names;
    for (const GemmCase& one : kCases) names.push_back(one.Name());
    return names;
  }

  absl::StatusOr<BenchCase> MakeCase(absl::string_view case_name, const CaseOptions& options) const override {
    for (const GemmCase& one : kCases) {
      if (one.Name() == case_name) return Make(one, options);
    }
    BURIN_CHECK(false) << "no case: " << std::string(case_name);
    return absl::InternalError("no such case");
  }
};

}  // namespace

std::unique_ptr<Family> GemmFamily() { return std::make_unique<Gemms>(); }

}  // namespace burin::kernel_bench
