// Computes poolings of tensors whose channels lie side by side: maximum (with positions), average and norms, over
// windows of one to three axes, at the speed of memory where the caches allow.
//
// Use it for every pooling, global ones included (a window as large as the input). Not for layouts whose channels lie
// apart: copy them first (jit/kernels/copy.h). A kernel is an immutable value: Run() may be called by any number of
// threads at once.
//
//   BURIN_ASSIGN_OR_RETURN(const PoolingKernel kernel, PoolingKernel::Create(spec, target, cache));
//   kernel.Run({input, output}, 0, kernel.work_items());
//
// For an epilogue, rows are windows in the order batch, axes; columns are channels.
#ifndef BURIN_JIT_KERNELS_POOLING_POOLING_H_
#define BURIN_JIT_KERNELS_POOLING_POOLING_H_

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "jit/code_cache.h"
#include "jit/isa/target.h"
#include "jit/kernels/epilogue_emitter.h"
#include "jit/kernels/pooling/pooling_args.h"
#include "jit/kernels/pooling/pooling_plan.h"
#include "jit/kernels/pooling/pooling_spec.h"
#include "jit/kernels/pooling/pooling_windows.h"

namespace burin::jit {

// Says where the tensors are.
struct PoolingOperands {
  const void* input = nullptr;
  // Not read with an epilogue, whose operands are its outputs.
  void* output = nullptr;
  // Not read without indices.
  void* indices = nullptr;
  // Of the epilogue's operands, in their order.
  const EpiloguePlace* places = nullptr;
};

// Is a compiled pooling.
class PoolingKernel {
 public:
  // Compiles `spec` for `target`, with code of `cache`, which lives longer; `epilogue` is not needed afterwards. Fails
  // as PoolingSpec::Validate() and CodeCache::GetOrGenerate() do.
  static absl::StatusOr<PoolingKernel> Create(const PoolingSpec& spec, const Target& target, CodeCache& cache,
                                              const EpilogueEmitter* epilogue = nullptr);

  // Returns the number of work items; 0 where there is nothing to compute.
  int64_t work_items() const { return work_items_; }

  // Computes the items from `begin` up to `end`, which are 0 to work_items() (BURIN_DCHECK). Each element of the output
  // belongs to one item. Input and outputs do not overlap.
  void Run(const PoolingOperands& operands, int64_t begin, int64_t end) const;

  // Returns the plan, and the name of the code; "" where nothing is computed.
  const PoolingPlan& plan() const { return plan_; }
  absl::string_view kernel_name() const;

 private:
  explicit PoolingKernel(const PoolingSpec& spec) : spec_(spec) {}

  // Names a row of windows: batch and windows of the axes 0 and 1.
  struct Row {
    int64_t batch = 0;
    int64_t outer = 0;
    int64_t middle = 0;
  };

  // Computes windows from `begin` up to `end` of a row, of the channels that `args` tells already.
  void RunRow(const PoolingOperands& operands, const Row& row, int64_t begin, int64_t end, PoolingArgs& args) const;
  // Computes single windows that have the same taps. `args` are those of the row's window 0, with its first tap inside
  // of the input but for the innermost axis.
  void RunSingles(PoolingArgs args, int64_t begin, int64_t end) const;
  // Returns the factor of each window of a row, whose other axes have so many taps that count.
  const float* ScalesOf(int64_t counted) const;
  void SetScales();

  PoolingSpec spec_;
  PoolingPlan plan_;
  std::array<PoolingWindows, 3> windows_;
  // Of averages, by the taps that count of the other axes: a factor for each window of a row. Sorted.
  std::vector<std::pair<int64_t, std::vector<float>>> scales_;
  CachedCode code_;
  int lanes_ = 0;
  int64_t work_items_ = 0;
};

}  // namespace burin::jit

#endif  // BURIN_JIT_KERNELS_POOLING_POOLING_H_
