// What RNNSequence, GRUSequence and LSTMSequence share: attributes, inference, and the loop over time.
//
// An op supplies its cell: one step from a hidden (and cell) state to the next. Sequences run in one or two directions,
// each with its own weights, and each batch ends at its own length. Stateless functions and plain data, thread-safe.
//
// Inputs:  X [N, T, I], the hidden state [N, D, H], (LSTM: the cell state [N, D, H],) lengths [N], W [D, G * H, I],
//          R [D, G * H, H], B [D, B * H], with G gates and B rows of biases.
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
  std::vector<std::string> activations;   // "sigmoid", "tanh" or "relu"; empty: the op's default.
  std::vector<double> activations_alpha;  // Parameters of activations, of which those three have none.
  std::vector<double> activations_beta;
  double clip = 0;  // Bound on the magnitude of what enters an activation; 0: none.
  RecurrentDirection direction = RecurrentDirection::kForward;

  // Visits them under their names in OpenVINO's specifications.
  void VisitRecurrent(AttributeVisitor& visitor);
};

// One step of one batch and direction.
struct RecurrentStep {
  const double* x = nullptr;  // [I]
  const double* w = nullptr;  // [G * H, I]
  const double* r = nullptr;  // [G * H, H]
  const double* b = nullptr;  // [B * H]
  int64_t input_size = 0;
  int64_t hidden_size = 0;
  double clip = 0;
  std::vector<double (*)(double)> activations;

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
//            by default, or none.
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
