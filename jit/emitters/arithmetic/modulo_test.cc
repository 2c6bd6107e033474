#include "jit/emitters/arithmetic/modulo.h"

#include <gtest/gtest.h>

#include <cmath>
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
constexpr float kMax = std::numeric_limits<float>::max();

TEST(ModuloTest, ModHasTheSignOfTheDividend) {
  ExpectBits(RowFunction::Of("Mod", 2, [](auto& v, Operands o) { EmitMod(v, o[0], o[1]); }),
             {{Bits(5.5f), Bits(2.0f), Bits(1.5f)},
              {Bits(-5.5f), Bits(2.0f), Bits(-1.5f)},
              {Bits(5.5f), Bits(-2.0f), Bits(1.5f)},
              {Bits(6.0f), Bits(3.0f), Bits(0.0f)},
              {Bits(-6.0f), Bits(3.0f), Bits(-0.0f)},
              {Bits(-0.0f), Bits(3.0f), Bits(-0.0f)},
              {Bits(kInfinity), Bits(3.0f), Bits(kNan)},
              {Bits(1.0f), Bits(0.0f), Bits(kNan)},
              {Bits(1.0f), Bits(kInfinity), Bits(1.0f)},
              {Bits(-1.0f), Bits(kInfinity), Bits(-1.0f)},
              {Bits(kInfinity), Bits(kInfinity), Bits(kNan)},
              {Bits(kNan), Bits(1.0f), Bits(kNan)},
              {Bits(1.0f), Bits(kNan), Bits(kNan)}});
}

TEST(ModuloTest, TakesEveryQuotient) {
  ExpectBits(RowFunction::Of("Mod", 2, [](auto& v, Operands o) { EmitMod(v, o[0], o[1]); }),
             {{Bits(kMax), Bits(kDenormal), Bits(std::fmod(kMax, kDenormal))},
              {Bits(kMax), Bits(3 * kDenormal), Bits(std::fmod(kMax, 3 * kDenormal))},
              {Bits(kMax), Bits(0x1.8p-126f), Bits(std::fmod(kMax, 0x1.8p-126f))},
              {Bits(0x1.fffffep60f), Bits(0x1.8p0f), Bits(std::fmod(0x1.fffffep60f, 0x1.8p0f))},
              {Bits(0x1p53f), Bits(3.0f), Bits(std::fmod(0x1p53f, 3.0f))},
              {Bits(16777215.0f), Bits(0.1f), Bits(std::fmod(16777215.0f, 0.1f))},
              {Bits(0x1.234566p100f), Bits(0x1.765432p-20f), Bits(std::fmod(0x1.234566p100f, 0x1.765432p-20f))}});
}

TEST(ModuloTest, FloorModHasTheSignOfTheDivisor) {
  ExpectBits(RowFunction::Of("FloorMod", 2, [](auto& v, Operands o) { EmitFloorMod(v, o[0], o[1]); }),
             {{Bits(5.5f), Bits(2.0f), Bits(1.5f)},
              {Bits(-5.5f), Bits(2.0f), Bits(0.5f)},
              {Bits(5.5f), Bits(-2.0f), Bits(-0.5f)},
              {Bits(-6.0f), Bits(3.0f), Bits(-0.0f)},
              {Bits(6.0f), Bits(-3.0f), Bits(0.0f)},
              {Bits(-1.0f), Bits(kInfinity), Bits(kInfinity)},
              {Bits(1.0f), Bits(kInfinity), Bits(1.0f)},
              {Bits(kInfinity), Bits(3.0f), Bits(kNan)},
              {Bits(1.0f), Bits(0.0f), Bits(kNan)},
              {Bits(-kDenormal), Bits(1.0f), Bits(1.0f)}});
}

}  // namespace
}  // namespace burin::jit
