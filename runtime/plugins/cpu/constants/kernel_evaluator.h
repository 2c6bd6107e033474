// Computes what constant folding folds by the kernels that would compute it at run time.
//
// Handed to the passes with their context (transformations/constant_evaluator.h). The reference takes what is small,
// for which making a kernel costs more than it saves, and what there is no kernel for. Thread-safe.
#ifndef BURIN_RUNTIME_PLUGINS_CPU_CONSTANTS_KERNEL_EVALUATOR_H_
#define BURIN_RUNTIME_PLUGINS_CPU_CONSTANTS_KERNEL_EVALUATOR_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
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
  explicit KernelEvaluator(NodeContext context, int64_t least_bytes = kLeastBytes)
      : context_(std::move(context)), least_bytes_(least_bytes) {}

  absl::StatusOr<std::vector<ir::Tensor>> Evaluate(const ir::Node& node,
                                                   absl::Span<const ir::Tensor> inputs) const override;

 private:
  const NodeContext context_;
  const int64_t least_bytes_;
};

}  // namespace burin::cpu

#endif  // BURIN_RUNTIME_PLUGINS_CPU_CONSTANTS_KERNEL_EVALUATOR_H_
