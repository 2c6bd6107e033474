// Softmax and its kin. Before opset 13 they work on the input flattened to a matrix at an axis.
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "ir/ops/log_softmax.h"
#include "ir/ops/one_hot.h"
#include "ir/ops/ops.h"
#include "ir/ops/softmax.h"
#include "ir/ops/top_k.h"
#include "runtime/readers/onnx/ops/flatten.h"
#include "runtime/readers/onnx/ops/quantization.h"
#include "runtime/readers/onnx/translators.h"

namespace burin::onnx {
namespace {

using AlongAxis = std::function<ir::Value(ir::Value x, int64_t axis)>;

// Normalises along an axis, or along all from it on.
ir::Value NormalizeFrom(NodeContext& node, ir::Value x, int64_t axis, bool flattens, const AlongAxis& along_axis) {
  if (!flattens) return along_axis(x, axis);
  const int64_t rank = node.KnownRank(x);
  if (axis != rank) axis = node.NormalizeAxis(axis, rank);
  if (!node.ok()) return ir::Value::None();
  if (rank > 0 && axis == rank - 1) return along_axis(x, axis);
  return node.Reshape(along_axis(FlattenToMatrix(node, x, axis), 1), node.SizesOf(x));
}

absl::Status Normalize(NodeContext& node, const AlongAxis& along_axis) {
  const bool flattens = node.since() < 13;
  const int64_t axis = node.IntAttribute("axis", flattens ? 1 : -1);
  return node.Finish({NormalizeFrom(node, node.Input(0), axis, flattens, along_axis)});
}

AlongAxis SoftmaxAlong(NodeContext& node) {
  return [&node](ir::Value x, int64_t axis) {
    auto attributes = std::make_unique<ir::SoftmaxAttributes>();
    attributes->axis = axis;
    return node.Add(ir::SoftmaxOp(), {x}, std::move(attributes));
  };
}

}  // namespace

// One at the first largest element along the axis, zero elsewhere.
absl::Status TranslateHardmax(NodeContext& node) {
  return Normalize(node, [&](ir::Value x, int64_t axis) {
    const int64_t rank = node.KnownRank(x);
    const int64_t place = node.NormalizeAxis(axis, rank);
    auto top = std::make_unique<ir::TopKAttributes>();
    top->axis = place;
    top->stable = true;
    top->index_element_type = ElementType::kI64;
    const std::vector<ir::Value> found = node.AddAll(ir::TopKOp(), {x, node.Int(1)}, std::move(top));
    if (!node.ok()) return ir::Value::None();
    auto attributes = std::make_unique<ir::OneHotAttributes>();
    attributes->axis = place;
    return node.Add(
        ir::OneHotOp(),
        {node.Squeeze(found[1], {place}), node.SizeOf(x, place), node.ScalarLike(x, 1), node.ScalarLike(x, 0)},
        std::move(attributes));
  });
}

absl::Status TranslateLogSoftmax(NodeContext& node) {
  return Normalize(node, [&](ir::Value x, int64_t axis) {
    auto attributes = std::make_unique<ir::LogSoftmaxAttributes>();
    attributes->axis = axis;
    return node.Add(ir::LogSoftmaxOp(), {x}, std::move(attributes));
  });
}

absl::Status TranslateSoftmax(NodeContext& node) { return Normalize(node, SoftmaxAlong(node)); }

// An attribute tells in which opset's way the softmax works.
absl::Status TranslateQLinearSoftmax(NodeContext& node) {
  const ir::Value x = Dequantize(node, node.Input(0), node.Input(1), node.OptionalInput(2));
  const bool flattens = node.IntAttribute("opset", 13) < 13;
  const ir::Value y = NormalizeFrom(node, x, node.IntAttribute("axis", -1), flattens, SoftmaxAlong(node));
  return node.Finish({Quantize(node, y, node.Input(3), node.OptionalInput(4), node.TypeOf(node.Input(0)))});
}

}  // namespace burin::onnx
