#include "runtime/readers/onnx/ops/flatten.h"

#include <memory>
#include <optional>
#include <utility>

#include "ir/dimension.h"
#include "ir/ops/family/reduction.h"
#include "ir/ops/ops.h"
#include "ir/partial_shape.h"

namespace burin::onnx {
namespace {

// Returns the product of the dimensions [begin, end) where all are known.
std::optional<int64_t> KnownProduct(const ir::PartialShape& shape, int64_t begin, int64_t end) {
  ir::Dimension product(1);
  for (int64_t d = begin; d < end; ++d) product = product * shape[d];
  if (!product.is_static() || product.value() == ir::Dimension::kInfinite) return std::nullopt;
  return product.value();
}

// Returns the product of an i64 vector's elements, as a vector of one.
ir::Value ProductOf(NodeContext& node, ir::Value sizes) {
  auto attributes = std::make_unique<ir::ReductionAttributes>();
  attributes->keep_dims = true;
  return node.Add(ir::ReduceProdOp(), {sizes, node.Ints({0})}, std::move(attributes));
}

}  // namespace

ir::Value FlattenToMatrix(NodeContext& node, ir::Value x, int64_t axis) {
  const int64_t rank = node.KnownRank(x);
  if (!node.ok()) return x;
  const ir::PartialShape& shape = node.ShapeOf(x);
  const std::optional<int64_t> rows = KnownProduct(shape, 0, axis);
  const std::optional<int64_t> columns = KnownProduct(shape, axis, rank);
  if (rows.has_value() && columns.has_value()) return node.Reshape(x, {*rows, *columns});
  if (columns.has_value() && *columns != 0) return node.Reshape(x, {-1, *columns});
  if (rows.has_value() && *rows != 0) return node.Reshape(x, {*rows, -1});
  // A dimension that stays is taken from the input, so that what is known of it (its symbol) stays known.
  const ir::Value sizes = node.SizesOf(x);
  const ir::Value first = axis == 1 ? node.SizesOf(x, 0, 1) : ProductOf(node, node.Slice(sizes, 0, 0, axis));
  return node.Reshape(x, node.Concat({first, ProductOf(node, node.Slice(sizes, 0, axis, rank))}, 0));
}

}  // namespace burin::onnx
