#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "base/element_type.h"
#include "ir/model.h"
#include "ir/shape.h"
#include "transformations/fuzz/attribute_values.h"
#include "transformations/fuzz/growers/growers.h"
#include "transformations/fuzz/growing_graph.h"

namespace burin::transformations {
namespace {

using ir::Shape;
using ir::Value;

void GrowMatMul(GrowingGraph& g) {
  const Value a = g.Pick(g.OneIn(8) ? Types::kNumeric : Types::kFloat, 1, 4);
  const bool transpose_a = g.OneIn(4);
  const bool transpose_b = g.OneIn(3);
  const int64_t inner = g.SizeOf(a, transpose_a && g.RankOf(a) > 1 ? -2 : -1);
  Shape b = {inner, g.AnySize()};
  if (transpose_b) std::swap(b[0], b[1]);
  if (g.OneIn(6)) b = {inner};
  if (g.RankOf(a) > 2 && g.OneIn(2) && b.size() == 2) b.insert(b.begin(), g.OneIn(2) ? g.SizeOf(a, -3) : 1);
  const Value right = g.OneIn(2) ? g.Weights(g.TypeOf(a), b) : g.Like(g.TypeOf(a), b);
  g.Add("MatMul", {a, right}, {{"transpose_a", transpose_a}, {"transpose_b", transpose_b}});
}

// Draws the attributes of a sliding window.
std::vector<AttributeValue> AnyWindow(GrowingGraph& g, size_t axes) {
  std::vector<int64_t> strides(axes, 1);
  std::vector<int64_t> dilations(axes, 1);
  std::vector<int64_t> begin(axes);
  std::vector<int64_t> end(axes);
  for (size_t i = 0; i < axes; ++i) {
    if (g.OneIn(4)) strides[i] = 2;
    if (g.OneIn(8)) dilations[i] = 2;
    begin[i] = g.Below(2);
    end[i] = g.Below(2);
  }
  const char* const auto_pad = g.AnyOf({"explicit", "explicit", "explicit", "same_upper", "same_lower", "valid"});
  return {
      {"strides", strides}, {"dilations", dilations}, {"pads_begin", begin}, {"pads_end", end}, {"auto_pad", auto_pad}};
}

// Returns data of a rank that windows slide over.
Value Data(GrowingGraph& g, Types types) {
  if (g.OneIn(3)) return g.Pick(types, 3, 5);
  Shape shape = {g.Between(1, 2), g.AnySize()};
  for (int64_t axes = g.AnyOf({1, 2, 2}); axes > 0; --axes) shape.push_back(g.OneIn(30) ? 0 : g.Between(2, 5));
  const ElementType type = g.AnyType(types);
  return g.OneIn(2) ? g.Like(type, shape) : g.Parameter(type, shape);
}

void GrowConvolution(GrowingGraph& g) {
  const Value x = Data(g, g.OneIn(10) ? Types::kNumeric : Types::kFloat);
  const auto axes = static_cast<size_t>(g.RankOf(x) - 2);
  const bool transposed = g.OneIn(3);
  const int64_t channels = g.SizeOf(x, 1);
  Shape filters = {g.Between(1, 3), channels};
  if (transposed) std::swap(filters[0], filters[1]);
  const bool grouped = g.OneIn(3);
  if (grouped) {
    const bool depthwise = g.OneIn(2);
    filters = {depthwise ? channels : 1, g.Between(1, 2), depthwise ? 1 : channels};
    if (transposed) std::swap(filters[1], filters[2]);
  }
  for (size_t i = 0; i < axes; ++i) filters.push_back(g.Between(1, 2));
  const char* const op = transposed ? (grouped ? "GroupConvolutionBackpropData" : "ConvolutionBackpropData")
                                    : (grouped ? "GroupConvolution" : "Convolution");
  std::vector<Value> inputs = {x, g.Weights(g.TypeOf(x), filters)};
  if (transposed && g.OneIn(4)) {
    std::vector<int64_t> sizes(axes);
    for (size_t i = 0; i < axes; ++i) sizes[i] = g.SizeOf(x, static_cast<int64_t>(i) + 2) + 1;
    inputs.push_back(g.Ints(sizes));
  }
  g.Add(op, inputs, AnyWindow(g, axes));
}

void GrowPool(GrowingGraph& g) {
  const Value x = Data(g, g.OneIn(5) ? Types::kNumeric : Types::kFloat);
  const auto axes = static_cast<size_t>(g.RankOf(x) - 2);
  std::vector<AttributeValue> attributes = AnyWindow(g, axes);
  std::vector<int64_t> kernel(axes);
  for (int64_t& size : kernel) size = g.Between(1, 3);
  attributes.emplace_back("kernel", kernel);
  attributes.emplace_back("rounding_type", g.AnyOf({"floor", "floor", "ceil"}));
  if (g.OneIn(2)) {
    attributes.emplace_back("exclude_pad", g.OneIn(2));
    g.Add("AvgPool", {x}, attributes);
  } else {
    attributes.emplace_back("index_element_type", g.AnyType(Types::kIndex));
    attributes.emplace_back("axis", g.AnyOf({0, 1, 2, -1}));
    g.AddAll("MaxPool", {x}, attributes);
  }
}

void GrowInterpolate(GrowingGraph& g) {
  const Value x = Data(g, Types::kFloat);
  const bool by_scales = g.OneIn(2);
  std::vector<int64_t> axes;
  for (int64_t i = 2; i < g.RankOf(x); ++i) axes.push_back(i);
  std::vector<int64_t> sizes(axes.size());
  for (int64_t& size : sizes) size = g.Between(1, 4);
  if (g.OneIn(4)) {
    for (size_t i = 0; i < axes.size(); ++i) sizes[i] = g.SizeOf(x, axes[i]);
  }
  const Value target =
      by_scales ? g.Filled(ElementType::kF32, {static_cast<int64_t>(axes.size())}, g.AnyOf({1.0, 2.0, 0.5, 1.5}))
                : g.Ints(sizes);
  g.Add("Interpolate", {x, target, g.Ints(axes)},
        {{"mode", g.AnyOf({"nearest", "linear", "linear_onnx", "cubic"})},
         {"shape_calculation_mode", by_scales ? "scales" : "sizes"},
         {"coordinate_transformation_mode",
          g.AnyOf({"half_pixel", "pytorch_half_pixel", "asymmetric", "tf_half_pixel_for_nn", "align_corners"})},
         {"nearest_mode", g.AnyOf({"round_prefer_floor", "round_prefer_ceil", "floor", "ceil", "simple"})}});
}

void GrowEinsum(GrowingGraph& g) {
  const ElementType type = g.AnyType(Types::kFloat);
  const int64_t i = g.AnySize();
  const int64_t j = g.AnySize();
  const int64_t k = g.AnySize();
  switch (g.Below(4)) {
    case 0:
      g.Add("Einsum", {g.Like(type, {i, j}), g.Like(type, {j, k})}, {{"equation", "ij,jk->ik"}});
      break;
    case 1:
      g.Add("Einsum", {g.Like(type, {i, j, k})}, {{"equation", "ijk->kij"}});
      break;
    case 2:
      g.Add("Einsum", {g.Like(type, {i, j, k}), g.Like(type, {i, k})}, {{"equation", "bij,bj->bi"}});
      break;
    default:
      g.Add("Einsum", {g.Like(type, {i, j, k}), g.Like(type, {i, j, k})}, {{"equation", "...ij,...kj->...ik"}});
  }
}

constexpr Grower kGrowers[] = {
    {"matmul", &GrowMatMul, 4}, {"convolution", &GrowConvolution, 4},
    {"pool", &GrowPool, 2},     {"interpolate", &GrowInterpolate, 2},
    {"einsum", &GrowEinsum},
};

}  // namespace

absl::Span<const Grower> DenseOps() { return kGrowers; }

}  // namespace burin::transformations
