#include "ir/ops/family/slicing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "ir/dimension.h"

namespace burin::ir {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<int64_t> Taken(int64_t start, int64_t stop, int64_t step, int64_t size) {
  const SliceRange range = ResolveSlice(start, stop, step, size);
  std::vector<int64_t> taken;
  for (int64_t i = 0; i < range.count; ++i) taken.push_back(range.first + i * range.step);
  return taken;
}

// The expected lists are Python's list(range(size))[start:stop:step].
TEST(SlicingTest, ResolvesAsPythonDoes) {
  EXPECT_THAT(Taken(1, 8, 2, 10), ElementsAre(1, 3, 5, 7));
  EXPECT_THAT(Taken(-3, 100, 1, 5), ElementsAre(2, 3, 4));
  EXPECT_THAT(Taken(3, 1, 1, 5), IsEmpty());
  EXPECT_THAT(Taken(4, -6, -2, 5), ElementsAre(4, 2, 0));
  EXPECT_THAT(Taken(100, 0, -1, 3), ElementsAre(2, 1));
  EXPECT_THAT(Taken(-100, -200, -1, 3), IsEmpty());
  EXPECT_THAT(Taken(0, 5, 1, 0), IsEmpty());
  EXPECT_THAT(Taken(-1, -5, -1, 0), IsEmpty());
}

TEST(SlicingTest, ResolvesExtremeNumbers) {
  EXPECT_THAT(Taken(INT64_MIN, INT64_MAX, INT64_MAX, 5), ElementsAre(0));
  EXPECT_THAT(Taken(INT64_MAX, INT64_MIN, INT64_MIN, 5), ElementsAre(4));
  EXPECT_THAT(Taken(INT64_MAX, INT64_MIN, -1, 3), ElementsAre(2, 1, 0));
}

TEST(SlicingTest, DimensionAgreesWithTheRangeForExactNumbers) {
  for (int64_t size = 0; size < 5; ++size) {
    for (int64_t start = -7; start <= 7; ++start) {
      for (int64_t stop = -7; stop <= 7; ++stop) {
        for (const int64_t step : {-3, -2, -1, 1, 2, 3}) {
          EXPECT_EQ(SliceDimension(size, start, stop, step), Dimension(ResolveSlice(start, stop, step, size).count))
              << start << ":" << stop << ":" << step << " of " << size;
        }
      }
    }
  }
}

TEST(SlicingTest, DimensionCoversEverySize) {
  const int64_t bounds[] = {INT64_MIN, -4, -2, -1, 0, 1, 2, 4, INT32_MAX, INT64_MAX};
  for (const int64_t start : bounds) {
    for (const int64_t stop : bounds) {
      for (const int64_t step : {-2, -1, 1, 2}) {
        for (int64_t max = 1; max <= 6; ++max) {
          const Dimension count = SliceDimension(Dimension(1, max), start, stop, step);
          const Dimension unbounded = SliceDimension(Dimension(1, Dimension::kInfinite), start, stop, step);
          for (int64_t size = 1; size <= max; ++size) {
            const int64_t exact = ResolveSlice(start, stop, step, size).count;
            EXPECT_TRUE(count.Contains(exact)) << start << ":" << stop << ":" << step << " of " << size;
            EXPECT_TRUE(unbounded.Contains(exact)) << start << ":" << stop << ":" << step << " of " << size;
          }
        }
      }
    }
  }
}

TEST(SlicingTest, DimensionCoversUncertainBounds) {
  for (const int64_t step : {-2, -1, 1, 2}) {
    const Dimension start(-2, 2);
    const Dimension stop(-1, 3);
    const Dimension count = SliceDimension(Dimension(2, 4), start, stop, step);
    for (int64_t size = 2; size <= 4; ++size) {
      for (int64_t a = start.min(); a <= start.max(); ++a) {
        for (int64_t b = stop.min(); b <= stop.max(); ++b) {
          EXPECT_TRUE(count.Contains(ResolveSlice(a, b, step, size).count));
        }
      }
    }
  }
}

TEST(SlicingTest, DimensionKeepsTheSymbolOfTheWhole) {
  const Dimension n = Dimension::Symbol("n");
  EXPECT_EQ(SliceDimension(n, 0, INT64_MAX, 1), n);
  EXPECT_EQ(SliceDimension(n, 0, INT32_MAX, 1), n);
  EXPECT_EQ(SliceDimension(n, 0, n, 1), n);
  EXPECT_EQ(SliceDimension(n, -1, INT64_MIN, -1), n);
  EXPECT_EQ(SliceDimension(n, 0, INT64_MAX, 2), Dimension());
  EXPECT_EQ(SliceDimension(n, 1, INT64_MAX, 1), Dimension());
  EXPECT_EQ(SliceDimension(Dimension(8), 0, n, 1), Dimension(0, 8));
}

TEST(SlicingTest, DimensionTakesTheEndLiterallyForExactSizes) {
  const int64_t size = int64_t{1} << 32;
  EXPECT_EQ(SliceDimension(size, 0, INT32_MAX, 1), Dimension(INT32_MAX));
}

}  // namespace
}  // namespace burin::ir
