#include "jit/emitters/activation/soft_sign.h"

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

TEST(SoftSignTest, TakesLimitsAndKeepsNan) {
  ExpectValues(RowFunction::Of("SoftSign", 1, [](auto& v, Operands o) { EmitSoftSign(v, o[0]); }),
               {
                   {0.0f, 0.0f},
                   {-0.0f, -0.0f},
                   {1.0f, 0.5f},
                   {-3.0f, -0.75f},
                   {-kDenormal, -kDenormal},
                   {3e38f, 1.0f},
                   {-3e38f, -1.0f},
                   {kInfinity, kNan},
                   {-kInfinity, kNan},
                   {kNan, kNan},
               });
}

}  // namespace
}  // namespace burin::jit
