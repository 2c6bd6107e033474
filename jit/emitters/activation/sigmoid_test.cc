#include "jit/emitters/activation/sigmoid.h"

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

TEST(SigmoidTest, TakesLimitsAndKeepsNan) {
  ExpectValues(RowFunction::Of("Sigmoid", 1, [](auto& v, absl::Span<const VecGroup> o) { EmitSigmoid(v, o[0]); }),
               {
                   {0.0f, 0.5f},
                   {-0.0f, 0.5f},
                   {kInfinity, 1.0f},
                   {-kInfinity, 0.0f},
                   {100.0f, 1.0f},
                   {-103.9f, kDenormal},
                   {kNan, kNan},
               });
}

}  // namespace
}  // namespace burin::jit
