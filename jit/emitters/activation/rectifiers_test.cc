#include "jit/emitters/activation/rectifiers.h"

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

TEST(RectifiersTest, PReluScalesWhatIsNegative) {
  ExpectBits(RowFunction::Of("PRelu", 2, [](auto& v, Operands o) { EmitPRelu(v, o[0], o[1]); }),
             {
                 {Bits(-2.0f), Bits(0.25f), Bits(-0.5f)},
                 {Bits(2.0f), Bits(0.25f), Bits(2.0f)},
                 {Bits(-2.0f), Bits(-3.0f), Bits(6.0f)},
                 {Bits(-0.0f), Bits(-3.0f), Bits(-0.0f)},
                 {Bits(-0.0f), Bits(kInfinity), Bits(-0.0f)},
                 {Bits(0.0f), Bits(kNan), Bits(0.0f)},
                 {Bits(5.0f), Bits(kNan), Bits(5.0f)},
                 {Bits(-5.0f), Bits(kNan), Bits(kNan)},
                 {Bits(kNan), Bits(1.0f), Bits(kNan)},
                 {Bits(-kInfinity), Bits(0.0f), Bits(kNan)},
                 {Bits(-kDenormal), Bits(0.25f), Bits(-0.0f)},
             });
}

TEST(RectifiersTest, LeakyReluKeepsZerosAndNan) {
  ExpectValues(RowFunction::Of("LeakyRelu", 1, [](auto& v, Operands o) { EmitLeakyRelu(v, o[0], 0.25f); }),
               {
                   {-2.0f, -0.5f},
                   {2.0f, 2.0f},
                   {0.0f, 0.0f},
                   {-0.0f, -0.0f},
                   {-kDenormal, -0.0f},
                   {kDenormal, kDenormal},
                   {kInfinity, kInfinity},
                   {-kInfinity, -kInfinity},
                   {kNan, kNan},
               });
}

TEST(RectifiersTest, LeakyReluOfZeroSlopeGivesNanForInfinity) {
  ExpectValues(RowFunction::Of("LeakyRelu", 1, [](auto& v, Operands o) { EmitLeakyRelu(v, o[0], 0.0f); }),
               {{-2.0f, -0.0f}, {2.0f, 2.0f}, {kInfinity, kInfinity}, {-kInfinity, kNan}});
}

TEST(RectifiersTest, ThresholdedReluZeroesTheThresholdAndNan) {
  ExpectValues(RowFunction::Of("ThresholdedRelu", 1, [](auto& v, Operands o) { EmitThresholdedRelu(v, o[0], 1.0f); }),
               {
                   {1.0f, 0.0f},
                   {1.0000001f, 1.0000001f},
                   {-5.0f, 0.0f},
                   {-0.0f, 0.0f},
                   {kInfinity, kInfinity},
                   {-kInfinity, 0.0f},
                   {kNan, 0.0f},
               });
}

TEST(RectifiersTest, ShrinkZeroesTheThresholdsAndNan) {
  ExpectValues(RowFunction::Of("Shrink", 1, [](auto& v, Operands o) { EmitShrink(v, o[0], 1.5f, 0.5f); }),
               {
                   {0.5f, 0.0f},
                   {-0.5f, 0.0f},
                   {-0.0f, 0.0f},
                   {1.0f, -0.5f},
                   {-1.0f, 0.5f},
                   {2.0f, 0.5f},
                   {kInfinity, kInfinity},
                   {-kInfinity, -kInfinity},
                   {kNan, 0.0f},
               });
}

TEST(RectifiersTest, ShrinkOfNegativeThresholdPrefersTheLowerBranch) {
  ExpectValues(RowFunction::Of("Shrink", 1, [](auto& v, Operands o) { EmitShrink(v, o[0], 1.5f, -1.0f); }),
               {{0.5f, 2.0f}, {1.0f, -0.5f}, {-3.0f, -1.5f}});
}

}  // namespace
}  // namespace burin::jit
