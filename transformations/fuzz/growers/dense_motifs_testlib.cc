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

// Returns a constant for arithmetic with an output whose channels lie along axis 1, mostly one number per channel.
Value PerChannel(GrowingGraph& g, Value x) {
  const ElementType type = g.TypeOf(x);
  const int64_t rank = g.RankOf(x);
  Shape shape(static_cast<size_t>(rank), 1);
  switch (g.Below(8)) {
    case 0:
      return g.Constant(type, {});
    case 1:
      shape = g.ShapeOf(x);
      break;
    case 2:
      // One number per column: legal for some operations and shapes only.
      if (rank > 0) shape.back() = g.SizeOf(x, -1);
      break;
    case 3:
      if (rank > 1) shape[1] = g.SizeOf(x, 1);
      shape.erase(shape.begin(), shape.begin() + (rank > 0 ? 1 : 0));
      break;
    case 4:
      if (rank > 1) shape[1] = g.SizeOf(x, 1);
      return g.Parameter(type, shape);
    default:
      if (rank > 1) shape[1] = g.SizeOf(x, 1);
  }
  return g.Constant(type, shape);
}

Value BatchNorm(GrowingGraph& g, Value x) {
  if (!x.exists() || g.RankOf(x) < 2) return x;
  const ElementType type = g.TypeOf(x);
  const Shape shape = {g.SizeOf(x, 1)};
  const Value mean = g.OneIn(12) ? g.Parameter(type, shape) : g.Constant(type, shape);
  return g.Add("BatchNormInference",
               {x, g.Constant(type, shape), g.Constant(type, shape), mean, g.Filled(type, shape, 0.75)},
               {{"epsilon", g.AnyOf({1e-3, 1e-5, 0.0})}});
}

// Returns an image of that many channels.
Value Image(GrowingGraph& g, ElementType type, int64_t channels, int64_t axes) {
  Shape shape = {g.Between(1, 2), channels};
  for (; axes > 0; --axes) shape.push_back(g.OneIn(40) ? 0 : g.Between(2, 4));
  return g.OneIn(2) ? g.Like(type, shape) : g.Parameter(type, shape);
}

// Returns any kind of convolution of x.
Value AnyConvolution(GrowingGraph& g, Value x) {
  if (!x.exists() || g.RankOf(x) < 3) return Value::None();
  const auto axes = static_cast<size_t>(g.RankOf(x) - 2);
  const int64_t channels = g.SizeOf(x, 1);
  const int64_t kind = g.Below(5);
  Shape filters;
  const char* op = "Convolution";
  switch (kind) {
    case 0:
      op = "GroupConvolution";
      filters = g.OneIn(2) ? Shape{channels, g.Between(1, 2), 1} : Shape{1, g.Between(1, 3), channels};
      break;
    case 1:
      op = "ConvolutionBackpropData";
      filters = {channels, g.Between(1, 3)};
      break;
    case 2:
      op = "GroupConvolutionBackpropData";
      filters = g.OneIn(2) ? Shape{channels, 1, g.Between(1, 2)} : Shape{1, channels, g.Between(1, 3)};
      break;
    default:
      filters = {g.Between(1, 3), channels};
  }
  for (size_t i = 0; i < axes; ++i) filters.push_back(g.Between(1, 2));
  std::vector<int64_t> begin(axes);
  std::vector<int64_t> end(axes);
  std::vector<int64_t> strides(axes, 1);
  for (size_t i = 0; i < axes; ++i) {
    if (g.OneIn(3)) begin[i] = 1;
    if (g.OneIn(3)) end[i] = 1;
    if (g.OneIn(5)) strides[i] = 2;
  }
  std::vector<AttributeValue> attributes = {{"pads_begin", begin}, {"pads_end", end}, {"strides", strides}};
  if (g.OneIn(6)) attributes.emplace_back("auto_pad", g.AnyOf({"same_upper", "same_lower", "valid"}));
  return g.Add(op, {x, g.Weights(g.TypeOf(x), filters)}, attributes);
}

// Returns any kind of product of x with weights.
Value AnyMatMul(GrowingGraph& g, Value x) {
  if (!x.exists() || g.RankOf(x) < 1) return Value::None();
  const bool transpose_b = g.OneIn(2);
  Shape weights = {g.SizeOf(x, -1), g.AnySize()};
  if (transpose_b) std::swap(weights[0], weights[1]);
  if (g.OneIn(8)) weights.insert(weights.begin(), 1);
  const Value w = g.Weights(g.TypeOf(x), weights);
  if (g.OneIn(6) && !transpose_b && weights.size() == 2 && weights[0] == weights[1]) {
    return g.Add("MatMul", {w, x});
  }
  return g.Add("MatMul", {x, w}, {{"transpose_b", transpose_b}});
}

// Returns x after arithmetic as batch normalisation and biases are written out.
Value Scaled(GrowingGraph& g, Value x, int64_t steps) {
  for (; steps > 0 && x.exists(); --steps) {
    if (g.OneIn(12)) g.AddResult(x);
    if (g.OneIn(4)) {
      x = BatchNorm(g, x);
      continue;
    }
    const Value c = PerChannel(g, x);
    const char* const op = g.AnyOf({"Add", "Multiply", "Add", "Multiply", "Subtract", "Divide"});
    x = g.OneIn(4) ? g.Add(op, {c, x}) : g.Add(op, {x, c});
  }
  return x;
}

void GrowScaledConvolution(GrowingGraph& g) {
  const ElementType type = g.AnyType(Types::kFloat);
  Value x = Image(g, type, g.AnySize(), g.AnyOf({1, 2, 2}));
  if (g.OneIn(4)) x = Scaled(g, x, 1);
  x = AnyConvolution(g, x);
  x = Scaled(g, x, g.Between(1, 3));
  if (x.exists() && g.OneIn(2)) x = g.Add("Relu", {x});
  if (g.OneIn(3)) AnyConvolution(g, x);
}

