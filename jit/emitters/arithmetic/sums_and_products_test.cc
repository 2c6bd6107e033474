#include "jit/emitters/arithmetic/sums_and_products.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

#include "absl/base/casts.h"
#include "absl/types/span.h"
#include "jit/emitters/catalogue_entry.h"
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
constexpr int32_t kMin = std::numeric_limits<int32_t>::min();
constexpr int32_t kMaxI32 = std::numeric_limits<int32_t>::max();

// Returns the bits of an integer.
uint32_t I(int32_t value) { return absl::bit_cast<uint32_t>(value); }

TEST(SumsAndProductsTest, FollowsIeee754) {
  ExpectBits(RowFunction::Of("Add", 2, [](auto& v, Operands o) { EmitAdd(v, o[0], o[1]); }),
             {{Bits(1.5f), Bits(2.0f), Bits(3.5f)},
              {Bits(kInfinity), Bits(-kInfinity), Bits(kNan)},
              {Bits(-0.0f), Bits(0.0f), Bits(0.0f)},
              {Bits(-0.0f), Bits(-0.0f), Bits(-0.0f)},
              {Bits(kMax), Bits(kMax), Bits(kInfinity)},
              {Bits(0x1p24f), Bits(1.0f), Bits(0x1p24f)}});
  ExpectBits(RowFunction::Of("Subtract", 2, [](auto& v, Operands o) { EmitSubtract(v, o[0], o[1]); }),
             {{Bits(1.5f), Bits(2.0f), Bits(-0.5f)},
              {Bits(kInfinity), Bits(kInfinity), Bits(kNan)},
              {Bits(-0.0f), Bits(0.0f), Bits(-0.0f)},
              {Bits(3.0f), Bits(3.0f), Bits(0.0f)}});
  ExpectBits(RowFunction::Of("Multiply", 2, [](auto& v, Operands o) { EmitMultiply(v, o[0], o[1]); }),
             {{Bits(1.5f), Bits(-2.0f), Bits(-3.0f)},
              {Bits(kInfinity), Bits(0.0f), Bits(kNan)},
              {Bits(-1.0f), Bits(0.0f), Bits(-0.0f)},
              {Bits(kDenormal), Bits(0.5f), Bits(0.0f)}});
  ExpectBits(RowFunction::Of("SquaredDifference", 2, [](auto& v, Operands o) { EmitSquaredDifference(v, o[0], o[1]); }),
             {{Bits(1.5f), Bits(-2.5f), Bits(16.0f)},
              {Bits(kInfinity), Bits(kInfinity), Bits(kNan)},
              {Bits(2.0f), Bits(2.0f), Bits(0.0f)},
              {Bits(-kInfinity), Bits(1.0f), Bits(kInfinity)}});
}

TEST(SumsAndProductsTest, MultiplyAddRoundsOnce) {
  // The square has 2^-46 behind its first 24 bits.
  ExpectBits(RowFunction::Of("MultiplyAdd", 3, [](auto& v, Operands o) { EmitMultiplyAdd(v, o[0], o[1], o[2]); }),
             {{Bits(0x1.000002p0f), Bits(0x1.000002p0f), Bits(-0x1.000004p0f), Bits(0x1p-46f)},
              {Bits(2.0f), Bits(3.0f), Bits(4.0f), Bits(10.0f)},
              {Bits(kInfinity), Bits(1.0f), Bits(-kInfinity), Bits(kNan)}});
}

TEST(SumsAndProductsTest, WrapsIntegers) {
  ExpectBits(RowFunction::Of("AddI32", 2, [](auto& v, Operands o) { EmitAddI32(v, o[0], o[1]); }),
             {{I(kMaxI32), I(1), I(kMin)}, {I(-3), I(5), I(2)}}, LaneKind::kI32);
  ExpectBits(RowFunction::Of("SubtractI32", 2, [](auto& v, Operands o) { EmitSubtractI32(v, o[0], o[1]); }),
             {{I(kMin), I(1), I(kMaxI32)}, {I(-3), I(5), I(-8)}}, LaneKind::kI32);
  ExpectBits(RowFunction::Of("MultiplyI32", 2, [](auto& v, Operands o) { EmitMultiplyI32(v, o[0], o[1]); }),
             {{I(kMin), I(-1), I(kMin)}, {I(65536), I(65537), I(65536)}, {I(-3), I(5), I(-15)}}, LaneKind::kI32);
  ExpectBits(
      RowFunction::Of("SquaredDifferenceI32", 2, [](auto& v, Operands o) { EmitSquaredDifferenceI32(v, o[0], o[1]); }),
      {{I(-3), I(5), I(64)}, {I(65536), I(0), I(0)}}, LaneKind::kI32);
}

TEST(SumsAndProductsTest, TakesConstants) {
  ExpectBits(RowFunction::Of("AddOne", 1, [](auto& v, Operands o) { EmitAdd(v, o[0], v.Const(1.0f)); }),
             {{Bits(1.5f), Bits(2.5f)}});
}

}  // namespace
}  // namespace burin::jit
