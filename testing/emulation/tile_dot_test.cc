#include "testing/emulation/tile_dot.h"

#include <gtest/gtest.h>
#include <immintrin.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>

#include "base/element_access.h"
#include "base/element_type.h"

namespace burin::emulation {
namespace {

struct Operands {
  alignas(64) uint8_t a[16][64] = {};
  alignas(64) uint8_t b[16][64] = {};
  alignas(64) uint8_t c[16][64] = {};
};

bool HasHalfInstructions() {
  return __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0 &&
         __builtin_cpu_supports("f16c") != 0;
}

TEST(TileDotTest, Int8SumsAreExactAndWrap) {
  std::mt19937 random(3);
  for (const bool is_a_signed : {false, true}) {
    for (const bool is_b_signed : {false, true}) {
      Operands operands;
      for (auto* rows : {operands.a, operands.b, operands.c}) {
        for (int i = 0; i < 16 * 64; ++i) rows[i / 64][i % 64] = static_cast<uint8_t>(random());
      }
      const Operands before = operands;
      const DotShape shape = {5, 7, 16};
      DotInt8(shape, is_a_signed, is_b_signed, operands.a, operands.b, operands.c);
      for (int row = 0; row < 16; ++row) {
        for (int column = 0; column < 16; ++column) {
          int32_t old = 0;
          std::memcpy(&old, before.c[row] + 4 * column, 4);
          int64_t wanted = old;
          for (int k = 0; k < 64 && row < shape.rows && column < shape.columns; ++k) {
            const uint8_t x = before.a[row][k];
            const uint8_t y = before.b[k / 4][4 * column + k % 4];
            wanted += (is_a_signed ? static_cast<int8_t>(x) : x) * (is_b_signed ? static_cast<int8_t>(y) : y);
          }
          int32_t got = 0;
          std::memcpy(&got, operands.c[row] + 4 * column, 4);
          EXPECT_EQ(static_cast<uint32_t>(got), static_cast<uint32_t>(wanted)) << row << ',' << column;
        }
      }
    }
  }
}

TEST(TileDotTest, HalvesAreSummedInFloat) {
  if (!HasHalfInstructions()) GTEST_SKIP() << "this processor has no AVX2, FMA and F16C";
  for (const HalfType type : {HalfType::kBf16, HalfType::kF16}) {
    const ElementType element = type == HalfType::kBf16 ? ElementType::kBf16 : ElementType::kF16;
    std::mt19937 random(4);
    std::uniform_real_distribution<double> uniform(-1, 1);
    Operands operands;
    for (int i = 0; i < 16 * 32; ++i) {
      StoreFromDouble(element, operands.a, i, uniform(random));
      StoreFromDouble(element, operands.b, i, uniform(random));
    }
    for (int i = 0; i < 16 * 16; ++i) StoreFromDouble(ElementType::kF32, operands.c, i, uniform(random));
    const Operands before = operands;
    DotHalf({16, 16, 16}, type, operands.a, operands.b, operands.c);
    for (int row = 0; row < 16; ++row) {
      for (int column = 0; column < 16; ++column) {
        double wanted = LoadAsDouble(ElementType::kF32, before.c, row * 16 + column);
        for (int k = 0; k < 32; ++k) {
          wanted += LoadAsDouble(element, before.a, row * 32 + k) *
                    LoadAsDouble(element, before.b, k / 2 * 32 + 2 * column + k % 2);
        }
        EXPECT_NEAR(LoadAsDouble(ElementType::kF32, operands.c, row * 16 + column), wanted, 4e-6);
      }
    }
  }
}

TEST(TileDotTest, DenormalsAreZeroAndTheControlRegisterIsLeftAlone) {
  if (!HasHalfInstructions()) GTEST_SKIP() << "this processor has no AVX2, FMA and F16C";
  Operands operands;
  // A denormal bf16 times 2^100 would be far from zero.
  const uint16_t denormal = 0x0040;
  const uint16_t large = 0x7180;
  std::memcpy(operands.a[0], &denormal, 2);
  std::memcpy(operands.b[0], &large, 2);
  // What was a denormal before is flushed as well.
  const float tiny = std::numeric_limits<float>::denorm_min();
  std::memcpy(operands.c[0], &tiny, 4);
  const unsigned before = __builtin_ia32_stmxcsr();
  DotHalf({1, 1, 1}, HalfType::kBf16, operands.a, operands.b, operands.c);
  EXPECT_EQ(__builtin_ia32_stmxcsr(), before);
  float sum = 1;
  std::memcpy(&sum, operands.c[0], 4);
  EXPECT_EQ(sum, 0);
}

// Returns whether VCVTPH2PS takes denormals as zeros where MXCSR says so of f32, as qemu does and no processor.
__attribute__((target("f16c"))) bool FlushesHalves() {
  const unsigned before = _mm_getcsr();
  _mm_setcsr(before | _MM_DENORMALS_ZERO_ON);
  const volatile float widened = _cvtsh_ss(1);
  _mm_setcsr(before);
  return widened == 0;
}

// Half-precision denormals are numbers like any other in f32.
TEST(TileDotTest, HalfDenormalsAreNumbers) {
  if (!HasHalfInstructions()) GTEST_SKIP() << "this processor has no AVX2, FMA and F16C";
  if (FlushesHalves()) GTEST_SKIP() << "this processor takes denormal halves as zeros";
  const uint16_t f16_denormal = 1;
  const uint16_t f16_one = 0x3c00;
  Operands halves;
  std::memcpy(halves.a[0], &f16_denormal, 2);
  std::memcpy(halves.b[0], &f16_one, 2);
  DotHalf({1, 1, 1}, HalfType::kF16, halves.a, halves.b, halves.c);
  float sum = 0;
  std::memcpy(&sum, halves.c[0], 4);
  EXPECT_EQ(sum, std::ldexp(1.0F, -24));
}

}  // namespace
}  // namespace burin::emulation
