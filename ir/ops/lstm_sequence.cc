// LSTMSequence: long short-term memory over a sequence.
//
//   f, i, o = F(W x + R h + B) of their rows,  g = G(W x + R h + B) of its rows,  rows in the order f, i, g, o
//   c' = f * c + i * g
//   h' = o * H(c')              F, G, H: activations, by default sigmoid, tanh, tanh
//   f = 1 - i                   with input_forget
// Clipping applies to what enters F and G. With peepholes, which are optional (input 7, rows in the order f, i, o),
// gates see the cell state as well: P c is added to what enters F of f and i, P c' to that of o.
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

template <bool kCoupled>
void Step(const RecurrentStep& step, double* hidden, double* cell_state) {
  const int64_t size = step.hidden_size;
  const std::vector<double> last(hidden, hidden + size);
  const auto entering = [&](int64_t g, int64_t j) {
    const int64_t row = g * size + j;
    return step.InputProduct(row) + step.StateProduct(row, last.data()) + step.b[row];
  };
  const auto peephole = [&](int64_t g, int64_t j) {
    return step.p == nullptr ? 0 : step.p[g * size + j] * cell_state[j];
  };
  for (int64_t j = 0; j < size; ++j) {
    const double input = step.Activate(0, entering(1, j) + peephole(1, j));
    const double forget = kCoupled ? 1 - input : step.Activate(0, entering(0, j) + peephole(0, j));
    cell_state[j] = forget * cell_state[j] + input * step.Activate(1, entering(2, j));
    hidden[j] = step.Activate(0, entering(3, j) + peephole(2, j)) * step.activations[2](cell_state[j]);
  }
}

RecurrentCell Cell(const LSTMSequenceAttributes& attributes) {
  return {"LSTMSequence",
          4,
          4,
          /*has_cell_state=*/true,
          {"sigmoid", "tanh", "tanh"},
          attributes.input_forget ? &Step<true> : &Step<false>};
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
    d.max_inputs = 8;
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
