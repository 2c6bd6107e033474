// Multiplies matrices at the speed of the machine: constant B in panels, or any B, over a batch, with an epilogue.
//
// Use it for fully connected layers, projections and attention's products, and for what is lowered to products. Not for
// convolutions, which read their input in place (jit/kernels/convolution). Immutable; any number of threads may run it
// at once, each with arguments of its own.
//
//   BURIN_ASSIGN_OR_RETURN(const Gemm gemm, Gemm::Create(GemmSpec::Packed(m, n, k), epilogue, target, cache));
//   GemmArgs args;
//   args.a = ...;
//   gemm.Run(args, 0, gemm.work_items(args));
//
// The epilogue sees one matrix of all products below each other: row = index in the batch * m + row of C, column =
// column of C. Each element is a chain of FMAs in the order of k, whatever the machine, the plan and the sharing of
// items over threads: equal operands give equal bits. Only where a plan takes dot products (few rows of a B that lies
// along the sum) is it a sum of 16 chains, as jit/kernels/dot/dot_spec.h says, and as equal however items are shared.
#ifndef BURIN_JIT_KERNELS_GEMM_GEMM_H_
#define BURIN_JIT_KERNELS_GEMM_GEMM_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "jit/code_cache.h"
#include "jit/isa/target.h"
#include "jit/kernels/brgemm/brgemm.h"
#include "jit/kernels/brgemm/brgemm_args.h"
#include "jit/kernels/brgemm/brgemm_spec.h"
#include "jit/kernels/brgemm/brgemm_tile.h"
#include "jit/kernels/dot/dot.h"
#include "jit/kernels/dot/dot_spec.h"
#include "jit/kernels/epilogue_emitter.h"
#include "jit/kernels/gemm/gemm_plan.h"
#include "jit/kernels/gemm/gemm_spec.h"
#include "jit/kernels/panels/panel_packer.h"

namespace burin::jit {

// Is where the operands are. C does not overlap A or B.
struct GemmArgs {
  const void* a = nullptr;
  // Packed B is best aligned to 64 bytes.
  const void* b = nullptr;
  // Of f32. With an epilogue it is read and written only where Gemm::UsesC().
  void* c = nullptr;
  // Rows, where the spec has none.
  int64_t m = 0;
  // Gemm::scratch_bytes() bytes of this call alone, aligned to 64; what they hold does not matter.
  void* scratch = nullptr;
  // Of the epilogue's operands.
  const EpiloguePlace* places = nullptr;
};

// Holds the kernels of a plan.
class Gemm {
 public:
  // Plans `spec`, with code of `cache`, which lives longer. `epilogue` may be null, and is not kept. `tile` is that of
  // GemmPlan::Of(). Fails as GemmSpec::Validate(), Brgemm::Create() and PanelPacker::Create() do.
  static absl::StatusOr<Gemm> Create(const GemmSpec& spec, const EpilogueEmitter* epilogue, const Target& target,
                                     CodeCache& cache, const std::optional<BrgemmTile>& tile = std::nullopt);

  // Returns the number of work items: of a spec without rows, it is that of `args.m`.
  int64_t work_items(const GemmArgs& args) const;

  // Computes what belongs to the items from `begin` up to `end`, which are 0 to work_items() (BURIN_DCHECK).
  // Neighbouring items share more than others: give threads ranges of them.
  void Run(const GemmArgs& args, int64_t begin, int64_t end) const;

  // Returns the bytes of scratch memory that each concurrent call of Run() takes.
  int64_t scratch_bytes() const { return scratch_bytes_; }

  // Returns whether C is read or written: always without an epilogue; with one, where C is added to, or where sums are
  // cut and C holds them meanwhile. It may then be the memory of one of the epilogue's outputs of f32 with these
  // strides, if nothing that the epilogue reads is there.
  bool UsesC() const { return uses_c_; }

  // Returns what was planned.
  const GemmSpec& spec() const { return spec_; }
  const GemmPlan& plan() const { return plan_; }

