// GRUSequence: gated recurrent units over a sequence.
//
//   z, r = F(W x + R h + B) of their rows, in the order z, r, then those of g
//   g = G(W x + R (r * h) + B)
//   g = G(W x + r * (R h + Rb) + B)     with linear_before_reset; Rb is a fourth row of biases
//   h' = (1 - z) * g + z * h            F, G: activations, by default sigmoid, tanh
//
// Inputs, outputs and the constraints GRUSequence_c1 to GRUSequence_c4: see ir/ops/family/recurrence.h.
#include "ir/ops/gru_sequence.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

#include "absl/status/status.h"
#include "ir/infer_context.h"
#include "ir/op_def.h"
#include "ir/ops/family/recurrence.h"
#include "ir/ops/ops.h"
#include "ir/reference_context.h"

namespace burin::ir {
namespace {

// Computes one step; `propose(j, reset)` gives what enters G for element j.
template <class Propose>
void StepWith(const RecurrentStep& step, double* hidden, Propose propose) {
  const int64_t size = step.hidden_size;
  const std::vector<double> last(hidden, hidden + size);
  const auto gate = [&](int64_t row) {
    return step.Activate(0, step.InputProduct(row) + step.StateProduct(row, last.data()) + step.b[row]);
  };
  std::vector<double> reset(static_cast<size_t>(size));
  for (int64_t j = 0; j < size; ++j) reset[static_cast<size_t>(j)] = gate(size + j);
  for (int64_t j = 0; j < size; ++j) {
    const double update = gate(j);
    const double proposed = step.Activate(1, propose(j, last, reset));
    hidden[j] = (1 - update) * proposed + update * last[static_cast<size_t>(j)];
  }
}

void Step(const RecurrentStep& step, double* hidden, double*) {
  std::vector<double> masked(static_cast<size_t>(step.hidden_size));
  StepWith(step, hidden, [&](int64_t j, const std::vector<double>& last, const std::vector<double>& reset) {
    if (j == 0) std::transform(last.begin(), last.end(), reset.begin(), masked.begin(), std::multiplies<double>());
    const int64_t row = 2 * step.hidden_size + j;
    return step.InputProduct(row) + step.StateProduct(row, masked.data()) + step.b[row];
  });
}

void StepLinearBeforeReset(const RecurrentStep& step, double* hidden, double*) {
  StepWith(step, hidden, [&](int64_t j, const std::vector<double>& last, const std::vector<double>& reset) {
    const int64_t row = 2 * step.hidden_size + j;
    const double state = step.StateProduct(row, last.data()) + step.b[row + step.hidden_size];
    return step.InputProduct(row) + reset[static_cast<size_t>(j)] * state + step.b[row];
  });
}

RecurrentCell Cell(const GRUSequenceAttributes& attributes) {
  const bool linear = attributes.linear_before_reset;
  return {"GRUSequence",       3,
          linear ? 4 : 3,      /*has_cell_state=*/false,
          {"sigmoid", "tanh"}, linear ? &StepLinearBeforeReset : &Step};
}

absl::Status Infer(InferContext& context) {
  const auto& attributes = context.attributes<GRUSequenceAttributes>();
  return InferRecurrence(context, Cell(attributes), attributes);
}

absl::Status Reference(ReferenceContext& context) {
  const auto& attributes = context.attributes<GRUSequenceAttributes>();
  return ReferenceRecurrence(context, Cell(attributes), attributes);
}

}  // namespace

const OpDef& GRUSequenceOp() {
  static const OpDef op = [] {
    OpDef d(OpCode::kGRUSequence, "GRUSequence", "opset5");
    d.min_inputs = 6;
    d.max_inputs = 6;
    d.outputs = 2;
    d.make_attributes = &MakeAttributes<GRUSequenceAttributes>;
    d.infer = &Infer;
    d.reference = &Reference;
    d.cost = &RecurrenceCost;
    d.tolerance = ToleranceClass::kAccumulated;
    return d;
  }();
  return op;
}

}  // namespace burin::ir
