#include "jit/emitters/elementary/acos.h"

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
constexpr float kHalfPi = 0x1.921fb6p+0f;

TEST(AcosTest, TakesEnds) {
  ExpectValues(RowFunction::Of("Acos", 1, [](auto& v, absl::Span<const VecGroup> o) { EmitAcos(v, o[0]); }),
               {
                   {1.0f, 0.0f},
                   {-1.0f, 2 * kHalfPi},
                   {0.0f, kHalfPi},
                   {-0.0f, kHalfPi},
                   {kNan, kNan},
               });
}

TEST(AcosTest, IsNanOutsideOfItsDomain) {
  ExpectValues(RowFunction::Of("Acos", 1, [](auto& v, absl::Span<const VecGroup> o) { EmitAcos(v, o[0]); }),
               {
                   {0x1.000002p+0f, kNan},
                   {-0x1.000002p+0f, kNan},
                   {kInfinity, kNan},
                   {-kInfinity, kNan},
               });
}

}  // namespace
}  // namespace burin::jit
