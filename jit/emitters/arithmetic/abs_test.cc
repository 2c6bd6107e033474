#include "jit/emitters/arithmetic/abs.h"

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

TEST(AbsTest, TakesLimitsAndKeepsNan) {
  ExpectValues(RowFunction::Of("Abs", 1, [](auto& v, absl::Span<const VecGroup> o) { EmitAbs(v, o[0]); }),
               {
                   {-1.5f, 1.5f},
                   {-0.0f, 0.0f},
                   {-kInfinity, kInfinity},
                   {kNan, kNan},
                   {-kDenormal, kDenormal},
               });
}

}  // namespace
}  // namespace burin::jit
