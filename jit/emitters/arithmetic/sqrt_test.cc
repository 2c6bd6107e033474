#include "jit/emitters/arithmetic/sqrt.h"

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

TEST(SqrtTest, TakesLimitsAndKeepsNan) {
  ExpectValues(RowFunction::Of("Sqrt", 1, [](auto& v, absl::Span<const VecGroup> o) { EmitSqrt(v, o[0]); }),
               {
                   {4.0f, 2.0f},
                   {-0.0f, -0.0f},
                   {-1.0f, kNan},
                   {kInfinity, kInfinity},
                   {kNan, kNan},
               });
}

}  // namespace
}  // namespace burin::jit
