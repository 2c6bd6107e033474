#include "runtime/executor/work_split.h"

#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "gtest/gtest.h"

namespace burin::executor {
namespace {

constexpr int64_t kMost = std::numeric_limits<int64_t>::max();

// Expects chunks that follow each other, none empty, from 0 to `items`; returns their sizes.
std::vector<int64_t> Sizes(const WorkSplit& split, int64_t items) {
  std::vector<int64_t> sizes;
  int64_t next = 0;
  for (int64_t chunk = 0; chunk < split.chunks(); ++chunk) {
    const ItemRange range = split.Range(chunk);
    EXPECT_EQ(range.begin, next);
    EXPECT_LT(range.begin, range.end);
    next = range.end;
    sizes.push_back(range.end - range.begin);
  }
  EXPECT_EQ(next, items);
  return sizes;
}

TEST(WorkSplitTest, NoItemsAreNoChunks) {
  EXPECT_EQ(WorkSplit::Static(0, 4).chunks(), 0);
  EXPECT_EQ(WorkSplit::Dynamic(0, 8, 4).chunks(), 0);
  EXPECT_EQ(WorkSplit::Fixed(0, 8).chunks(), 0);
  EXPECT_EQ(GridSplit::Create({0, 1, 1}, {5, 1, 1}, 4).chunks(), 0);
  EXPECT_EQ(GridSplit::Create({5, 1, 1}, {0, 1, 1}, 4).chunks(), 0);
}

TEST(WorkSplitTest, StaticIsOneChunkForEachMember) {
  EXPECT_EQ(Sizes(WorkSplit::Static(10, 4), 10), (std::vector<int64_t>{2, 3, 2, 3}));
  EXPECT_EQ(Sizes(WorkSplit::Static(3, 4), 3), (std::vector<int64_t>{1, 1, 1}));
  EXPECT_EQ(Sizes(WorkSplit::Static(7, 1), 7), (std::vector<int64_t>{7}));
}

TEST(WorkSplitTest, DynamicKeepsTheGrain) {
  EXPECT_EQ(WorkSplit::Dynamic(1000, 1, 2).chunks(), 8);
  EXPECT_EQ(WorkSplit::Dynamic(1000, 300, 2).chunks(), 3);
  EXPECT_EQ(WorkSplit::Dynamic(1000, 2000, 2).chunks(), 1);
  EXPECT_EQ(WorkSplit::Dynamic(1000, 1, 1).chunks(), 1);
  for (const int64_t size : Sizes(WorkSplit::Dynamic(1000, 300, 2), 1000)) EXPECT_GE(size, 300);
}

TEST(WorkSplitTest, FixedDependsOnTheItemsAlone) {
  EXPECT_EQ(Sizes(WorkSplit::Fixed(10, 4), 10), (std::vector<int64_t>{4, 4, 2}));
  EXPECT_EQ(Sizes(WorkSplit::Fixed(8, 4), 8), (std::vector<int64_t>{4, 4}));
  EXPECT_EQ(Sizes(WorkSplit::Fixed(3, 4), 3), (std::vector<int64_t>{3}));
}

TEST(WorkSplitTest, NothingOverflows) {
  const WorkSplit even = WorkSplit::Dynamic(kMost, 1, 1024);
  EXPECT_EQ(even.Range(even.chunks() - 1).end, kMost);
  const WorkSplit fixed = WorkSplit::Fixed(kMost, kMost - 1);
  EXPECT_EQ(fixed.chunks(), 2);
  EXPECT_EQ(fixed.Range(1), (ItemRange{kMost - 1, kMost}));
}

TEST(WorkSplitTest, AGridCutsWhereFewestBytesAreReadTwice) {
  // Rows are dear to read again, hence columns stay whole.
  const GridSplit by_rows = GridSplit::Create({64, 1, 1000}, {64, 1, 1}, 2);
  EXPECT_EQ(by_rows.chunks(), 8);
  EXPECT_EQ(by_rows.Columns(0), (ItemRange{0, 64}));
  const GridSplit by_columns = GridSplit::Create({64, 1, 1}, {64, 1, 1000}, 2);
  EXPECT_EQ(by_columns.chunks(), 8);
  EXPECT_EQ(by_columns.Rows(0), (ItemRange{0, 64}));
  // Alike on both sides, for 8 members: 32 chunks near to squares.
  const GridSplit square = GridSplit::Create({1024, 1, 1}, {1024, 1, 1}, 8);
  EXPECT_GE(square.chunks(), 32);
  EXPECT_LT(square.Rows(0).end, 400);
  EXPECT_LT(square.Columns(0).end, 400);
}

TEST(WorkSplitTest, AGridTakesTheAxisThatCanBeCut) {
  const GridSplit split = GridSplit::Create({2, 1, 1000}, {64, 8, 1}, 4);
  EXPECT_EQ(split.chunks(), 16);
  EXPECT_EQ(split.Columns(0), (ItemRange{0, 8}));
  EXPECT_EQ(GridSplit::Create({2, 2, 1}, {8, 8, 1}, 4).chunks(), 1);
  EXPECT_EQ(GridSplit::Create({64, 1, 1}, {64, 1, 1}, 1).chunks(), 1);
}

TEST(WorkSplitTest, EachItemBelongsToOneChunk) {
  const unsigned seed = std::random_device()();
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  for (int round = 0; round < 2000; ++round) {
    const auto draw = [&](int64_t most) { return static_cast<int64_t>(random() % (most + 1)); };
    const int64_t items = draw(300);
    const int members = static_cast<int>(1 + draw(9));
    const int64_t grain = 1 + draw(40);
    Sizes(WorkSplit::Static(items, members), items);
    Sizes(WorkSplit::Dynamic(items, grain, members), items);
    Sizes(WorkSplit::Fixed(items, grain), items);

    const int64_t rows = 1 + draw(20);
    const int64_t columns = 1 + draw(20);
    const GridSplit grid =
        GridSplit::Create({rows, 1 + draw(5), 1.0 + draw(9)}, {columns, 1 + draw(5), 1.0 + draw(9)}, members);
    std::vector<int> times(rows * columns, 0);
    for (int64_t chunk = 0; chunk < grid.chunks(); ++chunk) {
      for (int64_t row = grid.Rows(chunk).begin; row < grid.Rows(chunk).end; ++row) {
        for (int64_t column = grid.Columns(chunk).begin; column < grid.Columns(chunk).end; ++column) {
          ++times[row * columns + column];
        }
      }
    }
    EXPECT_EQ(times, std::vector<int>(rows * columns, 1));
  }
}

}  // namespace
}  // namespace burin::executor
