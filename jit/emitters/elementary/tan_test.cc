#include "jit/emitters/elementary/tan.h"

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

TEST(TanTest, KeepsZerosDenormalsAndNan) {
  ExpectValues(RowFunction::Of("Tan", 1, [](auto& v, absl::Span<const VecGroup> o) { EmitTan(v, o[0]); }),
               {
                   {0.0f, 0.0f},
                   {-0.0f, -0.0f},
                   {kDenormal, kDenormal},
                   {-kDenormal, -kDenormal},
                   {kNan, kNan},
               });
}

TEST(TanTest, IsNanForInfinities) {
  ExpectValues(RowFunction::Of("Tan", 1, [](auto& v, absl::Span<const VecGroup> o) { EmitTan(v, o[0]); }),
               {
                   {kInfinity, kNan},
                   {-kInfinity, kNan},
               });
}

TEST(TanTest, ReducesNextToZeros) {
  ExpectValues(RowFunction::Of("Tan", 1, [](auto& v, absl::Span<const VecGroup> o) { EmitTan(v, o[0]); }),
               {
                   {0x1.921fb6p+1f, 0x1.777a5cp-24f},
                   {0x1.fffffep+127f, -0x1.393d94p-1f},
               });
}

}  // namespace
}  // namespace burin::jit
