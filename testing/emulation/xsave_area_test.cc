#include "testing/emulation/xsave_area.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <vector>

namespace burin::emulation {
namespace {

// The standard format as far as the upper halves of the ymm registers.
class XsaveAreaTest : public ::testing::Test {
 protected:
  XsaveAreaTest() : bytes_(832, 0x77) {
    const uint32_t magic = 0x46505853;
    std::memcpy(bytes_.data() + 464, &magic, sizeof(magic));
    SetComponents(7);
  }
  void SetComponents(uint64_t components) { std::memcpy(bytes_.data() + 512, &components, sizeof(components)); }
  uint64_t Components() const {
    uint64_t components = 0;
    std::memcpy(&components, bytes_.data() + 512, sizeof(components));
    return components;
  }

  std::vector<uint8_t> bytes_;
};

TEST_F(XsaveAreaTest, NeedsTheMagicOfAnExtendedArea) {
  EXPECT_TRUE(XsaveArea(bytes_.data()).is_valid());
  EXPECT_FALSE(XsaveArea(nullptr).is_valid());
  bytes_[464] ^= 1;
  EXPECT_FALSE(XsaveArea(bytes_.data()).is_valid());
}

TEST_F(XsaveAreaTest, ReadsWhatItWrites) {
  XsaveArea area(bytes_.data());
  uint8_t written[32];
  for (int i = 0; i < 32; ++i) written[i] = static_cast<uint8_t>(i + 1);
  area.WriteYmm(15, written);
  uint8_t read[32] = {};
  area.ReadYmm(15, read);
  EXPECT_EQ(std::memcmp(read, written, 32), 0);
  EXPECT_EQ(bytes_[160 + 15 * 16], 1);
  EXPECT_EQ(bytes_[576 + 15 * 16], 17);
  // Its neighbour is untouched.
  area.ReadYmm(14, read);
  EXPECT_EQ(read[0], 0x77);
  EXPECT_EQ(read[31], 0x77);
}

TEST_F(XsaveAreaTest, ComponentsThatWereNotSavedAreZero) {
  SetComponents(1);
  XsaveArea area(bytes_.data());
  uint8_t read[32];
  std::memset(read, 1, sizeof(read));
  area.ReadYmm(3, read);
  for (const uint8_t byte : read) EXPECT_EQ(byte, 0);
  const std::vector<uint8_t> ones(32, 1);
  area.WriteYmm(3, ones.data());
  EXPECT_EQ(Components(), 7U);
  area.ReadYmm(3, read);
  EXPECT_EQ(std::memcmp(read, ones.data(), 32), 0);
  area.ReadYmm(4, read);
  for (const uint8_t byte : read) EXPECT_EQ(byte, 0);
}

}  // namespace
}  // namespace burin::emulation
