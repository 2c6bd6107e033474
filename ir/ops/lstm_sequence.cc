// LSTMSequence: long short-term memory over a sequence.
//
//   f, i, o = F(W x + R h + B) of their rows,  g = G(W x + R h + B) of its rows,  rows in the order f, i, g, o
//   c' = f * c + i * g
//   h' = o * H(c')              F, G, H: activations, by default sigmoid, tanh, tanh
// Clipping applies to what enters F and G.
//
// Inputs, outputs and the constraints LSTMSequence_c1 to LSTMSequence_c4: see ir/ops/family/recurrence.h.
#include "ir/ops/lstm_sequence.h"

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

void Step(const RecurrentStep& step, double* hidden, double* cell_state) {
  const int64_t size = step.hidden_size;
  const std::vector<double> last(hidden, hidden + size);
  const auto gate = [&](int64_t g, int64_t j, size_t activation) {
    const int64_t row = g * size + j;
    return step.Activate(activation, step.InputProduct(row) + step.StateProduct(row, last.data()) + step.b[row]);
  };
  for (int64_t j = 0; j < size; ++j) {
    cell_state[j] = gate(0, j, 0) * cell_state[j] + gate(1, j, 0) * gate(2, j, 1);
    hidden[j] = gate(3, j, 0) * step.activations[2](cell_state[j]);
  }
}

RecurrentCell Cell(const LSTMSequenceAttributes&) {
  return {"LSTMSequence", 4, 4, /*has_cell_state=*/true, {"sigmoid", "tanh", "tanh"}, &Step};
}

absl::Status Infer(InferContext& context) {
  const auto& attributes = context.attributes<LSTMSequenceAttributes>();
  return InferRecurrence(context, Cell(attributes), attributes);
}

absl::Status Reference(ReferenceContext& context) {
  const auto& attributes = context.attributes<LSTMSequenceAttributes>();
  return ReferenceRecurrence(context, Cell(attributes), attributes);
}

}  // namespace

const OpDef& LSTMSequenceOp() {
  static const OpDef op = [] {
    OpDef d(OpCode::kLSTMSequence, "LSTMSequence", "opset5");
    d.min_inputs = 7;
    d.max_inputs = 7;
    d.outputs = 3;
    d.make_attributes = &MakeAttributes<LSTMSequenceAttributes>;
    d.infer = &Infer;
    d.reference = &Reference;
    d.cost = &RecurrenceCost;
    d.tolerance = ToleranceClass::kAccumulated;
    return d;
  }();
  return op;
}

}  // namespace burin::ir
