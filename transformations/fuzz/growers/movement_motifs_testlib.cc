#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "base/element_type.h"
#include "ir/model.h"
#include "ir/shape.h"
#include "transformations/fuzz/growers/growers.h"
#include "transformations/fuzz/growing_graph.h"

namespace burin::transformations {
namespace {

using ir::Shape;
using ir::Value;

std::vector<int64_t> Inverse(const std::vector<int64_t>& order) {
  std::vector<int64_t> inverse(order.size());
  for (size_t i = 0; i < order.size(); ++i) inverse[static_cast<size_t>(order[i])] = static_cast<int64_t>(i);
  return inverse;
}

// Returns an order of axes, rather one that exporters write.
std::vector<int64_t> LikelyOrder(GrowingGraph& g, int64_t rank) {
  if (rank == 4 && g.OneIn(2)) {
    return g.OneIn(2) ? std::vector<int64_t>{0, 2, 3, 1} : std::vector<int64_t>{0, 3, 1, 2};
  }
  return g.AnyOrder(rank);
}

Value Transposed(GrowingGraph& g, Value x, const std::vector<int64_t>& order) {
  return g.Add("Transpose", {x, g.OneIn(12) ? g.Ints(order) : g.PlainInts(order, g.AnyType(Types::kIndex))});
}

// Returns an element-wise operation, a conversion, or a chain of them, on x.
Value Elementwise(GrowingGraph& g, Value x) {
  Value y = Value::None();
  switch (g.Below(6)) {
    case 0:
      y = g.Add(g.AnyOf({"Relu", "Sigmoid", "Abs", "Negative", "Tanh", "HSwish"}), {x});
      break;
    case 1:
      y = g.Add("Clamp", {x}, {{"min", 0.0}, {"max", 6.0}});
      break;
    case 2:
      y = g.Add("Convert", {x}, {{"destination_type", g.AnyType(Types::kAny)}});
      break;
    case 3:
      y = g.Add(g.AnyOf({"Add", "Multiply", "Maximum"}), {x, x});
      break;
    default:
      y = g.Add(g.AnyOf({"Add", "Multiply", "Subtract", "Maximum", "Less", "Divide"}), {x, g.Operand(x)});
  }
  return y.exists() ? y : x;
}

// Returns something that treats some axes of x otherwise than others.
Value AlongAxes(GrowingGraph& g, Value x) {
  const int64_t rank = g.RankOf(x);
  if (rank == 0) return x;
  const int64_t axis = g.AnyAxis(rank);
  const std::vector<int64_t> zeros(static_cast<size_t>(rank));
  std::vector<int64_t> pads = zeros;
  pads[static_cast<size_t>(g.Below(rank))] = g.Below(3);
  Value y = Value::None();
  switch (g.Below(11)) {
    case 0:
      y = g.Add(g.AnyOf({"Softmax", "LogSoftmax"}), {x}, {{"axis", axis}});
      break;
    case 1:
      y = g.Add(g.AnyOf({"ReduceMean", "ReduceSum", "ReduceMax"}), {x, g.Ints(g.AnyAxes(rank, 1))},
                {{"keep_dims", g.OneIn(2)}});
      break;
    case 2:
      y = g.Add("Pad", {x, g.PlainInts(g.OneIn(2) ? zeros : pads), g.PlainInts(pads)},
                {{"pad_mode", g.AnyOf({"constant", "constant", "edge"})}});
      break;
    case 3:
      y = g.Add("Slice",
                {x, g.PlainInts({0}), g.PlainInts({g.SizeOf(x, axis) - 1}), g.PlainInts({1}), g.PlainInts({axis})});
      break;
    case 4: {
      Shape other = g.ShapeOf(x);
      y = g.Add("Concat", {x, g.OneIn(3) ? x : g.Like(g.TypeOf(x), other)}, {{"axis", axis}});
      break;
    }
    case 5: {
      const int64_t size = g.SizeOf(x, axis);
      const std::vector<Value> parts =
          g.AddAll("Split", {x, g.PlainInt(axis)}, {{"num_splits", size > 0 && size % 2 == 0 ? 2 : 1}});
      if (!parts.empty()) y = parts[static_cast<size_t>(g.Below(static_cast<int64_t>(parts.size())))];
      break;
    }
    case 6:
      y = g.Add("Gather", {x, g.OneIn(2) ? g.PlainInt(0) : g.PlainInts({0, 0}), g.PlainInt(axis)});
      break;
    case 7:
      y = g.Add("MVN", {x, g.PlainInts(g.AnyAxes(rank, 1))}, {{"eps", 1e-3}});
      break;
    case 8:
      y = g.Add("Tile", {x, g.PlainInts(std::vector<int64_t>(static_cast<size_t>(rank), g.AnyOf({1, 1, 2})))});
      break;
    case 9:
      y = g.Add("StridedSlice",
                {x, g.PlainInts(zeros), g.PlainInts(g.ShapeOf(x)),
                 g.PlainInts(std::vector<int64_t>(static_cast<size_t>(rank), g.AnyOf({1, 1, 2})))},
                {{"begin_mask", std::vector<int64_t>(static_cast<size_t>(rank), g.Below(2))},
                 {"end_mask", std::vector<int64_t>(static_cast<size_t>(rank), 0)}});
      break;
    default:
      if (rank > 2) {
        const auto axes = static_cast<size_t>(rank - 2);
        y = g.Add(g.AnyOf({"AvgPool", "MaxPool"}), {x}, {{"kernel", std::vector<int64_t>(axes, g.Between(1, 2))}});
      }
  }
  return y.exists() ? y : x;
}

Value Step(GrowingGraph& g, Value x) { return g.OneIn(3) ? AlongAxes(g, x) : Elementwise(g, x); }

// Transpose, something, transpose back (or otherwise).
void GrowTransposePair(GrowingGraph& g) {
  const Value x = g.Pick(g.OneIn(3) ? Types::kAny : Types::kFloat, 2, 4);
  const std::vector<int64_t> order = LikelyOrder(g, g.RankOf(x));
  Value y = Transposed(g, x, order);
  if (!y.exists()) return;
  if (g.OneIn(12)) g.AddResult(y);
  for (int64_t length = g.Below(4); length > 0; --length) y = Step(g, y);
  if (g.RankOf(y) != static_cast<int64_t>(order.size())) return;
  Transposed(g, y, g.OneIn(4) ? g.AnyOrder(g.RankOf(y)) : Inverse(order));
}

// Two transposed values meet, by the same or by different orders, or one meets a constant.
void GrowTransposedOperands(GrowingGraph& g) {
  const Value x = g.Pick(Types::kFloat, 2, 4);
  const std::vector<int64_t> order = LikelyOrder(g, g.RankOf(x));
  const Value left = Transposed(g, x, order);
  Value right = Value::None();
  if (g.OneIn(4)) {
    right = g.Operand(left);
  } else {
    Shape shape = g.ShapeOf(x);
    for (int64_t& size : shape) {
      if (g.OneIn(4)) size = 1;
    }
    right = Transposed(g, g.Like(g.TypeOf(x), shape), g.OneIn(5) ? g.AnyOrder(g.RankOf(x)) : order);
  }
  if (!left.exists() || !right.exists()) return;
  Value y = Value::None();
  switch (g.Below(4)) {
    case 0:
      y = g.Add("Concat", {left, right}, {{"axis", g.AnyAxis(g.RankOf(left))}});
      break;
    case 1:
      y = g.Add("Select", {g.Like(ElementType::kBoolean, g.ShapeOf(left)), left, right});
      break;
    default:
      y = g.Add(g.AnyOf({"Add", "Multiply", "Subtract", "Greater", "Minimum"}), {left, right});
  }
  if (y.exists() && g.OneIn(2)) Transposed(g, y, Inverse(order));
}

// A convolution as TensorFlow's exporter wraps it.
void GrowChannelsLast(GrowingGraph& g) {
  const ElementType type = g.AnyType(Types::kFloat);
  const int64_t channels = g.AnySize();
  Value x = g.Like(type, {g.Between(1, 2), g.Between(2, 4), g.Between(2, 4), channels});
  for (int64_t layers = g.Between(1, 2); layers > 0; --layers) {
    const int64_t outputs = g.Between(1, 3);
    Value y = Transposed(g, x, {0, 3, 1, 2});
    const std::vector<int64_t> pads(2, g.Below(2));
    y = g.Add("Convolution", {y, g.Weights(type, {outputs, g.SizeOf(x, -1), 2, 2})},
              {{"pads_begin", pads}, {"pads_end", std::vector<int64_t>{1, 1}}});
    y = Transposed(g, y, {0, 2, 3, 1});
    if (!y.exists()) return;
    y = g.Add("Add", {y, g.Constant(type, {outputs})});
    if (g.OneIn(2)) y = g.Add("Relu", {y});
    if (g.OneIn(4)) y = g.Add("Add", {y, Elementwise(g, y)});
    if (!y.exists()) return;
    x = y;
  }
}

// Reshape, Squeeze, Unsqueeze in a row, at times with something between them.
void GrowReshapeChain(GrowingGraph& g) {
  Value x = g.Pick(Types::kAny, 0, 4);
  const Shape first = g.ShapeOf(x);
  for (int64_t length = g.Between(2, 4); length > 0; --length) {
    Value y = Value::None();
    const int64_t rank = g.RankOf(x);
    switch (g.Below(6)) {
      case 0:
        y = g.Add("Unsqueeze", {x, g.Ints({g.Below(rank + 1)})});
        break;
      case 1:
        for (int64_t i = 0; i < rank && !y.exists(); ++i) {
          if (g.SizeOf(x, i) == 1) y = g.Add("Squeeze", {x, g.Ints({i})});
        }
        break;
      case 2:
        y = g.Add("Reshape", {x, g.Ints({-1})});
        break;
      case 3:
        y = g.Add("Reshape", {x, g.Ints(first)});
        break;
      case 4: {
        Shape target = first;
        if (!target.empty()) target[0] = -1;
        if (target.size() > 1 && g.OneIn(2)) target[1] = 0;
        y = g.Add("Reshape", {x, g.Ints(target)}, {{"special_zero", true}});
        break;
      }
      default:
        y = Elementwise(g, x);
    }
    if (y.exists()) x = y;
  }
}

// Operations that move data, and conversions, around each other.
void GrowConvertAroundMovement(GrowingGraph& g) {
  Value x = g.Pick(Types::kAny, 1, 4);
  for (int64_t length = g.Between(2, 4); length > 0; --length) {
    Value y = Value::None();
    const int64_t rank = g.RankOf(x);
    if (rank == 0) return;
    switch (g.Below(5)) {
      case 0:
      case 1:
        y = g.Add("Convert", {x}, {{"destination_type", g.AnyType(Types::kAny)}});
        break;
      case 2:
        y = Transposed(g, x, g.AnyOrder(rank));
        break;
      case 3:
        y = g.Add("Reshape", {x, g.Ints({-1, 1})});
        break;
      default:
        y = AlongAxes(g, x);
    }
    if (y.exists()) x = y;
  }
}

// A broadcast that its reader would do by itself, or not.
void GrowBroadcastOperand(GrowingGraph& g) {
  const Value x = g.Pick(Types::kAny, 0, 4);
  Shape narrow = g.ShapeOf(x);
  for (int64_t& size : narrow) {
    if (g.OneIn(2)) size = 1;
  }
  while (!narrow.empty() && g.OneIn(3)) narrow.erase(narrow.begin());
  const Value y = g.Like(g.TypeOf(x), narrow);
  Value wide = Value::None();
  if (g.OneIn(4)) {
    std::vector<int64_t> repeats(static_cast<size_t>(g.RankOf(x)), 1);
    for (size_t i = 0; i < repeats.size(); ++i) {
      const int64_t from_end = static_cast<int64_t>(i) - g.RankOf(x);
      if (-from_end > g.RankOf(y) || g.SizeOf(y, from_end) == 1) repeats[i] = g.SizeOf(x, from_end);
    }
    wide = g.Add("Tile", {y, g.Ints(repeats)});
  } else if (g.OneIn(3)) {
    wide = g.Add("Broadcast", {y, g.Add("ShapeOf", {x})}, {{"mode", g.AnyOf({"numpy", "bidirectional"})}});
  } else {
    wide = g.Add("Broadcast", {y, g.Ints(g.ShapeOf(x))}, {{"mode", g.AnyOf({"numpy", "bidirectional"})}});
  }
  if (!wide.exists()) return;
  if (g.OneIn(3)) wide = Elementwise(g, wide);
  if (g.TypeOf(wide) != g.TypeOf(x)) return;
  const char* const op = g.AnyOf({"Add", "Multiply", "Maximum", "Equal", "Subtract", "Power", "LogicalAnd"});
  // Where the other operand does not bring the shape, the broadcast has to stay.
  const Value other = g.OneIn(4) ? g.Operand(wide) : x;
  if (g.OneIn(2)) {
    g.Add(op, {wide, other});
  } else {
    g.Add(op, {other, wide});
  }
}

// Movements that change nothing, and such that nearly do.
void GrowNothing(GrowingGraph& g) {
  const Value x = g.Pick(Types::kAny, 1, 4);
  const int64_t rank = g.RankOf(x);
  const std::vector<int64_t> zeros(static_cast<size_t>(rank));
  const std::vector<int64_t> ones(static_cast<size_t>(rank), 1);
  const bool nearly = g.OneIn(8);
  switch (g.Below(12)) {
    case 0:
      g.Add("Slice", {x, g.Ints({0}), g.Ints({nearly ? 1 : INT64_MAX}), g.Ints({1}), g.Ints({g.AnyAxis(rank)})});
      break;
    case 1:
      g.Add("Pad", {x, g.Ints(zeros), g.Ints(nearly ? ones : zeros)});
      break;
    case 2:
      g.Add("Tile", {x, g.Ints(ones)});
      break;
    case 3:
      g.Add("Concat", {x}, {{"axis", g.AnyAxis(rank)}});
      break;
    case 4:
      g.AddAll("Split", {x, g.Int(0)}, {{"num_splits", 1}});
      break;
    case 5:
      g.Add("Roll", {x, g.Ints({nearly ? 1 : 0}), g.Ints({g.AnyAxis(rank)})});
      break;
    case 6:
      g.Add("Reshape", {x, g.Ints(zeros)}, {{"special_zero", true}});
      break;
    case 7:
      g.Add("Broadcast", {x, g.Ints(ones)}, {{"mode", "bidirectional"}});
      break;
    case 8:
      g.Add("Reshape", {x, g.Add("ShapeOf", {x})});
      break;
    case 9:
      g.Add("ReduceSum", {x, g.PlainInts({})}, {{"keep_dims", g.OneIn(2)}});
      break;
    case 10:
      g.Add("Convert", {x}, {{"destination_type", g.TypeOf(x)}});
      break;
    default:
      g.Add("StridedSlice", {x, g.Ints({0}), g.Ints({0})},
            {{"begin_mask", std::vector<int64_t>{1}}, {"end_mask", std::vector<int64_t>{nearly ? 0 : 1}}});
  }
}

// Cuts a value up and joins the parts, in their order or another.
void GrowSplitAndJoin(GrowingGraph& g) {
  const Value x = g.Pick(Types::kAny, 1, 4);
  const int64_t axis = g.AnyAxis(g.RankOf(x));
  const int64_t size = g.SizeOf(x, axis);
  std::vector<Value> parts;
  if (g.OneIn(2)) {
    parts = g.AddAll("Split", {x, g.PlainInt(axis)}, {{"num_splits", std::max<int64_t>(size, 1)}});
  } else {
    const int64_t first = g.Below(size + 1);
    parts = g.AddAll("VariadicSplit", {x, g.PlainInt(axis), g.PlainInts({first, size - first})});
  }
  if (parts.empty()) return;
  if (g.OneIn(3)) std::swap(parts.front(), parts.back());
  if (g.OneIn(3)) parts[0] = Elementwise(g, parts[0]);
  g.Add("Concat", parts, {{"axis", g.OneIn(6) ? g.AnyAxis(g.RankOf(x)) : axis}});
}

constexpr Grower kGrowers[] = {
    {"transpose pair", &GrowTransposePair, 7},
    {"transposed operands", &GrowTransposedOperands, 4},
    {"channels last", &GrowChannelsLast, 3},
    {"reshape chain", &GrowReshapeChain, 4},
    {"convert around movement", &GrowConvertAroundMovement, 4},
    {"broadcast operand", &GrowBroadcastOperand, 4},
    {"nothing", &GrowNothing, 3},
    {"split and join", &GrowSplitAndJoin, 2},
};

}  // namespace

absl::Span<const Grower> MovementMotifs() { return kGrowers; }

}  // namespace burin::transformations
