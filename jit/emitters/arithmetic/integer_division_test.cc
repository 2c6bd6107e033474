#include "jit/emitters/arithmetic/integer_division.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

#include "absl/base/casts.h"
#include "absl/types/span.h"
#include "jit/emitters/catalogue_entry.h"
#include "jit/emitters/row_kernel.h"
#include "jit/emitters/row_testlib.h"
#include "jit/emitters/vec_group.h"

namespace burin::jit {
namespace {

using Operands = absl::Span<const VecGroup>;
constexpr int32_t kMin = std::numeric_limits<int32_t>::min();
constexpr int32_t kMaxI32 = std::numeric_limits<int32_t>::max();

// Returns the bits of an integer.
uint32_t I(int32_t value) { return absl::bit_cast<uint32_t>(value); }

TEST(IntegerDivisionTest, NeverTraps) {
  ExpectBits(RowFunction::Of("DivideI32", 2, [](auto& v, Operands o) { EmitDivideI32(v, o[0], o[1]); }),
             {{I(7), I(0), I(0)},
              {I(kMin), I(0), I(0)},
              {I(0), I(0), I(0)},
              {I(kMin), I(-1), I(kMin)},
              {I(kMin), I(1), I(kMin)}},
             LaneKind::kI32);
  ExpectBits(RowFunction::Of("FloorDivideI32", 2, [](auto& v, Operands o) { EmitFloorDivideI32(v, o[0], o[1]); }),
             {{I(7), I(0), I(0)}, {I(kMin), I(0), I(0)}, {I(kMin), I(-1), I(kMin)}}, LaneKind::kI32);
  ExpectBits(RowFunction::Of("ModI32", 2, [](auto& v, Operands o) { EmitModI32(v, o[0], o[1]); }),
             {{I(7), I(0), I(0)}, {I(kMin), I(0), I(0)}, {I(kMin), I(-1), I(0)}}, LaneKind::kI32);
  ExpectBits(RowFunction::Of("FloorModI32", 2, [](auto& v, Operands o) { EmitFloorModI32(v, o[0], o[1]); }),
             {{I(7), I(0), I(0)}, {I(kMin), I(0), I(0)}, {I(kMin), I(-1), I(0)}}, LaneKind::kI32);
  ExpectBits(RowFunction::Of("DivideU32", 2, [](auto& v, Operands o) { EmitDivideU32(v, o[0], o[1]); }),
             {{I(7), I(0), I(0)}, {I(-1), I(0), I(0)}}, LaneKind::kI32);
  ExpectBits(RowFunction::Of("ModU32", 2, [](auto& v, Operands o) { EmitModU32(v, o[0], o[1]); }),
             {{I(7), I(0), I(0)}, {I(-1), I(0), I(0)}}, LaneKind::kI32);
}

TEST(IntegerDivisionTest, RoundsAndSigns) {
  ExpectBits(RowFunction::Of("DivideI32", 2, [](auto& v, Operands o) { EmitDivideI32(v, o[0], o[1]); }),
             {{I(7), I(2), I(3)},
              {I(-7), I(2), I(-3)},
              {I(7), I(-2), I(-3)},
              {I(-7), I(-2), I(3)},
              {I(kMaxI32), I(kMin), I(0)},
              {I(kMaxI32 - 1), I(kMaxI32), I(0)}},
             LaneKind::kI32);
  ExpectBits(RowFunction::Of("FloorDivideI32", 2, [](auto& v, Operands o) { EmitFloorDivideI32(v, o[0], o[1]); }),
             {{I(7), I(2), I(3)},
              {I(-7), I(2), I(-4)},
              {I(7), I(-2), I(-4)},
              {I(-7), I(-2), I(3)},
              {I(kMaxI32), I(kMin), I(-1)},
              {I(-6), I(2), I(-3)}},
             LaneKind::kI32);
  ExpectBits(
      RowFunction::Of("ModI32", 2, [](auto& v, Operands o) { EmitModI32(v, o[0], o[1]); }),
      {{I(7), I(3), I(1)}, {I(-7), I(3), I(-1)}, {I(7), I(-3), I(1)}, {I(-7), I(-3), I(-1)}, {I(6), I(-3), I(0)}},
      LaneKind::kI32);
  ExpectBits(
      RowFunction::Of("FloorModI32", 2, [](auto& v, Operands o) { EmitFloorModI32(v, o[0], o[1]); }),
      {{I(7), I(3), I(1)}, {I(-7), I(3), I(2)}, {I(7), I(-3), I(-2)}, {I(-7), I(-3), I(-1)}, {I(6), I(-3), I(0)}},
      LaneKind::kI32);
  ExpectBits(RowFunction::Of("DivideU32", 2, [](auto& v, Operands o) { EmitDivideU32(v, o[0], o[1]); }),
             {{I(-1), I(2), I(kMaxI32)}, {I(-1), I(1), I(-1)}, {I(-2), I(-1), I(0)}, {I(-1), I(3), I(0x55555555)}},
             LaneKind::kI32);
  ExpectBits(RowFunction::Of("ModU32", 2, [](auto& v, Operands o) { EmitModU32(v, o[0], o[1]); }),
             {{I(-1), I(2), I(1)}, {I(-2), I(-1), I(-2)}, {I(-1), I(10), I(5)}}, LaneKind::kI32);
}

}  // namespace
}  // namespace burin::jit
