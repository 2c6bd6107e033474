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

// Returns one dimension of x, as a list of one number or as a number, the way exporters read it.
Value DimensionOf(GrowingGraph& g, Value x, int64_t axis, ElementType type, bool as_list) {
  const Value shape = g.Add("ShapeOf", {x}, {{"output_type", type}});
  switch (g.Below(4)) {
    case 0:
      if (as_list) {
        return g.Add("Slice", {shape, g.PlainInts({axis}), g.PlainInts({axis + 1}), g.PlainInts({1})});
      }
      break;
    case 1:
      return g.Add("StridedSlice", {shape, g.PlainInts({axis}), g.PlainInts({axis + 1}), g.PlainInts({1})},
                   {{"shrink_axis_mask", std::vector<int64_t>{as_list ? 0 : 1}}});
    case 2: {
      const Value number = g.Add("Gather", {shape, g.PlainInt(axis), g.PlainInt(0)});
      return as_list ? g.Add("Unsqueeze", {number, g.PlainInt(0)}) : number;
    }
    default:
      break;
  }
  return g.Add("Gather", {shape, as_list ? g.PlainInts({axis}) : g.PlainInt(axis), g.PlainInt(0)});
}

// Reshape to a shape that is put together from dimensions of x and constants.
void GrowReshapeByShape(GrowingGraph& g) {
  const Value x = g.Pick(Types::kAny, 1, 4);
  const int64_t rank = g.RankOf(x);
  const ElementType type = g.AnyType(Types::kIndex);
  std::vector<Value> parts;
  bool inferred = false;
  for (int64_t i = 0; i < rank; ++i) {
    if (!inferred && g.OneIn(4)) {
      parts.push_back(g.PlainInts({-1}, type));
      inferred = true;
    } else if (i + 1 < rank && g.OneIn(4)) {
      parts.push_back(g.Add("Multiply", {DimensionOf(g, x, i, type, true), DimensionOf(g, x, i + 1, type, true)}));
      ++i;
    } else {
      parts.push_back(g.OneIn(4) ? g.PlainInts({g.SizeOf(x, i)}, type) : DimensionOf(g, x, i, type, true));
    }
  }
  if (g.OneIn(3)) parts.push_back(g.PlainInts({1}, type));
  const Value shape = g.Add("Concat", parts, {{"axis", 0}});
  const Value y = g.Add("Reshape", {x, shape}, {{"special_zero", g.OneIn(3)}});
  if (g.OneIn(3)) g.Add("Reshape", {y, g.Add("ShapeOf", {x})});
}

// Arithmetic with dimensions.
void GrowDimensionArithmetic(GrowingGraph& g) {
  const Value x = g.Pick(Types::kAny, 1, 4);
  const ElementType type = g.AnyType(Types::kIndex);
  Value number = DimensionOf(g, x, g.Below(g.RankOf(x)), type, g.OneIn(2));
  for (int64_t length = g.Between(1, 3); length > 0 && number.exists(); --length) {
    switch (g.Below(4)) {
      case 0:
        number = g.Add(g.AnyOf({"Add", "Multiply", "Subtract", "Maximum", "Minimum"}),
                       {number, g.PlainInt(g.Between(1, 3), type)});
        break;
      case 1:
        number = g.Add(g.AnyOf({"Divide", "FloorMod", "Mod"}), {number, g.PlainInt(g.Between(1, 2), type)});
        break;
      case 2: {
        const ElementType wide = g.AnyType(Types::kFloat);
        number = g.Add("Convert", {number}, {{"destination_type", wide}});
        number = g.Add("Multiply", {number, g.Scalar(wide, 2)});
        number = g.Add("Convert", {g.Add("Floor", {number})}, {{"destination_type", type}});
        break;
      }
      default:
        number = g.Add("Convert", {number}, {{"destination_type", type}});
    }
  }
  if (!number.exists()) return;
  switch (g.Below(4)) {
    case 0:
      g.Add("Range", {g.PlainInt(0), g.RankOf(number) == 0 ? number : g.Add("Squeeze", {number}), g.PlainInt(1)},
            {{"output_type", g.AnyType(Types::kNumeric)}});
      break;
    case 1: {
      const Value stop = g.RankOf(number) == 0 ? g.Add("Unsqueeze", {number, g.PlainInt(0)}) : number;
      g.Add("Slice", {x, g.PlainInts({0}, type), stop, g.PlainInts({1}, type), g.PlainInts({0})});
      break;
    }
    case 2:
      g.Add(g.AnyOf({"Equal", "Less"}), {number, g.PlainInt(2, type)});
      break;
    default:
      g.Add("Add", {g.Add("Convert", {number}, {{"destination_type", g.TypeOf(x)}}), x});
  }
}

