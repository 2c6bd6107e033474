#include "jit/emitters/convert/float_integer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "absl/base/casts.h"
#include "base/float_conversion.h"
#include "jit/emitters/memory/memory_kernel_testlib.h"
#include "jit/emitters/vec.h"
#include "jit/emitters/vec_group.h"
#include "testing/gtest/status_matchers.h"

namespace burin::jit {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr int32_t kMin = std::numeric_limits<int32_t>::min();
constexpr int32_t kMax = std::numeric_limits<int32_t>::max();

std::vector<uint32_t> BitsOf(const std::vector<float>& floats) {
  std::vector<uint32_t> bits;
  for (const float x : floats) bits.push_back(absl::bit_cast<uint32_t>(x));
  return bits;
}

std::vector<float> FloatsOf(const std::vector<uint32_t>& bits) {
  std::vector<float> floats;
  for (const uint32_t x : bits) floats.push_back(absl::bit_cast<float>(x));
  return floats;
}

TEST(FloatIntegerTest, TruncatesOrRoundsAndSaturates) {
  const std::vector<float> in = {0.0f,   -0.0f,          1.5f,       -1.5f,         2.5f,          0.5f,
                                 -0.5f,  0x1.fffffep30f, 0x1p31f,    -0x1p31f,      0x1p32f,       -0x1.000002p31f,
                                 1e-40f, kInfinity,      -kInfinity, std::nanf(""), -std::nanf("")};
  const std::vector<int32_t> truncated = {0,    0,    1,    -1, 2,    0,    0, 0x7FFFFF80, kMax,
                                          kMin, kMax, kMin, 0,  kMax, kMin, 0, 0};
  const std::vector<int32_t> nearest = {0, 0, 2, -2, 2, 0, 0, 0x7FFFFF80, kMax, kMin, kMax, kMin, 0, kMax, kMin, 0, 0};
  const std::vector<int32_t> up = {0, 0, 2, -1, 3, 1, 0, 0x7FFFFF80, kMax, kMin, kMax, kMin, 1, kMax, kMin, 0, 0};
  const std::vector<int32_t> down = {0, 0, 1, -2, 2, 0, -1, 0x7FFFFF80, kMax, kMin, kMax, kMin, 0, kMax, kMin, 0, 0};
  const std::pair<VecRounding, std::vector<int32_t>> cases[] = {{VecRounding::kTowardsZero, truncated},
                                                                {VecRounding::kNearestEven, nearest},
                                                                {VecRounding::kUp, up},
                                                                {VecRounding::kDown, down}};
  for (const auto& [rounding, expected] : cases) {
    ASSERT_OK_AND_ASSIGN(const std::vector<uint32_t> out,
                         MapLanes(BitsOf(in), 2, [rounding = rounding](auto& v, const VecGroup& x) {
                           EmitConvertF32ToI32(v, x, rounding);
                         }));
    for (size_t i = 0; i < in.size(); ++i) EXPECT_EQ(static_cast<int32_t>(out[i]), expected[i]) << in[i];
  }
}

TEST(FloatIntegerTest, UnsignedIntegersReachTwiceAsFar) {
  const std::vector<float> in = {0.0f,    -0.0f,   0.75f,          -0.75f, -7.0f,     2.5f,       3.5f,
                                 0x1p31f, 0x1p32f, 0x1.fffffep31f, 3e9f,   kInfinity, -kInfinity, std::nanf("")};
  const std::vector<uint32_t> truncated = {0,          0,          0,          0,          0,          2, 3,
                                           0x80000000, 0xFFFFFFFF, 0xFFFFFF00, 3000000000, 0xFFFFFFFF, 0, 0};
  const std::vector<uint32_t> nearest = {0,          0,          1,          0,          0,          2, 4,
                                         0x80000000, 0xFFFFFFFF, 0xFFFFFF00, 3000000000, 0xFFFFFFFF, 0, 0};
  ASSERT_OK_AND_ASSIGN(const std::vector<uint32_t> to_zero, MapLanes(BitsOf(in), 2, [](auto& v, const VecGroup& x) {
                         EmitConvertF32ToU32(v, x, VecRounding::kTowardsZero);
                       }));
  ASSERT_OK_AND_ASSIGN(const std::vector<uint32_t> to_even, MapLanes(BitsOf(in), 2, [](auto& v, const VecGroup& x) {
                         EmitConvertF32ToU32(v, x, VecRounding::kNearestEven);
                       }));
  for (size_t i = 0; i < in.size(); ++i) {
    EXPECT_EQ(to_zero[i], truncated[i]) << in[i];
    EXPECT_EQ(to_even[i], nearest[i]) << in[i];
  }
}

TEST(FloatIntegerTest, IntegersBecomeTheNearestFloats) {
  const std::vector<uint32_t> in = {0,          1,          0xFFFFFFFF, 0x01000001, 0x01000003, 0x7FFFFFFF,
                                    0x80000000, 0x80000080, 0x80000081, 0xFFFFFF7F, 0xFFFFFF80};
  ASSERT_OK_AND_ASSIGN(const std::vector<uint32_t> from_signed,
                       MapLanes(in, 2, [](auto& v, const VecGroup& x) { EmitConvertI32ToF32(v, x); }));
  ASSERT_OK_AND_ASSIGN(const std::vector<uint32_t> from_unsigned,
                       MapLanes(in, 2, [](auto& v, const VecGroup& x) { EmitConvertU32ToF32(v, x); }));
  for (size_t i = 0; i < in.size(); ++i) {
    EXPECT_EQ(FloatsOf(from_signed)[i], static_cast<float>(static_cast<int32_t>(in[i]))) << in[i];
    EXPECT_EQ(FloatsOf(from_unsigned)[i], static_cast<float>(in[i])) << in[i];
  }
}

TEST(FloatIntegerTest, NarrowingDoesNotRoundTwice) {
  // Just above the middle between two bfloat16 numbers, which the nearest float is.
  const std::vector<uint32_t> in = {0x40400001, 0u - 0x40400001, 0x40C00001, 0x40BFFFFF, 0x80000000, 0x7FFFFFFF, 12345};
  ASSERT_OK_AND_ASSIGN(const std::vector<uint32_t> out,
                       MapLanes(in, 2, [](auto& v, const VecGroup& x) { EmitConvertI32ToF32ForNarrowing(v, x); }));
  for (size_t i = 0; i < in.size(); ++i) {
    const auto exact = static_cast<double>(static_cast<int32_t>(in[i]));
    EXPECT_EQ(EncodeBF16(static_cast<double>(FloatsOf(out)[i])), EncodeBF16(exact)) << in[i];
  }
  EXPECT_NE(EncodeBF16(static_cast<double>(static_cast<float>(0x40400001))), EncodeBF16(0x40400001));
}

TEST(FloatIntegerTest, OnlyZerosAreFalse) {
  const std::vector<uint32_t> in = {0, 0x80000000, 1, 0x7FC00000, 0xFF800000, 0x3F800000};
  ASSERT_OK_AND_ASSIGN(const std::vector<uint32_t> floats,
                       MapLanes(in, 1, [](auto& v, const VecGroup& x) { EmitConvertF32ToBoolean(v, x); }));
  ASSERT_OK_AND_ASSIGN(const std::vector<uint32_t> integers,
                       MapLanes(in, 1, [](auto& v, const VecGroup& x) { EmitConvertI32ToBoolean(v, x); }));
  for (size_t i = 0; i < in.size(); ++i) {
    EXPECT_EQ(floats[i], i < 2 ? 0u : 1u) << i;
    EXPECT_EQ(integers[i], i < 1 ? 0u : 1u) << i;
  }
}

TEST(FloatIntegerTest, NarrowOnesAreInRangeAbove) {
  const std::vector<float> in = {1e9f, 127.5f, -128.5f, kInfinity, std::nanf(""), 255.75f, -1.0f};
  ASSERT_OK_AND_ASSIGN(const std::vector<uint32_t> i8, MapLanes(BitsOf(in), 1, [](auto& v, const VecGroup& x) {
                         EmitConvertF32ToNarrow(v, x, VecRounding::kTowardsZero, 8, /*is_signed=*/true);
                       }));
  ASSERT_OK_AND_ASSIGN(const std::vector<uint32_t> u8, MapLanes(BitsOf(in), 1, [](auto& v, const VecGroup& x) {
                         EmitConvertF32ToNarrow(v, x, VecRounding::kNearestEven, 8, /*is_signed=*/false);
                       }));
  EXPECT_EQ(i8, (std::vector<uint32_t>{127, 127, 0u - 128, 127, 0, 127, 0u - 1}));
  EXPECT_EQ(u8, (std::vector<uint32_t>{255, 128, 0, 255, 0, 255, 0}));
}

}  // namespace
}  // namespace burin::jit
