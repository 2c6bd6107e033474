#include "jit/emitters/elementary/sinh.h"

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

TEST(SinhTest, KeepsZerosDenormalsAndNan) {
  ExpectValues(RowFunction::Of("Sinh", 1, [](auto& v, absl::Span<const VecGroup> o) { EmitSinh(v, o[0]); }),
               {
                   {0.0f, 0.0f},
                   {-0.0f, -0.0f},
                   {kDenormal, kDenormal},
                   {-kDenormal, -kDenormal},
                   {kNan, kNan},
               });
}

TEST(SinhTest, OverflowsWhereTheResultDoes) {
  ExpectValues(RowFunction::Of("Sinh", 1, [](auto& v, absl::Span<const VecGroup> o) { EmitSinh(v, o[0]); }),
               {
                   {kInfinity, kInfinity},
                   {-kInfinity, -kInfinity},
                   {0x1.65a9f8p+6f, 0x1.ffffd8p+127f},
                   {0x1.65a9fap+6f, kInfinity},
                   {-0x1.65a9fap+6f, -kInfinity},
                   {kMax, kInfinity},
               });
}

}  // namespace
}  // namespace burin::jit
