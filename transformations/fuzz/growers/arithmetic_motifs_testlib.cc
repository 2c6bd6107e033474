#include <cstddef>
#include <cstdint>
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

// Returns a constant for arithmetic with x: one number, one per channel, or a whole tensor; at times of a higher rank.
Value Coefficients(GrowingGraph& g, Value x) {
  const ElementType type = g.TypeOf(x);
  Shape shape(static_cast<size_t>(g.RankOf(x)), 1);
  switch (g.Below(6)) {
    case 0:
      return g.Scalar(type, static_cast<double>(g.Between(1, 3)));
    case 1:
      return g.Constant(type, {1});
    case 2:
      if (shape.size() > 1) shape[1] = g.SizeOf(x, 1);
      break;
    case 3:
      if (!shape.empty()) shape.back() = g.SizeOf(x, -1);
      break;
    case 4:
      shape = g.ShapeOf(x);
      break;
    default:
      if (shape.size() < 4) shape.insert(shape.begin(), g.AnyOf({int64_t{1}, g.AnySize()}));
  }
  return g.Constant(type, shape);
}

// x * 1, x + 0, and near misses.
void GrowIdentity(GrowingGraph& g) {
  const Value x = g.Pick(g.OneIn(3) ? Types::kNumeric : Types::kFloat);
  const ElementType type = g.TypeOf(x);
  Shape shape(static_cast<size_t>(g.Below(g.RankOf(x) + 1)), 1);
  if (g.OneIn(4)) shape = g.ShapeOf(x);
  if (g.OneIn(10)) shape.insert(shape.begin(), g.AnySize());
  switch (g.Below(5)) {
    case 0:
      g.Add(g.AnyOf({"Multiply", "Divide", "Power"}), {x, g.Filled(type, shape, 1)});
      break;
    case 1:
      g.Add("Multiply", {g.Filled(type, shape, 1), x});
      break;
    case 2:
      g.Add(g.AnyOf({"Add", "Subtract"}), {x, g.Filled(type, shape, g.AnyOf({0.0, -0.0}))});
      break;
    case 3:
      g.Add("Add", {g.Filled(type, shape, g.AnyOf({0.0, -0.0})), x});
      break;
    default:
      g.Add(g.AnyOf({"Multiply", "Add", "Subtract", "Divide", "Power", "Maximum", "BitwiseOr", "BitwiseAnd"}),
            {x, g.Filled(type, shape, g.AnyOf({0.0, 1.0, -1.0, 2.0}))});
  }
}

// Arithmetic with one constant after the other, as normalisations leave it.
void GrowConstantChain(GrowingGraph& g) {
  Value x = g.Pick(g.OneIn(4) ? Types::kNumeric : Types::kFloat);
  const bool one_kind = g.OneIn(2);
  const char* op = g.AnyOf({"Multiply", "Add", "Subtract", "Divide"});
  for (int64_t length = g.Between(2, 4); length > 0; --length) {
    if (!one_kind) op = g.AnyOf({"Multiply", "Add", "Subtract", "Divide"});
    const Value c = Coefficients(g, x);
    x = g.OneIn(4) ? g.Add(op, {c, x}) : g.Add(op, {x, c});
    if (!x.exists()) return;
    if (g.OneIn(10)) x = g.Add("Negative", {x});
  }
}

// The same operand scaled or shifted on two ways that meet again.
void GrowDiamond(GrowingGraph& g) {
  const Value x = g.Pick(Types::kFloat);
  const Value c = Coefficients(g, x);
  const char* const op = g.AnyOf({"Multiply", "Add"});
  const Value left = g.Add(op, {x, c});
  const Value right = g.OneIn(2) ? g.Add(op, {x, c}) : g.Add(op, {x, Coefficients(g, x)});
  g.Add(g.AnyOf({"Add", "Subtract", "Multiply", "Maximum"}), {left, right});
}

// A sum of two products that share a factor, the data or the constant, and what looks like it.
void GrowCommonFactor(GrowingGraph& g) {
  const Value x = g.Pick(g.OneIn(5) ? Types::kNumeric : Types::kFloat);
  const bool same_data = g.OneIn(2);
  const Value y = same_data ? x : g.OneIn(8) ? g.Operand(x) : g.Like(g.TypeOf(x), g.ShapeOf(x));
  const Value a = g.OneIn(8) ? g.Operand(x) : Coefficients(g, x);
  const Value b = same_data || g.OneIn(8) ? Coefficients(g, x) : a;
  const char* const op = g.AnyOf({"Multiply", "Multiply", "Multiply", "Multiply", "Divide", "Add"});
  const Value left = g.OneIn(4) ? g.Add(op, {a, x}) : g.Add(op, {x, a});
  const Value right = g.OneIn(4) ? g.Add(op, {b, y}) : g.Add(op, {y, b});
  if (left.exists() && g.OneIn(10)) g.AddResult(left);
  g.Add(g.AnyOf({"Add", "Subtract", "Add", "Subtract", "Maximum"}), {left, right});
}

