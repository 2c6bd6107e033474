#include "jit/emitters/activation/relu.h"

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

TEST(ReluTest, TakesLimitsAndKeepsNan) {
  ExpectValues(RowFunction::Of("Relu", 1, [](auto& v, absl::Span<const VecGroup> o) { EmitRelu(v, o[0]); }),
               {
                   {1.5f, 1.5f},
                   {-1.5f, 0.0f},
                   {0.0f, 0.0f},
                   {-0.0f, -0.0f},
                   {kInfinity, kInfinity},
                   {-kInfinity, 0.0f},
                   {kNan, kNan},
               });
}

}  // namespace
}  // namespace burin::jit
