// AffineGrid: where the elements of an image come from under an affine map.
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "base/element_type.h"
#include "ir/dimension.h"
#include "ir/ops/ops.h"
#include "ir/partial_shape.h"
#include "runtime/readers/onnx/translators.h"

namespace burin::onnx {
namespace {

// Returns the number of spatial axes, which matrices of [N, axes, axes + 1] and sizes of [N, C, axes...] tell.
std::optional<int64_t> SpatialAxes(NodeContext& node, ir::Value matrices, ir::Value sizes) {
  const ir::PartialShape& shape = node.ShapeOf(matrices);
  if (shape.has_rank() && shape.rank() == 3 && shape[1].is_static()) return shape[1].value();
  const ir::PartialShape& count = node.ShapeOf(sizes);
  if (count.has_rank() && count.rank() == 1 && count[0].is_static()) return count[0].value() - 2;
  return std::nullopt;
}

// Returns the places of `size` elements from -1 to 1: of the centres of the outermost elements, or of their edges.
ir::Value Places(NodeContext& node, ir::Value size, bool align_corners, ElementType type) {
  const ir::Value i = node.Convert(node.Range(node.Int(0), size), type);
  const ir::Value one = node.Scalar(type, 1);
  const ir::Value two = node.Scalar(type, 2);
  if (!align_corners) return node.Minus(node.Over(node.Plus(node.Times(two, i), one), node.Convert(size, type)), one);
  const ir::Value steps = node.Add(ir::MaximumOp(), {node.Minus(size, node.Int(1)), node.Int(1)});
  return node.Minus(node.Over(node.Times(two, i), node.Convert(steps, type)), one);
}

}  // namespace

// grid[n, (d,) h, w] = theta[n] * (x, y, (z,) 1), with x along w, y along h and z along d.
absl::Status TranslateAffineGrid(NodeContext& node) {
  const ir::Value theta = node.Input(0);
  const ir::Value sizes = node.Convert(node.Input(1), ElementType::kI64);
  const std::optional<int64_t> axes = SpatialAxes(node, theta, sizes);
  const bool align_corners = node.IntAttribute("align_corners", 0) != 0;
  if (!node.ok()) return node.status();
  if (!axes.has_value()) return node.Unsupported("an unknown number of axes");
  if (*axes != 2 && *axes != 3) return node.Invalid("AffineGrid is of two or three axes");
  const ElementType type = node.TypeOf(theta) == ElementType::kF64 ? ElementType::kF64 : ElementType::kF32;

  const ir::Value spatial = node.Slice(sizes, 0, 2, 2 + *axes);
  const ir::Value full = node.Concat({spatial, node.Ints({1})}, 0);
  std::vector<ir::Value> coordinates;
  for (int64_t axis = *axes - 1; axis >= 0; --axis) {
    const ir::Value size = node.ToScalar(node.Slice(spatial, 0, axis, axis + 1));
    std::vector<int64_t> along(static_cast<size_t>(*axes + 1), 1);
    along[static_cast<size_t>(axis)] = -1;
    coordinates.push_back(node.Broadcast(node.Reshape(Places(node, size, align_corners, type), along), full));
  }
  coordinates.push_back(node.Broadcast(node.Scalar(type, 1), full));
  const ir::Value points = node.Reshape(node.Concat(std::move(coordinates), *axes), {1, -1, *axes + 1});
  const ir::Value grid = node.MatMul(points, node.Convert(theta, type), /*transpose_a=*/false, /*transpose_b=*/true);
  const ir::Value shaped = node.Reshape(grid, node.Concat({node.SizesOf(theta, 0, 1), spatial, node.Ints({*axes})}, 0));
  return node.Finish({node.Convert(shaped, node.TypeOf(theta))});
}

}  // namespace burin::onnx