void GrowConvertChain(GrowingGraph& g) {
  Value x = g.Pick(Types::kAny);
  const ElementType first = g.TypeOf(x);
  for (int64_t length = g.Between(2, 3); length > 0; --length) {
    const ElementType type = length == 1 && g.OneIn(2) ? first : g.AnyType(Types::kAny);
    std::vector<AttributeValue> attributes = {{"destination_type", type}};
    if (g.OneIn(8)) attributes.emplace_back("saturate", false);
    const Value next = g.OneIn(6) ? g.Add("ConvertLike", {x, g.Pick(Types::kAny)}) : g.Add("Convert", {x}, attributes);
    if (!next.exists()) return;
    x = next;
  }
}

// Operations on constants alone.
void GrowConstantExpression(GrowingGraph& g) {
  const ElementType type = g.AnyType(g.OneIn(2) ? Types::kFloat : Types::kNumeric);
  Value x = g.Constant(type, g.AnyShape(0, 3));
  for (int64_t length = g.Between(1, 3); length > 0; --length) {
    Value next = Value::None();
    switch (g.Below(5)) {
      case 0:
        next = g.Add(g.AnyOf({"Negative", "Abs", "Relu", "Sqrt", "Exp", "Sign", "Floor"}), {x});
        break;
      case 1:
        next = g.Add("Transpose", {x, g.PlainInts(g.AnyOrder(g.RankOf(x)))});
        break;
      case 2:
        next = g.Add("Reshape", {x, g.PlainInts({-1})});
        break;
      default:
        next = g.Add(g.AnyOf({"Add", "Multiply", "Subtract", "Divide", "Maximum"}), {x, Coefficients(g, x)});
    }
    if (next.exists()) x = next;
  }
  const Value reader = g.Pick(Types::kAny);
  if (g.TypeOf(reader) == g.TypeOf(x)) g.Add("Add", {reader, x});
}

// Weights stored in a narrow type, in the places where models have them.
void GrowDecompression(GrowingGraph& g) {
  const Value x = g.Pick(Types::kFloat, 1, 3);
  const ElementType type = g.TypeOf(x);
  const ElementType stored =
      g.AnyOf({ElementType::kI8, ElementType::kU8, ElementType::kF16, ElementType::kU4, ElementType::kI4});
  const int64_t inner = g.SizeOf(x, -1);
  const int64_t outer = g.AnySize();
  if (IsFloat(stored) && g.style().float_type != ElementType::kUndefined) return;
  const Value weights = g.Constant(stored, {outer, inner});
  Value wide = g.Add("Convert", {weights}, {{"destination_type", type}});
  if (g.OneIn(2)) {
    Value zero = g.Constant(stored, {outer, 1});
    if (g.OneIn(2)) {
      zero = g.Add("Convert", {zero}, {{"destination_type", type}});
    } else {
      zero = g.Scalar(type, 8);
    }
    wide = g.Add("Subtract", {wide, zero});
  }
  if (!g.OneIn(3)) wide = g.Add("Multiply", {wide, g.Constant(type, g.OneIn(2) ? Shape{} : Shape{outer, 1})});
  if (g.OneIn(6)) wide = g.Add("Transpose", {wide, g.PlainInts({1, 0})});
  switch (g.Below(3)) {
    case 0:
      g.Add("Gather", {wide, g.Ints({0}), g.PlainInt(0)});
      break;
    default:
      g.Add("MatMul", {x, wide}, {{"transpose_b", true}});
  }
}

// Activations one after the other.
void GrowActivations(GrowingGraph& g) {
  Value x = g.Pick(Types::kFloat);
  for (int64_t length = g.Between(2, 3); length > 0; --length) {
    Value next = Value::None();
    switch (g.Below(4)) {
      case 0:
        next = g.Add("Relu", {x});
        break;
      case 1:
        next = g.Add("Clamp", {x}, {{"min", g.AnyOf({0.0, -1.0})}, {"max", g.AnyOf({6.0, 1.0})}});
        break;
      case 2:
        next = g.Add(g.AnyOf({"Abs", "Negative", "Floor", "Ceiling", "Round", "Sign"}), {x});
        break;
      default:
        next = g.Add(g.AnyOf({"Maximum", "Minimum"}), {x, Coefficients(g, x)});
    }
    if (next.exists()) x = next;
  }
}

constexpr Grower kGrowers[] = {
    {"identity arithmetic", &GrowIdentity, 5},
    {"constant chain", &GrowConstantChain, 5},
    {"diamond", &GrowDiamond, 2},
    {"common factor", &GrowCommonFactor, 24},
    {"convert chain", &GrowConvertChain, 4},
    {"constant expression", &GrowConstantExpression, 3},
    {"decompression", &GrowDecompression, 3},
    {"activations", &GrowActivations, 2},
};

}  // namespace

absl::Span<const Grower> ArithmeticMotifs() { return kGrowers; }

}  // namespace burin::transformations
