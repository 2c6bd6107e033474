#include "jit/emitters/elementary/log_parts.h"

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

// Emits the mantissa, or the exponent, completed.
template <class V>
void EmitPart(V& v, const VecGroup& x, bool mantissa) {
  const VecRegs m = v.New("m", x.size());
  const VecRegs k = v.New("k", x.size());
  const VecRegs spare = v.New("spare", x.size());
  EmitSplitForLog(v, m, k, x, spare);
  EmitCompleteExponent(v, k, x);
  v.Copy(x, mantissa ? m : k);
}

TEST(LogPartsTest, MantissaIsFromThreeQuartersToThreeHalves) {
  ExpectValues(RowFunction::Of("Mantissa", 1, [](auto& v, Operands o) { EmitPart(v, o[0], /*mantissa=*/true); }),
               {{1.0f, 1.0f},
                {0.75f, 0.75f},
                {0x1.7ffffep-1f, 0x1.7ffffep+0f},
                {0x1.7ffffep+0f, 0x1.7ffffep+0f},
                {1.5f, 0.75f},
                {0x1.4p+100f, 1.25f},
                {std::numeric_limits<float>::max(), 0x1.fffffep-1f},
                {std::numeric_limits<float>::denorm_min(), 1.0f},
                {0x1.8p-127f, 0.75f}});
}

TEST(LogPartsTest, ExponentIsCompletedWhereThereIsNone) {
  ExpectValues(RowFunction::Of("Exponent", 1, [](auto& v, Operands o) { EmitPart(v, o[0], /*mantissa=*/false); }),
               {{1.0f, 0.0f},
                {0.75f, 0.0f},
                {0x1.7ffffep-1f, -1.0f},
                {1.5f, 1.0f},
                {0x1.4p+100f, 100.0f},
                {std::numeric_limits<float>::max(), 128.0f},
                {std::numeric_limits<float>::denorm_min(), -149.0f},
                {0x1.8p-127f, -126.0f},
                {0.0f, -kInfinity},
                {kInfinity, kInfinity},
                {kNan, kNan}});
}

TEST(LogPartsTest, LogarithmOfPartsIsTheirSum) {
  ExpectBits(RowFunction::Of("LogOfParts", 2,
                             [](auto& v, Operands o) {
                               const VecRegs result = v.New("result", o[0].size());
                               EmitLogOfParts(v, result, o[0], o[1]);
                               v.Copy(o[0], result);
                             }),
             {
                 {Bits(0.0f), Bits(0.0f), Bits(0.0f)},
                 {Bits(0.0f), Bits(1.0f), Bits(0x1.62e43p-1f)},
                 {Bits(0.0f), Bits(-149.0f), Bits(-103.278931f)},
                 {Bits(0x1p-20f), Bits(0.0f), Bits(0x1.fffffp-21f)},
                 {Bits(0.0f), Bits(-kInfinity), Bits(-kInfinity)},
             });
}

}  // namespace
}  // namespace burin::jit
