#include "jit/kernels/copy_byte_map.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace burin::jit {
namespace {

using ::testing::ElementsAre;

// Returns `vector` and `byte` of each place as one number: vector * 100 + byte; -1 where nothing is written.
std::vector<int> Numbers(const std::vector<CopyByteMap::Place>& places) {
  std::vector<int> numbers;
  for (const CopyByteMap::Place& place : places)
    numbers.push_back(place.vector < 0 ? -1 : place.vector * 100 + place.byte);
  return numbers;
}

CopyRecordsSide Packed(int pitch, int step) {
  CopyRecordsSide side;
  side.pitch = pitch;
  side.step = step;
  return side;
}

TEST(CopyByteMapTest, RowsToRecords) {
  const CopyByteMap map = CopyByteMap::Of(1, 3, CopyRecordsSide(), Packed(3, 1), 4);
  EXPECT_EQ(map.source_vectors, 3);
  ASSERT_EQ(map.destination.size(), 3u);
  EXPECT_THAT(Numbers(map.destination[0]), ElementsAre(0, 100, 200, 1));
  EXPECT_THAT(Numbers(map.destination[1]), ElementsAre(101, 201, 2, 102));
  EXPECT_THAT(Numbers(map.destination[2]), ElementsAre(202, 3, 103, 203));
  EXPECT_THAT(map.PartsOf(0), ElementsAre(0, 1, 2));
  EXPECT_EQ(map.UsedOf(1), 0xfu);
  EXPECT_EQ(map.WrittenOf(2), 0xfu);
}

TEST(CopyByteMapTest, RecordsToRows) {
  const CopyByteMap map = CopyByteMap::Of(2, 2, Packed(4, 2), CopyRecordsSide(), 4);
  EXPECT_EQ(map.source_vectors, 2);
  ASSERT_EQ(map.destination.size(), 2u);
  EXPECT_THAT(Numbers(map.destination[0]), ElementsAre(0, 1, 100, 101));
  EXPECT_THAT(Numbers(map.destination[1]), ElementsAre(2, 3, 102, 103));
}

TEST(CopyByteMapTest, ElementsInReverseBeginAtTheLowestByte) {
  const CopyByteMap map = CopyByteMap::Of(1, 2, Packed(2, -1), Packed(2, 1), 4);
  EXPECT_THAT(Numbers(map.destination[0]), ElementsAre(1, 0, 3, 2));
  EXPECT_THAT(Numbers(map.destination[1]), ElementsAre(101, 100, 103, 102));
}

TEST(CopyByteMapTest, GapsAreNeitherReadNorWritten) {
  const CopyByteMap map = CopyByteMap::Of(1, 1, Packed(2, 0), Packed(3, 0), 4);
  EXPECT_EQ(map.source_vectors, 2);
  ASSERT_EQ(map.destination.size(), 3u);
  EXPECT_EQ(map.UsedOf(0), 0x5u);
  EXPECT_THAT(Numbers(map.destination[0]), ElementsAre(0, -1, -1, 2));
  EXPECT_THAT(Numbers(map.destination[1]), ElementsAre(-1, -1, 100, -1));
  EXPECT_THAT(Numbers(map.destination[2]), ElementsAre(-1, 102, -1, -1));
  EXPECT_EQ(map.WrittenOf(0), 0x9u);
  EXPECT_THAT(map.PartsOf(2), ElementsAre(1));
}

}  // namespace
}  // namespace burin::jit
