// Converts stand where they convert fewest bytes, while data that only move do so in their narrower type:
//
//   move(Convert(x))              => Convert(move(x))        to a wider type, down
//   Concat(Convert(x), ...)       => Convert(Concat(x, ...)) to a wider type, from one type each
//   Convert(move(x))              => move(Convert(x))        to a narrower type, up
//   Convert(Broadcast or Tile(x)) => Broadcast or Tile(Convert(x))   to any type: x has fewer elements
//
// Down past whatever keeps or drops elements: Reshape, Squeeze, Unsqueeze, Transpose, DepthToSpace, SpaceToDepth,
// ShuffleChannels, Roll, ReverseSequence, Slice, StridedSlice, Split, VariadicSplit, Gather (which gives zeros
// for indices out of range), and Pad, where the elements that it adds are copies or zeros; the last two where the
// narrower type has a zero. Up past those that keep all elements.
//
// Elements are converted one by one and moved unchanged, so that the order does not matter. What stands above has no
// other reader, which would need both types. Decompression of weights stays as it is, and so do types of less than a
// byte. A Convert to a wider type only moves down past a move, one to a narrower type only up, and no other rule moves
// them: TransposeSinking and ReshapeSinking leave the former alone.
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "base/element_access.h"
#include "base/element_type.h"
#include "ir/model.h"
#include "ir/ops/op_code.h"
#include "ir/ops/pad.h"
#include "ir/rewrite.h"
#include "ir/structural.h"
#include "ir/tensor.h"
#include "transformations/cleanup/decompression.h"
#include "transformations/cleanup/node_copy.h"
#include "transformations/matcher/explain.h"
#include "transformations/passes.h"

