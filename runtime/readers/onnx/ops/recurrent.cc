// Recurrent layers over sequences.
//
// ONNX has the sequence axis first, gates in its own order and the biases of input and state apart; the operations have
// the batch first, and one sum of biases.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "ir/ops/family/recurrence.h"
#include "ir/ops/gru_sequence.h"
#include "ir/ops/lstm_sequence.h"
#include "ir/ops/ops.h"
#include "ir/ops/rnn_sequence.h"
#include "ir/ops/split.h"
#include "runtime/readers/onnx/ops/quantization.h"
#include "runtime/readers/onnx/translators.h"

namespace burin::onnx {
namespace {

// Operands in the shapes of the operations; `directions` is 1 or 2.
struct Recurrence {
  int64_t directions = 1;
  bool batch_first = false;
  ir::Value x;        // [batch, sequence, input]
  ir::Value lengths;  // [batch]
  ir::Value w;        // [directions, gates * hidden, input], gates in ONNX's order
  ir::Value r;        // [directions, gates * hidden, hidden]
};

// What activations take of the lists of parameters.
struct Activation {
  const char* name;
  bool has_alpha;
  bool has_beta;
  double alpha;  // Defaults, those of the operators of the same names.
  double beta;
};

constexpr Activation kActivations[] = {
    {"affine", true, true, 1, 0},
    {"elu", true, false, 1, 0},
    {"hardsigmoid", true, true, static_cast<double>(0.2f), 0.5},
    {"leakyrelu", true, false, static_cast<double>(0.01f), 0},
    {"relu", false, false, 0, 0},
    {"scaledtanh", true, true, 1, 1},
    {"sigmoid", false, false, 0, 0},
    {"softplus", false, false, 0, 0},
    {"softsign", false, false, 0, 0},
    {"tanh", false, false, 0, 0},
    {"thresholdedrelu", true, false, 1, 0},
};

// Returns the next parameter of a list in which only the activations that have one take one.
double TakeParameter(bool takes, double fallback, const std::vector<double>& list, size_t* next) {
  if (!takes || *next >= list.size()) return fallback;
  return list[(*next)++];
}

// Reads the activations, which are given once per direction; the operations have parameters at their places.
void ReadActivations(NodeContext& node, ir::RecurrentParameters* parameters) {
  const AttributeMessage* const attribute = node.TypedAttribute("activations", AttributeMessage::Type::kStrings);
  if (attribute == nullptr) return;
  const std::vector<double> alphas = node.FloatsAttribute("activation_alpha");
  const std::vector<double> betas = node.FloatsAttribute("activation_beta");
  size_t next_alpha = 0;
  size_t next_beta = 0;
  for (const absl::string_view given : attribute->strings) {
    const std::string name = absl::AsciiStrToLower(given);
    const auto* const known = std::find_if(std::begin(kActivations), std::end(kActivations),
                                           [&](const Activation& entry) { return name == entry.name; });
    if (known == std::end(kActivations)) {
      node.Fail(absl::UnimplementedError(absl::StrCat("activation ", name)));
      return;
    }
    parameters->activations.push_back(name);
    parameters->activations_alpha.push_back(TakeParameter(known->has_alpha, known->alpha, alphas, &next_alpha));
    parameters->activations_beta.push_back(TakeParameter(known->has_beta, known->beta, betas, &next_beta));
  }
}

// Reads all but the biases, the states and the weights, which are given in ONNX's shapes.
Recurrence ReadOperands(NodeContext& node, ir::Value w, ir::Value r, ir::RecurrentParameters* parameters) {
  Recurrence operands;
  operands.w = w;
  operands.r = r;
  const std::string direction = node.StringAttribute("direction", "forward");
  if (direction == "forward") {
    parameters->direction = ir::RecurrentDirection::kForward;
  } else if (direction == "reverse") {
    parameters->direction = ir::RecurrentDirection::kReverse;
  } else if (direction == "bidirectional") {
    parameters->direction = ir::RecurrentDirection::kBidirectional;
    operands.directions = 2;
  } else {
    node.Fail(absl::InvalidArgumentError(absl::StrCat("Unknown direction: ", direction)));
  }
  const ir::PartialShape& shape = node.ShapeOf(operands.r);
  const int64_t inferred = shape.has_rank() && shape.rank() == 3 && shape[2].is_static() ? shape[2].value() : 0;
  parameters->hidden_size = node.IntAttribute("hidden_size", inferred);
  ReadActivations(node, parameters);
  parameters->clip = node.FloatAttribute("clip", 0);
  operands.batch_first = node.IntAttribute("layout", 0) != 0;
  const ir::Value x = node.Input(0);
  operands.x = operands.batch_first ? x : node.Transpose(x, {1, 0, 2});
  operands.lengths = node.HasInput(4) ? node.Input(4)
                                      : node.Broadcast(node.Convert(node.SizeOf(operands.x, 1), ElementType::kI32),
                                                       node.SizesOf(operands.x, 0, 1));
  return operands;
}

// Returns the initial state [batch, directions, hidden], zeros where it is absent.
ir::Value InitialState(NodeContext& node, int64_t input, const Recurrence& operands, int64_t hidden_size) {
  if (node.HasInput(input)) {
    return operands.batch_first ? node.Input(input) : node.Transpose(node.Input(input), {1, 0, 2});
  }
  const ir::Value sizes =
      node.Concat({node.SizesOf(operands.x, 0, 1), node.Ints({operands.directions, hidden_size})}, 0);
  return node.Broadcast(node.ScalarLike(operands.x, 0), sizes);
}

// Splits axis 1 into `count` equal parts.
std::vector<ir::Value> SplitRows(NodeContext& node, ir::Value value, int64_t count) {
  auto attributes = std::make_unique<ir::SplitAttributes>();
  attributes->num_splits = count;
  std::vector<ir::Value> parts = node.AddAll(ir::SplitOp(), {value, node.Int(1)}, std::move(attributes));
  if (!node.ok()) parts.assign(static_cast<size_t>(count), ir::Value::None());
  return parts;
}

// Returns the biases of input and state, [directions, gates * hidden] each; zeros where they are absent.
std::vector<ir::Value> Biases(NodeContext& node, const Recurrence& operands, int64_t rows) {
  if (node.HasInput(3)) return SplitRows(node, node.Input(3), 2);
  const ir::Value zeros = node.Broadcast(node.ScalarLike(operands.x, 0), node.Ints({operands.directions, rows}));
  return {zeros, zeros};
}

// Brings the outputs into ONNX's order of axes: Y [batch, directions, sequence, hidden], states [batch, directions,
// hidden].
absl::Status FinishRecurrence(NodeContext& node, const Recurrence& operands, std::vector<ir::Value> outputs) {
  if (!node.ok() || outputs.empty()) return node.status();
  const std::vector<int64_t> order =
      operands.batch_first ? std::vector<int64_t>{0, 2, 1, 3} : std::vector<int64_t>{2, 1, 0, 3};
  outputs[0] = node.Transpose(outputs[0], order);
  for (size_t i = 1; i < outputs.size() && !operands.batch_first; ++i) {
    outputs[i] = node.Transpose(outputs[i], {1, 0, 2});
  }
  return node.Finish(std::move(outputs));
}

absl::Status Lstm(NodeContext& node, ir::Value w, ir::Value r) {
  auto attributes = std::make_unique<ir::LSTMSequenceAttributes>();
  attributes->input_forget = node.IntAttribute("input_forget", 0) != 0;
  const Recurrence operands = ReadOperands(node, w, r, attributes.get());
  const int64_t size = attributes->hidden_size;
  if (size < 1 || size > (int64_t{1} << 24)) return node.Invalid("The hidden size is not positive or too large");
  // From the order input, output, forget, cell to forget, input, cell, output.
  const auto reorder = [&](ir::Value value) {
    const std::vector<ir::Value> gates = SplitRows(node, value, 4);
    return node.Concat({gates[2], gates[0], gates[3], gates[1]}, 1);
  };
  const std::vector<ir::Value> biases = Biases(node, operands, 4 * size);
  const ir::Value bias = reorder(node.Plus(biases[0], biases[1]));
  const ir::Value hidden = InitialState(node, 5, operands, size);
  const ir::Value cell = InitialState(node, 6, operands, size);
  std::vector<ir::Value> inputs = {operands.x,          hidden, cell, operands.lengths, reorder(operands.w),
                                   reorder(operands.r), bias};
  if (node.HasInput(7)) {
    // From the order input, output, forget to forget, input, output.
    const std::vector<ir::Value> peepholes = SplitRows(node, node.Input(7), 3);
    inputs.push_back(node.Concat({peepholes[2], peepholes[0], peepholes[1]}, 1));
  }
  return FinishRecurrence(node, operands, node.AddAll(ir::LSTMSequenceOp(), std::move(inputs), std::move(attributes)));
}

}  // namespace

absl::Status TranslateGRU(NodeContext& node) {
  auto attributes = std::make_unique<ir::GRUSequenceAttributes>();
  const Recurrence operands = ReadOperands(node, node.Input(1), node.Input(2), attributes.get());
  const int64_t size = attributes->hidden_size;
  if (size < 1 || size > (int64_t{1} << 24)) return node.Invalid("The hidden size is not positive or too large");
  attributes->linear_before_reset = node.IntAttribute("linear_before_reset", 0) != 0;
  const std::vector<ir::Value> biases = Biases(node, operands, 3 * size);
  ir::Value bias;
  if (attributes->linear_before_reset) {
    // The new state's biases stay apart: the one of the state is inside what the reset gate scales.
    const std::vector<ir::Value> of_input = SplitRows(node, biases[0], 3);
    const std::vector<ir::Value> of_state = SplitRows(node, biases[1], 3);
    bias = node.Concat(
        {node.Plus(of_input[0], of_state[0]), node.Plus(of_input[1], of_state[1]), of_input[2], of_state[2]}, 1);
  } else {
    bias = node.Plus(biases[0], biases[1]);
  }
  const ir::Value state = InitialState(node, 5, operands, size);
  return FinishRecurrence(
      node, operands,
      node.AddAll(ir::GRUSequenceOp(), {operands.x, state, operands.lengths, operands.w, operands.r, bias},
                  std::move(attributes)));
}

absl::Status TranslateLSTM(NodeContext& node) { return Lstm(node, node.Input(1), node.Input(2)); }

// An LSTM of which the weights are integers, with rows and columns swapped, and a scale and a zero point per direction,
// or per direction and row. The inputs and states stay as they are: integers would only stand in for them.
absl::Status TranslateDynamicQuantizeLSTM(NodeContext& node) {
  const auto weights = [&](int64_t input, int64_t scale) {
    const auto along_columns = [&](ir::Value value) {
      if (!value.exists()) return value;
      return node.KnownRank(value) == 1 ? node.Unsqueeze(value, {1, 2}) : node.Unsqueeze(value, {1});
    };
    const ir::Value numbers = Dequantize(node, node.Input(input), along_columns(node.Input(scale)),
                                         along_columns(node.OptionalInput(scale + 1)));
    return node.Transpose(numbers, {0, 2, 1});
  };
  return Lstm(node, weights(1, 8), weights(2, 10));
}

absl::Status TranslateRNN(NodeContext& node) {
  auto attributes = std::make_unique<ir::RNNSequenceAttributes>();
  const Recurrence operands = ReadOperands(node, node.Input(1), node.Input(2), attributes.get());
  const int64_t size = attributes->hidden_size;
  if (size < 1 || size > (int64_t{1} << 24)) return node.Invalid("The hidden size is not positive or too large");
  const std::vector<ir::Value> biases = Biases(node, operands, size);
  const ir::Value state = InitialState(node, 5, operands, size);
  return FinishRecurrence(
      node, operands,
      node.AddAll(ir::RNNSequenceOp(),
                  {operands.x, state, operands.lengths, operands.w, operands.r, node.Plus(biases[0], biases[1])},
                  std::move(attributes)));
}

}  // namespace burin::onnx