void GrowScaledMatMul(GrowingGraph& g) {
  Value x = g.Pick(Types::kFloat, 1, 4);
  if (g.OneIn(3)) x = Scaled(g, x, 1);
  x = AnyMatMul(g, x);
  if (!x.exists()) return;
  for (int64_t steps = g.Between(1, 3); steps > 0 && x.exists(); --steps) {
    const ElementType type = g.TypeOf(x);
    const Shape row = {g.SizeOf(x, -1)};
    const Value c = g.OneIn(3) ? g.Constant(type, {}) : g.OneIn(4) ? PerChannel(g, x) : g.Constant(type, row);
    x = g.Add(g.AnyOf({"Add", "Multiply", "Add", "Divide", "Subtract"}), {x, c});
  }
}

// Padding in front of a window operation.
void GrowPaddedWindow(GrowingGraph& g) {
  const ElementType type = g.AnyType(Types::kFloat);
  const Value x = Image(g, type, g.AnySize(), g.AnyOf({1, 2, 2}));
  const auto rank = static_cast<size_t>(g.RankOf(x));
  std::vector<int64_t> begin(rank);
  std::vector<int64_t> end(rank);
  for (size_t i = g.OneIn(8) ? 0 : 2; i < rank; ++i) {
    begin[i] = g.OneIn(10) ? -1 : g.Below(2);
    end[i] = g.Below(3);
  }
  std::vector<Value> inputs = {x, g.PlainInts(begin), g.PlainInts(end)};
  if (g.OneIn(2)) inputs.push_back(g.Scalar(type, g.OneIn(5) ? 1 : 0));
  const char* const mode = g.OneIn(6) ? g.AnyOf({"edge", "reflect"}) : "constant";
  const Value padded = g.Add("Pad", inputs, {{"pad_mode", mode}});
  if (!padded.exists()) return;
  if (g.OneIn(3)) {
    const std::vector<int64_t> kernel(rank - 2, 2);
    if (g.OneIn(2)) {
      g.Add("AvgPool", {padded}, {{"kernel", kernel}, {"exclude_pad", g.OneIn(2)}});
    } else {
      g.Add("MaxPool", {padded}, {{"kernel", kernel}});
    }
  } else {
    AnyConvolution(g, padded);
  }
}

// MatMul of transposed operands, and attention written out.
void GrowAttention(GrowingGraph& g) {
  const ElementType type = g.AnyType(Types::kFloat);
  const int64_t heads = g.Between(1, 2);
  const int64_t size = g.Between(1, 3);
  const int64_t length = g.AnySize();
  const Value x = g.Like(type, {1, length, heads * size});
  const auto head = [&](bool keys) {
    Value y = g.Add("MatMul", {x, g.Weights(type, {heads * size, heads * size})});
    y = g.Add("Add", {y, g.Constant(type, {heads * size})});
    y = g.Add("Reshape", {y, g.Ints({0, g.OneIn(2) ? -1 : length, heads, size})}, {{"special_zero", true}});
    return g.Add("Transpose",
                 {y, g.PlainInts(keys ? std::vector<int64_t>{0, 2, 3, 1} : std::vector<int64_t>{0, 2, 1, 3})});
  };
  const bool transposed = g.OneIn(2);
  Value scores = g.Add("MatMul", {head(false), head(transposed)}, {{"transpose_b", !transposed}});
  scores = g.Add(g.AnyOf({"Multiply", "Divide"}), {scores, g.Scalar(type, 2)});
  scores = g.Add("Softmax", {scores}, {{"axis", -1}});
  Value y = g.Add("MatMul", {scores, head(false)});
  y = g.Add("Transpose", {y, g.PlainInts({0, 2, 1, 3})});
  y = g.Add("Reshape", {y, g.Ints({0, -1, heads * size})}, {{"special_zero", true}});
}

void GrowTransposedMatMul(GrowingGraph& g) {
  const Value x = g.Pick(Types::kFloat, 2, 4);
  std::vector<int64_t> order(static_cast<size_t>(g.RankOf(x)));
  for (size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int64_t>(i);
  std::swap(order[order.size() - 1], order[order.size() - 2]);
  if (g.OneIn(5)) order = g.AnyOrder(g.RankOf(x));
  const Value y = g.Add("Transpose", {x, g.PlainInts(order)});
  if (!y.exists()) return;
  const Value left = g.Like(g.TypeOf(x), {g.AnySize(), g.SizeOf(y, -2)});
  switch (g.Below(3)) {
    case 0:
      g.Add("MatMul", {left, y});
      break;
    case 1:
      AnyMatMul(g, y);
      break;
    default:
      g.Add("MatMul", {y, x}, {{"transpose_a", g.OneIn(4)}});
  }
}

void GrowNormalizedAlone(GrowingGraph& g) {
  Value x = BatchNorm(g, g.Pick(Types::kFloat, 2, 4));
  if (g.OneIn(2)) x = g.Add("Relu", {x});
  if (g.OneIn(2)) BatchNorm(g, x);
}

constexpr Grower kGrowers[] = {
    {"scaled convolution", &GrowScaledConvolution, 6}, {"scaled matmul", &GrowScaledMatMul, 5},
    {"padded window", &GrowPaddedWindow, 8},           {"attention", &GrowAttention},
    {"transposed matmul", &GrowTransposedMatMul, 2},   {"batch norm alone", &GrowNormalizedAlone},
};

}  // namespace

absl::Span<const Grower> DenseMotifs() { return kGrowers; }

}  // namespace burin::transformations
