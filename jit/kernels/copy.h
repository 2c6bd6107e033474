// Moves elements between strided layouts at the speed of memory: copies, transposes, broadcasts, slices, reversals.
//
// Use it for every movement of data that changes no element. Each part of a concatenation or split is one plan with
// offset addresses. Not for padding with a value, which a fill (source strides 0) and a copy make, nor for gathers by
// index. A plan is an immutable value: Run() may be called by any number of threads at once.
//
//   BURIN_ASSIGN_OR_RETURN(const CopyPlan plan, CopyPlan::Create({4, {{rows, 4, 4 * columns}, {columns, ...}}}, ...));
//   plan.Run(source, destination, 0, plan.work_items());
//
// The work is cut into items of about equal cost, some 32 to 128 KiB each, of which any thread may run any range;
// however it is shared, the same bytes are written. Neighbouring items of a transpose may write some bytes both, with
// the same values.
#ifndef BURIN_JIT_KERNELS_COPY_H_
#define BURIN_JIT_KERNELS_COPY_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "jit/code_cache.h"
#include "jit/isa/target.h"
#include "jit/kernels/copy_args.h"
#include "jit/kernels/copy_blocks.h"
#include "jit/kernels/copy_layout.h"
#include "jit/kernels/copy_records.h"
#include "jit/kernels/copy_tiles.h"

namespace burin::jit {

// Holds how a movement is done: its kernel, and how the index space is cut into calls of it.
class CopyPlan {
 public:
  // Plans `spec` for `target`, with code of `cache`, which lives longer. InvalidArgument as of CopyLayout::From(); else
  // fails as CodeCache::GetOrGenerate() does.
  static absl::StatusOr<CopyPlan> Create(const StridedCopySpec& spec, const Target& target, CodeCache& cache);

  // Returns the number of work items; 0 where nothing is moved.
  int64_t work_items() const { return work_items_; }

  // Moves what belongs to the items from `begin` up to `end`, which are 0 to work_items() (BURIN_DCHECK). Reads and
  // writes no other bytes than the elements'. Source and destination do not overlap; a plan whose two sides have equal
  // strides may also run in place, which changes nothing.
  void Run(const void* source, void* destination, int64_t begin, int64_t end) const;

  // Returns the name of the kernel that is called, such as "copy_rows"; "" where nothing is moved.
  absl::string_view kernel_name() const;

 private:
  // Is one loop of the kernel: cut into pieces of `step` of its extent, none shorter than `least`.
  struct Axis {
    CopyDim dim;
    int64_t step = 1;
    int64_t least = 1;
  };

  // Is a digit of a call's number, the lowest first: a piece of an axis, or an index of a dimension that the kernel
  // does not loop over.
  struct Digit {
    int64_t count = 1;
    // Of the axis; negative for a dimension.
    int axis = -1;
    int64_t source_stride = 0;
    int64_t destination_stride = 0;
  };

  CopyPlan() = default;

  // Each makes the plan for its kind of kernel.
  absl::Status PlanRecords(const CopyLayout& layout, size_t record_dim, std::optional<size_t> element_dim,
                           const CopyRecordsSpec& spec, const Target& target, CodeCache& cache);
  absl::Status PlanRows(const CopyLayout& layout, const Target& target, CodeCache& cache);
  absl::Status PlanElements(const CopyLayout& layout, const Target& target, CodeCache& cache);
  absl::Status PlanBlocks(const CopyLayout& layout, size_t column_dim, const CopyBlocksSpec& spec, const Target& target,
                          CodeCache& cache);
  absl::Status PlanTiles(const CopyLayout& layout, size_t column_dim, const CopyTilesSpec& spec, const Target& target,
                         CodeCache& cache);

  // Makes axes of the rows and columns of a transpose, and of what else there is.
  void SetPlanes(const CopyLayout& layout, size_t column_dim);
  // Makes axes of `dims`, from `first_axis` on while there are any; the rest become digits of the calls' numbers.
  void SetDims(int first_axis, absl::Span<const CopyDim> dims);
  // Cuts the axes from `first_axis` on so that a call moves some kItemBytes; one step of that axis moves `bytes`.
  void CutAxes(int first_axis, int64_t bytes);
  // Counts calls and items, in the order of `axes`: the pieces of the first follow each other.
  void CountCalls(const std::array<int, 3>& axes, int64_t total_bytes);
  // Run items, with scratch memory of their own or what there is.
  void RunWithScratch(const void* source, void* destination, int64_t begin, int64_t end) const;
  void RunCalls(const void* source, void* destination, int64_t begin, int64_t end, uint8_t* scratch) const;
  // Sets what the call of this number moves: addresses relative to those of the spec, and extents.
  void SetCall(int64_t call, CopyArgs& args) const;

  CachedCode code_;
  std::array<Axis, 3> axes_;
  std::vector<Digit> digits_;
  int64_t source_offset_ = 0;
  int64_t destination_offset_ = 0;
  int64_t calls_ = 0;
  int64_t calls_per_item_ = 1;
  int64_t work_items_ = 0;
  bool nontemporal_ = false;
  bool uses_scratch_ = false;
};

}  // namespace burin::jit

#endif  // BURIN_JIT_KERNELS_COPY_H_
