#include "jit/emitters/activation/soft_plus.h"

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

TEST(SoftPlusTest, TakesLimitsAndKeepsNan) {
  ExpectValues(RowFunction::Of("SoftPlus", 1, [](auto& v, Operands o) { EmitSoftPlus(v, o[0]); }),
               {
                   {0.0f, 0.693147182f},
                   {-0.0f, 0.693147182f},
                   {kDenormal, 0.693147182f},
                   {100.0f, 100.0f},
                   {3e38f, 3e38f},
                   {-103.9f, kDenormal},
                   {-104.0f, 0.0f},
                   {kInfinity, kInfinity},
                   {-kInfinity, 0.0f},
                   {kNan, kNan},
               });
}

TEST(SoftPlusTest, LogSigmoidTakesLimitsAndKeepsNan) {
  ExpectValues(RowFunction::Of("LogSigmoid", 1, [](auto& v, Operands o) { EmitLogSigmoid(v, o[0]); }),
               {
                   {0.0f, -0.693147182f},
                   {-0.0f, -0.693147182f},
                   {-100.0f, -100.0f},
                   {-3e38f, -3e38f},
                   {103.9f, -kDenormal},
                   {104.0f, -0.0f},
                   {kInfinity, -0.0f},
                   {-kInfinity, -kInfinity},
                   {kNan, kNan},
               });
}

}  // namespace
}  // namespace burin::jit
