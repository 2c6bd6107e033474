#include "jit/emitters/elementary/cos.h"

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

TEST(CosTest, IsOneAtZeroAndKeepsNan) {
  ExpectValues(RowFunction::Of("Cos", 1, [](auto& v, absl::Span<const VecGroup> o) { EmitCos(v, o[0]); }),
               {
                   {0.0f, 1.0f},
                   {-0.0f, 1.0f},
                   {kDenormal, 1.0f},
                   {kNan, kNan},
               });
}

TEST(CosTest, IsNanForInfinities) {
  ExpectValues(RowFunction::Of("Cos", 1, [](auto& v, absl::Span<const VecGroup> o) { EmitCos(v, o[0]); }),
               {
                   {kInfinity, kNan},
                   {-kInfinity, kNan},
               });
}

TEST(CosTest, ReducesNextToOddMultiplesOfHalfPi) {
  ExpectValues(RowFunction::Of("Cos", 1, [](auto& v, absl::Span<const VecGroup> o) { EmitCos(v, o[0]); }),
               {
                   {0x1.921fb6p+0f, -0x1.777a5cp-25f},
                   {-0x1.921fb6p+0f, -0x1.777a5cp-25f},
                   {0x1.2d97c8p+2f, 0x1.99bc5cp-27f},
                   {0x1.fffffep+127f, 0x1.b4bf2cp-1f},
               });
}

}  // namespace
}  // namespace burin::jit
