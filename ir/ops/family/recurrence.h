// What RNNSequence, GRUSequence and LSTMSequence share: attributes, inference, and the loop over time.
//
// An op supplies its cell: one step from a hidden (and cell) state to the next. Sequences run in one or two directions,
// each with its own weights, and each batch ends at its own length. Stateless functions and plain data, thread-safe.
//
// Inputs:  X [N, T, I], the hidden state [N, D, H], (LSTM: the cell state [N, D, H],) lengths [N], W [D, G * H, I],
//          R [D, G * H, H], B [D, B * H], (LSTM, optional: P [D, 3 * H],) with G gates and B rows of biases.
// Outputs: Y [N, D, T, H], zero from a batch's length on; the last hidden state [N, D, H], (LSTM: the last cell state).
#ifndef BURIN_IR_OPS_FAMILY_RECURRENCE_H_
#define BURIN_IR_OPS_FAMILY_RECURRENCE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "base/enum_names.h"
#include "ir/attributes.h"
#include "ir/infer_context.h"
#include "ir/op_def.h"
#include "ir/reference_context.h"

namespace burin::ir {

// Says in which order a sequence is read; a reverse one begins at each batch's last element.
enum class RecurrentDirection : uint8_t { kForward, kReverse, kBidirectional };

// The attributes of all three ops.
struct RecurrentParameters {
  int64_t hidden_size = 1;
  // One for each of the op's functions, or twice as many for both directions, forwards first; empty: the op's default.
  //   sigmoid, tanh, relu, softsign, softplus as elsewhere
  //   affine           alpha * x + beta                        alpha 1, beta 0
  //   leakyrelu        x from 0 on, else alpha * x             alpha 0.01
  //   thresholdedrelu  x from alpha on, else 0                 alpha 1
  //   scaledtanh       alpha * tanh(beta * x)                  alpha 1, beta 1
  //   hardsigmoid      min(max(alpha * x + beta, 0), 1)        alpha 0.2, beta 0.5
  //   elu              x from 0 on, else alpha * (exp(x) - 1)  alpha 1
  std::vector<std::string> activations;
  // Parameters of the activations, at their places; where a list ends before, those above.
  std::vector<double> activations_alpha;
  std::vector<double> activations_beta;
  double clip = 0;  // Bound on the magnitude of what enters an activation; 0: none.
  RecurrentDirection direction = RecurrentDirection::kForward;

  // Visits them under their names in OpenVINO's specifications.
  void VisitRecurrent(AttributeVisitor& visitor);
};

// A function and its parameters.
struct RecurrentActivation {
  double (*function)(double x, double alpha, double beta) = nullptr;
  double alpha = 0;
  double beta = 0;

  double operator()(double x) const { return function(x, alpha, beta); }
};

// One step of one batch and direction.
struct RecurrentStep {
  const double* x = nullptr;  // [I]
  const double* w = nullptr;  // [G * H, I]
  const double* r = nullptr;  // [G * H, H]
  const double* b = nullptr;  // [B * H]
  const double* p = nullptr;  // [3 * H], null without peepholes.
  int64_t input_size = 0;
  int64_t hidden_size = 0;
  double clip = 0;
  std::vector<RecurrentActivation> activations;

  // Returns row `row` of W times x, or of R times `state`.
  double InputProduct(int64_t row) const;
  double StateProduct(int64_t row, const double* state) const;
  // Returns activation `i` of `value`, clipped first.
  double Activate(size_t i, double value) const;
};

// What an op adds. `cell` replaces the state `hidden` (and `cell_state`, null without one) by the next.
struct RecurrentCell {
  const char* op;
  int64_t gates;
  int64_t bias_rows;
  bool has_cell_state;
  std::vector<std::string> default_activations;
  void (*step)(const RecurrentStep& step, double* hidden, double* cell_state);
};

// Infers a sequence. Constraints, with the op's name in front of each label:
//   <op>_c1: lengths are integers, all other inputs of one float type.
//   <op>_c2: the shapes agree with those above.
//   <op>_c3: hidden_size is in [1, 2^24], clip finite and not negative, and there are as many activations as the op has
//            by default (in two directions: or twice as many), or none.
//   <op>_c4: each length lies in [0, T].
// Unimplemented for another activation.
absl::Status InferRecurrence(InferContext& context, const RecurrentCell& cell, const RecurrentParameters& parameters);

// Evaluates a sequence by the definition.
absl::Status ReferenceRecurrence(ReferenceContext& context, const RecurrentCell& cell,
                                 const RecurrentParameters& parameters);

// Returns the cost: two flops per weight, step and batch.
Cost RecurrenceCost(const CostContext& context);

}  // namespace burin::ir

namespace burin {

template <>
struct EnumNames<ir::RecurrentDirection> {
  static constexpr EnumEntry<ir::RecurrentDirection> kEntries[] = {
      {ir::RecurrentDirection::kForward, "forward"},
      {ir::RecurrentDirection::kReverse, "reverse"},
      {ir::RecurrentDirection::kBidirectional, "bidirectional"},
  };
};

}  // namespace burin

#endif  // BURIN_IR_OPS_FAMILY_RECURRENCE_H_
