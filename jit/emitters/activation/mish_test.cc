#include "jit/emitters/activation/mish.h"

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

TEST(MishTest, TakesLimitsAndKeepsNan) {
  ExpectValues(RowFunction::Of("Mish", 1, [](auto& v, Operands o) { EmitMish(v, o[0]); }),
               {
                   {0.0f, 0.0f},
                   {-0.0f, -0.0f},
                   // The slope at 0 is 3/5.
                   {5 * kDenormal, 3 * kDenormal},
                   {-5 * kDenormal, -3 * kDenormal},
                   {30.0f, 30.0f},
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

}  // namespace
}  // namespace burin::jit
