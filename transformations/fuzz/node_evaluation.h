// Evaluates one node of a model on tensors, bodies included, by the reference implementations.
//
// For code that must see or change what flows between the nodes; ir/evaluator.h runs whole models. Stateless,
// thread-safe as far as the variables are.
#ifndef BURIN_TRANSFORMATIONS_FUZZ_NODE_EVALUATION_H_
#define BURIN_TRANSFORMATIONS_FUZZ_NODE_EVALUATION_H_

#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "ir/model.h"
#include "ir/reference_context.h"
#include "ir/tensor.h"

namespace burin::transformations {

// Returns one tensor per output; `inputs` holds one per input (empty: absent). ReadValue and Assign use `variables`.
// Not for parameters. Errors are those of ir::EvaluateOp and, for what is in a body, ir::Evaluator::Run.
absl::StatusOr<std::vector<ir::Tensor>> EvaluateNode(const ir::Node& node, absl::Span<const ir::Tensor> inputs,
                                                     ir::VariableStore* variables);

}  // namespace burin::transformations

#endif  // BURIN_TRANSFORMATIONS_FUZZ_NODE_EVALUATION_H_
