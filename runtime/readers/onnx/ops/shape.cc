// Shapes, and changes of shape that move no elements.
#include <memory>
#include <utility>
#include <vector>

#include "ir/ops/broadcast.h"
#include "ir/ops/family/reduction.h"
#include "ir/ops/ops.h"
#include "ir/ops/reshape.h"
#include "ir/shape.h"
#include "runtime/readers/onnx/ops/flatten.h"
#include "runtime/readers/onnx/translators.h"

namespace burin::onnx {

absl::Status TranslateConcat(NodeContext& node) {
  if (node.since() >= 4 && !node.HasAttribute("axis")) return node.Invalid("Concat needs an axis");
  if (node.input_count() == 0) return node.Invalid("Concat needs inputs");
  std::vector<ir::Value> inputs;
  for (int64_t i = 0; i < node.input_count() && node.ok(); ++i) inputs.push_back(node.Input(i));
  return node.Finish({node.Concat(std::move(inputs), node.IntAttribute("axis", 1))});
}

absl::Status TranslateConstantOfShape(NodeContext& node) {
  ir::Value value;
  if (node.HasAttribute("value")) {
    const ir::Tensor tensor = node.TensorAttribute("value");
    if (!node.ok()) return node.status();
    if (tensor.element_count() != 1) return node.Invalid("ConstantOfShape needs a value of one element");
    value = node.ToScalar(node.Constant(tensor));
  } else {
    value = node.Scalar(ElementType::kF32, 0);
  }
  return node.Finish({node.Broadcast(value, node.Input(0))});
}

absl::Status TranslateExpand(NodeContext& node) {
  auto attributes = std::make_unique<ir::BroadcastOpAttributes>();
  attributes->mode = ir::BroadcastMode::kBidirectional;
  return node.Finish({node.Add(ir::BroadcastOp(), {node.Input(0), node.Input(1)}, std::move(attributes))});
}

absl::Status TranslateFlatten(NodeContext& node) {
  const ir::Value x = node.Input(0);
  const int64_t rank = node.KnownRank(x);
  int64_t axis = node.IntAttribute("axis", 1);
  // The axis may be the rank itself: then all axes are rows.
  if (axis != rank) axis = node.NormalizeAxis(axis, rank);
  if (!node.ok()) return node.status();
  return node.Finish({FlattenToMatrix(node, x, axis)});
}

absl::Status TranslateReshape(NodeContext& node) {
  auto attributes = std::make_unique<ir::ReshapeAttributes>();
  attributes->special_zero = node.IntAttribute("allowzero", 0) == 0;
  const ir::Value sizes = node.since() < 5 ? node.Ints(node.IntsAttribute("shape")) : node.Input(1);
  return node.Finish({node.Add(ir::ReshapeOp(), {node.Input(0), sizes}, std::move(attributes))});
}

absl::Status TranslateShape(NodeContext& node) {
  const ir::Value x = node.Input(0);
  if (node.since() < 15 || (!node.HasAttribute("start") && !node.HasAttribute("end"))) {
    return node.Finish({node.SizesOf(x)});
  }
  // Positions count from the end where negative, and are clamped to the rank, as those of Slice are.
  return node.Finish({node.SizesOf(x, node.IntAttribute("start", 0), node.IntAttribute("end", ir::kMaxRank + 1))});
}

absl::Status TranslateSize(NodeContext& node) {
  auto attributes = std::make_unique<ir::ReductionAttributes>();
  attributes->keep_dims = false;
  return node.Finish(
      {node.Add(ir::ReduceProdOp(), {node.SizesOf(node.Input(0)), node.Ints({0})}, std::move(attributes))});
}

absl::Status TranslateSqueeze(NodeContext& node) {
  const ir::Value x = node.Input(0);
  if (node.since() >= 13) {
    if (node.HasInput(1)) return node.Finish({node.Add(ir::SqueezeOp(), {x, node.Input(1)})});
  } else if (node.HasAttribute("axes")) {
    return node.Finish({node.Squeeze(x, node.IntsAttribute("axes"))});
  }
  return node.Finish({node.Add(ir::SqueezeOp(), {x})});
}

absl::Status TranslateTranspose(NodeContext& node) {
  const ir::Value x = node.Input(0);
  std::vector<int64_t> order = node.IntsAttribute("perm");
  if (!node.HasAttribute("perm")) {
    for (int64_t d = node.KnownRank(x) - 1; d >= 0; --d) order.push_back(d);
  }
  return node.Finish({node.Transpose(x, order)});
}

absl::Status TranslateUnsqueeze(NodeContext& node) {
  const ir::Value x = node.Input(0);
  if (node.since() >= 13) return node.Finish({node.Add(ir::UnsqueezeOp(), {x, node.Input(1)})});
  return node.Finish({node.Unsqueeze(x, node.IntsAttribute("axes"))});
}

}  // namespace burin::onnx
