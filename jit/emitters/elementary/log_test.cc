#include "jit/emitters/elementary/log.h"

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

TEST(LogTest, TakesLimitsAndKeepsNan) {
  ExpectValues(RowFunction::Of("Log", 1, [](auto& v, absl::Span<const VecGroup> o) { EmitLog(v, o[0]); }),
               {
                   {1.0f, 0.0f},
                   {0.0f, -kInfinity},
                   {-0.0f, -kInfinity},
                   {-1.0f, kNan},
                   {-kInfinity, kNan},
                   {kInfinity, kInfinity},
                   {kDenormal, -103.278931f},
                   {kNan, kNan},
               });
}

}  // namespace
}  // namespace burin::jit
