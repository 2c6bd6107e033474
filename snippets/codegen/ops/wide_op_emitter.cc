#include "snippets/codegen/ops/wide_op_emitter.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "base/element_type.h"
#include "base/status_macros.h"
#include "ir/attributes.h"
#include "ir/op_def.h"
#include "ir/ops/clamp.h"
#include "ir/ops/divide.h"
#include "ir/ops/is_inf.h"
#include "ir/ops/op_code.h"
#include "ir/ops/round.h"
#include "jit/emitters/arithmetic/extremes.h"
#include "jit/emitters/comparison/classification.h"
#include "jit/emitters/convert/round_float.h"
#include "jit/emitters/vec.h"
#include "jit/emitters/vec_group.h"
#include "jit/emitters/wide/f64_arithmetic.h"
#include "jit/emitters/wide/f64_elementary.h"
#include "jit/emitters/wide/f64_modulo.h"
#include "jit/emitters/wide/i64_arithmetic.h"
#include "jit/emitters/wide/i64_division.h"
#include "jit/emitters/wide/wide_comparison.h"
#include "jit/emitters/wide/wide_conversion.h"
#include "jit/emitters/wide/wide_function.h"
#include "snippets/codegen/ops/op_emitter.h"
#include "snippets/codegen/wrap_integer.h"
#include "snippets/linear/lane.h"

