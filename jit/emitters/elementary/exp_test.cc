#include "jit/emitters/elementary/exp.h"

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

TEST(ExpTest, TakesLimitsAndKeepsNan) {
  ExpectValues(RowFunction::Of("Exp", 1, [](auto& v, absl::Span<const VecGroup> o) { EmitExp(v, o[0]); }),
               {
                   {0.0f, 1.0f},
                   {-0.0f, 1.0f},
                   {kInfinity, kInfinity},
                   {-kInfinity, 0.0f},
                   {89.0f, kInfinity},
                   {-103.9f, kDenormal},
                   {-104.0f, 0.0f},
                   {std::numeric_limits<float>::max(), kInfinity},
                   {kDenormal, 1.0f},
                   {kNan, kNan},
               });
}

}  // namespace
}  // namespace burin::jit
