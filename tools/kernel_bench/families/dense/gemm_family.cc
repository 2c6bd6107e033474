#include "tools/kernel_bench/families/dense/gemm_family.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/aligned_buffer.h"
#include "base/check.h"
#include "base/enum_names.h"
#include "base/status_macros.h"
#include "jit/code_cache.h"
#include "jit/isa/isa.h"
#include "jit/isa/microarch.h"
#include "jit/isa/target.h"
#include "jit/kernels/brgemm/brgemm_tile.h"
#include "jit/kernels/gemm/gemm.h"
#include "jit/limits/loops.h"
#include "tools/kernel_bench/bench_case.h"
#include "tools/kernel_bench/case_set.h"
#include "tools/kernel_bench/families/case_buffers.h"
#include "tools/kernel_bench/families/dense/bench_epilogue.h"
#include "tools/kernel_bench/families/dense/gemm_sets.h"
#include "tools/kernel_bench/families/dense/gemm_work.h"
#include "tools/kernel_bench/families/dense/tile_candidates.h"
#include "tools/kernel_bench/families/peer_entrants.h"
#include "tools/kernel_bench/families/yardsticks.h"

namespace burin::kernel_bench {
namespace {

// Of the few kernels of a case.
constexpr size_t kCodeBytes = size_t{4} << 20;

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

  void Run(const GemmWork& work, int copy) { RunItems(work, copy, 0, 0, items()); }

  void RunItems(const GemmWork& work, int copy, int thread, int64_t begin, int64_t end) {
    jit::GemmArgs args;
    args.a = work.a(copy);
    args.b = work.b(copy);
    args.c = work.c(copy);
    args.scratch = scratch[static_cast<size_t>(thread)].data();
    args.places = epilogue == nullptr ? nullptr : epilogue->places();
    gemm.Run(args, begin, end);
  }

  int64_t items() const { return gemm.work_items({}); }

  std::unique_ptr<jit::CodeCache> cache;
  jit::Gemm gemm;
  // Of each thread.
  std::vector<AlignedBuffer> scratch;
  // Null where sums are stored as they are.
  std::shared_ptr<const BenchEpilogue> epilogue;
};

absl::StatusOr<Entrant> Own(const std::shared_ptr<GemmWork>& work, const CaseOptions& options,
                            const jit::Target& target, std::optional<EpilogueKind> epilogue_kind = std::nullopt,
                            const std::optional<jit::BrgemmTile>& tile = std::nullopt) {
  const GemmCase& gemm_case = work->gemm_case();
  std::shared_ptr<const BenchEpilogue> epilogue;
  if (epilogue_kind.has_value()) {
    BURIN_ASSIGN_OR_RETURN(epilogue, BenchEpilogue::Create(*epilogue_kind, gemm_case.m, gemm_case.n, work->c(0)));
  }
  auto cache = std::make_unique<jit::CodeCache>(kCodeBytes);
  BURIN_ASSIGN_OR_RETURN(
      jit::Gemm gemm,
      jit::Gemm::Create(gemm_case.Spec(), epilogue == nullptr ? nullptr : &epilogue->emitter(), target, *cache, tile));
  const auto kernel = std::make_shared<Kernel>(std::move(cache), std::move(gemm));
  for (int thread = 0; thread < options.threads; ++thread) {
    BURIN_ASSIGN_OR_RETURN(AlignedBuffer scratch,
                           AlignedBuffer::Create(static_cast<size_t>(kernel->gemm.scratch_bytes())));
    kernel->scratch.push_back(std::move(scratch));
  }
  kernel->epilogue = epilogue;
  Entrant entrant = Like(*work);
  entrant.name = target.Supports(jit::IsaLevel::kAvx512) ? "burin 512" : "burin 256";
  if (epilogue_kind.has_value()) absl::StrAppend(&entrant.name, " ", EnumName(*epilogue_kind));
  if (tile.has_value()) {
    entrant.role = Role::kCandidate;
    absl::StrAppend(&entrant.name, " ", tile->rows, "x", tile->vectors, " ", EnumName(tile->broadcast));
  }
  entrant.implementation = kernel->gemm.plan().ToString();
  entrant.timed = "the kernel's run over all its items";
  entrant.run = Rotating(work->buffers().copies(), [work, kernel](int copy) { kernel->Run(*work, copy); });
  GemmWork::After after;
  if (epilogue != nullptr) {
    after = [epilogue](double sum, int64_t row, int64_t column) { return epilogue->After(sum, row, column); };
  }
  entrant.check = [work, kernel, after] { return work->Check([&] { kernel->Run(*work, 0); }, after); };
  entrant.items = kernel->items();
  entrant.run_items = [work, kernel](int thread, int64_t begin, int64_t end) {
    kernel->RunItems(*work, 0, thread, begin, end);
  };
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
  if (blocks == 0) return entrant;
  entrant.items = blocks;
  entrant.run_items = [work, loop](int, int64_t begin, int64_t end) {
    loop->Run(reinterpret_cast<const char*>(work->b(0)) + begin * static_cast<int64_t>(jit::ReadLoop::kBlockBytes),
              end - begin, 1);
  };
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
    BURIN_ASSIGN_OR_RETURN(Entrant wide, Own(work, options, target));
    made.entrants.push_back(std::move(wide));
  }
  BURIN_ASSIGN_OR_RETURN(Entrant narrow, Own(work, options, target.WithCap(jit::IsaLevel::kAvx2)));
  made.entrants.push_back(std::move(narrow));
  if (options.tune) {
    for (const jit::BrgemmTile& tile : TileCandidates(gemm_case.m, gemm_case.n, target)) {
      BURIN_ASSIGN_OR_RETURN(Entrant candidate, Own(work, options, target, std::nullopt, tile));
      made.entrants.push_back(std::move(candidate));
    }
  }
  for (const auto& kind : EnumNames<EpilogueKind>::kEntries) {
    // Its output is that of one copy.
    if (!options.epilogues || options.cold) break;
    BURIN_ASSIGN_OR_RETURN(Entrant with_epilogue, Own(work, options, target, kind.value));
    made.entrants.push_back(std::move(with_epilogue));
  }
  // Nobody else has several copies of a constant.
  if (options.peers.empty() || (options.cold && gemm_case.b == GemmOperand::kConstant)) return made;
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
    for (const GemmCase& one : UsualGemms()) names.push_back(one.Name());
    return names;
  }

  std::vector<std::string> CasesOf(const CaseSet& set) const override {
    std::vector<std::string> names;
    for (const GemmCase& one : GemmsOf(set)) names.push_back(one.Name());
    return names;
  }

  absl::StatusOr<BenchCase> MakeCase(absl::string_view case_name, const CaseOptions& options) const override {
    const std::optional<GemmCase> parsed = GemmCase::Parse(case_name);
    BURIN_CHECK(parsed.has_value()) << "no case: " << std::string(case_name);
    return Make(*parsed, options);
  }
};

}  // namespace

std::unique_ptr<Family> GemmFamily() { return std::make_unique<Gemms>(); }

}  // namespace burin::kernel_bench
