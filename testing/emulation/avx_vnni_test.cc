#include "testing/emulation/avx_vnni.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

namespace burin::emulation {
namespace {

constexpr int32_t kMax = std::numeric_limits<int32_t>::max();
constexpr int32_t kMin = std::numeric_limits<int32_t>::min();

int32_t OneLane(VnniKind kind, bool saturates, const void* a, const void* b, int32_t sum) {
  VnniDot(kind, saturates, 1, static_cast<const uint8_t*>(a), static_cast<const uint8_t*>(b),
          reinterpret_cast<uint8_t*>(&sum));
  return sum;
}

TEST(AvxVnniTest, FirstBytesAreUnsignedAndSecondSigned) {
  const uint8_t a[4] = {255, 1, 0, 2};
  const uint8_t b[4] = {255, 128, 7, 3};  // -1, -128, 7, 3
  EXPECT_EQ(OneLane(VnniKind::kU8S8, false, a, b, 10), 10 - 255 - 128 + 6);
}

TEST(AvxVnniTest, WordsAreSigned) {
  const int16_t a[2] = {-32768, 300};
  const int16_t b[2] = {-32768, -2};
  EXPECT_EQ(OneLane(VnniKind::kS16S16, false, a, b, 1), 32768 * 32768 - 600 + 1);
}

TEST(AvxVnniTest, WrapsOrSaturates) {
  const uint8_t a[4] = {1, 0, 0, 0};
  const uint8_t plus[4] = {1, 0, 0, 0};
  const uint8_t minus[4] = {255, 0, 0, 0};
  EXPECT_EQ(OneLane(VnniKind::kU8S8, false, a, plus, kMax), kMin);
  EXPECT_EQ(OneLane(VnniKind::kU8S8, true, a, plus, kMax), kMax);
  EXPECT_EQ(OneLane(VnniKind::kU8S8, false, a, minus, kMin), kMax);
  EXPECT_EQ(OneLane(VnniKind::kU8S8, true, a, minus, kMin), kMin);
  // The two products of -32768 alone overflow 32 bits.
  const int16_t low[2] = {-32768, -32768};
  EXPECT_EQ(OneLane(VnniKind::kS16S16, false, low, low, 0), kMin);
  EXPECT_EQ(OneLane(VnniKind::kS16S16, true, low, low, 0), kMax);
  EXPECT_EQ(OneLane(VnniKind::kS16S16, true, low, low, -1), kMax);
}

TEST(AvxVnniTest, LanesAreIndependent) {
  const std::vector<uint8_t> a = {1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0};
  const std::vector<uint8_t> b = {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0};
  int32_t sums[3] = {10, 20, 30};
  VnniDot(VnniKind::kU8S8, false, 2, a.data(), b.data(), reinterpret_cast<uint8_t*>(sums));
  EXPECT_EQ(sums[0], 11);
  EXPECT_EQ(sums[1], 22);
  EXPECT_EQ(sums[2], 30);
}

}  // namespace
}  // namespace burin::emulation
