#include "base/byte_span.h"

#include <cstdint>
#include <limits>

#include "gtest/gtest.h"

namespace burin {
namespace {

TEST(ByteSpanTest, DistancesAddUp) {
  int64_t bytes = 0;
  EXPECT_TRUE(AddSpan(5, 12, bytes));
  EXPECT_TRUE(AddSpan(3, -100, bytes));
  EXPECT_TRUE(AddSpan(7, 0, bytes));
  EXPECT_EQ(bytes, 4 * 12 + 2 * 100);
}

TEST(ByteSpanTest, UpToOneElementSpansNothing) {
  int64_t bytes = 3;
  EXPECT_TRUE(AddSpan(1, std::numeric_limits<int64_t>::min(), bytes));
  EXPECT_TRUE(AddSpan(0, std::numeric_limits<int64_t>::max(), bytes));
  EXPECT_EQ(bytes, 3);
}

TEST(ByteSpanTest, NothingOverflows) {
  for (const int64_t stride : {kMaxSpanBytes, -kMaxSpanBytes, std::numeric_limits<int64_t>::min()}) {
    int64_t bytes = 0;
    EXPECT_FALSE(AddSpan(2, stride, bytes)) << stride;
  }
  int64_t bytes = 0;
  EXPECT_FALSE(AddSpan(std::numeric_limits<int64_t>::max(), 8, bytes));
  bytes = 0;
  EXPECT_TRUE(AddSpan(2, kMaxSpanBytes - 1, bytes));
  EXPECT_FALSE(AddSpan(2, 1, bytes));
}

}  // namespace
}  // namespace burin
