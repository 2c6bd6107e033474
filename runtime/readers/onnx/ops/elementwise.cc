// Element-wise arithmetic whose ONNX form has attributes, several inputs or old variants.
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "base/element_type.h"
#include "ir/ops/clamp.h"
#include "ir/ops/divide.h"
#include "ir/ops/is_inf.h"
#include "ir/ops/ops.h"
#include "runtime/readers/onnx/ops/legacy_broadcast.h"
#include "runtime/readers/onnx/translators.h"

namespace burin::onnx {
namespace {

// Folds any number of inputs into one with a binary operation.
ir::Value FoldInputs(NodeContext& node, const ir::OpDef& op) {
  ir::Value result = node.Input(0);
  for (int64_t i = 1; i < node.input_count() && node.ok(); ++i) result = node.Add(op, {result, node.Input(i)});
  return result;
}

}  // namespace

absl::Status TranslateBitShift(NodeContext& node) {
  const std::string direction = node.StringAttribute("direction", "");
  if (direction != "LEFT" && direction != "RIGHT") return node.Invalid("BitShift needs direction LEFT or RIGHT");
  return node.Finish({node.Add(direction == "LEFT" ? ir::BitwiseLeftShiftOp() : ir::BitwiseRightShiftOp(),
                               {node.Input(0), node.Input(1)})});
}

// min(max(x, low), high); a low bound above the high one gives the high one everywhere.
absl::Status TranslateClip(NodeContext& node) {
  const ir::Value x = node.Input(0);
  const ElementType type = node.TypeOf(x);
  std::optional<double> low;
  std::optional<double> high;
  if (node.since() < 11) {
    if (node.HasAttribute("min")) low = node.FloatAttribute("min", 0);
    if (node.HasAttribute("max")) high = node.FloatAttribute("max", 0);
  } else {
    if (node.HasInput(1)) low = node.NumberOf(node.Input(1));
    if (node.HasInput(2)) high = node.NumberOf(node.Input(2));
  }
  const bool has_low = low.has_value() || (node.since() >= 11 && node.HasInput(1));
  const bool has_high = high.has_value() || (node.since() >= 11 && node.HasInput(2));
  const double low_or_none = low.value_or(-std::numeric_limits<double>::infinity());
  const double high_or_none = high.value_or(std::numeric_limits<double>::infinity());
  const bool all_known = has_low == low.has_value() && has_high == high.has_value();
  if (IsFloat(type) && all_known && low_or_none <= high_or_none) {
    auto attributes = std::make_unique<ir::ClampAttributes>();
    attributes->min = low_or_none;
    attributes->max = high_or_none;
    return node.Finish({node.Add(ir::ClampOp(), {x}, std::move(attributes))});
  }
  // Bounds are scalars, which some exporters write as tensors of one element.
  ir::Value result = x;
  if (has_low) {
    const ir::Value bound = node.since() < 11 ? node.Scalar(type, *low) : node.ToScalar(node.Input(1));
    result = node.Add(ir::MaximumOp(), {result, bound});
  }
  if (has_high) {
    const ir::Value bound = node.since() < 11 ? node.Scalar(type, *high) : node.ToScalar(node.Input(2));
    result = node.Add(ir::MinimumOp(), {result, bound});
  }
  return node.Finish({result});
}

absl::Status TranslateDiv(NodeContext& node) {
  auto attributes = std::make_unique<ir::DivideAttributes>();
  attributes->m_pythondiv = false;  // Integers divide towards zero.
  return node.Finish({node.Add(ir::DivideOp(), {node.Input(0), AlignSecondOperand(node)}, std::move(attributes))});
}

absl::Status TranslateIsInf(NodeContext& node) {
  auto attributes = std::make_unique<ir::IsInfAttributes>();
  attributes->detect_negative = node.IntAttribute("detect_negative", 1) != 0;
  attributes->detect_positive = node.IntAttribute("detect_positive", 1) != 0;
  return node.Finish({node.Add(ir::IsInfOp(), {node.Input(0)}, std::move(attributes))});
}

absl::Status TranslateMax(NodeContext& node) { return node.Finish({FoldInputs(node, ir::MaximumOp())}); }

absl::Status TranslateMean(NodeContext& node) {
  const ir::Value sum = FoldInputs(node, ir::AddOp());
  return node.Finish({node.Over(sum, node.ScalarLike(sum, static_cast<double>(node.input_count())))});
}

absl::Status TranslateMin(NodeContext& node) { return node.Finish({FoldInputs(node, ir::MinimumOp())}); }

// With fmod the result has the sign of the dividend, as in C; without, that of the divisor, as in Python.
absl::Status TranslateMod(NodeContext& node) {
  const bool as_in_c = node.IntAttribute("fmod", 0) != 0;
  if (!as_in_c && IsFloat(node.TypeOf(node.Input(0))))
    return node.Invalid("Mod of floating-point numbers needs fmod = 1");
  return node.Finish({node.Add(as_in_c ? ir::ModOp() : ir::FloorModOp(), {node.Input(0), node.Input(1)})});
}

// The result has the base's type, whatever that of the exponent.
absl::Status TranslatePow(NodeContext& node) {
  const ir::Value base = node.Input(0);
  const ir::Value exponent = AlignSecondOperand(node);
  const ElementType type = node.TypeOf(base);
  const ElementType exponent_type = node.TypeOf(exponent);
  if (IsFloat(type) || !IsFloat(exponent_type)) {
    return node.Finish({node.Add(ir::PowerOp(), {base, node.Convert(exponent, type)})});
  }
  const ElementType wide = ElementType::kF64;
  const ir::Value power = node.Add(ir::PowerOp(), {node.Convert(base, wide), node.Convert(exponent, wide)});
  return node.Finish({node.Convert(power, type)});
}

absl::Status TranslateReciprocal(NodeContext& node) {
  const ir::Value x = node.Input(0);
  return node.Finish({node.Over(node.ScalarLike(x, 1), x)});
}

// x < -lambd: x + bias; x > lambd: x - bias; else 0.
absl::Status TranslateShrink(NodeContext& node) {
  const ir::Value x = node.Input(0);
  const ElementType type = node.TypeOf(x);
  const double lambd = node.FloatAttribute("lambd", 0.5);
  const double bias = node.FloatAttribute("bias", 0);
  // Integers compare and shift as the floating-point numbers that the attributes are.
  const ElementType work = IsFloat(type) ? type : ElementType::kF64;
  const ir::Value wide = node.Convert(x, work);
  const ir::Value offset = node.Scalar(work, bias);
  const ir::Value high = node.Add(ir::SelectOp(), {node.Add(ir::GreaterOp(), {wide, node.Scalar(work, lambd)}),
                                                   node.Minus(wide, offset), node.Scalar(work, 0)});
  const ir::Value result = node.Add(
      ir::SelectOp(), {node.Add(ir::LessOp(), {wide, node.Scalar(work, -lambd)}), node.Plus(wide, offset), high});
  return node.Finish({node.Convert(result, type)});
}

absl::Status TranslateSum(NodeContext& node) { return node.Finish({FoldInputs(node, ir::AddOp())}); }

}  // namespace burin::onnx
