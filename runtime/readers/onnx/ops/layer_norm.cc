#include "runtime/readers/onnx/ops/layer_norm.h"

#include <memory>
#include <utility>

#include "base/element_type.h"
#include "ir/ops/mvn.h"
#include "ir/ops/ops.h"

namespace burin::onnx {
namespace {

// 1 / sqrt(x + epsilon)
ir::Value InverseRoot(NodeContext& node, ir::Value x, double epsilon) {
  const ir::Value root = node.Add(ir::SqrtOp(), {node.Plus(x, node.ScalarLike(x, epsilon))});
  return node.Over(node.ScalarLike(x, 1), root);
}

// Returns the type in which a normalisation computes: that of stash_type, or wider where the data is.
ElementType StashType(NodeContext& node, ir::Value x) {
  const ElementType type = node.ElementTypeAttribute("stash_type", ElementType::kF32);
  return BitWidth(node.TypeOf(x)) > BitWidth(type) ? node.TypeOf(x) : type;
}

}  // namespace

std::vector<int64_t> AxesFrom(int64_t first, int64_t rank) {
  std::vector<int64_t> axes;
  for (int64_t d = first; d < rank; ++d) axes.push_back(d);
  return axes;
}

ir::Value NormalizeVariance(NodeContext& node, ir::Value x, const std::vector<int64_t>& axes, double epsilon) {
  auto attributes = std::make_unique<ir::MVNAttributes>();
  attributes->normalize_variance = true;
  attributes->eps = epsilon;
  attributes->eps_mode = ir::MVNEpsMode::kInsideSqrt;
  return node.Add(ir::MVNOp(), {x, node.Ints(axes)}, std::move(attributes));
}

ir::Value RmsNormalize(NodeContext& node, ir::Value x, ir::Value scale, int64_t axis, double epsilon) {
  const int64_t rank = node.KnownRank(x);
  const int64_t first = node.NormalizeAxis(axis, rank);
  const ElementType type = node.TypeOf(x);
  const ElementType stash = StashType(node, x);
  const ir::Value wide = node.Convert(x, stash);
  const ir::Value scale_factor = InverseRoot(node, node.Mean(node.Times(wide, wide), AxesFrom(first, rank)), epsilon);
  const ir::Value normalized = node.Convert(node.Times(wide, scale_factor), type);
  return node.Convert(node.Times(normalized, node.Convert(scale, type)), type);
}

std::vector<ir::Value> LayerNormalize(NodeContext& node, ir::Value x, ir::Value scale, ir::Value bias, int64_t axis,
                                      double epsilon, bool wants_statistics) {
  const int64_t rank = node.KnownRank(x);
  const int64_t first = node.NormalizeAxis(axis, rank);
  const ElementType type = node.TypeOf(x);
  const ElementType stash = StashType(node, x);
  if (!node.ok()) return {};
  const std::vector<int64_t> axes = AxesFrom(first, rank);
  const ir::Value wide = node.Convert(x, stash);
  ir::Value normalized;
  ir::Value mean;
  ir::Value inverse_deviation;
  if (wants_statistics) {
    mean = node.Mean(wide, axes);
    const ir::Value deviation = node.Minus(wide, mean);
    inverse_deviation = InverseRoot(node, node.Mean(node.Times(deviation, deviation), axes), epsilon);
    normalized = node.Times(deviation, inverse_deviation);
  } else {
    normalized = NormalizeVariance(node, wide, axes, epsilon);
  }
  ir::Value y = node.Times(node.Convert(normalized, type), node.Convert(scale, type));
  if (bias.exists()) y = node.Plus(y, node.Convert(bias, type));
  return {y, mean, inverse_deviation};
}

}  // namespace burin::onnx
