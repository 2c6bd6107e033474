#include "snippets/codegen/ops/op_emitter.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "absl/base/casts.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "base/element_type.h"
#include "ir/attributes.h"
#include "ir/op_def.h"
#include "ir/ops/clamp.h"
#include "ir/ops/divide.h"
#include "ir/ops/elu.h"
#include "ir/ops/fake_quantize.h"
#include "ir/ops/gelu.h"
#include "ir/ops/is_inf.h"
#include "ir/ops/op_code.h"
#include "ir/ops/round.h"
#include "jit/emitters/activation/elu.h"
#include "jit/emitters/activation/gelu.h"
#include "jit/emitters/activation/hard_sigmoid.h"
#include "jit/emitters/activation/mish.h"
#include "jit/emitters/activation/rectifiers.h"
#include "jit/emitters/activation/relu.h"
#include "jit/emitters/activation/sigmoid.h"
#include "jit/emitters/activation/soft_plus.h"
#include "jit/emitters/activation/soft_sign.h"
#include "jit/emitters/activation/swish.h"
#include "jit/emitters/arithmetic/abs.h"
#include "jit/emitters/arithmetic/division.h"
#include "jit/emitters/arithmetic/extremes.h"
#include "jit/emitters/arithmetic/integer_division.h"
#include "jit/emitters/arithmetic/integer_power.h"
#include "jit/emitters/arithmetic/modulo.h"
#include "jit/emitters/arithmetic/negative.h"
#include "jit/emitters/arithmetic/sign.h"
#include "jit/emitters/arithmetic/sqrt.h"
#include "jit/emitters/arithmetic/sums_and_products.h"
#include "jit/emitters/comparison/classification.h"
#include "jit/emitters/comparison/comparison.h"
#include "jit/emitters/convert/float_integer.h"
#include "jit/emitters/convert/round_float.h"
#include "jit/emitters/elementary/acos.h"
#include "jit/emitters/elementary/acosh.h"
#include "jit/emitters/elementary/asin.h"
#include "jit/emitters/elementary/asinh.h"
#include "jit/emitters/elementary/atan.h"
#include "jit/emitters/elementary/atanh.h"
#include "jit/emitters/elementary/cos.h"
#include "jit/emitters/elementary/cosh.h"
#include "jit/emitters/elementary/erf.h"
#include "jit/emitters/elementary/exp.h"
#include "jit/emitters/elementary/log.h"
#include "jit/emitters/elementary/power.h"
#include "jit/emitters/elementary/sin.h"
#include "jit/emitters/elementary/sinh.h"
#include "jit/emitters/elementary/tan.h"
#include "jit/emitters/elementary/tanh.h"
#include "jit/emitters/logic/bitwise.h"
#include "jit/emitters/logic/logical.h"
#include "jit/emitters/logic/select.h"
#include "jit/emitters/quantise/fake_quantize.h"
#include "jit/emitters/rounding/rounding.h"
#include "jit/emitters/row_kernel.h"
#include "jit/emitters/vec.h"
#include "jit/emitters/vec_group.h"
#include "snippets/codegen/wrap_integer.h"
#include "snippets/linear/lane.h"

