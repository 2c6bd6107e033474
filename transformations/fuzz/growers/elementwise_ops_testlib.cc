#include <initializer_list>
#include <string>
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

using ir::Value;

void GrowUnary(GrowingGraph& g) {
  const char* const op =
      g.AnyOf({"Abs",      "Acos",  "Acosh", "Asin",    "Asinh",    "Atan",     "Atanh",  "Ceiling",  "Cos",
               "Cosh",     "Erf",   "Exp",   "Floor",   "Gelu",     "HSigmoid", "HSwish", "Log",      "Mish",
               "Negative", "Relu",  "Round", "Sigmoid", "Sign",     "Sin",      "Sinh",   "SoftPlus", "SoftSign",
               "Sqrt",     "Swish", "Tan",   "Tanh",    "IsFinite", "IsInf",    "IsNaN",  "Elu"});
  g.Add(op, {g.Pick(g.OneIn(8) ? Types::kNumeric : Types::kFloat)});
}

void GrowParameterised(GrowingGraph& g) {
  const Value x = g.Pick(Types::kFloat);
  const ElementType type = g.TypeOf(x);
  switch (g.Below(9)) {
    case 0:
      g.Add("Clamp", {g.Pick(Types::kNumeric)}, {{"min", g.AnyOf({-1.0, 0.0, 0.5})}, {"max", g.AnyOf({1.0, 6.0})}});
      break;
    case 1:
      g.Add("Elu", {x}, {{"alpha", g.AnyOf({1.0, 0.25})}});
      break;
    case 2:
      g.Add("HardSigmoid", {x, g.Scalar(type, 0.25), g.Scalar(type, 0.5)});
      break;
    case 3:
      g.Add("Selu", {x, g.Scalar(type, 1.5), g.Filled(type, {1}, 1.125)});
      break;
    case 4:
      g.Add("Swish", {x, g.Constant(type, {})});
      break;
    case 5: {
      const ir::Shape slope = g.OneIn(2) ? ir::Shape{g.SizeOf(x, 1)} : ir::Shape{};
      g.Add("PRelu", {x, g.Constant(type, slope)});
      break;
    }
    case 6:
      g.Add("Gelu", {x}, {{"approximation_mode", g.AnyOf({"ERF", "TANH"})}});
      break;
    case 7:
      g.Add("IsInf", {x}, {{"detect_negative", g.OneIn(2)}, {"detect_positive", g.OneIn(2)}});
      break;
    default:
      g.Add("Round", {x}, {{"mode", g.AnyOf({"half_to_even", "half_away_from_zero"})}});
  }
}

void GrowFakeQuantize(GrowingGraph& g) {
  const Value x = g.Pick(Types::kFloat, 1, 4);
  const ElementType type = g.TypeOf(x);
  ir::Shape ends(static_cast<size_t>(g.OneIn(2) ? 0 : g.RankOf(x)), 1);
  if (ends.size() > 1) ends[1] = g.SizeOf(x, 1);
  const Value low = g.Filled(type, ends, g.AnyOf({-1.0, 0.0, -0.5}));
  const Value high = g.Filled(type, ends, g.AnyOf({1.0, 2.5}));
  const bool same = g.OneIn(2);
  g.Add("FakeQuantize", {x, low, high, same ? low : g.Scalar(type, -2), same ? high : g.Scalar(type, 2)},
        {{"levels", g.AnyOf({256, 255, 16, 2})}});
}

void GrowArithmetic(GrowingGraph& g) {
  const char* const op = g.AnyOf({"Add", "Subtract", "Multiply", "Divide", "FloorMod", "Mod", "Power", "Maximum",
                                  "Minimum", "SquaredDifference", "Add", "Multiply", "PRelu"});
  const Value a = g.Pick(g.OneIn(3) ? Types::kNumeric : Types::kFloat);
  const Value b = g.Operand(a);
  if (g.OneIn(2)) {
    g.Add(op, {a, b});
  } else {
    g.Add(op, {b, a});
  }
}

void GrowComparison(GrowingGraph& g) {
  const char* const op = g.AnyOf({"Equal", "NotEqual", "Less", "LessEqual", "Greater", "GreaterEqual"});
  const Value a = g.Pick(Types::kAny);
  g.Add(op, {a, g.Operand(a)});
}

void GrowLogical(GrowingGraph& g) {
  const Value a = g.Pick(Types::kBoolean);
  if (g.OneIn(3)) {
    g.Add("LogicalNot", {a});
  } else {
    g.Add(g.AnyOf({"LogicalAnd", "LogicalOr", "LogicalXor"}), {a, g.Operand(a)});
  }
}

void GrowBitwise(GrowingGraph& g) {
  const Value a = g.Pick(g.OneIn(6) ? Types::kBoolean : Types::kInteger);
  if (g.OneIn(4)) {
    g.Add("BitwiseNot", {a});
  } else {
    g.Add(g.AnyOf({"BitwiseAnd", "BitwiseOr", "BitwiseXor", "BitwiseLeftShift", "BitwiseRightShift"}),
          {a, g.Operand(a)});
  }
}

void GrowSelect(GrowingGraph& g) {
  const Value a = g.Pick(Types::kAny);
  const Value b = g.Operand(a);
  const Value condition = g.OneIn(2) ? g.Pick(Types::kBoolean) : g.Like(ElementType::kBoolean, g.ShapeOf(a));
  g.Add("Select", {condition, a, b});
}

void GrowConvert(GrowingGraph& g) {
  const Value x = g.Pick(Types::kAny);
  if (g.OneIn(4)) {
    g.Add("ConvertLike", {x, g.Pick(Types::kAny)});
    return;
  }
  const ElementType type = g.AnyType(Types::kAny);
  std::vector<AttributeValue> attributes = {{"destination_type", type}};
  if (g.OneIn(6)) attributes.emplace_back("saturate", false);
  g.Add("Convert", {x}, attributes);
}

constexpr Grower kGrowers[] = {
    {"unary", &GrowUnary, 8},
    {"parameterised", &GrowParameterised, 4},
    {"fake quantize", &GrowFakeQuantize},
    {"arithmetic", &GrowArithmetic, 8},
    {"comparison", &GrowComparison, 2},
    {"logical", &GrowLogical, 2},
    {"bitwise", &GrowBitwise, 2},
    {"select", &GrowSelect},
    {"convert", &GrowConvert, 4},
};

}  // namespace

absl::Span<const Grower> ElementwiseOps() { return kGrowers; }

}  // namespace burin::transformations
