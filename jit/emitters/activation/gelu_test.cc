#include "jit/emitters/activation/gelu.h"

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

TEST(GeluTest, GeluErfTakesLimitsAndKeepsNan) {
  ExpectValues(RowFunction::Of("GeluErf", 1, [](auto& v, absl::Span<const VecGroup> o) { EmitGeluErf(v, o[0]); }),
               {
                   {0.0f, 0.0f},
                   {10.0f, 10.0f},
                   {-10.0f, 0.0f},
                   {-1e30f, 0.0f},
                   {kInfinity, kInfinity},
                   {-kInfinity, kNan},
                   {kNan, kNan},
               });
}

TEST(GeluTest, GeluTanhTakesLimitsAndKeepsNan) {
  ExpectValues(RowFunction::Of("GeluTanh", 1, [](auto& v, absl::Span<const VecGroup> o) { EmitGeluTanh(v, o[0]); }),
               {
                   {0.0f, 0.0f},
                   {10.0f, 10.0f},
                   {kInfinity, kInfinity},
                   {-kInfinity, kNan},
                   {-1e30f, -0.0f},
                   {kNan, kNan},
               });
}

}  // namespace
}  // namespace burin::jit