// The shape of something that has the shape of its input.
void GrowShapeOfResult(GrowingGraph& g) {
  const Value x = g.Pick(Types::kFloat, 0, 4);
  Value y = x;
  for (int64_t length = g.Between(1, 3); length > 0; --length) {
    Value next = Value::None();
    switch (g.Below(5)) {
      case 0:
        next = g.Add(g.AnyOf({"Relu", "Exp", "Sigmoid", "IsNaN"}), {y});
        break;
      case 1:
        next = g.Add("Convert", {y}, {{"destination_type", g.AnyType(Types::kAny)}});
        break;
      case 2:
        next = g.Add("Add", {y, g.OneIn(2) ? g.Scalar(g.TypeOf(y), 1) : g.Operand(y)});
        break;
      case 3:
        next = g.Add("Softmax", {y}, {{"axis", -1}});
        break;
      default:
        if (g.RankOf(y) > 0) next = g.Add("CumSum", {y, g.PlainInt(0)});
    }
    if (next.exists()) y = next;
  }
  const Value shape = g.Add("ShapeOf", {y}, {{"output_type", g.AnyType(Types::kIndex)}});
  if (g.OneIn(2)) g.Add("Broadcast", {g.Scalar(g.AnyType(Types::kAny), 1), shape});
  if (g.OneIn(4)) g.Add("ReduceProd", {shape, g.PlainInts({0})}, {{"keep_dims", g.OneIn(2)}});
  if (g.OneIn(4)) g.Add("ShapeOf", {shape});
}

// A tensor of one value, as large as another, met by that.
void GrowFilledLike(GrowingGraph& g) {
  const Value x = g.Pick(Types::kNumeric, 0, 4);
  const Value filled = g.Add("Broadcast", {g.Scalar(g.TypeOf(x), g.AnyOf({0.0, 1.0, 2.0})), g.Add("ShapeOf", {x})});
  g.Add(g.AnyOf({"Add", "Multiply", "Subtract", "Greater", "Divide"}), {x, filled});
}

// A dimension that decides which body runs.
void GrowIndexByShape(GrowingGraph& g) {
  const Value x = g.Pick(Types::kAny, 1, 3);
  const ElementType type = g.AnyType(Types::kIndex);
  const Value size = DimensionOf(g, x, 0, type, false);
  const Value last = g.Add("Subtract", {size, g.PlainInt(1, type)});
  g.Add("Gather", {x, last, g.PlainInt(0)});
  if (g.OneIn(2)) {
    const Value known = g.Add("Greater", {size, g.PlainInt(g.Below(4), type)});
    g.Add("Select", {known, size, g.PlainInt(3, type)});
  }
}

constexpr Grower kGrowers[] = {
    {"reshape by shape", &GrowReshapeByShape, 4}, {"dimension arithmetic", &GrowDimensionArithmetic, 3},
    {"shape of result", &GrowShapeOfResult, 3},   {"filled like", &GrowFilledLike, 2},
    {"index by shape", &GrowIndexByShape, 2},
};

}  // namespace

absl::Span<const Grower> ShapeMotifs() { return kGrowers; }

}  // namespace burin::transformations
