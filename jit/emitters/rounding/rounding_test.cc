#include "jit/emitters/rounding/rounding.h"

#include <gtest/gtest.h>

#include <limits>

#include "absl/types/span.h"
#include "jit/emitters/row_kernel.h"
#include "jit/emitters/row_testlib.h"
#include "jit/emitters/vec_group.h"

namespace burin::jit {
namespace {

using Operands = absl::Span<const VecGroup>;
constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

TEST(RoundingTest, FloorTakesHalvesZerosAndLimits) {
  ExpectValues(RowFunction::Of("Floor", 1, [](auto& v, Operands o) { EmitFloor(v, o[0]); }),
               {{-2.5f, -3.0f},
                {-1.5f, -2.0f},
                {-0.5f, -1.0f},
                {-0.0f, -0.0f},
                {0.0f, 0.0f},
                {0.5f, 0.0f},
                {1.5f, 1.0f},
                {2.5f, 2.0f},
                {0.49999997f, 0.0f},
                {-0.49999997f, -1.0f},
                {8388607.5f, 8388607.0f},
                {-8388607.5f, -8388608.0f},
                {8388609.0f, 8388609.0f},
                {16777215.0f, 16777215.0f},
                {1e30f, 1e30f},
                {kInfinity, kInfinity},
                {-kInfinity, -kInfinity},
                {kNan, kNan}});
}

TEST(RoundingTest, CeilingTakesHalvesZerosAndLimits) {
  ExpectValues(RowFunction::Of("Ceiling", 1, [](auto& v, Operands o) { EmitCeiling(v, o[0]); }),
               {{-2.5f, -2.0f},
                {-1.5f, -1.0f},
                {-0.5f, -0.0f},
                {-0.0f, -0.0f},
                {0.0f, 0.0f},
                {0.5f, 1.0f},
                {1.5f, 2.0f},
                {2.5f, 3.0f},
                {0.49999997f, 1.0f},
                {-0.49999997f, -0.0f},
                {8388607.5f, 8388608.0f},
                {-8388607.5f, -8388607.0f},
                {8388609.0f, 8388609.0f},
                {16777215.0f, 16777215.0f},
                {1e30f, 1e30f},
                {kInfinity, kInfinity},
                {-kInfinity, -kInfinity},
                {kNan, kNan}});
}

TEST(RoundingTest, TruncateTakesHalvesZerosAndLimits) {
  ExpectValues(RowFunction::Of("Truncate", 1, [](auto& v, Operands o) { EmitTruncate(v, o[0]); }),
               {{-2.5f, -2.0f},
                {-1.5f, -1.0f},
                {-0.5f, -0.0f},
                {-0.0f, -0.0f},
                {0.0f, 0.0f},
                {0.5f, 0.0f},
                {1.5f, 1.0f},
                {2.5f, 2.0f},
                {0.49999997f, 0.0f},
                {-0.49999997f, -0.0f},
                {8388607.5f, 8388607.0f},
                {-8388607.5f, -8388607.0f},
                {8388609.0f, 8388609.0f},
                {16777215.0f, 16777215.0f},
                {1e30f, 1e30f},
                {kInfinity, kInfinity},
                {-kInfinity, -kInfinity},
                {kNan, kNan}});
}

TEST(RoundingTest, RoundHalfToEvenTakesHalvesZerosAndLimits) {
  ExpectValues(RowFunction::Of("RoundHalfToEven", 1, [](auto& v, Operands o) { EmitRoundHalfToEven(v, o[0]); }),
               {{-2.5f, -2.0f},
                {-1.5f, -2.0f},
                {-0.5f, -0.0f},
                {-0.0f, -0.0f},
                {0.0f, 0.0f},
                {0.5f, 0.0f},
                {1.5f, 2.0f},
                {2.5f, 2.0f},
                {0.49999997f, 0.0f},
                {-0.49999997f, -0.0f},
                {8388607.5f, 8388608.0f},
                {-8388607.5f, -8388608.0f},
                {8388609.0f, 8388609.0f},
                {16777215.0f, 16777215.0f},
                {1e30f, 1e30f},
                {kInfinity, kInfinity},
                {-kInfinity, -kInfinity},
                {kNan, kNan}});
}

TEST(RoundingTest, RoundHalfAwayFromZeroTakesHalvesZerosAndLimits) {
  ExpectValues(
      RowFunction::Of("RoundHalfAwayFromZero", 1, [](auto& v, Operands o) { EmitRoundHalfAwayFromZero(v, o[0]); }),
      {{-2.5f, -3.0f},
       {-1.5f, -2.0f},
       {-0.5f, -1.0f},
       {-0.0f, -0.0f},
       {0.0f, 0.0f},
       {0.5f, 1.0f},
       {1.5f, 2.0f},
       {2.5f, 3.0f},
       {0.49999997f, 0.0f},
       {-0.49999997f, -0.0f},
       {8388607.5f, 8388608.0f},
       {-8388607.5f, -8388608.0f},
       {8388609.0f, 8388609.0f},
       {16777215.0f, 16777215.0f},
       {1e30f, 1e30f},
       {kInfinity, kInfinity},
       {-kInfinity, -kInfinity},
       {kNan, kNan}});
}

}  // namespace
}  // namespace burin::jit
