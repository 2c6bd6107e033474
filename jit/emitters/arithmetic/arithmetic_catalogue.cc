#include "jit/emitters/arithmetic/arithmetic_catalogue.h"

#include <vector>

#include "absl/types/span.h"
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
#include "jit/emitters/catalogue_entry.h"
#include "jit/emitters/vec_group.h"

namespace burin::jit {
namespace {

using Operands = absl::Span<const VecGroup>;
constexpr LaneKind kF32 = LaneKind::kF32;
constexpr LaneKind kI32 = LaneKind::kI32;

}  // namespace

std::vector<CatalogueEntry> ArithmeticCatalogue() {
  return {
      ExactEntry("Abs", {kF32}, kF32, [](auto& v, Operands o) { EmitAbs(v, o[0]); }),
      ExactEntry("AbsI32", {kI32}, kI32, [](auto& v, Operands o) { EmitAbsI32(v, o[0]); }),
      ExactEntry("Add", {kF32, kF32}, kF32, [](auto& v, Operands o) { EmitAdd(v, o[0], o[1]); }),
      ExactEntry("AddI32", {kI32, kI32}, kI32, [](auto& v, Operands o) { EmitAddI32(v, o[0], o[1]); }),
      ExactEntry("Clamp(-1,6)", {kF32}, kF32, [](auto& v, Operands o) { EmitClamp(v, o[0], -1.0f, 6.0f); }),
      ExactEntry("ClampI32(-100,1000)", {kI32}, kI32, [](auto& v, Operands o) { EmitClampI32(v, o[0], -100, 1000); }),
      ExactEntry("Divide", {kF32, kF32}, kF32, [](auto& v, Operands o) { EmitDivide(v, o[0], o[1]); }),
      ExactEntry("DivideI32", {kI32, kI32}, kI32, [](auto& v, Operands o) { EmitDivideI32(v, o[0], o[1]); }),
      ExactEntry("DivideU32", {kI32, kI32}, kI32, [](auto& v, Operands o) { EmitDivideU32(v, o[0], o[1]); }),
      ExactEntry("FloorDivideI32", {kI32, kI32}, kI32, [](auto& v, Operands o) { EmitFloorDivideI32(v, o[0], o[1]); }),
      ExactEntry("FloorMod", {kF32, kF32}, kF32, [](auto& v, Operands o) { EmitFloorMod(v, o[0], o[1]); }),
      ExactEntry("FloorModI32", {kI32, kI32}, kI32, [](auto& v, Operands o) { EmitFloorModI32(v, o[0], o[1]); }),
      ExactEntry("Maximum", {kF32, kF32}, kF32, [](auto& v, Operands o) { EmitMaximum(v, o[0], o[1]); }),
      ExactEntry("MaximumI32", {kI32, kI32}, kI32, [](auto& v, Operands o) { EmitMaximumI32(v, o[0], o[1]); }),
      ExactEntry("MaximumU32", {kI32, kI32}, kI32, [](auto& v, Operands o) { EmitMaximumU32(v, o[0], o[1]); }),
      ExactEntry("Minimum", {kF32, kF32}, kF32, [](auto& v, Operands o) { EmitMinimum(v, o[0], o[1]); }),
      ExactEntry("MinimumI32", {kI32, kI32}, kI32, [](auto& v, Operands o) { EmitMinimumI32(v, o[0], o[1]); }),
      ExactEntry("MinimumU32", {kI32, kI32}, kI32, [](auto& v, Operands o) { EmitMinimumU32(v, o[0], o[1]); }),
      ExactEntry("Mod", {kF32, kF32}, kF32, [](auto& v, Operands o) { EmitMod(v, o[0], o[1]); }),
      ExactEntry("ModI32", {kI32, kI32}, kI32, [](auto& v, Operands o) { EmitModI32(v, o[0], o[1]); }),
      ExactEntry("ModU32", {kI32, kI32}, kI32, [](auto& v, Operands o) { EmitModU32(v, o[0], o[1]); }),
      ExactEntry("Multiply", {kF32, kF32}, kF32, [](auto& v, Operands o) { EmitMultiply(v, o[0], o[1]); }),
      ExactEntry("MultiplyAdd", {kF32, kF32, kF32}, kF32,
                 [](auto& v, Operands o) { EmitMultiplyAdd(v, o[0], o[1], o[2]); }),
      ExactEntry("MultiplyI32", {kI32, kI32}, kI32, [](auto& v, Operands o) { EmitMultiplyI32(v, o[0], o[1]); }),
      ExactEntry("Negative", {kF32}, kF32, [](auto& v, Operands o) { EmitNegative(v, o[0]); }),
      ExactEntry("NegativeI32", {kI32}, kI32, [](auto& v, Operands o) { EmitNegativeI32(v, o[0]); }),
      ExactEntry("PowerI32", {kI32, kI32}, kI32, [](auto& v, Operands o) { EmitPowerI32(v, o[0], o[1]); }),
      ExactEntry("PowerU32", {kI32, kI32}, kI32, [](auto& v, Operands o) { EmitPowerU32(v, o[0], o[1]); }),
      ExactEntry("Reciprocal", {kF32}, kF32, [](auto& v, Operands o) { EmitReciprocal(v, o[0]); }),
      ExactEntry("Sign", {kF32}, kF32, [](auto& v, Operands o) { EmitSign(v, o[0]); }),
      ExactEntry("SignI32", {kI32}, kI32, [](auto& v, Operands o) { EmitSignI32(v, o[0]); }),
      ExactEntry("Sqrt", {kF32}, kF32, [](auto& v, Operands o) { EmitSqrt(v, o[0]); }),
      ExactEntry("SquaredDifference", {kF32, kF32}, kF32,
                 [](auto& v, Operands o) { EmitSquaredDifference(v, o[0], o[1]); }),
      ExactEntry("SquaredDifferenceI32", {kI32, kI32}, kI32,
                 [](auto& v, Operands o) { EmitSquaredDifferenceI32(v, o[0], o[1]); }),
      ExactEntry("Subtract", {kF32, kF32}, kF32, [](auto& v, Operands o) { EmitSubtract(v, o[0], o[1]); }),
      ExactEntry("SubtractI32", {kI32, kI32}, kI32, [](auto& v, Operands o) { EmitSubtractI32(v, o[0], o[1]); }),
  };
}

}  // namespace burin::jit
