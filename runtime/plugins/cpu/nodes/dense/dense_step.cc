#include "runtime/plugins/cpu/nodes/dense/dense_step.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "base/element_type.h"
#include "base/status_macros.h"

namespace burin::cpu {

DenseStep DenseStep::Alone(const ir::Node& op) {
  DenseStep step;
  for (int64_t i = 0; i < op.input_count(); ++i) {
    step.inputs.push_back(op.input(i).exists() ? static_cast<int>(i) : -1);
  }
  return step;
}

absl::StatusOr<DenseStep> DenseStep::OfAnchor(const snippets::AnchoredBody& body) {
  DenseStep step;
  step.inputs.assign(body.anchor_inputs.begin(), body.anchor_inputs.end());
  BURIN_ASSIGN_OR_RETURN(
      step.epilogue, DenseEpilogue::Create(*body.epilogue,
                                           std::vector<int>(body.epilogue_inputs.begin(), body.epilogue_inputs.end())));
  return step;
}

bool DenseStep::OperationReads(int input) const { return std::count(inputs.begin(), inputs.end(), input) > 0; }

NodeValues DenseStep::OperationValues(const NodeValues& values) const {
  NodeValues of_operation;
  for (const int input : inputs) {
    of_operation.inputs.push_back(input < 0 ? NodeInput() : values.inputs[static_cast<size_t>(input)]);
  }
  of_operation.outputs = values.outputs;
  if (epilogue == nullptr) return of_operation;
  of_operation.outputs.resize(1);
  of_operation.outputs[0].type = ElementType::kF32;
  return of_operation;
}

}  // namespace burin::cpu
