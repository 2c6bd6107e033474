#include "jit/emitters/comparison/comparison_catalogue.h"

#include <vector>

#include "absl/types/span.h"
#include "jit/emitters/catalogue_entry.h"
#include "jit/emitters/comparison/classification.h"
#include "jit/emitters/comparison/comparison.h"
#include "jit/emitters/vec_group.h"

namespace burin::jit {
namespace {

using Operands = absl::Span<const VecGroup>;
constexpr LaneKind kF32 = LaneKind::kF32;
constexpr LaneKind kI32 = LaneKind::kI32;
constexpr LaneKind kBool = LaneKind::kBool;

}  // namespace

std::vector<CatalogueEntry> ComparisonCatalogue() {
  return {
      ExactEntry("Equal", {kF32, kF32}, kBool, [](auto& v, Operands o) { EmitEqual(v, o[0], o[1]); }),
      ExactEntry("EqualI32", {kI32, kI32}, kBool, [](auto& v, Operands o) { EmitEqualI32(v, o[0], o[1]); }),
      ExactEntry("Greater", {kF32, kF32}, kBool, [](auto& v, Operands o) { EmitGreater(v, o[0], o[1]); }),
      ExactEntry("GreaterEqual", {kF32, kF32}, kBool, [](auto& v, Operands o) { EmitGreaterEqual(v, o[0], o[1]); }),
      ExactEntry("GreaterEqualI32", {kI32, kI32}, kBool,
                 [](auto& v, Operands o) { EmitGreaterEqualI32(v, o[0], o[1]); }),
      ExactEntry("GreaterEqualU32", {kI32, kI32}, kBool,
                 [](auto& v, Operands o) { EmitGreaterEqualU32(v, o[0], o[1]); }),
      ExactEntry("GreaterI32", {kI32, kI32}, kBool, [](auto& v, Operands o) { EmitGreaterI32(v, o[0], o[1]); }),
      ExactEntry("GreaterU32", {kI32, kI32}, kBool, [](auto& v, Operands o) { EmitGreaterU32(v, o[0], o[1]); }),
      ExactEntry("IsFinite", {kF32}, kBool, [](auto& v, Operands o) { EmitIsFinite(v, o[0]); }),
      ExactEntry("IsInf", {kF32}, kBool,
                 [](auto& v, Operands o) {
                   EmitIsInf(v, o[0], InfinitySigns{true, true});
                 }),
      ExactEntry("IsInf(negative)", {kF32}, kBool,
                 [](auto& v, Operands o) {
                   EmitIsInf(v, o[0], InfinitySigns{true, false});
                 }),
      ExactEntry("IsInf(none)", {kF32}, kBool,
                 [](auto& v, Operands o) {
                   EmitIsInf(v, o[0], InfinitySigns{false, false});
                 }),
      ExactEntry("IsInf(positive)", {kF32}, kBool,
                 [](auto& v, Operands o) {
                   EmitIsInf(v, o[0], InfinitySigns{false, true});
                 }),
      ExactEntry("IsNaN", {kF32}, kBool, [](auto& v, Operands o) { EmitIsNaN(v, o[0]); }),
      ExactEntry("Less", {kF32, kF32}, kBool, [](auto& v, Operands o) { EmitLess(v, o[0], o[1]); }),
      ExactEntry("LessEqual", {kF32, kF32}, kBool, [](auto& v, Operands o) { EmitLessEqual(v, o[0], o[1]); }),
      ExactEntry("LessEqualI32", {kI32, kI32}, kBool, [](auto& v, Operands o) { EmitLessEqualI32(v, o[0], o[1]); }),
      ExactEntry("LessEqualU32", {kI32, kI32}, kBool, [](auto& v, Operands o) { EmitLessEqualU32(v, o[0], o[1]); }),
      ExactEntry("LessI32", {kI32, kI32}, kBool, [](auto& v, Operands o) { EmitLessI32(v, o[0], o[1]); }),
      ExactEntry("LessU32", {kI32, kI32}, kBool, [](auto& v, Operands o) { EmitLessU32(v, o[0], o[1]); }),
      ExactEntry("NotEqual", {kF32, kF32}, kBool, [](auto& v, Operands o) { EmitNotEqual(v, o[0], o[1]); }),
      ExactEntry("NotEqualI32", {kI32, kI32}, kBool, [](auto& v, Operands o) { EmitNotEqualI32(v, o[0], o[1]); }),
  };
}

}  // namespace burin::jit
