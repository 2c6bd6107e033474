#include "transformations/fuzz/node_evaluation.h"

#include "base/status_macros.h"
#include "ir/evaluate_op.h"
#include "ir/evaluator.h"

namespace burin::transformations {
namespace {

// Runs each body by an evaluator of its own.
class EvaluatorBodyRunner final : public ir::BodyRunner {
 public:
  absl::StatusOr<std::vector<ir::Tensor>> Run(const ir::Model& body, absl::Span<const ir::Tensor> inputs) override {
    BURIN_ASSIGN_OR_RETURN(const ir::Evaluator evaluator, ir::Evaluator::Create(body));
    return evaluator.Run(inputs);
  }
};

}  // namespace

absl::StatusOr<std::vector<ir::Tensor>> EvaluateNode(const ir::Node& node, absl::Span<const ir::Tensor> inputs,
                                                     ir::VariableStore* variables) {
  ir::HeapScratchAllocator scratch;
  EvaluatorBodyRunner body_runner;
  ir::ReferenceContext::Environment environment;
  environment.scratch = &scratch;
  environment.body_runner = &body_runner;
  environment.variables = variables;
  return ir::EvaluateOp(node.op(), node.attributes(), inputs, environment, node.bodies());
}

}  // namespace burin::transformations
