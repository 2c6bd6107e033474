#include "jit/emitters/activation/hard_sigmoid.h"

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
constexpr float kDenormal = std::numeric_limits<float>::denorm_min();

TEST(HardSigmoidTest, ClampsAndKeepsNan) {
  ExpectValues(RowFunction::Of("HardSigmoid", 1, [](auto& v, Operands o) { EmitHardSigmoid(v, o[0], 0.25f, 0.5f); }),
               {
                   {0.0f, 0.5f},
                   {1.0f, 0.75f},
                   {2.0f, 1.0f},
                   {-2.0f, 0.0f},
                   {-2.5f, 0.0f},
                   {kInfinity, 1.0f},
                   {-kInfinity, 0.0f},
                   {kNan, kNan},
               });
}

TEST(HardSigmoidTest, ProductOfZeroAndInfinityIsNan) {
  ExpectValues(RowFunction::Of("HardSigmoid", 1, [](auto& v, Operands o) { EmitHardSigmoid(v, o[0], 0.0f, 0.5f); }),
               {{1e30f, 0.5f}, {kInfinity, kNan}});
}

TEST(HardSigmoidTest, HSigmoidReachesItsLimits) {
  ExpectValues(RowFunction::Of("HSigmoid", 1, [](auto& v, Operands o) { EmitHSigmoid(v, o[0]); }),
               {
                   {0.0f, 0.5f},
                   {3.0f, 1.0f},
                   {-3.0f, 0.0f},
                   {kInfinity, 1.0f},
                   {-kInfinity, 0.0f},
                   {kNan, kNan},
               });
}

TEST(HardSigmoidTest, HSwishKeepsLargeNumbersAndZeros) {
  ExpectValues(RowFunction::Of("HSwish", 1, [](auto& v, Operands o) { EmitHSwish(v, o[0]); }),
               {
                   {0.0f, 0.0f},
                   {-0.0f, -0.0f},
                   {2 * kDenormal, kDenormal},
                   {3.1f, 3.1f},
                   {3e38f, 3e38f},
                   {-3.0f, -0.0f},
                   {-3e38f, -0.0f},
                   {kInfinity, kInfinity},
                   {-kInfinity, kNan},
                   {kNan, kNan},
               });
}

}  // namespace
}  // namespace burin::jit
