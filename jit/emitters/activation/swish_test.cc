#include "jit/emitters/activation/swish.h"

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

TEST(SwishTest, TakesLimitsAndKeepsNan) {
  ExpectValues(RowFunction::Of("Swish", 1, [](auto& v, Operands o) { EmitSwish(v, o[0], 1.0f); }),
               {
                   {0.0f, 0.0f},
                   {-0.0f, -0.0f},
                   {2 * kDenormal, kDenormal},
                   {-2 * kDenormal, -kDenormal},
                   {100.0f, 100.0f},
                   {3e38f, 3e38f},
                   // 109 e^-109 is 0.36 of the least denormal, 108 e^-108 0.96 of it.
                   {-109.0f, -0.0f},
                   {-108.0f, -kDenormal},
                   {-3e38f, -0.0f},
                   {kInfinity, kInfinity},
                   {-kInfinity, kNan},
                   {kNan, kNan},
               });
}

TEST(SwishTest, OfNegativeBetaDecaysUpwards) {
  ExpectValues(RowFunction::Of("Swish", 1, [](auto& v, Operands o) { EmitSwish(v, o[0], -1.702f); }),
               {
                   {0.0f, 0.0f},
                   {-0.0f, -0.0f},
                   {-100.0f, -100.0f},
                   {3e38f, 0.0f},
                   {-3e38f, -3e38f},
                   {-kInfinity, -kInfinity},
                   {kInfinity, kNan},
                   {kNan, kNan},
               });
}

TEST(SwishTest, OfBetaZeroIsHalf) {
  ExpectValues(RowFunction::Of("Swish", 1, [](auto& v, Operands o) { EmitSwish(v, o[0], 0.0f); }),
               {{3.0f, 1.5f}, {-3e38f, -1.5e38f}, {-0.0f, -0.0f}, {kInfinity, kNan}, {kNan, kNan}});
}

TEST(SwishTest, OfInfiniteBetaIsStep) {
  ExpectValues(RowFunction::Of("Swish", 1, [](auto& v, Operands o) { EmitSwish(v, o[0], kInfinity); }),
               {{3.0f, 3.0f}, {-3.0f, -0.0f}, {0.0f, kNan}, {kNan, kNan}});
}

}  // namespace
}  // namespace burin::jit
