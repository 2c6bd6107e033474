// Resamples tensors along up to three axes: nearest, linear, cubic and any other separable filter.
//
// Use it for every Interpolate, and with squares as terms for the windows of a local response normalisation: the caller
// makes the tables of taps, and this makes code and pieces of work. Channels
// or the elements of the innermost axis lie side by side; all else is where the strides say. A kernel is immutable:
// Run() may be called by any number of threads at once, each with scratch memory of its own.
//
//   BURIN_ASSIGN_OR_RETURN(const ResizeKernel kernel, ResizeKernel::Create(spec, target, cache));
//   kernel.Run({input, output, nullptr, scratch}, 0, kernel.work_items());
//
// For an epilogue, rows are elements in the order batch, axes, and columns are channels, where channels lie side by
// side; else rows are those of the innermost axis, in the order batch, channel, axes, and columns are its elements.
#ifndef BURIN_JIT_KERNELS_RESIZE_RESIZE_H_
#define BURIN_JIT_KERNELS_RESIZE_RESIZE_H_

#include <array>
#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "jit/code_cache.h"
#include "jit/isa/target.h"
#include "jit/kernels/epilogue_emitter.h"
#include "jit/kernels/resize/resize_args.h"
#include "jit/kernels/resize/resize_plan.h"
#include "jit/kernels/resize/resize_spec.h"

namespace burin::jit {

// Says where the tensors are.
struct ResizeOperands {
  const void* input = nullptr;
  // Not read with an epilogue, whose operands are its outputs.
  void* output = nullptr;
  // Of the epilogue's operands, in their order.
  const EpiloguePlace* places = nullptr;
  // ResizeKernel::scratch_bytes() bytes, aligned to 64, which a call overwrites.
  void* scratch = nullptr;
};

// Is a compiled resampling.
class ResizeKernel {
 public:
  // Compiles `spec` for `target`, with code of `cache`, which lives longer; `epilogue` is not needed afterwards. What
  // is merely moved is the same bit for bit; else a sum of zeros alone is +0. Fails as ResizeSpec::Validate() and
  // CodeCache::GetOrGenerate() do; Unimplemented for rows of 2^31 elements or more that are resampled by sums.
  static absl::StatusOr<ResizeKernel> Create(const ResizeSpec& spec, const Target& target, CodeCache& cache,
                                             const EpilogueEmitter* epilogue = nullptr);

  // Returns the number of work items; 0 where there is nothing to compute.
  int64_t work_items() const { return work_items_; }

  // Returns how much scratch memory a call of Run() needs.
  int64_t scratch_bytes() const { return outer_bytes_ + row_bytes_; }

  // Computes the items from `begin` up to `end`, which are 0 to work_items() (BURIN_DCHECK). Each element of the output
  // belongs to one item. Input and output do not overlap.
  void Run(const ResizeOperands& operands, int64_t begin, int64_t end) const;

  // Returns the plan, and the name of the code; "" where nothing is computed.
  const ResizePlan& plan() const { return plan_; }
  absl::string_view kernel_name() const;

 private:
  // Names a row.
  struct Row {
    int64_t batch = 0;
    int64_t channel = 0;
    int64_t outer = 0;
    int64_t middle = 0;
  };

  explicit ResizeKernel(const ResizeSpec& spec) : spec_(spec) {}

  absl::Status MakeMove(const Target& target, CodeCache& cache);
  absl::Status MakeSums(const Target& target, CodeCache& cache, const EpilogueEmitter* epilogue);
  void MakeElementTable();
  void MakeIndexTables();
  // Makes indices relative to bases_, where all fit two vectors.
  void MakeBases();
  // Computes the elements from `begin` up to `end` of a row, the row number `number`.
  void Move(const ResizeOperands& operands, const Row& row, int64_t begin, int64_t end) const;
  void SumChannels(const ResizeOperands& operands, const Row& row, int64_t number, int64_t begin, int64_t end) const;
  void ResampleRow(const ResizeOperands& operands, const Row& row, int64_t number) const;
  // Return where a row begins, the input's without its taps.
  const uint8_t* InputOf(const ResizeOperands& operands, const Row& row) const;
  uint8_t* OutputOf(const ResizeOperands& operands, const Row& row) const;
  // Writes the taps of the outer axes to `taps`, combined; returns how many they are.
  int64_t CombineOuterTaps(const Row& row, ResizeTableTap* taps) const;

  ResizeSpec spec_;
  ResizePlan plan_;
  int lanes_ = 1;
  int64_t work_items_ = 0;
  int64_t outer_bytes_ = 0;
  int64_t row_bytes_ = 0;
  // Of kMove: the row's index of each element, the extent where there is none.
  std::vector<int64_t> rows_of_elements_;
  // Of kSumChannels: the innermost axis.
  std::vector<ResizeTableTap> taps_;
  std::vector<ResizeTableElement> elements_;
  // Of kResampleRows: by tap, indices and weights of all elements, whole vectors of them.
  std::vector<int32_t> indices_;
  std::vector<float> weights_;
  // Where the taps of every vector lie in two vectors of the row: the first of these, by first element; else empty.
  std::vector<int32_t> bases_;
  int64_t row_taps_ = 0;
  int64_t padded_elements_ = 0;
  CachedCode move_code_;
  CachedCode sum_code_;
  CachedCode row_code_;
};

}  // namespace burin::jit

#endif  // BURIN_JIT_KERNELS_RESIZE_RESIZE_H_
