#include "jit/emitters/elementary/sin.h"

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

TEST(SinTest, KeepsZerosDenormalsAndNan) {
  ExpectValues(RowFunction::Of("Sin", 1, [](auto& v, absl::Span<const VecGroup> o) { EmitSin(v, o[0]); }),
               {
                   {0.0f, 0.0f},
                   {-0.0f, -0.0f},
                   {kDenormal, kDenormal},
                   {-kDenormal, -kDenormal},
                   {kNan, kNan},
               });
}

TEST(SinTest, IsNanForInfinities) {
  ExpectValues(RowFunction::Of("Sin", 1, [](auto& v, absl::Span<const VecGroup> o) { EmitSin(v, o[0]); }),
               {
                   {kInfinity, kNan},
                   {-kInfinity, kNan},
               });
}

TEST(SinTest, IsOneAtHalfPi) {
  ExpectValues(RowFunction::Of("Sin", 1, [](auto& v, absl::Span<const VecGroup> o) { EmitSin(v, o[0]); }),
               {
                   {0x1.921fb6p+0f, 1.0f},
                   {-0x1.921fb6p+0f, -1.0f},
               });
}

TEST(SinTest, ReducesNextToMultiplesOfPi) {
  ExpectValues(RowFunction::Of("Sin", 1, [](auto& v, absl::Span<const VecGroup> o) { EmitSin(v, o[0]); }),
               {
                   {0x1.921fb6p+1f, -0x1.777a5cp-24f},
                   {0x1.921fb6p+2f, 0x1.777a5cp-23f},
                   {0x1.6ac5b2p+19f, 0x1.785872p-1f},
                   {0x1.fffffep+127f, -0x1.0b3366p-1f},
                   {-0x1.fffffep+127f, 0x1.0b3366p-1f},
                   {0x1p+20f, 0x1.526cccp-2f},
                   {0x1.000002p+20f, 0x1.c8471p-2f},
                   {0x1.921fb6p+60f, 0x1.bb859cp-4f},
               });
}

}  // namespace
}  // namespace burin::jit
