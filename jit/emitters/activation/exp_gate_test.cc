#include "jit/emitters/activation/exp_gate.h"

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

// Emits one of the results of the gate: e = e^-|factor x|, or x times the power of two in it.
enum class Part { kDecay, kScaled };

template <class V>
void EmitPart(V& v, const VecGroup& x, float factor, Part part) {
  const VecRegs p = v.New("p", x.size());
  const VecRegs e = v.New("e", x.size());
  const typename V::Mask negative = v.NewMask("negative", x.size());
  v.MaskOfSigns(negative, x);
  EmitExpGate(v, x, negative, factor, p, e);
  if (part == Part::kDecay) v.Copy(x, e);
}

TEST(ExpGateTest, DecaysOnBothSides) {
  ExpectValues(RowFunction::Of("Decay", 1, [](auto& v, Operands o) { EmitPart(v, o[0], 2.0f, Part::kDecay); }),
               {
                   {0.0f, 1.0f},
                   {-0.0f, 1.0f},
                   {0.34657359f, 0.5f},
                   {-0.34657359f, 0.5f},
                   {3e38f, 0.0f},
                   {-3e38f, 0.0f},
                   {kInfinity, 0.0f},
                   {-kInfinity, 0.0f},
                   {kNan, kNan},
               });
}

TEST(ExpGateTest, ScalesWhereItDecays) {
  ExpectValues(RowFunction::Of("Scaled", 1, [](auto& v, Operands o) { EmitPart(v, o[0], 1.0f, Part::kScaled); }),
               {
                   {5.0f, 5.0f},
                   {kInfinity, kInfinity},
                   {-kDenormal, -kDenormal},
                   // -0.75 / log 2 is -1.08, -100 / log 2 is -144.3.
                   {-0.75f, -0.375f},
                   {-100.0f, -0x1.9p-138f},
                   {-176.0f, -0.0f},
                   {-3e38f, -0.0f},
                   {-kInfinity, kNan},
                   {kNan, kNan},
               });
}

TEST(ExpGateTest, TakesTheGreatestNumbersAtTheLeastFactor) {
  ExpectValues(
      RowFunction::Of("Scaled", 1, [](auto& v, Operands o) { EmitPart(v, o[0], kExpGateLowestFactor, Part::kScaled); }),
      {
          // The power is 2^-23, then 2^-185.
          {-0x1p+98f, -0x1p+75f},
          {-0x1p+101f, -0x1p-84f},
          {-0x1p+102f, -0.0f},
      });
}

}  // namespace
}  // namespace burin::jit
