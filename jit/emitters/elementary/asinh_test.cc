#include "jit/emitters/elementary/asinh.h"

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

TEST(AsinhTest, KeepsZerosDenormalsAndNan) {
  ExpectValues(RowFunction::Of("Asinh", 1, [](auto& v, absl::Span<const VecGroup> o) { EmitAsinh(v, o[0]); }),
               {
                   {0.0f, 0.0f},
                   {-0.0f, -0.0f},
                   {kDenormal, kDenormal},
                   {-kDenormal, -kDenormal},
                   {kNan, kNan},
               });
}

TEST(AsinhTest, TakesLimits) {
  ExpectValues(RowFunction::Of("Asinh", 1, [](auto& v, absl::Span<const VecGroup> o) { EmitAsinh(v, o[0]); }),
               {
                   {kInfinity, kInfinity},
                   {-kInfinity, -kInfinity},
                   {kMax, 89.4159851f},
                   {-kMax, -89.4159851f},
               });
}

}  // namespace
}  // namespace burin::jit
