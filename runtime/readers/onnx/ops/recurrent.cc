// Recurrent layers over sequences.
//
// ONNX has the sequence axis first, gates in its own order and the biases of input and state apart; the operations have
// the batch first, and one sum of biases.
#include <algorithm>
#include <cstdint>
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

// Reads the activations, which are given once per direction and must be the same for both.
std::vector<std::string> ReadActivations(NodeContext& node, int64_t directions) {
  std::vector<std::string> names;
  const AttributeMessage* const attribute = node.TypedAttribute("activations", AttributeMessage::Type::kStrings);
  if (attribute == nullptr) return names;
  for (const absl::string_view name : attribute->strings) names.push_back(absl::AsciiStrToLower(name));
  if (directions == 2) {
    const auto middle = names.begin() + static_cast<std::ptrdiff_t>(names.size() / 2);
    if (names.size() % 2 != 0 || !std::equal(names.begin(), middle, middle)) {
      node.Fail(absl::UnimplementedError("other activations backwards than forwards"));
    }
    names.erase(middle, names.end());
  }
  for (const std::string& name : names) {
    if (name == "sigmoid" || name == "tanh" || name == "relu") continue;
    node.Fail(absl::UnimplementedError(absl::StrCat("activation ", name)));
  }
  return names;
}

Recurrence ReadOperands(NodeContext& node, ir::RecurrentParameters* parameters) {
  Recurrence operands;
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
  operands.w = node.Input(1);
  operands.r = node.Input(2);
  const ir::PartialShape& shape = node.ShapeOf(operands.r);
  const int64_t inferred = shape.has_rank() && shape.rank() == 3 && shape[2].is_static() ? shape[2].value() : 0;
  parameters->hidden_size = node.IntAttribute("hidden_size", inferred);
  parameters->activations = ReadActivations(node, operands.directions);
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

}  // namespace

absl::Status TranslateGRU(NodeContext& node) {
  auto attributes = std::make_unique<ir::GRUSequenceAttributes>();
  const Recurrence operands = ReadOperands(node, attributes.get());
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

absl::Status TranslateLSTM(NodeContext& node) {
  if (node.HasInput(7)) return node.Unsupported("peepholes");
  if (node.IntAttribute("input_forget", 0) != 0) return node.Unsupported("coupled input and forget gates");
  auto attributes = std::make_unique<ir::LSTMSequenceAttributes>();
  const Recurrence operands = ReadOperands(node, attributes.get());
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
  return FinishRecurrence(
      node, operands,
      node.AddAll(ir::LSTMSequenceOp(),
                  {operands.x, hidden, cell, operands.lengths, reorder(operands.w), reorder(operands.r), bias},
                  std::move(attributes)));
}

absl::Status TranslateRNN(NodeContext& node) {
  auto attributes = std::make_unique<ir::RNNSequenceAttributes>();
  const Recurrence operands = ReadOperands(node, attributes.get());
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
