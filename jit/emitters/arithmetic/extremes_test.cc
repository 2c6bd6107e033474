#include "jit/emitters/arithmetic/extremes.h"

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
constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr int32_t kMin = std::numeric_limits<int32_t>::min();

// Returns the bits of an integer.
uint32_t I(int32_t value) { return absl::bit_cast<uint32_t>(value); }

TEST(ExtremesTest, IsNanWhereEitherIs) {
  ExpectBits(RowFunction::Of("Minimum", 2, [](auto& v, Operands o) { EmitMinimum(v, o[0], o[1]); }),
             {{Bits(1.0f), Bits(2.0f), Bits(1.0f)},
              {Bits(2.0f), Bits(1.0f), Bits(1.0f)},
              {Bits(kNan), Bits(1.0f), Bits(kNan)},
              {Bits(1.0f), Bits(kNan), Bits(kNan)},
              {Bits(kNan), Bits(-kInfinity), Bits(kNan)},
              {Bits(-kInfinity), Bits(1.0f), Bits(-kInfinity)},
              {Bits(0.0f), Bits(-0.0f), Bits(-0.0f)}});
  ExpectBits(RowFunction::Of("Maximum", 2, [](auto& v, Operands o) { EmitMaximum(v, o[0], o[1]); }),
             {{Bits(1.0f), Bits(2.0f), Bits(2.0f)},
              {Bits(2.0f), Bits(1.0f), Bits(2.0f)},
              {Bits(kNan), Bits(1.0f), Bits(kNan)},
              {Bits(1.0f), Bits(kNan), Bits(kNan)},
              {Bits(kNan), Bits(kInfinity), Bits(kNan)},
              {Bits(kInfinity), Bits(1.0f), Bits(kInfinity)},
              {Bits(-0.0f), Bits(0.0f), Bits(0.0f)}});
}

TEST(ExtremesTest, ClampKeepsNanAndZeros) {
  ExpectValues(
      RowFunction::Of("Clamp", 1, [](auto& v, Operands o) { EmitClamp(v, o[0], 0.0f, 6.0f); }),
      {{-1.0f, 0.0f}, {-0.0f, -0.0f}, {7.0f, 6.0f}, {3.5f, 3.5f}, {kInfinity, 6.0f}, {-kInfinity, 0.0f}, {kNan, kNan}});
  ExpectValues(
      RowFunction::Of("Clamp", 1,
                      [](auto& v, Operands o) { EmitClamp(v, o[0], -std::numeric_limits<float>::infinity(), 1.0f); }),
      {{-kInfinity, -kInfinity}, {2.0f, 1.0f}, {kNan, kNan}});
}

TEST(ExtremesTest, ComparesIntegersAsTheyAre) {
  ExpectBits(RowFunction::Of("MinimumI32", 2, [](auto& v, Operands o) { EmitMinimumI32(v, o[0], o[1]); }),
             {{I(-1), I(1), I(-1)}, {I(kMin), I(0), I(kMin)}}, LaneKind::kI32);
  ExpectBits(RowFunction::Of("MaximumI32", 2, [](auto& v, Operands o) { EmitMaximumI32(v, o[0], o[1]); }),
             {{I(-1), I(1), I(1)}, {I(kMin), I(0), I(0)}}, LaneKind::kI32);
  ExpectBits(RowFunction::Of("MinimumU32", 2, [](auto& v, Operands o) { EmitMinimumU32(v, o[0], o[1]); }),
             {{I(-1), I(1), I(1)}, {I(kMin), I(0), I(0)}}, LaneKind::kI32);
  ExpectBits(RowFunction::Of("MaximumU32", 2, [](auto& v, Operands o) { EmitMaximumU32(v, o[0], o[1]); }),
             {{I(-1), I(1), I(-1)}, {I(kMin), I(0), I(kMin)}}, LaneKind::kI32);
  ExpectBits(RowFunction::Of("ClampI32", 1, [](auto& v, Operands o) { EmitClampI32(v, o[0], -128, 127); }),
             {{I(-129), I(-128)}, {I(128), I(127)}, {I(kMin), I(-128)}, {I(5), I(5)}}, LaneKind::kI32);
}

}  // namespace
}  // namespace burin::jit
