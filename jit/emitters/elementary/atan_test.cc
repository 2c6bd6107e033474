#include "jit/emitters/elementary/atan.h"

#include <gtest/gtest.h>

#include <limits>

#include "absl/types/span.h"
#include "jit/emitters/row_kernel.h"
#include "jit/emitters/row_testlib.h"
#include "jit/emitters/vec_group.h"

namespace burin::jit {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kDenormal = std::numeric_limits<float>::denorm_min();
constexpr float kHalfPi = 0x1.921fb6p+0f;
constexpr float kMax = std::numeric_limits<float>::max();

TEST(AtanTest, KeepsZerosDenormalsAndNan) {
  ExpectValues(RowFunction::Of("Atan", 1, [](auto& v, absl::Span<const VecGroup> o) { EmitAtan(v, o[0]); }),
               {
                   {0.0f, 0.0f},
                   {-0.0f, -0.0f},
                   {kDenormal, kDenormal},
                   {-kDenormal, -kDenormal},
                   {kNan, kNan},
               });
}

TEST(AtanTest, TakesLimits) {
  ExpectValues(RowFunction::Of("Atan", 1, [](auto& v, absl::Span<const VecGroup> o) { EmitAtan(v, o[0]); }),
               {
                   {kInfinity, kHalfPi},
                   {-kInfinity, -kHalfPi},
                   {kMax, kHalfPi},
                   {-kMax, -kHalfPi},
               });
}

}  // namespace
}  // namespace burin::jit
