#include "jit/emitters/elementary/acosh.h"

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

TEST(AcoshTest, TakesOneAndLimits) {
  ExpectValues(RowFunction::Of("Acosh", 1, [](auto& v, absl::Span<const VecGroup> o) { EmitAcosh(v, o[0]); }),
               {
                   {1.0f, 0.0f},
                   {kInfinity, kInfinity},
                   {kMax, 89.4159851f},
                   {kNan, kNan},
               });
}

TEST(AcoshTest, IsNanBelowOne) {
  ExpectValues(RowFunction::Of("Acosh", 1, [](auto& v, absl::Span<const VecGroup> o) { EmitAcosh(v, o[0]); }),
               {
                   {0x1.fffffep-1f, kNan},
                   {0.0f, kNan},
                   {-0.5f, kNan},
                   {-1.0f, kNan},
                   {-3.0f, kNan},
                   {-1e9f, kNan},
                   {-kMax, kNan},
                   {-kInfinity, kNan},
               });
}

}  // namespace
}  // namespace burin::jit
