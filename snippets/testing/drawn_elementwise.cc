#include "snippets/testing/drawn_elementwise.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "base/element_type.h"
#include "ir/ops/clamp.h"
#include "ir/ops/convert.h"
#include "ir/ops/divide.h"
#include "ir/ops/elu.h"
#include "ir/ops/fake_quantize.h"
#include "ir/ops/gelu.h"
#include "ir/ops/is_inf.h"
#include "ir/ops/ops.h"
#include "ir/ops/round.h"

namespace burin::snippets {
namespace {

using OpFunction = const ir::OpDef& (*)();

// Is a function of one float: what it is given, and what it makes of that.
struct UnaryRow {
  OpFunction op;
  double low;
  double high;
  double result_low;
  double result_high;
};

constexpr UnaryRow kUnary[] = {
    {&ir::AbsOp, -1000, 1000, 0, 1000},
    {&ir::AcosOp, -1, 1, 0, 3.2},
    {&ir::AcoshOp, 1, 100, 0, 6},
    {&ir::AsinOp, -1, 1, -1.6, 1.6},
    {&ir::AsinhOp, -100, 100, -6, 6},
    {&ir::AtanOp, -1000, 1000, -1.6, 1.6},
    {&ir::AtanhOp, -0.9, 0.9, -1.5, 1.5},
    {&ir::CeilingOp, -1000, 1000, -1000, 1000},
    {&ir::CosOp, -10, 10, -1, 1},
    {&ir::CoshOp, -5, 5, 1, 75},
    {&ir::ErfOp, -10, 10, -1, 1},
    {&ir::ExpOp, -10, 5, 0, 150},
    {&ir::FloorOp, -1000, 1000, -1000, 1000},
    {&ir::HSigmoidOp, -10, 10, 0, 1},
    {&ir::HSwishOp, -50, 50, -0.4, 50},
    {&ir::LogOp, 0.01, 1000, -5, 7},
    {&ir::MishOp, -20, 20, -0.4, 20},
    {&ir::NegativeOp, -1000, 1000, -1000, 1000},
    {&ir::ReluOp, -1000, 1000, 0, 1000},
    {&ir::SigmoidOp, -20, 20, 0, 1},
    {&ir::SignOp, -1000, 1000, -1, 1},
    {&ir::SinOp, -10, 10, -1, 1},
    {&ir::SinhOp, -5, 5, -75, 75},
    {&ir::SoftPlusOp, -20, 20, 0, 21},
    {&ir::SoftSignOp, -100, 100, -1, 1},
    {&ir::SqrtOp, 0, 1000, 0, 32},
    {&ir::SwishOp, -20, 20, -0.3, 20},
    {&ir::TanOp, -1.2, 1.2, -3, 3},
    {&ir::TanhOp, -20, 20, -1, 1},
};

// Is a function of two floats.
struct BinaryRow {
  OpFunction op;
  double low;
  double high;
  double right_low;
  double right_high;
  double result_low;
  double result_high;
};

constexpr BinaryRow kBinary[] = {
    {&ir::AddOp, -500, 500, -500, 500, -1000, 1000},
    {&ir::DivideOp, -100, 100, 0.5, 50, -200, 200},
    {&ir::FloorModOp, -100, 100, 0.5, 10, 0, 10},
    {&ir::MaximumOp, -1000, 1000, -1000, 1000, -1000, 1000},
    {&ir::MinimumOp, -1000, 1000, -1000, 1000, -1000, 1000},
    {&ir::ModOp, -100, 100, 0.5, 10, -10, 10},
    {&ir::MultiplyOp, -30, 30, -30, 30, -900, 900},
    {&ir::PowerOp, 0.2, 5, -3, 3, 0, 130},
    {&ir::SquaredDifferenceOp, -15, 15, -15, 15, 0, 900},
    {&ir::SubtractOp, -500, 500, -500, 500, -1000, 1000},
};

// What there is on doubles, with the ranges of the floats'.
constexpr UnaryRow kUnaryF64[] = {
    {&ir::AbsOp, -1000, 1000, 0, 1000},
    {&ir::CeilingOp, -1000, 1000, -1000, 1000},
    {&ir::FloorOp, -1000, 1000, -1000, 1000},
    {&ir::NegativeOp, -1000, 1000, -1000, 1000},
    {&ir::ReluOp, -1000, 1000, 0, 1000},
    {&ir::SignOp, -1000, 1000, -1, 1},
    {&ir::SqrtOp, 0, 1000, 0, 32},
    {&ir::ExpOp, -10, 5, 0, 150},
    {&ir::LogOp, 0.01, 1000, -5, 7},
};

constexpr BinaryRow kBinaryF64[] = {
    {&ir::AddOp, -500, 500, -500, 500, -1000, 1000},
    {&ir::DivideOp, -100, 100, 0.5, 50, -200, 200},
    {&ir::FloorModOp, -100, 100, 0.5, 10, 0, 10},
    {&ir::MaximumOp, -1000, 1000, -1000, 1000, -1000, 1000},
    {&ir::MinimumOp, -1000, 1000, -1000, 1000, -1000, 1000},
    {&ir::ModOp, -100, 100, 0.5, 10, -10, 10},
    {&ir::MultiplyOp, -30, 30, -30, 30, -900, 900},
    {&ir::SquaredDifferenceOp, -15, 15, -15, 15, 0, 900},
    {&ir::SubtractOp, -500, 500, -500, 500, -1000, 1000},
};

// The types, each as often as it is drawn.
constexpr ElementType kFloats[] = {ElementType::kF32, ElementType::kF32, ElementType::kF16, ElementType::kBf16};
constexpr ElementType kIntegers[] = {ElementType::kI8,  ElementType::kU8,  ElementType::kI16, ElementType::kU16,
                                     ElementType::kI32, ElementType::kI32, ElementType::kI64, ElementType::kI64};
constexpr ElementType kAll[] = {ElementType::kF32,     ElementType::kF16, ElementType::kBf16, ElementType::kI8,
                                ElementType::kU8,      ElementType::kI16, ElementType::kU16,  ElementType::kI32,
                                ElementType::kBoolean, ElementType::kI64, ElementType::kF64};

void DrawUnaryFloat(BodyDraft& draft, ElementType type) {
  const UnaryRow& row = draft.Pick<UnaryRow>(kUnary);
  const DraftId x = draft.Fit(draft.Operand(type), row.low, row.high);
  draft.Apply(row.op(), {x}, row.result_low, row.result_high);
}

// Draws one on doubles.
void DrawDouble(BodyDraft& draft) {
  constexpr ElementType kType = ElementType::kF64;
  if (draft.Chance(60)) {
    const BinaryRow& row = draft.Pick<BinaryRow>(kBinaryF64);
    const DraftId x = draft.Fit(draft.Operand(kType), row.low, row.high);
    const DraftId y = draft.Fit(draft.Operand(kType), row.right_low, row.right_high);
    draft.Apply(row.op(), {x, y}, row.result_low, row.result_high);
  } else if (draft.Chance(25)) {
    auto round = std::make_unique<ir::RoundAttributes>();
    if (draft.Chance(50)) round->mode = ir::RoundMode::kHalfAwayFromZero;
    draft.Apply(ir::RoundOp(), {draft.Fit(draft.Operand(kType), -20, 20)}, -20, 20, std::move(round));
  } else {
    const UnaryRow& row = draft.Pick<UnaryRow>(kUnaryF64);
    draft.Apply(row.op(), {draft.Fit(draft.Operand(kType), row.low, row.high)}, row.result_low, row.result_high);
  }
}

// Draws one that has attributes or constant parameters.
void DrawParameterized(BodyDraft& draft, ElementType type) {
  const DraftId x = draft.Fit(draft.Operand(type), -20, 20);
  switch (draft.Below(7)) {
    case 0: {
      auto clamp = std::make_unique<ir::ClampAttributes>();
      clamp->min = draft.Chance(50) ? -1 : 0.25;
      clamp->max = draft.Chance(50) ? 3 : 0.5;
      const double low = clamp->min;
      const double high = clamp->max;
      draft.Apply(ir::ClampOp(), {x}, low, high, std::move(clamp));
      return;
    }
    case 1: {
      auto elu = std::make_unique<ir::EluAttributes>();
      elu->alpha = draft.Chance(50) ? 1 : 0.5;
      draft.Apply(ir::EluOp(), {x}, -1, 20, std::move(elu));
      return;
    }
    case 2: {
      auto gelu = std::make_unique<ir::GeluAttributes>();
      if (draft.Chance(50)) gelu->approximation_mode = ir::GeluApproximation::kTanh;
      draft.Apply(ir::GeluOp(), {x}, -0.2, 20, std::move(gelu));
      return;
    }
    case 3: {
      auto round = std::make_unique<ir::RoundAttributes>();
      if (draft.Chance(50)) round->mode = ir::RoundMode::kHalfAwayFromZero;
      draft.Apply(ir::RoundOp(), {x}, -20, 20, std::move(round));
      return;
    }
    case 4: {
      const DraftId alpha = draft.Constant(type, {}, 0.1, 0.4);
      const DraftId beta = draft.Constant(type, {}, 0.3, 0.6);
      draft.Apply(ir::HardSigmoidOp(), {x, alpha, beta}, 0, 1);
      return;
    }
    case 5: {
      const DraftId alpha = draft.Constant(type, {}, 1, 2);
      const DraftId lambda = draft.Constant(type, {}, 1, 1.5);
      draft.Apply(ir::SeluOp(), {x, alpha, lambda}, -3, 30);
      return;
    }
    default: {
      auto quantize = std::make_unique<ir::FakeQuantizeAttributes>();
      quantize->levels = draft.Chance(50) ? 256 : 16;
      std::vector<DraftId> inputs = {x};
      for (const double end : {-2.0, 2.5, -3.0, 4.0}) inputs.push_back(draft.Constant(type, {}, end, end));
      draft.Apply(ir::FakeQuantizeOp(), inputs, -3, 4, std::move(quantize));
      return;
    }
  }
}

void DrawIntegerUnary(BodyDraft& draft, ElementType type) {
  const InputRange range = TypeRange(type);
  constexpr OpFunction kSigned[] = {&ir::AbsOp, &ir::NegativeOp, &ir::SignOp, &ir::ReluOp, &ir::BitwiseNotOp};
  constexpr OpFunction kUnsigned[] = {&ir::SignOp, &ir::ReluOp, &ir::BitwiseNotOp};
  const auto& op = IsSignedInteger(type) ? draft.Pick<OpFunction>(kSigned) : draft.Pick<OpFunction>(kUnsigned);
  draft.Apply(op(), {draft.Operand(type)}, range.low, range.high);
}

void DrawIntegerDivision(BodyDraft& draft, ElementType type) {
  const InputRange range = TypeRange(type);
  const DraftId x = draft.Operand(type);
  const DraftId divisor = draft.Fit(draft.Operand(type), 1, 100);
  if (draft.Chance(50)) {
    draft.Apply(draft.Chance(50) ? ir::ModOp() : ir::FloorModOp(), {x, divisor}, range.low, range.high);
    return;
  }
  auto divide = std::make_unique<ir::DivideAttributes>();
  divide->m_pythondiv = draft.Chance(50);
  draft.Apply(ir::DivideOp(), {x, divisor}, range.low, range.high, std::move(divide));
}

// Returns the range that floats are brought to before they become integers.
InputRange RangeForConversion(ElementType from, ElementType to) {
  switch (to) {
    case ElementType::kI8:
      return {-120, 120};
    case ElementType::kU8:
      return {0, 250};
    case ElementType::kI16:
      return {-30000, 30000};
    case ElementType::kU16:
      return {0, 60000};
    default:
      return from == ElementType::kF16 ? InputRange{-60000, 60000} : InputRange{-1e6, 1e6};
  }
}

}  // namespace

ElementType DrawFloatType(BodyDraft& draft) { return draft.Pick<ElementType>(kFloats); }
ElementType DrawIntegerType(BodyDraft& draft) { return draft.Pick<ElementType>(kIntegers); }

void DrawFloat(BodyDraft& draft) {
  if (draft.Chance(12)) return DrawDouble(draft);
  const ElementType type = DrawFloatType(draft);
  if (draft.Chance(40)) {
    DrawUnaryFloat(draft, type);
  } else if (draft.Chance(20)) {
    DrawParameterized(draft, type);
  } else {
    const BinaryRow& row = draft.Pick<BinaryRow>(kBinary);
    const DraftId x = draft.Fit(draft.Operand(type), row.low, row.high);
    const DraftId y = draft.Fit(draft.Operand(type), row.right_low, row.right_high);
    draft.Apply(row.op(), {x, y}, row.result_low, row.result_high);
  }
}

void DrawInteger(BodyDraft& draft) {
  const ElementType type = DrawIntegerType(draft);
  const InputRange range = TypeRange(type);
  if (draft.Chance(25)) return DrawIntegerUnary(draft, type);
  if (draft.Chance(20)) return DrawIntegerDivision(draft, type);
  if (type == ElementType::kI32 && draft.Chance(10)) {
    const DraftId base = draft.Fit(draft.Operand(type), -10, 10);
    const DraftId exponent = draft.Fit(draft.Operand(type), 0, 5);
    draft.Apply(ir::PowerOp(), {base, exponent}, -1e5, 1e5);
    return;
  }
  constexpr OpFunction kOps[] = {&ir::AddOp,        &ir::SubtractOp,  &ir::MultiplyOp,
                                 &ir::MaximumOp,    &ir::MinimumOp,   &ir::SquaredDifferenceOp,
                                 &ir::BitwiseAndOp, &ir::BitwiseOrOp, &ir::BitwiseXorOp};
  draft.Apply(draft.Pick<OpFunction>(kOps)(), {draft.Operand(type), draft.Operand(type)}, range.low, range.high);
}

void DrawComparison(BodyDraft& draft) {
  ElementType type = draft.Chance(50) ? DrawFloatType(draft) : DrawIntegerType(draft);
  if (IsFloat(type) && draft.Chance(30)) type = ElementType::kF64;
  if (IsFloat(type) && draft.Chance(25)) {
    switch (draft.Below(3)) {
      case 0:
        draft.Apply(ir::IsFiniteOp(), {draft.Operand(type)}, 0, 1);
        return;
      case 1:
        draft.Apply(ir::IsNaNOp(), {draft.Operand(type)}, 0, 1);
        return;
      default: {
        auto signs = std::make_unique<ir::IsInfAttributes>();
        signs->detect_negative = draft.Chance(70);
        signs->detect_positive = draft.Chance(70);
        draft.Apply(ir::IsInfOp(), {draft.Operand(type)}, 0, 1, std::move(signs));
        return;
      }
    }
  }
  constexpr OpFunction kOps[] = {&ir::EqualOp,     &ir::NotEqualOp, &ir::LessOp,
                                 &ir::LessEqualOp, &ir::GreaterOp,  &ir::GreaterEqualOp};
  draft.Apply(draft.Pick<OpFunction>(kOps)(), {draft.Operand(type), draft.Operand(type)}, 0, 1);
}

void DrawLogic(BodyDraft& draft) {
  if (draft.Chance(25)) {
    draft.Apply(ir::LogicalNotOp(), {draft.Operand(ElementType::kBoolean)}, 0, 1);
    return;
  }
  constexpr OpFunction kOps[] = {&ir::LogicalAndOp, &ir::LogicalOrOp, &ir::LogicalXorOp};
  const DraftId a = draft.Operand(ElementType::kBoolean);
  const DraftId b = draft.Operand(ElementType::kBoolean);
  draft.Apply(draft.Pick<OpFunction>(kOps)(), {a, b}, 0, 1);
}

void DrawSelect(BodyDraft& draft) {
  const ElementType type = draft.Pick<ElementType>(kAll);
  const DraftId condition = draft.Operand(ElementType::kBoolean);
  const DraftId x = draft.Operand(type);
  const DraftId y = draft.Operand(type);
  const double low = std::min(draft.at(x).low, draft.at(y).low);
  const double high = std::max(draft.at(x).high, draft.at(y).high);
  draft.Apply(ir::SelectOp(), {condition, x, y}, low, high);
}

void DrawConvert(BodyDraft& draft) {
  const ElementType from = draft.Pick<ElementType>(kAll);
  const ElementType to = draft.Pick<ElementType>(kAll);
  DraftId x = draft.Operand(from);
  InputRange result = TypeRange(to);
  if (IsFloat(from) && IsInteger(to)) {
    result = RangeForConversion(from, to);
    x = draft.Fit(x, result.low, result.high);
  } else if (IsFloat(to)) {
    // What f16 holds.
    if (to == ElementType::kF16 && from != ElementType::kBoolean) x = draft.Fit(x, -60000, 60000);
    result = {draft.at(x).low, draft.at(x).high};
  }
  auto convert = std::make_unique<ir::ConvertAttributes>();
  convert->destination_type = to;
  draft.Apply(ir::ConvertOp(), {x}, result.low, result.high, std::move(convert));
}

}  // namespace burin::snippets