 private:
  // Is a part of a strip, with its kernels: by their place in the sum, and by rows.
  struct Columns {
    GemmColumns part;
    int kernels = 0;
  };
  // Tells kernels apart: whether it starts a sum, and whether it ends one.
  static constexpr int kMiddle = 0;
  static constexpr int kFirst = 1;
  static constexpr int kLast = 2;
  struct Kernels {
    BrgemmTile tile;
    int last_columns = 0;
    std::array<std::array<Brgemm, BrgemmSpec::kMaxRows + 1>, 4> by_place;
    // By rows, in their stead.
    std::array<DotKernel, DotSpec::kMaxRows + 1> dots;
  };
  // The most different kinds of parts.
  static constexpr int kMostKinds = 8;
  // Says how a number of rows is cut.
  struct Grid {
    int64_t rows = 0;
    RowSplit blocks;
    // Strips of blocks, of all products; and how many of them an item has.
    int64_t units = 0;
    int64_t units_per_item = 1;
    int64_t items = 0;
    // The tiles of blocks by kind: of those that are not taller, and of those that are.
    std::array<std::array<RowSplit, kMostKinds>, 2> splits;
  };
  // Is a part of the work: strips of a block of rows of a product.
  struct Task {
    const GemmArgs* args = nullptr;
    const char* a = nullptr;
    const char* b = nullptr;
    char* c = nullptr;
    // Of the epilogue's matrix.
    int64_t row = 0;
    int64_t first_strip = 0;
    int64_t last_strip = 0;
    const std::array<RowSplit, kMostKinds>* splits = nullptr;
  };

  Gemm(const GemmSpec& spec, const GemmPlan& plan) : spec_(spec), plan_(plan) {}

  absl::Status CreateKernels(const EpilogueEmitter* epilogue, const Target& target, CodeCache& cache);
  absl::Status CreateKind(Kernels& kernels, const EpilogueEmitter* epilogue, const Target& target, CodeCache& cache);
  absl::Status CreateDots(Kernels& kernels, const EpilogueEmitter* epilogue, const Target& target, CodeCache& cache);
  absl::Status CreateAlongStrips(const EpilogueEmitter* epilogue, const Target& target, CodeCache& cache);
  absl::Status CreatePackers(const Target& target, CodeCache& cache);
  // Returns whether a sum has several chunks of which some have this place.
  bool HasPlace(int place) const;
  // Describes a tile of `rows` rows at a place.
  BrgemmSpec TileSpec(const BrgemmTile& tile, int rows, int place) const;
  // Lists the heights of tiles that there may be.
  std::array<bool, BrgemmSpec::kMaxRows + 1> Heights(const BrgemmTile& tile) const;
  std::vector<Columns> AddColumns(const std::vector<GemmColumns>& parts);

  Grid MakeGrid(int64_t rows) const;
  RowSplit BlocksOf(int64_t rows) const;

  void RunUnits(const GemmArgs& args, const Grid& grid, int64_t begin, int64_t end) const;
  void RunTask(const Task& task) const;
  void RunAlongStrips(const Task& task, int64_t chunk) const;
  void RunDots(const Task& task, int64_t strip) const;
  // Fills in what all tiles of a chunk have alike.
  BrgemmArgs ArgsOf(const Task& task, int64_t chunk) const;
  int PlaceOf(int64_t chunk) const { return (chunk == 0 ? kFirst : 0) | (chunk + 1 == chunks_ ? kLast : 0); }
  void RunStrip(const Task& task, int64_t strip, int64_t chunk, const char* b, const char* next) const;

  GemmSpec spec_;
  GemmPlan plan_;
  bool uses_c_ = true;
  int64_t scratch_bytes_ = 0;
  int64_t batch_size_ = 1;
  int64_t chunks_ = 1;
  int64_t strips_ = 0;
  // Of the spec's rows, if it has any.
  Grid grid_;
  std::vector<Kernels> kernels_;
  std::vector<Columns> whole_strip_;
  std::vector<Columns> last_strip_;
  // Of all rows, along whole strips, by place; where the plan says so, but for what has an epilogue.
  std::array<Brgemm, 4> along_strips_;
  // By whether the chunk is the last, and the strip.
  std::array<std::array<std::vector<PanelPacker>, 2>, 2> packers_;
};

}  // namespace burin::jit

#endif  // BURIN_JIT_KERNELS_GEMM_GEMM_H_
