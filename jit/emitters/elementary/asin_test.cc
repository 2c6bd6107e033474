#include "jit/emitters/elementary/asin.h"

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

TEST(AsinTest, KeepsZerosDenormalsAndNan) {
  ExpectValues(RowFunction::Of("Asin", 1, [](auto& v, absl::Span<const VecGroup> o) { EmitAsin(v, o[0]); }),
               {
                   {0.0f, 0.0f},
                   {-0.0f, -0.0f},
                   {kDenormal, kDenormal},
                   {-kDenormal, -kDenormal},
                   {kNan, kNan},
               });
}

TEST(AsinTest, IsNanOutsideOfItsDomain) {
  ExpectValues(RowFunction::Of("Asin", 1, [](auto& v, absl::Span<const VecGroup> o) { EmitAsin(v, o[0]); }),
               {
                   {1.0f, kHalfPi},
                   {-1.0f, -kHalfPi},
                   {0x1.000002p+0f, kNan},
                   {-2.0f, kNan},
                   {kInfinity, kNan},
                   {-kInfinity, kNan},
               });
}

}  // namespace
}  // namespace burin::jit
