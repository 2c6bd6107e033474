// RNNSequence: a simple recurrent network over a sequence.
//
//   h' = f(W x + R h + B)       f: activations[0], tanh by default
//
// Inputs, outputs and the constraints RNNSequence_c1 to RNNSequence_c4: see ir/ops/family/recurrence.h.
#include "ir/ops/rnn_sequence.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "ir/infer_context.h"
#include "ir/op_def.h"
#include "ir/ops/family/recurrence.h"
#include "ir/ops/ops.h"
#include "ir/reference_context.h"

namespace burin::ir {
namespace {

void Step(const RecurrentStep& step, double* hidden, double*) {
  std::vector<double> next(static_cast<size_t>(step.hidden_size));
  for (int64_t j = 0; j < step.hidden_size; ++j) {
    next[static_cast<size_t>(j)] = step.Activate(0, step.InputProduct(j) + step.StateProduct(j, hidden) + step.b[j]);
  }
  std::copy(next.begin(), next.end(), hidden);
}

RecurrentCell Cell(const RNNSequenceAttributes&) {
  return {"RNNSequence", 1, 1, /*has_cell_state=*/false, {"tanh"}, &Step};
}

absl::Status Infer(InferContext& context) {
  const auto& attributes = context.attributes<RNNSequenceAttributes>();
  return InferRecurrence(context, Cell(attributes), attributes);
}

absl::Status Reference(ReferenceContext& context) {
  const auto& attributes = context.attributes<RNNSequenceAttributes>();
  return ReferenceRecurrence(context, Cell(attributes), attributes);
}

}  // namespace

const OpDef& RNNSequenceOp() {
  static const OpDef op = [] {
    OpDef d(OpCode::kRNNSequence, "RNNSequence", "opset5");
    d.min_inputs = 6;
    d.max_inputs = 6;
    d.outputs = 2;
    d.make_attributes = &MakeAttributes<RNNSequenceAttributes>;
    d.infer = &Infer;
    d.reference = &Reference;
    d.cost = &RecurrenceCost;
    d.tolerance = ToleranceClass::kAccumulated;
    return d;
  }();
  return op;
}

}  // namespace burin::ir
