#include "jit/emitters/elementary/expm1.h"

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

TEST(Expm1Test, KeepsZerosDenormalsAndNan) {
  ExpectValues(RowFunction::Of("Expm1", 1, [](auto& v, absl::Span<const VecGroup> o) { EmitExpm1(v, o[0]); }),
               {
                   {0.0f, 0.0f},
                   {-0.0f, -0.0f},
                   {kDenormal, kDenormal},
                   {-kDenormal, -kDenormal},
                   {kNan, kNan},
               });
}

TEST(Expm1Test, TakesLimits) {
  ExpectValues(RowFunction::Of("Expm1", 1, [](auto& v, absl::Span<const VecGroup> o) { EmitExpm1(v, o[0]); }),
               {
                   {kInfinity, kInfinity},
                   {-kInfinity, -1.0f},
                   {kMax, kInfinity},
                   {89.0f, kInfinity},
                   {88.72f, 0x1.fe8c9p+127f},
                   {-18.0f, -1.0f},
                   {-kMax, -1.0f},
               });
}

}  // namespace
}  // namespace burin::jit
