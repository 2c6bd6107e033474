#include "jit/emitters/arithmetic/f64_halves.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "jit/asm/operands.h"
#include "jit/asm/reg_pool.h"
#include "jit/emitters/catalogue_entry.h"
#include "jit/emitters/row_kernel.h"
#include "jit/emitters/row_testlib.h"
#include "jit/emitters/vec.h"
#include "jit/emitters/vec_group.h"

namespace burin::jit {
namespace {

using Operands = absl::Span<const VecGroup>;

// Converts both halves to doubles by `widen`, and back by `narrow`.
template <class V, class Widen, class Narrow>
void ThereAndBack(V& v, const VecGroup& x, const Widen& widen, const Narrow& narrow) {
  for (int i = 0; i < x.size(); ++i) {
    const VecReg low = v.New("low");
    const VecReg high = v.New("high");
    widen(low, x[i], VecHalf::kLow);
    widen(high, x[i], VecHalf::kHigh);
    narrow(low, low);
    narrow(high, high);
    JoinHalves(v, low, high);
    v.Copy(x[i], low);
  }
}

// Returns more pairs of an input and its result than a vector has elements, so that both halves take each.
std::vector<std::vector<uint32_t>> Repeat(const std::vector<std::vector<uint32_t>>& pairs) {
  std::vector<std::vector<uint32_t>> repeated;
  for (int i = 0; i < 32; ++i) repeated.insert(repeated.end(), pairs.begin(), pairs.end());
  return repeated;
}

TEST(F64HalvesTest, KeepsFloats) {
  const RowFunction function = RowFunction::Of("Floats", 1, [](auto& v, Operands o) {
    ThereAndBack(
        v, o[0], [&](const Xmm& to, const Xmm& from, VecHalf half) { F32ToF64(v, to, from, half); },
        [&](const Xmm& to, const Xmm& from) { F64ToF32(v, to, from); });
  });
  ExpectBits(function, Repeat({{Bits(1.5f), Bits(1.5f)}, {Bits(-0.0f), Bits(-0.0f)}, {1, 1}}));
}

TEST(F64HalvesTest, KeepsSignedIntegers) {
  const RowFunction function = RowFunction::Of("Signed", 1, [](auto& v, Operands o) {
    ThereAndBack(
        v, o[0], [&](const Xmm& to, const Xmm& from, VecHalf half) { I32ToF64(v, to, from, half); },
        [&](const Xmm& to, const Xmm& from) { F64ToI32(v, to, from); });
  });
  ExpectBits(function, Repeat({{0, 0}, {0x7fffffff, 0x7fffffff}, {0x80000000, 0x80000000}, {~0U, ~0U}, {5, 5}}),
             LaneKind::kI32);
}

TEST(F64HalvesTest, KeepsUnsignedIntegers) {
  const RowFunction function = RowFunction::Of("Unsigned", 1, [](auto& v, Operands o) {
    ThereAndBack(
        v, o[0], [&](const Xmm& to, const Xmm& from, VecHalf half) { U32ToF64(v, to, from, half); },
        [&](const Xmm& to, const Xmm& from) { F64ToU32(v, to, from); });
  });
  ExpectBits(function, Repeat({{0, 0}, {0x7fffffff, 0x7fffffff}, {0x80000000, 0x80000000}, {~0U, ~0U}, {5, 5}}),
             LaneKind::kI32);
}

TEST(F64HalvesTest, TellsSignedFromUnsignedIntegers) {
  const RowFunction function = RowFunction::Of("UnsignedToFloat", 1, [](auto& v, Operands o) {
    ThereAndBack(
        v, o[0], [&](const Xmm& to, const Xmm& from, VecHalf half) { U32ToF64(v, to, from, half); },
        [&](const Xmm& to, const Xmm& from) { F64ToF32(v, to, from); });
  });
  ExpectBits(function, Repeat({{0x80000000, Bits(0x1p31f)}, {0x80000001, Bits(0x1p31f)}, {3, Bits(3.0f)}}));
}

TEST(F64HalvesTest, Rounds) {
  const RowFunction function = RowFunction::Of("Down", 1, [](auto& v, Operands o) {
    ThereAndBack(
        v, o[0],
        [&](const Xmm& to, const Xmm& from, VecHalf half) {
          F32ToF64(v, to, from, half);
          RoundF64(v, to, VecRounding::kDown);
        },
        [&](const Xmm& to, const Xmm& from) { F64ToI32(v, to, from); });
  });
  ExpectBits(function, Repeat({{Bits(-1.5f), ~1U}, {Bits(1.5f), 1}, {Bits(1e10f), 0x80000000}}), LaneKind::kI32);
}

}  // namespace
}  // namespace burin::jit
