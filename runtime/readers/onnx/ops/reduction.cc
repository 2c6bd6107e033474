// Reductions over axes, and the positions of extremes.
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "ir/ops/family/reduction.h"
#include "ir/ops/ops.h"
#include "ir/ops/top_k.h"
#include "runtime/readers/onnx/translators.h"

namespace burin::onnx {
namespace {

// The axes of a reduction, and whether it reduces anything.
struct Axes {
  ir::Value value;
  bool is_noop = false;
};

// Returns the numbers of all axes.
ir::Value AllAxes(NodeContext& node, ir::Value x) {
  const std::optional<int64_t> rank = node.RankOf(x);
  if (rank.has_value()) {
    std::vector<int64_t> axes;
    for (int64_t d = 0; d < *rank; ++d) axes.push_back(d);
    return node.Ints(axes);
  }
  const ir::Value count = node.Squeeze(node.SizesOf(node.SizesOf(x)), {0});
  return node.Add(ir::RangeOp(), {node.Int(0), count, node.Int(1)});
}

// Reads the axes from where this schema has them: an attribute before opset 18 (13 for ReduceSum), an input since.
Axes ReadAxes(NodeContext& node, ir::Value x) {
  const int64_t first_with_input = node.op_type() == "ReduceSum" ? 13 : 18;
  Axes axes;
  if (node.since() < first_with_input) {
    const std::vector<int64_t> list = node.IntsAttribute("axes");
    axes.value = list.empty() ? AllAxes(node, x) : node.Ints(list);
    return axes;
  }
  const bool noop_if_empty = node.IntAttribute("noop_with_empty_axes", 0) != 0;
  const ir::Value given = node.OptionalInput(1);
  const ir::PartialShape& shape = node.ShapeOf(given);
  const bool is_known = !given.exists() || shape.is_static();
  const bool is_empty = !given.exists() || shape.ElementCount() == ir::Dimension(0);
  if (!is_known) {
    node.Fail(absl::UnimplementedError("an unknown number of axes"));
    return axes;
  }
  axes.is_noop = is_empty && noop_if_empty;
  axes.value = axes.is_noop ? node.Ints({}) : is_empty ? AllAxes(node, x) : given;
  return axes;
}

std::unique_ptr<ir::ReductionAttributes> KeepDims(NodeContext& node) {
  auto attributes = std::make_unique<ir::ReductionAttributes>();
  attributes->keep_dims = node.IntAttribute("keepdims", 1) != 0;
  return attributes;
}

absl::Status Reduce(NodeContext& node, const ir::OpDef& op) {
  const ir::Value x = node.Input(0);
  const Axes axes = ReadAxes(node, x);
  if (axes.is_noop) return node.Finish({x});
  return node.Finish({node.Add(op, {x, axes.value}, KeepDims(node))});
}

// A norm, of single elements where no axis is reduced.
absl::Status ReduceMagnitude(NodeContext& node, const ir::OpDef& op) {
  const ir::Value x = node.Input(0);
  const Axes axes = ReadAxes(node, x);
  if (axes.is_noop) return node.Finish({node.Add(ir::AbsOp(), {x})});
  return node.Finish({node.Add(op, {x, axes.value}, KeepDims(node))});
}

// Of booleans the maximum is `or` and the minimum `and`.
absl::Status ReduceOrdered(NodeContext& node, const ir::OpDef& op, const ir::OpDef& logical_op) {
  return Reduce(node, node.TypeOf(node.Input(0)) == ElementType::kBoolean ? logical_op : op);
}

// The position of the largest or smallest element along an axis; of equal ones the first or the last.
absl::Status ArgExtreme(NodeContext& node, ir::TopKMode mode) {
  const ir::Value x = node.Input(0);
  const int64_t rank = node.KnownRank(x);
  const int64_t axis = node.NormalizeAxis(node.IntAttribute("axis", 0), rank);
  const bool last = node.IntAttribute("select_last_index", 0) != 0;
  auto attributes = std::make_unique<ir::TopKAttributes>();
  attributes->axis = axis;
  attributes->mode = mode;
  attributes->sort = ir::TopKSort::kValue;
  attributes->stable = true;
  attributes->index_element_type = ElementType::kI64;
  // The last of equal elements is the first from behind.
  const ir::Value data =
      last ? node.Add(ir::SliceOp(), {x, node.Ints({-1}), node.Ints({INT64_MIN}), node.Ints({-1}), node.Ints({axis})})
           : x;
  const std::vector<ir::Value> found = node.AddAll(ir::TopKOp(), {data, node.Int(1)}, std::move(attributes));
  if (!node.ok()) return node.status();
  ir::Value index = found[1];
  if (last) index = node.Minus(node.Minus(node.SizeOf(x, axis), node.Int(1)), index);
  if (node.IntAttribute("keepdims", 1) == 0) index = node.Squeeze(index, {axis});
  return node.Finish({index});
}

}  // namespace

absl::Status TranslateArgMax(NodeContext& node) { return ArgExtreme(node, ir::TopKMode::kMax); }
absl::Status TranslateArgMin(NodeContext& node) { return ArgExtreme(node, ir::TopKMode::kMin); }

absl::Status TranslateReduceL1(NodeContext& node) { return ReduceMagnitude(node, ir::ReduceL1Op()); }
absl::Status TranslateReduceL2(NodeContext& node) { return ReduceMagnitude(node, ir::ReduceL2Op()); }

// log(sum(x))
absl::Status TranslateReduceLogSum(NodeContext& node) {
  const ir::Value x = node.Input(0);
  const Axes axes = ReadAxes(node, x);
  const ir::Value sum = axes.is_noop ? x : node.Add(ir::ReduceSumOp(), {x, axes.value}, KeepDims(node));
  return node.Finish({node.Add(ir::LogOp(), {sum})});
}

// log(sum(exp(x))) = log(sum(exp(x - m))) + m with m the maximum, so that nothing overflows. An infinite maximum would
// give NaN, so it is not subtracted.
absl::Status TranslateReduceLogSumExp(NodeContext& node) {
  const ir::Value x = node.Input(0);
  const Axes axes = ReadAxes(node, x);
  if (axes.is_noop) return node.Finish({x});
  auto keep = std::make_unique<ir::ReductionAttributes>();
  keep->keep_dims = true;
  const ir::Value raw = node.Add(ir::ReduceMaxOp(), {x, axes.value}, std::move(keep));
  const ir::Value maximum = node.Add(ir::SelectOp(), {node.Add(ir::IsFiniteOp(), {raw}), raw, node.ScalarLike(raw, 0)});
  const ir::Value powers = node.Add(ir::ExpOp(), {node.Minus(x, maximum)});
  const ir::Value sum = node.Add(ir::ReduceSumOp(), {powers, axes.value}, KeepDims(node));
  // The maximum without its axes of size 1, where they are not kept: the sum of one element.
  const ir::Value offset = node.Add(ir::ReduceSumOp(), {maximum, axes.value}, KeepDims(node));
  return node.Finish({node.Plus(node.Add(ir::LogOp(), {sum}), offset)});
}

absl::Status TranslateReduceMax(NodeContext& node) {
  return ReduceOrdered(node, ir::ReduceMaxOp(), ir::ReduceLogicalOrOp());
}
absl::Status TranslateReduceMean(NodeContext& node) { return Reduce(node, ir::ReduceMeanOp()); }
absl::Status TranslateReduceMin(NodeContext& node) {
  return ReduceOrdered(node, ir::ReduceMinOp(), ir::ReduceLogicalAndOp());
}
absl::Status TranslateReduceProd(NodeContext& node) { return Reduce(node, ir::ReduceProdOp()); }
absl::Status TranslateReduceSum(NodeContext& node) { return Reduce(node, ir::ReduceSumOp()); }

absl::Status TranslateReduceSumSquare(NodeContext& node) {
  const ir::Value x = node.Input(0);
  const Axes axes = ReadAxes(node, x);
  const ir::Value square = node.Times(x, x);
  return node.Finish({axes.is_noop ? square : node.Add(ir::ReduceSumOp(), {square, axes.value}, KeepDims(node))});
}

// The k largest or smallest elements along an axis. k is an attribute in the first schema.
absl::Status TranslateTopK(NodeContext& node) {
  auto attributes = std::make_unique<ir::TopKAttributes>();
  attributes->axis = node.IntAttribute("axis", -1);
  attributes->mode = node.IntAttribute("largest", 1) != 0 ? ir::TopKMode::kMax : ir::TopKMode::kMin;
  // Sorted always: where the order is free, the sorted one is as good as any.
  attributes->sort = ir::TopKSort::kValue;
  attributes->stable = true;
  attributes->index_element_type = ElementType::kI64;
  const ir::Value k = node.since() < 10 ? node.Int(node.IntAttribute("k", 0)) : node.ToScalar(node.Input(1));
  return node.Finish(node.AddAll(ir::TopKOp(), {node.Input(0), k}, std::move(attributes)));
}

}  // namespace burin::onnx