namespace burin::transformations {
namespace {

using ir::OpCode;

bool KeepsElements(OpCode code) {
  switch (code) {
    case OpCode::kReshape:
    case OpCode::kSqueeze:
    case OpCode::kUnsqueeze:
    case OpCode::kTranspose:
    case OpCode::kDepthToSpace:
    case OpCode::kSpaceToDepth:
    case OpCode::kShuffleChannels:
    case OpCode::kRoll:
    case OpCode::kReverseSequence:
      return true;
    default:
      return false;
  }
}

bool DropsElements(OpCode code) {
  return code == OpCode::kSlice || code == OpCode::kStridedSlice || code == OpCode::kSplit ||
         code == OpCode::kVariadicSplit || code == OpCode::kGather;
}

bool AddsCopies(OpCode code) { return code == OpCode::kBroadcast || code == OpCode::kTile; }

// Returns how many bits more an element has after the Convert; nullopt for types of less than a byte.
std::optional<int> Widening(const ir::Model& model, const ir::Node& convert) {
  const ElementType from = model.info(convert.input(0)).type;
  const ElementType to = convert.output(0).type;
  if (BitWidth(from) < 8 || BitWidth(to) < 8) return std::nullopt;
  return BitWidth(to) - BitWidth(from);
}

// Returns the Convert to a wider type that gives the value to nobody but the node, in one slot; null where none does.
const ir::Node* WideningAbove(const ir::Model& model, const ir::Node& node, ir::Value value) {
  if (!value.exists()) return nullptr;
  const ir::Node& convert = model.node(value.node);
  if (convert.code() != OpCode::kConvert || IsKeptDecompression(convert) || IsKeptDecompression(node)) return nullptr;
  const std::optional<int> widening = Widening(model, convert);
  return widening.has_value() && *widening > 0 && model.HasOneUse(value) ? &convert : nullptr;
}

// Returns whether a Pad adds nothing but copies and zeros.
bool PadsWithZeros(const ir::Model& model, const ir::Node& pad) {
  if (pad.attributes_as<ir::PadAttributes>().pad_mode != ir::PadMode::kConstant) return true;
  if (pad.input_count() < 4 || !pad.input(3).exists()) return true;
  const ir::Tensor& value = model.info(pad.input(3)).constant;
  if (!value.has_value() || value.element_count() != 1) return false;
  // 0 and -0 are two floats; no integer is -0.
  const double number = LoadAsDouble(value.element_type(), value.data(), 0);
  return number == 0 && !(1 / number < 0);
}

// ---- Down ----

// Makes `node`, on `inputs`, and Converts as `convert` of all its outputs that are read.
ir::Patch MoveDown(const ir::Model& model, const ir::Node& node, std::vector<ir::Value> inputs,
                   const ir::Node& convert) {
  ir::Patch patch(model);
  const ir::NodeId moved = patch.AddNode(CopyOf(node, std::move(inputs)));
  for (int32_t i = 0; i < node.output_count(); ++i) {
    const ir::NodeId below = patch.AddNode(CopyOf(convert, {ir::Value{moved, i}}));
    patch.Replace(ir::Value{node.id(), i}, ir::Value{below, 0});
  }
  return patch;
}

std::optional<ir::Patch> SinkPastConcat(const ir::Model& model, const ir::Node& concat,
                                        const ir::PassContext& context) {
  const ir::Node* first = nullptr;
  std::vector<ir::Value> inputs;
  for (const ir::Value& value : concat.inputs()) {
    const ir::Node* const convert = WideningAbove(model, concat, value);
    if (convert == nullptr) return Decline(context, concat.id(), "an input is not widened for this Concat alone");
    if (first == nullptr) first = convert;
    if (model.info(convert->input(0)).type != model.info(first->input(0)).type ||
        !ir::AttributesEqual(convert->attributes(), first->attributes())) {
      return Decline(context, concat.id(), "the inputs are converted differently");
    }
    inputs.push_back(convert->input(0));
  }
  return MoveDown(model, concat, std::move(inputs), *first);
}

std::optional<ir::Patch> SinkPast(const ir::Model& model, const ir::Node& node, const ir::PassContext& context) {
  const ir::Node* const convert = WideningAbove(model, node, node.input(0));
  if (convert == nullptr) return Decline(context, node.id(), "the data are not widened for this operation alone");
  std::vector<ir::Value> inputs(node.inputs().begin(), node.inputs().end());
  inputs[0] = convert->input(0);
  // A power of two has no zero.
  const bool adds_zeros = node.code() == OpCode::kPad || node.code() == OpCode::kGather;
  if (adds_zeros && model.info(inputs[0]).type == ElementType::kF8E8M0) {
    return Decline(context, node.id(), "zeros may be added, and the type has none");
  }
  if (node.code() == OpCode::kPad) {
    if (!PadsWithZeros(model, node)) return Decline(context, node.id(), "elements are added that may not be zeros");
    // Zeros are what is added where no value is given.
    inputs.resize(3);
  }
  return MoveDown(model, node, std::move(inputs), *convert);
}

// ---- Up ----

std::optional<ir::Patch> Raise(const ir::Model& model, const ir::Node& convert, const ir::PassContext& context) {
  const ir::Node& move = model.node(convert.input(0).node);
  const std::optional<int> widening = Widening(model, convert);
  const bool copies = AddsCopies(move.code());
  if (!copies && !KeepsElements(move.code())) {
    return Decline(context, convert.id(), "its input is not from an operation that moves data and keeps all of them");
  }
  if (!widening.has_value() || (!copies && *widening >= 0)) {
    return Decline(context, convert.id(), "it does not convert to a narrower type");
  }
  if (!model.HasOneUse(convert.input(0))) return Decline(context, convert.id(), "others read its input");
  if (IsKeptDecompression(convert) || IsKeptDecompression(move)) {
    return Decline(context, convert.id(), "it belongs to the decompression of weights");
  }
  ir::Patch patch(model);
  const ir::NodeId above = patch.AddNode(CopyOf(convert, {move.input(0)}));
  std::vector<ir::Value> inputs(move.inputs().begin(), move.inputs().end());
  inputs[0] = ir::Value{above, 0};
  const ir::NodeId below = patch.AddNode(CopyOf(move, std::move(inputs)));
  patch.Replace(ir::Value{convert.id(), 0}, ir::Value{below, 0});
  return patch;
}

}  // namespace

absl::StatusOr<std::optional<ir::Patch>> ConvertSinking(const ir::Model& model, ir::NodeId id,
                                                        const ir::PassContext& context) {
  const ir::Node& node = model.node(id);
  if (node.code() == OpCode::kConvert) return Raise(model, node, context);
  if (node.code() == OpCode::kConcat) return SinkPastConcat(model, node, context);
  if (KeepsElements(node.code()) || DropsElements(node.code()) || node.code() == OpCode::kPad) {
    return SinkPast(model, node, context);
  }
  return Decline(context, id, "no Convert moves past this operation");
}

}  // namespace burin::transformations