namespace burin::snippets {
namespace {

using ir::OpCode;
using jit::RowFunction;
using Operands = absl::Span<const jit::VecGroup>;

std::pair<int32_t, int32_t> RangeOf(ElementType type) {
  const int bits = static_cast<int>(BitWidth(type));
  if (KindOf(type) == ElementKind::kSignedInteger) return {-(1 << (bits - 1)), (1 << (bits - 1)) - 1};
  return {0, (1 << bits) - 1};
}

template <class Emit>
RowFunction Function(const ir::OpDef& op, int inputs, Emit emit) {
  return RowFunction::Of(op.name, inputs, std::move(emit));
}

// The operations on floats without parameters.
std::optional<RowFunction> OnFloats(const ir::OpDef& op) {
#define BURIN_UNARY(name) \
  case OpCode::k##name:   \
    return Function(op, 1, [](auto& v, Operands o) { jit::Emit##name(v, o[0]); })
#define BURIN_BINARY(name) \
  case OpCode::k##name:    \
    return Function(op, 2, [](auto& v, Operands o) { jit::Emit##name(v, o[0], o[1]); })
  switch (op.code) {
    BURIN_UNARY(Abs);
    BURIN_UNARY(Acos);
    BURIN_UNARY(Acosh);
    BURIN_UNARY(Asin);
    BURIN_UNARY(Asinh);
    BURIN_UNARY(Atan);
    BURIN_UNARY(Atanh);
    BURIN_UNARY(Ceiling);
    BURIN_UNARY(Cos);
    BURIN_UNARY(Cosh);
    BURIN_UNARY(Erf);
    BURIN_UNARY(Exp);
    BURIN_UNARY(Floor);
    BURIN_UNARY(HSigmoid);
    BURIN_UNARY(HSwish);
    BURIN_UNARY(IsFinite);
    BURIN_UNARY(IsNaN);
    BURIN_UNARY(Log);
    BURIN_UNARY(Mish);
    BURIN_UNARY(Negative);
    BURIN_UNARY(Relu);
    BURIN_UNARY(Sigmoid);
    BURIN_UNARY(Sign);
    BURIN_UNARY(Sin);
    BURIN_UNARY(Sinh);
    BURIN_UNARY(SoftPlus);
    BURIN_UNARY(SoftSign);
    BURIN_UNARY(Sqrt);
    BURIN_UNARY(Tan);
    BURIN_UNARY(Tanh);
    BURIN_BINARY(Add);
    BURIN_BINARY(Divide);
    BURIN_BINARY(Equal);
    BURIN_BINARY(FloorMod);
    BURIN_BINARY(Greater);
    BURIN_BINARY(GreaterEqual);
    BURIN_BINARY(Less);
    BURIN_BINARY(LessEqual);
    BURIN_BINARY(Maximum);
    BURIN_BINARY(Minimum);
    BURIN_BINARY(Mod);
    BURIN_BINARY(Multiply);
    BURIN_BINARY(NotEqual);
    BURIN_BINARY(PRelu);
    BURIN_BINARY(Power);
    BURIN_BINARY(SquaredDifference);
    BURIN_BINARY(Subtract);
    default:
      return std::nullopt;
  }
#undef BURIN_UNARY
#undef BURIN_BINARY
}

// The operations on integers without parameters. They may leave the range of a narrower type, and booleans are numbers.
std::optional<RowFunction> OnIntegers(const ir::OpDef& op) {
#define BURIN_UNARY(name) \
  case OpCode::k##name:   \
    return Function(op, 1, [](auto& v, Operands o) { jit::Emit##name##I32(v, o[0]); })
#define BURIN_BINARY(name) \
  case OpCode::k##name:    \
    return Function(op, 2, [](auto& v, Operands o) { jit::Emit##name##I32(v, o[0], o[1]); })
  switch (op.code) {
    BURIN_UNARY(Abs);
    BURIN_UNARY(Negative);
    BURIN_UNARY(Sign);
    BURIN_BINARY(Add);
    BURIN_BINARY(Equal);
    BURIN_BINARY(FloorMod);
    BURIN_BINARY(Greater);
    BURIN_BINARY(GreaterEqual);
    BURIN_BINARY(Less);
    BURIN_BINARY(LessEqual);
    BURIN_BINARY(Maximum);
    BURIN_BINARY(Minimum);
    BURIN_BINARY(Mod);
    BURIN_BINARY(Multiply);
    BURIN_BINARY(NotEqual);
    BURIN_BINARY(SquaredDifference);
    BURIN_BINARY(Subtract);
    default:
      return std::nullopt;
  }
#undef BURIN_UNARY
#undef BURIN_BINARY
}

// The operations on bits and truth values.
std::optional<RowFunction> OnBits(const ir::OpDef& op, bool boolean) {
  switch (op.code) {
    case OpCode::kBitwiseAnd:
      return Function(op, 2, [](auto& v, Operands o) { jit::EmitBitwiseAnd(v, o[0], o[1]); });
    case OpCode::kBitwiseOr:
      return Function(op, 2, [](auto& v, Operands o) { jit::EmitBitwiseOr(v, o[0], o[1]); });
    case OpCode::kBitwiseXor:
      return Function(op, 2, [](auto& v, Operands o) { jit::EmitBitwiseXor(v, o[0], o[1]); });
    case OpCode::kBitwiseNot:
      if (boolean) return Function(op, 1, [](auto& v, Operands o) { jit::EmitLogicalNot(v, o[0]); });
      return Function(op, 1, [](auto& v, Operands o) { jit::EmitBitwiseNot(v, o[0]); });
    case OpCode::kLogicalAnd:
      return Function(op, 2, [](auto& v, Operands o) { jit::EmitLogicalAnd(v, o[0], o[1]); });
    case OpCode::kLogicalOr:
      return Function(op, 2, [](auto& v, Operands o) { jit::EmitLogicalOr(v, o[0], o[1]); });
    case OpCode::kLogicalXor:
      return Function(op, 2, [](auto& v, Operands o) { jit::EmitLogicalXor(v, o[0], o[1]); });
    case OpCode::kLogicalNot:
      return Function(op, 1, [](auto& v, Operands o) { jit::EmitLogicalNot(v, o[0]); });
    default:
      return std::nullopt;
  }
}

template <class T>
const T& As(const ir::Attributes& attributes) {
  return *ir::AttributesAs<T>(attributes);
}

absl::Status None(const ir::OpDef& op, absl::string_view why) {
  return absl::UnimplementedError(absl::StrCat("No emitter: ", op.name, ": ", why));
}

// Returns constant input i as a float, or nullopt.
std::optional<float> FloatConstant(const OpSignature& signature, size_t i) {
  if (i >= signature.constants.size() || !signature.constants[i].has_value()) return std::nullopt;
  return absl::bit_cast<float>(*signature.constants[i]);
}

// The operations on floats with parameters.
absl::StatusOr<RowFunction> WithParameters(const ir::OpDef& op, const ir::Attributes& attributes,
                                           const OpSignature& signature) {
  switch (op.code) {
    case OpCode::kElu: {
      const auto alpha = static_cast<float>(As<ir::EluAttributes>(attributes).alpha);
      return Function(op, 1, [alpha](auto& v, Operands o) { jit::EmitElu(v, o[0], alpha); });
    }
    case OpCode::kGelu:
      if (As<ir::GeluAttributes>(attributes).approximation_mode == ir::GeluApproximation::kErf) {
        return Function(op, 1, [](auto& v, Operands o) { jit::EmitGeluErf(v, o[0]); });
      }
      return Function(op, 1, [](auto& v, Operands o) { jit::EmitGeluTanh(v, o[0]); });
    case OpCode::kRound:
      if (As<ir::RoundAttributes>(attributes).mode == ir::RoundMode::kHalfToEven) {
        return Function(op, 1, [](auto& v, Operands o) { jit::EmitRoundHalfToEven(v, o[0]); });
      }
      return Function(op, 1, [](auto& v, Operands o) { jit::EmitRoundHalfAwayFromZero(v, o[0]); });
    case OpCode::kIsInf: {
      const auto& infinities = As<ir::IsInfAttributes>(attributes);
      const jit::InfinitySigns signs = {infinities.detect_negative, infinities.detect_positive};
      return Function(op, 1, [signs](auto& v, Operands o) { jit::EmitIsInf(v, o[0], signs); });
    }
    case OpCode::kSwish: {
      if (signature.inputs.size() == 1)
        return Function(op, 1, [](auto& v, Operands o) { jit::EmitSwish(v, o[0], 1.0f); });
      const std::optional<float> beta = FloatConstant(signature, 1);
      if (!beta.has_value()) return None(op, "beta is not constant");
      return Function(op, 1, [beta = *beta](auto& v, Operands o) { jit::EmitSwish(v, o[0], beta); });
    }
    case OpCode::kHardSigmoid: {
      const std::optional<float> alpha = FloatConstant(signature, 1);
      const std::optional<float> beta = FloatConstant(signature, 2);
      if (!alpha.has_value() || !beta.has_value()) return None(op, "alpha or beta is not constant");
      return Function(
          op, 1, [alpha = *alpha, beta = *beta](auto& v, Operands o) { jit::EmitHardSigmoid(v, o[0], alpha, beta); });
    }
    case OpCode::kSelu: {
      const std::optional<float> alpha = FloatConstant(signature, 1);
      const std::optional<float> lambda = FloatConstant(signature, 2);
      if (!alpha.has_value() || !lambda.has_value()) return None(op, "alpha or lambda is not constant");
      return Function(
          op, 1, [alpha = *alpha, lambda = *lambda](auto& v, Operands o) { jit::EmitSelu(v, o[0], alpha, lambda); });
    }
    case OpCode::kFakeQuantize: {
      const int64_t levels = As<ir::FakeQuantizeAttributes>(attributes).levels;
      if (levels < 2 || levels > std::numeric_limits<int32_t>::max()) return None(op, absl::StrCat("levels: ", levels));
      return Function(op, 5, [levels = static_cast<int32_t>(levels)](auto& v, Operands o) {
        jit::EmitFakeQuantize(v, o[0], jit::FakeQuantizeLimits<jit::VecGroup>{o[1], o[2], o[3], o[4]}, levels);
      });
    }
    default:
      return None(op, absl::StrCat("not with elements of type ", Name(signature.inputs[0])));
  }
}

// Emits the rounding of floats in lanes to a type of floats.
template <class V>
void EmitRounding(V& v, const jit::VecGroup& x, ElementType to) {
  if (to == ElementType::kF16) jit::EmitRoundToF16(v, x);
  if (to == ElementType::kBf16) jit::EmitRoundToBF16(v, x);
}

RowFunction Rounding(const ir::OpDef& op, ElementType to) {
  return Function(op, 1, [to](auto& v, Operands o) { EmitRounding(v, o[0], to); });
}

// Lets the result of an emitter on integers wrap around as its type does.
RowFunction Wrapped(RowFunction function, ElementType type) {
  if (type == ElementType::kBoolean || BitWidth(type) == 32) return function;
  const auto wrapped = [type](const auto& emit) {
    return [emit, type](auto& v, Operands o) {
      emit(v, o);
      EmitWrap(v, o[0], type);
    };
  };
  function.avx2 = wrapped(function.avx2);
  function.avx512 = wrapped(function.avx512);
  return function;
}

absl::StatusOr<RowFunction> ConvertEmitter(const ir::OpDef& op, ElementType from, ElementType to) {
  const Lane source = *LaneOf(from);
  const Lane target = *LaneOf(to);
  if (source == Lane::kFloat && target == Lane::kFloat) return Rounding(op, to);
  if (source == Lane::kFloat && target == Lane::kBoolean) {
    return Function(op, 1, [](auto& v, Operands o) { jit::EmitConvertF32ToBoolean(v, o[0]); });
  }
  if (source == Lane::kFloat) {
    return Function(op, 1, [to](auto& v, Operands o) {
      jit::EmitConvertF32ToI32(v, o[0], jit::VecRounding::kTowardsZero);
      if (BitWidth(to) < 32) jit::EmitClampI32(v, o[0], RangeOf(to).first, RangeOf(to).second);
    });
  }
  if (target == Lane::kFloat) {
    return Function(op, 1, [to](auto& v, Operands o) {
      jit::EmitConvertI32ToF32(v, o[0]);
      EmitRounding(v, o[0], to);
    });
  }
  if (target == Lane::kBoolean) {
    return Function(op, 1, [](auto& v, Operands o) { jit::EmitConvertI32ToBoolean(v, o[0]); });
  }
  return Function(op, 1, [to](auto& v, Operands o) { EmitWrap(v, o[0], to); });
}

// The clamp of integers takes its limits rounded inwards.
absl::StatusOr<RowFunction> IntegerClamp(const ir::OpDef& op, const ir::ClampAttributes& limits, ElementType type) {
  const double lowest = BitWidth(type) == 32 ? -0x1p31 : RangeOf(type).first;
  const double highest = BitWidth(type) == 32 ? 0x1p31 - 1 : RangeOf(type).second;
  const double min = std::ceil(limits.min);
  const double max = std::floor(limits.max);
  // The result would wrap around.
  if (min > highest || max < lowest) return None(op, "limits that the type does not hold");
  const auto low = static_cast<int32_t>(std::max(min, lowest));
  const auto high = static_cast<int32_t>(std::min(max, highest));
  return Function(op, 1, [low, high](auto& v, Operands o) { jit::EmitClampI32(v, o[0], low, high); });
}

absl::StatusOr<RowFunction> IntegerEmitter(const ir::OpDef& op, const ir::Attributes& attributes,
                                           const OpSignature& signature) {
  RowFunction function;
  const ElementType type = signature.inputs[0];
  if (std::optional<RowFunction> found = OnIntegers(op)) {
    function = *std::move(found);
  } else if (op.code == OpCode::kDivide) {
    if (As<ir::DivideAttributes>(attributes).m_pythondiv) {
      function = Function(op, 2, [](auto& v, Operands o) { jit::EmitFloorDivideI32(v, o[0], o[1]); });
    } else {
      function = Function(op, 2, [](auto& v, Operands o) { jit::EmitDivideI32(v, o[0], o[1]); });
    }
  } else if (op.code == OpCode::kPower && type == ElementType::kI32) {
    function = Function(op, 2, [](auto& v, Operands o) { jit::EmitPowerI32(v, o[0], o[1]); });
  } else if (op.code == OpCode::kRelu) {
    function = Function(op, 1, [](auto& v, Operands o) { jit::EmitMaximumI32(v, o[0], v.Const(int32_t{0})); });
  } else {
    return None(op, absl::StrCat("not with elements of type ", Name(type)));
  }
  return Wrapped(std::move(function), signature.output);
}

bool HasNarrowLanes(ElementType type) { return LaneOf(type).has_value() && !IsWide(type); }

}  // namespace

absl::StatusOr<RowFunction> EmitterOf(const ir::OpDef& op, const ir::Attributes& attributes,
                                      const OpSignature& signature) {
  for (const ElementType type : signature.inputs) {
    if (!HasNarrowLanes(type)) return None(op, absl::StrCat("elements of type ", Name(type)));
  }
  if (signature.inputs.empty() || !HasNarrowLanes(signature.output)) {
    return None(op, absl::StrCat("elements of type ", Name(signature.output)));
  }
  if (op.code == OpCode::kConvert || op.code == OpCode::kConvertLike) {
    return ConvertEmitter(op, signature.inputs[0], signature.output);
  }
  if (op.code == OpCode::kSelect) {
    return Function(op, 3, [](auto& v, Operands o) { jit::EmitSelect(v, o[0], o[1], o[2]); });
  }
  const Lane lane = *LaneOf(signature.inputs[0]);
  if (std::optional<RowFunction> function = OnBits(op, lane == Lane::kBoolean)) {
    return Wrapped(*std::move(function), signature.output);
  }
  if (op.code == OpCode::kClamp) {
    const auto& limits = As<ir::ClampAttributes>(attributes);
    if (lane == Lane::kInteger) return IntegerClamp(op, limits, signature.output);
    if (lane != Lane::kFloat) return None(op, "truth values");
    return Function(op, 1,
                    [low = static_cast<float>(limits.min), high = static_cast<float>(limits.max)](auto& v, Operands o) {
                      jit::EmitClamp(v, o[0], low, high);
                    });
  }
  if (lane == Lane::kFloat) {
    if (std::optional<RowFunction> function = OnFloats(op)) return *std::move(function);
    return WithParameters(op, attributes, signature);
  }
  return IntegerEmitter(op, attributes, signature);
}

}  // namespace burin::snippets
