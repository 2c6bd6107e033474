#include "jit/emitters/elementary/tanh.h"

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

TEST(TanhTest, TakesLimitsAndKeepsNan) {
  ExpectValues(RowFunction::Of("Tanh", 1, [](auto& v, absl::Span<const VecGroup> o) { EmitTanh(v, o[0]); }),
               {
                   {0.0f, 0.0f},
                   {-0.0f, -0.0f},
                   {kInfinity, 1.0f},
                   {-kInfinity, -1.0f},
                   {20.0f, 1.0f},
                   {kDenormal, kDenormal},
                   {kNan, kNan},
               });
}

}  // namespace
}  // namespace burin::jit
