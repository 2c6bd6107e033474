// Computes running sums along an axis.
//
// Use it for CumSum: inclusive or exclusive, from either end, along the innermost axis or any other. In which order
// elements are added depends on the spec alone. A kernel is an immutable value: Run() may be called by any number of
// threads at once.
//
// For an epilogue, rows are the outer positions and columns the elements that are added up where those lie side by
// side; else rows are outer positions and places along the axis, and columns the inner elements.
#ifndef BURIN_JIT_KERNELS_CUMULATIVE_CUMULATIVE_H_
#define BURIN_JIT_KERNELS_CUMULATIVE_CUMULATIVE_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "jit/code_cache.h"
#include "jit/isa/target.h"
#include "jit/kernels/cumulative/cumulative_plan.h"
#include "jit/kernels/epilogue_emitter.h"

namespace burin::jit {

// Is compiled running sums.
class CumulativeKernel {
 public:
  // Compiles `spec` for `target`, with code of `cache`, which lives longer; `epilogue` is not needed afterwards. Fails
  // as CumulativeSpec::Validate() and CodeCache::GetOrGenerate() do; Unimplemented for an epilogue of another type than
  // f32.
  static absl::StatusOr<CumulativeKernel> Create(const CumulativeSpec& spec, const Target& target, CodeCache& cache,
                                                 const EpilogueEmitter* epilogue = nullptr);

  // Returns the number of work items; 0 where there is nothing to compute.
  int64_t work_items() const { return work_items_; }

  // Computes the items from `begin` up to `end`, which are 0 to work_items() (BURIN_DCHECK). Each element of the
  // destination belongs to one item. It may be the source where the strides are the same; else they do not overlap.
  // With an epilogue the destination is not read: its operands, `places`, are the outputs.
  void Run(const void* source, void* destination, const EpiloguePlace* places, int64_t begin, int64_t end) const;

  // Returns the plan, and the name of the code; "" where nothing is computed.
  const CumulativePlan& plan() const { return plan_; }
  absl::string_view kernel_name() const;

 private:
  explicit CumulativeKernel(const CumulativeSpec& spec) : spec_(spec) {}

  CumulativeSpec spec_;
  CumulativePlan plan_;
  int64_t lanes_ = 1;
  CachedCode code_;
  int64_t work_items_ = 0;
};

}  // namespace burin::jit

#endif  // BURIN_JIT_KERNELS_CUMULATIVE_CUMULATIVE_H_
