#include "jit/emitters/elementary/cosh.h"

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
constexpr float kMax = std::numeric_limits<float>::max();

TEST(CoshTest, TakesZerosAndNan) {
  ExpectValues(RowFunction::Of("Cosh", 1, [](auto& v, absl::Span<const VecGroup> o) { EmitCosh(v, o[0]); }),
               {
                   {0.0f, 1.0f},
                   {-0.0f, 1.0f},
                   {kNan, kNan},
               });
}

TEST(CoshTest, OverflowsWhereTheResultDoes) {
  ExpectValues(RowFunction::Of("Cosh", 1, [](auto& v, absl::Span<const VecGroup> o) { EmitCosh(v, o[0]); }),
               {
                   {kInfinity, kInfinity},
                   {-kInfinity, kInfinity},
                   {0x1.65a9f8p+6f, 0x1.ffffd8p+127f},
                   {0x1.65a9fap+6f, kInfinity},
                   {-kMax, kInfinity},
               });
}

}  // namespace
}  // namespace burin::jit
