#include "jit/emitters/rounding/rounding_catalogue.h"

#include <vector>

#include "absl/types/span.h"
#include "jit/emitters/catalogue_entry.h"
#include "jit/emitters/rounding/rounding.h"
#include "jit/emitters/vec_group.h"

namespace burin::jit {
namespace {

using Operands = absl::Span<const VecGroup>;
constexpr LaneKind kF32 = LaneKind::kF32;

}  // namespace

std::vector<CatalogueEntry> RoundingCatalogue() {
  return {
      ExactEntry("Ceiling", {kF32}, kF32, [](auto& v, Operands o) { EmitCeiling(v, o[0]); }),
      ExactEntry("Floor", {kF32}, kF32, [](auto& v, Operands o) { EmitFloor(v, o[0]); }),
      ExactEntry("RoundHalfAwayFromZero", {kF32}, kF32,
                 [](auto& v, Operands o) { EmitRoundHalfAwayFromZero(v, o[0]); }),
      ExactEntry("RoundHalfToEven", {kF32}, kF32, [](auto& v, Operands o) { EmitRoundHalfToEven(v, o[0]); }),
      ExactEntry("Truncate", {kF32}, kF32, [](auto& v, Operands o) { EmitTruncate(v, o[0]); }),
  };
}

}  // namespace burin::jit