namespace burin::snippets {
namespace {

using ir::OpCode;
using jit::VecCompare;
using jit::VecCompareI32;
using jit::VecGroup;
using jit::VecRounding;
using jit::WideFunction;
using Inputs = absl::Span<const VecGroup>;

template <class T>
const T& As(const ir::Attributes& attributes) {
  return *ir::AttributesAs<T>(attributes);
}

absl::Status None(const ir::OpDef& op, ElementType type) {
  return absl::UnimplementedError(absl::StrCat("No emitter: ", op.name, ": not with elements of type ", Name(type)));
}

// Describes a function of some inputs in wide lanes, with a result in such.
template <class Emit>
WideFunction Function(const ir::OpDef& op, size_t inputs, Emit emit) {
  return WideFunction::Of(op.name, std::vector<bool>(inputs, true), true, std::move(emit));
}

// Describes a comparison of doubles, or of integers.
WideFunction Comparison(const ir::OpDef& op, VecCompare compare) {
  return WideFunction::Of(op.name, {true, true}, false, [compare](auto& v, const VecGroup& to, Inputs in) {
    jit::EmitCompareF64(v, to, in[0], in[1], compare);
  });
}
WideFunction Comparison(const ir::OpDef& op, VecCompareI32 compare) {
  return WideFunction::Of(op.name, {true, true}, false, [compare](auto& v, const VecGroup& to, Inputs in) {
    jit::EmitCompareI64(v, to, in[0], in[1], compare);
  });
}

WideFunction Rounding(const ir::OpDef& op, VecRounding rounding) {
  return Function(op, 1,
                  [rounding](auto& v, const VecGroup& to, Inputs in) { jit::EmitRoundF64(v, to, in[0], rounding); });
}

#define BURIN_UNARY(name, type) \
  case OpCode::k##name:         \
    return Function(op, 1, [](auto& v, const VecGroup& to, Inputs in) { jit::Emit##name##type(v, to, in[0]); })
#define BURIN_BINARY(name, type) \
  case OpCode::k##name:          \
    return Function(op, 2, [](auto& v, const VecGroup& to, Inputs in) { jit::Emit##name##type(v, to, in[0], in[1]); })
#define BURIN_COMPARISON(name, enumeration) \
  case OpCode::k##name:                     \
    return Comparison(op, enumeration::k##name)

// The operations on doubles without parameters.
std::optional<WideFunction> OnDoubles(const ir::OpDef& op) {
  switch (op.code) {
    BURIN_UNARY(Abs, F64);
    BURIN_UNARY(Exp, F64);
    BURIN_UNARY(Log, F64);
    BURIN_UNARY(Negative, F64);
    BURIN_UNARY(Relu, F64);
    BURIN_UNARY(Sign, F64);
    BURIN_UNARY(Sqrt, F64);
    BURIN_BINARY(Add, F64);
    BURIN_BINARY(Divide, F64);
    BURIN_BINARY(FloorMod, F64);
    BURIN_BINARY(Maximum, F64);
    BURIN_BINARY(Minimum, F64);
    BURIN_BINARY(Mod, F64);
    BURIN_BINARY(Multiply, F64);
    BURIN_BINARY(PRelu, F64);
    BURIN_BINARY(SquaredDifference, F64);
    BURIN_BINARY(Subtract, F64);
    BURIN_COMPARISON(Equal, VecCompare);
    BURIN_COMPARISON(Greater, VecCompare);
    BURIN_COMPARISON(GreaterEqual, VecCompare);
    BURIN_COMPARISON(Less, VecCompare);
    BURIN_COMPARISON(LessEqual, VecCompare);
    BURIN_COMPARISON(NotEqual, VecCompare);
    case OpCode::kCeiling:
      return Rounding(op, VecRounding::kUp);
    case OpCode::kFloor:
      return Rounding(op, VecRounding::kDown);
    case OpCode::kIsFinite:
      return WideFunction::Of(op.name, {true}, false,
                              [](auto& v, const VecGroup& to, Inputs in) { jit::EmitIsFiniteF64(v, to, in[0]); });
    case OpCode::kIsNaN:
      return WideFunction::Of(op.name, {true}, false,
                              [](auto& v, const VecGroup& to, Inputs in) { jit::EmitIsNaNF64(v, to, in[0]); });
    default:
      return std::nullopt;
  }
}

// The operations on integers without parameters.
std::optional<WideFunction> OnIntegers(const ir::OpDef& op) {
  switch (op.code) {
    BURIN_UNARY(Abs, I64);
    BURIN_UNARY(BitwiseNot, I64);
    BURIN_UNARY(Negative, I64);
    BURIN_UNARY(Sign, I64);
    BURIN_BINARY(Add, I64);
    BURIN_BINARY(BitwiseAnd, I64);
    BURIN_BINARY(BitwiseOr, I64);
    BURIN_BINARY(BitwiseXor, I64);
    BURIN_BINARY(FloorMod, I64);
    BURIN_BINARY(Maximum, I64);
    BURIN_BINARY(Minimum, I64);
    BURIN_BINARY(Mod, I64);
    BURIN_BINARY(Multiply, I64);
    BURIN_BINARY(SquaredDifference, I64);
    BURIN_BINARY(Subtract, I64);
    BURIN_COMPARISON(Equal, VecCompareI32);
    BURIN_COMPARISON(Greater, VecCompareI32);
    BURIN_COMPARISON(GreaterEqual, VecCompareI32);
    BURIN_COMPARISON(Less, VecCompareI32);
    BURIN_COMPARISON(LessEqual, VecCompareI32);
    BURIN_COMPARISON(NotEqual, VecCompareI32);
    case OpCode::kRelu:
      return Function(op, 1, [](auto& v, const VecGroup& to, Inputs in) {
        jit::EmitClampI64(v, to, in[0], 0, std::numeric_limits<int64_t>::max());
      });
    default:
      return std::nullopt;
  }
}

#undef BURIN_UNARY
#undef BURIN_BINARY
#undef BURIN_COMPARISON

// The operations on doubles with parameters.
absl::StatusOr<WideFunction> OnDoublesWithParameters(const ir::OpDef& op, const ir::Attributes& attributes) {
  switch (op.code) {
    case OpCode::kClamp: {
      const auto& limits = As<ir::ClampAttributes>(attributes);
      return Function(op, 1, [low = limits.min, high = limits.max](auto& v, const VecGroup& to, Inputs in) {
        jit::EmitClampF64(v, to, in[0], low, high);
      });
    }
    case OpCode::kIsInf: {
      const auto& infinities = As<ir::IsInfAttributes>(attributes);
      const jit::InfinitySigns signs = {infinities.detect_negative, infinities.detect_positive};
      return WideFunction::Of(op.name, {true}, false, [signs](auto& v, const VecGroup& to, Inputs in) {
        jit::EmitIsInfF64(v, to, in[0], signs);
      });
    }
    case OpCode::kRound:
      if (As<ir::RoundAttributes>(attributes).mode == ir::RoundMode::kHalfToEven) {
        return Rounding(op, VecRounding::kNearestEven);
      }
      return Function(op, 1,
                      [](auto& v, const VecGroup& to, Inputs in) { jit::EmitRoundHalfAwayFromZeroF64(v, to, in[0]); });
    default:
      return None(op, ElementType::kF64);
  }
}

// Returns the nearest integer to a number without a fraction.
int64_t Limit(double value) {
  if (value >= 0x1p63) return std::numeric_limits<int64_t>::max();
  if (value <= -0x1p63) return std::numeric_limits<int64_t>::min();
  return static_cast<int64_t>(value);
}

// The operations on integers with parameters.
absl::StatusOr<WideFunction> OnIntegersWithParameters(const ir::OpDef& op, const ir::Attributes& attributes) {
  if (op.code == OpCode::kClamp) {
    const auto& limits = As<ir::ClampAttributes>(attributes);
    return Function(op, 1,
                    [low = Limit(std::ceil(limits.min)), high = Limit(std::floor(limits.max))](
                        auto& v, const VecGroup& to, Inputs in) { jit::EmitClampI64(v, to, in[0], low, high); });
  }
  if (op.code != OpCode::kDivide) return None(op, ElementType::kI64);
  if (As<ir::DivideAttributes>(attributes).m_pythondiv) {
    return Function(op, 2,
                    [](auto& v, const VecGroup& to, Inputs in) { jit::EmitFloorDivideI64(v, to, in[0], in[1]); });
  }
  return Function(op, 2, [](auto& v, const VecGroup& to, Inputs in) { jit::EmitDivideI64(v, to, in[0], in[1]); });
}

// Emits the rounding of floats in lanes to a type of floats.
template <class V>
void EmitRounding(V& v, const VecGroup& x, ElementType to) {
  if (to == ElementType::kF16) jit::EmitRoundToF16(v, x);
  if (to == ElementType::kBf16) jit::EmitRoundToBF16(v, x);
}

// Clamps integers of 32 bits to the range of a narrower type.
template <class V>
void EmitSaturate(V& v, const VecGroup& x, ElementType to) {
  const int bits = static_cast<int>(BitWidth(to));
  if (bits >= 32) return;
  const bool is_signed = KindOf(to) == ElementKind::kSignedInteger;
  jit::EmitClampI32(v, x, is_signed ? -(1 << (bits - 1)) : 0, (1 << (is_signed ? bits - 1 : bits)) - 1);
}

// Conversions to doubles and to integers of 64 bits.
WideFunction ToWide(const ir::OpDef& op, ElementType from, ElementType to) {
  const auto function = [&](auto emit) { return WideFunction::Of(op.name, {IsWide(from)}, true, std::move(emit)); };
  const bool to_f64 = to == ElementType::kF64;
  switch (*LaneOf(from)) {
    case Lane::kFloat:
      if (to_f64) return function([](auto& v, const VecGroup& x, Inputs in) { jit::EmitConvertF32ToF64(v, x, in[0]); });
      return function([](auto& v, const VecGroup& x, Inputs in) { jit::EmitConvertF32ToI64(v, x, in[0]); });
    case Lane::kInteger:
    case Lane::kBoolean:
      if (to_f64) return function([](auto& v, const VecGroup& x, Inputs in) { jit::EmitConvertI32ToF64(v, x, in[0]); });
      return function([](auto& v, const VecGroup& x, Inputs in) { jit::EmitConvertI32ToI64(v, x, in[0]); });
    case Lane::kF64:
      if (!to_f64)
        return function([](auto& v, const VecGroup& x, Inputs in) { jit::EmitConvertF64ToI64(v, x, in[0]); });
      break;
    case Lane::kI64:
      if (to_f64) return function([](auto& v, const VecGroup& x, Inputs in) { jit::EmitConvertI64ToF64(v, x, in[0]); });
      break;
  }
  return function([](auto& v, const VecGroup& x, Inputs in) { v.Copy(x, in[0]); });
}

// Conversions from doubles or from integers of 64 bits to narrow lanes.
WideFunction ToNarrow(const ir::OpDef& op, bool from_f64, ElementType to) {
  const auto function = [&](auto emit) { return WideFunction::Of(op.name, {true}, false, std::move(emit)); };
  const Lane lane = *LaneOf(to);
  if (lane == Lane::kBoolean) {
    return function([from_f64](auto& v, const VecGroup& x, Inputs in) {
      from_f64 ? jit::EmitIsNotZeroF64(v, x, in[0]) : jit::EmitIsNotZeroI64(v, x, in[0]);
    });
  }
  if (lane == Lane::kInteger) {
    return function([from_f64, to](auto& v, const VecGroup& x, Inputs in) {
      if (from_f64) {
        jit::EmitConvertF64ToI32(v, x, in[0]);
        EmitSaturate(v, x, to);
      } else {
        jit::EmitConvertI64ToI32(v, x, in[0]);
        EmitWrap(v, x, to);
      }
    });
  }
  if (to == ElementType::kF32) {
    return function([from_f64](auto& v, const VecGroup& x, Inputs in) {
      from_f64 ? jit::EmitConvertF64ToF32(v, x, in[0]) : jit::EmitConvertI64ToF32(v, x, in[0]);
    });
  }
  return function([from_f64, to](auto& v, const VecGroup& x, Inputs in) {
    from_f64 ? jit::EmitConvertF64ToF32ForNarrowing(v, x, in[0]) : jit::EmitConvertI64ToF32ForNarrowing(v, x, in[0]);
    EmitRounding(v, x, to);
  });
}

absl::StatusOr<WideFunction> FindFunction(const ir::OpDef& op, const ir::Attributes& attributes,
                                          const OpSignature& signature) {
  for (const ElementType type : signature.inputs) {
    if (!LaneOf(type).has_value()) return None(op, type);
  }
  if (signature.inputs.empty() || !LaneOf(signature.output).has_value()) return None(op, signature.output);
  const ElementType type = signature.inputs[0];
  if (op.code == OpCode::kConvert || op.code == OpCode::kConvertLike) {
    if (IsWide(signature.output)) return ToWide(op, type, signature.output);
    return ToNarrow(op, type == ElementType::kF64, signature.output);
  }
  if (op.code == OpCode::kSelect) {
    return WideFunction::Of(op.name, {false, true, true}, true, [](auto& v, const VecGroup& to, Inputs in) {
      jit::EmitSelectWide(v, to, in[0], in[1], in[2]);
    });
  }
  const bool is_f64 = type == ElementType::kF64;
  if (!IsWide(type)) return None(op, signature.output);
  if (std::optional<WideFunction> function = is_f64 ? OnDoubles(op) : OnIntegers(op)) return *std::move(function);
  return is_f64 ? OnDoublesWithParameters(op, attributes) : OnIntegersWithParameters(op, attributes);
}

}  // namespace

bool IsWideOp(const OpSignature& signature) {
  return IsWide(signature.output) ||
         std::any_of(signature.inputs.begin(), signature.inputs.end(), [](ElementType type) { return IsWide(type); });
}

absl::StatusOr<WideFunction> WideEmitterOf(const ir::OpDef& op, const ir::Attributes& attributes,
                                           const OpSignature& signature) {
  BURIN_ASSIGN_OR_RETURN(WideFunction function, FindFunction(op, attributes, signature));
  bool fits = function.output == IsWide(signature.output) && function.inputs.size() <= signature.inputs.size();
  for (size_t i = 0; fits && i < function.inputs.size(); ++i) {
    fits = function.inputs[i] == IsWide(signature.inputs[i]);
  }
  if (!fits) return None(op, signature.output);
  return function;
}

}  // namespace burin::snippets
