#include "jit/emitters/elementary/exp2.h"

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

TEST(Exp2Test, IsExactForIntegers) {
  ExpectValues(RowFunction::Of("Exp2", 1, [](auto& v, absl::Span<const VecGroup> o) { EmitExp2(v, o[0]); }),
               {
                   {0.0f, 1.0f},
                   {-0.0f, 1.0f},
                   {1.0f, 2.0f},
                   {127.0f, 0x1p+127f},
                   {-126.0f, 0x1p-126f},
                   {-149.0f, kDenormal},
               });
}

TEST(Exp2Test, TakesLimitsAndKeepsNan) {
  ExpectValues(RowFunction::Of("Exp2", 1, [](auto& v, absl::Span<const VecGroup> o) { EmitExp2(v, o[0]); }),
               {
                   {128.0f, kInfinity},
                   {-150.0f, 0.0f},
                   {kInfinity, kInfinity},
                   {-kInfinity, 0.0f},
                   {-kMax, 0.0f},
                   {kMax, kInfinity},
                   {kDenormal, 1.0f},
                   {kNan, kNan},
               });
}

}  // namespace
}  // namespace burin::jit
