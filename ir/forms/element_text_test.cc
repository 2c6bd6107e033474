#include "ir/forms/element_text.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <random>
#include <string>

#include "absl/strings/string_view.h"

namespace burin::ir {
namespace {

std::string Text(ElementType type, const void* data, int64_t index = 0) {
  std::string text;
  AppendElementText(type, data, index, &text);
  return text;
}

// Expects that these bits come back from their text.
void ExpectRoundTrip(ElementType type, uint64_t bits) {
  const std::string text = Text(type, &bits);
  uint64_t read = 0;
  ASSERT_TRUE(ParseElementText(text, type, &read, 0)) << Name(type) << " " << text;
  const uint64_t mask = BitWidth(type) == 64 ? ~uint64_t{0} : (uint64_t{1} << BitWidth(type)) - 1;
  EXPECT_EQ(read & mask, bits & mask) << Name(type) << " " << text;
}

TEST(ElementTextTest, EveryCodeOfUpTo16BitsComesBack) {
  for (const ElementType type : kAllElementTypes) {
    if (type == ElementType::kString || BitWidth(type) > 16) continue;
    for (uint64_t bits = 0; bits < uint64_t{1} << BitWidth(type); ++bits) ExpectRoundTrip(type, bits);
  }
}

TEST(ElementTextTest, RandomBitsOfWiderTypesComeBack) {
  const uint64_t seed = std::random_device{}();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  std::mt19937_64 random(seed);
  for (const ElementType type : kAllElementTypes) {
    if (BitWidth(type) < 32) continue;
    for (int i = 0; i < 20000; ++i) ExpectRoundTrip(type, random());
    // NaNs of any payload, subnormals, infinities and the ends of the range.
    for (const uint64_t bits : {0x7f800000ull, 0xff800000ull, 0x7f800001ull, 0xffc12345ull, 1ull, 0x80000000ull,
                                0x7ff0000000000000ull, 0x7ff0000000000001ull, 0xfff8000000000001ull,
                                0x8000000000000000ull, 0x7fffffffffffffffull, 0xffffffffffffffffull}) {
      ExpectRoundTrip(type, bits);
    }
  }
}

TEST(ElementTextTest, PrintsNumbersForPeople) {
  const float floats[] = {1, -0.0f, 0.1f, std::numeric_limits<float>::infinity()};
  EXPECT_EQ(Text(ElementType::kF32, floats, 0), "1");
  EXPECT_EQ(Text(ElementType::kF32, floats, 1), "-0");
  EXPECT_EQ(Text(ElementType::kF32, floats, 2), "0.1");
  EXPECT_EQ(Text(ElementType::kF32, floats, 3), "inf");
  const uint32_t nan = 0x7fc00000;
  EXPECT_EQ(Text(ElementType::kF32, &nan), "0x7fc00000");
  const uint8_t bytes[] = {0x21, 0xff};
  EXPECT_EQ(Text(ElementType::kI4, bytes, 1), "2");
  EXPECT_EQ(Text(ElementType::kI4, bytes, 3), "-1");
  EXPECT_EQ(Text(ElementType::kU4, bytes, 3), "15");
  EXPECT_EQ(Text(ElementType::kBoolean, bytes, 1), "0xff");
}

TEST(ElementTextTest, ReadsOtherSpellings) {
  float value = 0;
  EXPECT_TRUE(ParseElementText("1e3", ElementType::kF32, &value, 0));
  EXPECT_EQ(value, 1000);
  EXPECT_TRUE(ParseElementText("nan", ElementType::kF32, &value, 0));
  EXPECT_NE(value, value);
  uint8_t boolean = 0;
  EXPECT_TRUE(ParseElementText("true", ElementType::kBoolean, &boolean, 0));
  EXPECT_EQ(boolean, 1);
}

TEST(ElementTextTest, RefusesWhatIsNoValueOfTheType) {
  uint64_t bits = 0;
  for (const absl::string_view text : {"", " 1", "1 ", "+1", "1.5", "x", "128", "-129", "0x1"}) {
    EXPECT_FALSE(ParseElementText(text, ElementType::kI8, &bits, 0)) << text;
  }
  for (const absl::string_view text : {"-1", "256", "18446744073709551616"}) {
    EXPECT_FALSE(ParseElementText(text, ElementType::kU8, &bits, 0)) << text;
  }
  for (const absl::string_view text : {"", "1x", "1e999", "0x", "0x100000000", "true"}) {
    EXPECT_FALSE(ParseElementText(text, ElementType::kF32, &bits, 0)) << text;
  }
  EXPECT_FALSE(ParseElementText("2", ElementType::kBoolean, &bits, 0));
  EXPECT_FALSE(ParseElementText("nan", ElementType::kF4E2M1, &bits, 0));
  EXPECT_FALSE(ParseElementText("inf", ElementType::kF4E2M1, &bits, 0));
  EXPECT_FALSE(ParseElementText("-inf", ElementType::kF8E4M3FN, &bits, 0));
  EXPECT_FALSE(ParseElementText("18446744073709551616", ElementType::kU64, &bits, 0));
  EXPECT_FALSE(ParseElementText("9223372036854775808", ElementType::kI64, &bits, 0));
  EXPECT_EQ(bits, 0u);
}

TEST(ElementTextTest, ReadsIntegers) {
  int64_t value = 0;
  EXPECT_TRUE(ParseIntegerText("-9223372036854775808", &value));
  EXPECT_EQ(value, std::numeric_limits<int64_t>::min());
  for (const absl::string_view text : {"", "9223372036854775808", "1 ", "+1", "1.0"}) {
    EXPECT_FALSE(ParseIntegerText(text, &value)) << text;
  }
}

}  // namespace
}  // namespace burin::ir
