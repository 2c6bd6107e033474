#include "jit/emitters/elementary/log1p.h"

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
constexpr float kMax = std::numeric_limits<float>::max();

TEST(Log1pTest, KeepsZerosDenormalsAndNan) {
  ExpectValues(RowFunction::Of("Log1p", 1, [](auto& v, absl::Span<const VecGroup> o) { EmitLog1p(v, o[0]); }),
               {
                   {0.0f, 0.0f},
                   {-0.0f, -0.0f},
                   {kDenormal, kDenormal},
                   {-kDenormal, -kDenormal},
                   {kNan, kNan},
               });
}

TEST(Log1pTest, TakesLimits) {
  ExpectValues(RowFunction::Of("Log1p", 1, [](auto& v, absl::Span<const VecGroup> o) { EmitLog1p(v, o[0]); }),
               {
                   {-1.0f, -kInfinity},
                   {-0x1.000002p+0f, kNan},
                   {-kMax, kNan},
                   {-kInfinity, kNan},
                   {kInfinity, kInfinity},
                   {kMax, 88.7228394f},
                   {1.0f, 0x1.62e43p-1f},
               });
}

}  // namespace
}  // namespace burin::jit
