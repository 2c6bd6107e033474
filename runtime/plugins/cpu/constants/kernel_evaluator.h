// Computes what constant folding folds by the kernels that would compute it at run time.
//
// Handed to the passes with their context (transformations/constant_evaluator.h). The reference takes what is small,
// for which making a kernel costs more than it saves, and what there is no kernel for. Of element-wise operations,
// which scale the weights of each convolution of a model, one node serves all shapes. Thread-safe.
#ifndef BURIN_RUNTIME_PLUGINS_CPU_CONSTANTS_KERNEL_EVALUATOR_H_
#define BURIN_RUNTIME_PLUGINS_CPU_CONSTANTS_KERNEL_EVALUATOR_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "absl/types/span.h"
#include "base/hash.h"
#include "ir/model.h"
#include "ir/tensor.h"
#include "runtime/plugins/cpu/graph/node.h"
#include "transformations/constant_evaluator.h"

namespace burin::cpu {

class KernelEvaluator final : public transformations::ConstantEvaluator {
 public:
  // Below so many bytes of inputs and outputs the reference is as fast: a kernel takes some tenths of a millisecond to
  // make, in which the reference computes about as much.
  static constexpr int64_t kLeastBytes = int64_t{256} << 10;

  // Kernels are made for the target of `context`, into its code cache.
  explicit KernelEvaluator(NodeContext context, int64_t least_bytes = kLeastBytes);
  ~KernelEvaluator() override;

  absl::StatusOr<std::vector<ir::Tensor>> Evaluate(const ir::Node& node,
                                                   absl::Span<const ir::Tensor> inputs) const override;

  // Returns how many nodes were made so far.
  int64_t nodes_made() const;

 private:
  struct Operation;

  // Returns the outputs, or Unimplemented where there is no kernel for the operation.
  absl::StatusOr<std::vector<ir::Tensor>> ByKernel(const ir::Node& node, absl::Span<const ir::Tensor> inputs) const;
  // Returns the operation with a node, one that was made before where it is for these inputs too.
  absl::StatusOr<std::shared_ptr<const Operation>> OperationFor(const ir::Node& node,
                                                                absl::Span<const ir::Tensor> inputs) const;

  const NodeContext context_;
  const int64_t least_bytes_;
  mutable absl::Mutex mutex_;
  mutable int64_t nodes_made_ ABSL_GUARDED_BY(mutex_) = 0;
  // Of any shapes, by what is computed and along which axes inputs are broadcast.
  mutable absl::flat_hash_map<Hash128, std::shared_ptr<const Operation>> operations_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace burin::cpu

#endif  // BURIN_RUNTIME_PLUGINS_CPU_CONSTANTS_KERNEL_EVALUATOR_H_
