#include "jit/emitters/logic/logic_catalogue.h"

#include <vector>

#include "absl/types/span.h"
#include "jit/emitters/catalogue_entry.h"
#include "jit/emitters/logic/bitwise.h"
#include "jit/emitters/logic/logical.h"
#include "jit/emitters/logic/select.h"
#include "jit/emitters/vec_group.h"

namespace burin::jit {
namespace {

using Operands = absl::Span<const VecGroup>;
constexpr LaneKind kF32 = LaneKind::kF32;
constexpr LaneKind kI32 = LaneKind::kI32;
constexpr LaneKind kBool = LaneKind::kBool;

}  // namespace

std::vector<CatalogueEntry> LogicCatalogue() {
  return {
      ExactEntry("BitwiseAnd", {kI32, kI32}, kI32, [](auto& v, Operands o) { EmitBitwiseAnd(v, o[0], o[1]); }),
      ExactEntry("BitwiseLeftShift", {kI32, kI32}, kI32,
                 [](auto& v, Operands o) { EmitBitwiseLeftShift(v, o[0], o[1]); }),
      ExactEntry("BitwiseNot", {kI32}, kI32, [](auto& v, Operands o) { EmitBitwiseNot(v, o[0]); }),
      ExactEntry("BitwiseOr", {kI32, kI32}, kI32, [](auto& v, Operands o) { EmitBitwiseOr(v, o[0], o[1]); }),
      ExactEntry("BitwiseRightShift", {kI32, kI32}, kI32,
                 [](auto& v, Operands o) { EmitBitwiseRightShift(v, o[0], o[1]); }),
      ExactEntry("BitwiseRightShiftU32", {kI32, kI32}, kI32,
                 [](auto& v, Operands o) { EmitBitwiseRightShiftU32(v, o[0], o[1]); }),
      ExactEntry("BitwiseXor", {kI32, kI32}, kI32, [](auto& v, Operands o) { EmitBitwiseXor(v, o[0], o[1]); }),
      ExactEntry("LogicalAnd", {kBool, kBool}, kBool, [](auto& v, Operands o) { EmitLogicalAnd(v, o[0], o[1]); }),
      ExactEntry("LogicalNot", {kBool}, kBool, [](auto& v, Operands o) { EmitLogicalNot(v, o[0]); }),
      ExactEntry("LogicalOr", {kBool, kBool}, kBool, [](auto& v, Operands o) { EmitLogicalOr(v, o[0], o[1]); }),
      ExactEntry("LogicalXor", {kBool, kBool}, kBool, [](auto& v, Operands o) { EmitLogicalXor(v, o[0], o[1]); }),
      ExactEntry("Select", {kBool, kF32, kF32}, kF32, [](auto& v, Operands o) { EmitSelect(v, o[0], o[1], o[2]); }),
  };
}

}  // namespace burin::jit
