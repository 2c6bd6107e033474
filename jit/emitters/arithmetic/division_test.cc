#include "jit/emitters/arithmetic/division.h"

#include <gtest/gtest.h>

#include <limits>

#include "absl/types/span.h"
#include "jit/emitters/row_kernel.h"
#include "jit/emitters/row_testlib.h"
#include "jit/emitters/vec_group.h"

namespace burin::jit {
namespace {

using Operands = absl::Span<const VecGroup>;
constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kDenormal = std::numeric_limits<float>::denorm_min();

TEST(DivisionTest, FollowsIeee754) {
  ExpectBits(RowFunction::Of("Divide", 2, [](auto& v, Operands o) { EmitDivide(v, o[0], o[1]); }),
             {{Bits(1.0f), Bits(3.0f), Bits(0x1.555556p-2f)},
              {Bits(1.0f), Bits(0.0f), Bits(kInfinity)},
              {Bits(1.0f), Bits(-0.0f), Bits(-kInfinity)},
              {Bits(0.0f), Bits(0.0f), Bits(kNan)},
              {Bits(-1.0f), Bits(kInfinity), Bits(-0.0f)},
              {Bits(kInfinity), Bits(kInfinity), Bits(kNan)},
              {Bits(kDenormal), Bits(2.0f), Bits(0.0f)}});
  ExpectValues(RowFunction::Of("Reciprocal", 1, [](auto& v, Operands o) { EmitReciprocal(v, o[0]); }),
               {{4.0f, 0.25f},
                {0.0f, kInfinity},
                {-0.0f, -kInfinity},
                {-kInfinity, -0.0f},
                {kNan, kNan},
                {kDenormal, kInfinity}});
}

}  // namespace
}  // namespace burin::jit
