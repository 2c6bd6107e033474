#include "transformations/constant_evaluator.h"

#include "ir/evaluate_op.h"

namespace burin::transformations {
namespace {

class ReferenceEvaluator final : public ConstantEvaluator {
 public:
  absl::StatusOr<std::vector<ir::Tensor>> Evaluate(const ir::Node& node,
                                                   absl::Span<const ir::Tensor> inputs) const override {
    return ir::EvaluateOp(node.op(), node.attributes(), inputs);
  }
};

}  // namespace

const ConstantEvaluator& ReferenceConstantEvaluator() {
  static const auto* const reference = new ReferenceEvaluator;
  return *reference;
}

}  // namespace burin::transformations
