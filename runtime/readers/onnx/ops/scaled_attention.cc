#include "runtime/readers/onnx/ops/scaled_attention.h"

#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "ir/dimension.h"
#include "ir/ops/ops.h"
#include "ir/ops/pad.h"
#include "ir/ops/softmax.h"
#include "ir/partial_shape.h"

namespace burin::onnx {
namespace {

// Returns whether heads are known to be as many of both.
bool HaveEqualHeads(NodeContext& node, ir::Value a, ir::Value b) {
  const ir::PartialShape& first = node.ShapeOf(a);
  const ir::PartialShape& second = node.ShapeOf(b);
  if (!first.has_rank() || !second.has_rank()) return false;
  const ir::Dimension& heads = first[1];
  return heads.is_static() && second[1].is_static() && heads.value() == second[1].value();
}

// Multiplies [batch, heads, m, k] by [batch, key heads, k, n]: a head of the latter is used for heads / key heads of
// the former, without copies of it.
ir::Value MatMulOfHeads(NodeContext& node, ir::Value a, ir::Value b, bool transpose_b) {
  if (HaveEqualHeads(node, a, b)) return node.MatMul(a, b, /*transpose_a=*/false, transpose_b);
  const ir::Value batch = node.SizesOf(a, 0, 1);
  const ir::Value heads = node.SizesOf(a, 1, 2);
  const ir::Value groups = node.SizesOf(b, 1, 2);
  const ir::Value sizes = node.Concat({batch, groups, node.Over(heads, groups), node.SizesOf(a, 2, 4)}, 0);
  const ir::Value product =
      node.MatMul(node.Reshape(a, sizes), node.Unsqueeze(b, {2}), /*transpose_a=*/false, transpose_b);
  return node.Reshape(product, node.Concat({batch, heads, node.SizesOf(product, 3, 5)}, 0));
}

// Returns 1 / sqrt(size of the last axis) as a scalar of the type of `x`.
ir::Value DefaultScale(NodeContext& node, ir::Value x) {
  const ir::Value size = node.Convert(node.SizeOf(x, 3), ElementType::kF32);
  const ir::Value root = node.Add(ir::SqrtOp(), {size});
  return node.Convert(node.Over(node.ScalarLike(root, 1), root), node.TypeOf(x));
}

}  // namespace

ir::Value SplitHeads(NodeContext& node, ir::Value x, int64_t heads) {
  const ir::Value sizes = node.Concat({node.SizesOf(x, 0, 2), node.Ints({heads, -1})}, 0);
  return node.Transpose(node.Reshape(x, sizes), {0, 2, 1, 3});
}

ir::Value JoinHeads(NodeContext& node, ir::Value x) {
  const ir::Value moved = node.Transpose(x, {0, 2, 1, 3});
  return node.Reshape(moved, node.Concat({node.SizesOf(moved, 0, 2), node.Ints({-1})}, 0));
}

ir::Value CausalMask(NodeContext& node, ir::Value past, ir::Value queries, ir::Value total) {
  const ir::Value rows = node.Unsqueeze(node.Range(past, node.Plus(past, queries)), {1});
  return node.Add(ir::GreaterEqualOp(), {rows, node.Range(node.Int(0), total)});
}

ir::Value KeysBefore(NodeContext& node, ir::Value lengths, ir::Value total) {
  const ir::Value ends = node.Unsqueeze(node.Convert(lengths, ElementType::kI64), {1, 2, 3});
  return node.Add(ir::LessOp(), {node.Range(node.Int(0), total), ends});
}

ir::Value BothMasks(NodeContext& node, ir::Value a, ir::Value b) {
  if (!a.exists()) return b;
  return b.exists() ? node.Add(ir::LogicalAndOp(), {a, b}) : a;
}

ir::Value PadMask(NodeContext& node, ir::Value mask, ir::Value total, double value) {
  const int64_t rank = node.KnownRank(mask);
  if (!node.ok()) return mask;
  if (rank < 1) {
    node.Fail(absl::InvalidArgumentError("The mask of an attention needs an axis for keys"));
    return mask;
  }
  const ir::Value width = node.SizeOf(mask, rank - 1);
  const auto known_width = node.IntsOf(width);
  if (known_width.has_value() && known_width == node.IntsOf(total)) return mask;
  const ir::Value missing = node.Unsqueeze(node.Minus(total, width), {0});
  const std::vector<int64_t> none(static_cast<size_t>(rank - 1), 0);
  const ir::Value before = node.Ints(std::vector<int64_t>(static_cast<size_t>(rank), 0));
  const ir::Value after = rank == 1 ? missing : node.Concat({node.Ints(none), missing}, 0);
  return node.Add(ir::PadOp(), {mask, before, after, node.ScalarLike(mask, value)},
                  std::make_unique<ir::PadAttributes>());
}

AttentionValues ScaledAttention(NodeContext& node, const AttentionInputs& inputs) {
  ir::Value query = inputs.query;
  ir::Value key = inputs.key;
  const ElementType type = node.TypeOf(query);
  const ir::Value scale = inputs.scale.has_value() ? node.Scalar(type, *inputs.scale) : DefaultScale(node, query);
  if (BitWidth(type) >= 32) {
    query = node.Times(query, scale);
  } else {
    // Half of it each, so that products of narrow types stay in range: that is the operators' own definition.
    const ir::Value root = node.Add(ir::SqrtOp(), {scale});
    query = node.Times(query, root);
    key = node.Times(key, root);
  }

  AttentionValues values;
  values.products = MatMulOfHeads(node, query, key, /*transpose_b=*/true);
  values.capped = values.products;
  if (inputs.softcap != 0) {
    const ir::Value cap = node.Scalar(type, inputs.softcap);
    values.capped = node.Times(node.Add(ir::TanhOp(), {node.Over(values.products, cap)}), cap);
  }
  values.masked = values.capped;
  if (inputs.bias.exists()) values.masked = node.Plus(values.masked, node.Convert(inputs.bias, type));
  if (inputs.keep.exists()) {
    const ir::Value nothing = node.Scalar(type, -std::numeric_limits<double>::infinity());
    values.masked = node.Add(ir::SelectOp(), {inputs.keep, values.masked, nothing});
  }

  ir::Value scores = node.Convert(values.masked, inputs.softmax_type.value_or(type));
  const ir::Value keys = node.SizesOf(scores, 3, 4);
  if (inputs.sink.exists()) {
    const ir::Value sizes = node.Concat({node.SizesOf(scores, 0, 3), node.Ints({1})}, 0);
    const ir::Value sink = node.Unsqueeze(node.Convert(inputs.sink, node.TypeOf(scores)), {0, 2, 3});
    scores = node.Concat({scores, node.Broadcast(sink, sizes)}, 3);
  }
  auto attributes = std::make_unique<ir::SoftmaxAttributes>();
  attributes->axis = -1;
  values.weights = node.Add(ir::SoftmaxOp(), {scores}, std::move(attributes));
  if (inputs.sink.exists()) {
    values.weights = node.Slice(values.weights, 3, node.Ints({0}), keys);
  }
  const ir::Value weights = node.Convert(values.weights, node.TypeOf(inputs.value));
  values.output = node.Convert(MatMulOfHeads(node, weights, inputs.value, /*transpose_b=*/false), type);
  return values;
}

}  // namespace burin::onnx
