#include "jit/asm/constant_pool.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "absl/types/span.h"

namespace burin::jit {
namespace {

template <class T>
T Read(const ConstantPool& pool, size_t offset) {
  T value;
  std::memcpy(&value, &pool.bytes()[offset], sizeof(value));
  return value;
}

TEST(ConstantPoolTest, ScalarsAreKeptOnce) {
  ConstantPool pool;
  const Constant one = pool.Scalar(1.0f);
  const Constant two = pool.Scalar(2.0f);
  const Constant again = pool.Scalar(1.0f);
  const Constant bits = pool.Scalar(uint32_t{0x3f800000});
  EXPECT_EQ(one.offset, again.offset);
  EXPECT_EQ(one.offset, bits.offset);
  EXPECT_NE(one.offset, two.offset);
  EXPECT_EQ(pool.bytes().size(), 8u);
  EXPECT_EQ(pool.shared_bytes(), 8u);
  EXPECT_EQ(Read<float>(pool, two.offset), 2.0f);
}

TEST(ConstantPoolTest, SignedZerosAndNansKeepTheirBits) {
  ConstantPool pool;
  EXPECT_NE(pool.Scalar(0.0f).offset, pool.Scalar(-0.0f).offset);
  const Constant nan = pool.Scalar(std::numeric_limits<float>::quiet_NaN());
  EXPECT_EQ(pool.Scalar(std::numeric_limits<float>::quiet_NaN()).offset, nan.offset);
}

TEST(ConstantPoolTest, ElementsAreAlignedToTheirSize) {
  ConstantPool pool;
  pool.Scalar(uint8_t{1});
  EXPECT_EQ(pool.Scalar(uint16_t{2}).offset, 2u);
  EXPECT_EQ(pool.Scalar(uint8_t{3}).offset, 4u);
  EXPECT_EQ(pool.Scalar(int64_t{4}).offset, 8u);
  EXPECT_EQ(Read<int64_t>(pool, 8), 4);
}

TEST(ConstantPoolTest, VectorsRepeatTheElement) {
  ConstantPool pool;
  pool.Scalar(1.0f);
  const Constant vector = pool.Repeated(int16_t{-5}, 32);
  EXPECT_EQ(vector.offset, 32u);
  EXPECT_EQ(vector.size, 32u);
  for (size_t i = 0; i < 16; ++i) EXPECT_EQ(Read<int16_t>(pool, 32 + 2 * i), -5);
  EXPECT_EQ(pool.Repeated(int16_t{-5}, 32).offset, 32u);
  EXPECT_EQ(pool.Repeated(int16_t{-5}, 64).offset, 64u);
}

TEST(ConstantPoolTest, TablesAreAlignedToTheirSizeUpToALine) {
  ConstantPool pool;
  pool.Scalar(uint8_t{9});
  const int32_t three[] = {1, 2, 3};
  EXPECT_EQ(pool.Table(absl::MakeConstSpan(three)).offset, 16u);
  const std::vector<int32_t> hundred(100, 7);
  const Constant table = pool.Table(absl::MakeConstSpan(hundred));
  EXPECT_EQ(table.offset, 64u);
  EXPECT_EQ(table.size, 400u);
}

TEST(ConstantPoolTest, BetterAlignedBytesReplaceTheOld) {
  ConstantPool pool;
  pool.Scalar(uint8_t{0});
  const std::string bytes = "abcd";
  const Constant loose = pool.Add(bytes, 1);
  EXPECT_EQ(loose.offset, 1u);
  const Constant aligned = pool.Add(bytes, 64);
  EXPECT_EQ(aligned.offset, 64u);
  EXPECT_EQ(pool.Add(bytes, 2).offset, 64u);
}

TEST(ConstantPoolTest, RandomConstantsReadBack) {
  constexpr uint32_t kSeed = 7;
  SCOPED_TRACE(testing::Message() << "seed " << kSeed);
  std::mt19937 random(kSeed);
  ConstantPool pool;
  std::vector<std::pair<std::string, Constant>> added;
  for (int i = 0; i < 500; ++i) {
    const size_t alignment = size_t{1} << random() % 7;
    std::string bytes(1 + random() % 80, '\0');
    for (char& c : bytes) c = static_cast<char>(random() % 2);
    const Constant constant = pool.Add(bytes, alignment);
    ASSERT_EQ(constant.offset % alignment, 0u);
    added.emplace_back(bytes, constant);
  }
  for (const auto& [bytes, constant] : added) {
    ASSERT_EQ(std::memcmp(&pool.bytes()[constant.offset], bytes.data(), bytes.size()), 0);
  }
}

TEST(ConstantPoolDeathTest, RefusesNonsense) {
  ConstantPool pool;
  EXPECT_DEATH(pool.Add("", 1), "a constant has bytes");
  EXPECT_DEATH(pool.Add("a", 3), "Check failed");
  EXPECT_DEATH(pool.Add("a", 128), "Check failed");
  EXPECT_DEATH(pool.Repeated(1.0f, 48), "Check failed");
}

}  // namespace
}  // namespace burin::jit
