#include "jit/emitters/elementary/atanh.h"

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

TEST(AtanhTest, KeepsZerosDenormalsAndNan) {
  ExpectValues(RowFunction::Of("Atanh", 1, [](auto& v, absl::Span<const VecGroup> o) { EmitAtanh(v, o[0]); }),
               {
                   {0.0f, 0.0f},
                   {-0.0f, -0.0f},
                   {kDenormal, kDenormal},
                   {-kDenormal, -kDenormal},
                   {kNan, kNan},
               });
}

TEST(AtanhTest, IsInfiniteForOneAndNanBeyond) {
  ExpectValues(RowFunction::Of("Atanh", 1, [](auto& v, absl::Span<const VecGroup> o) { EmitAtanh(v, o[0]); }),
               {
                   {1.0f, kInfinity},
                   {-1.0f, -kInfinity},
                   {0x1.000002p+0f, kNan},
                   {-0x1.000002p+0f, kNan},
                   {kMax, kNan},
                   {kInfinity, kNan},
                   {-kInfinity, kNan},
               });
}

}  // namespace
}  // namespace burin::jit
