#include "jit/kernels/copy_layout.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <ostream>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "testing/gtest/status_matchers.h"

namespace burin::jit {

void PrintTo(const CopyDim& dim, std::ostream* out) {
  *out << dim.extent << ":" << dim.source_stride << ":" << dim.destination_stride;
}

namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(CopyLayoutTest, AnElement) {
  ASSERT_OK_AND_ASSIGN(const CopyLayout layout, CopyLayout::From({4, {}}));
  EXPECT_EQ(layout.unit_bytes, 4);
  EXPECT_EQ(layout.bytes, 4);
  EXPECT_THAT(layout.dims, IsEmpty());
}

TEST(CopyLayoutTest, OrdersByTheDestinationAndMerges) {
  // 2 x 3 x 5 x 7, of which the last two stay as they are.
  ASSERT_OK_AND_ASSIGN(const CopyLayout layout,
                       CopyLayout::From({4, {{2, 420, 140}, {3, 140, 280}, {1, 9, 9}, {5, 28, 28}, {7, 4, 4}}}));
  EXPECT_EQ(layout.unit_bytes, 4);
  EXPECT_EQ(layout.bytes, 4 * 2 * 3 * 5 * 7);
  EXPECT_THAT(layout.dims, ElementsAre(CopyDim{35, 4, 4}, CopyDim{2, 420, 140}, CopyDim{3, 140, 280}));
}

TEST(CopyLayoutTest, MergesBroadcasts) {
  ASSERT_OK_AND_ASSIGN(const CopyLayout layout, CopyLayout::From({8, {{3, 8, 160}, {4, 0, 40}, {5, 0, 8}}}));
  EXPECT_THAT(layout.dims, ElementsAre(CopyDim{20, 0, 8}, CopyDim{3, 8, 160}));
}

TEST(CopyLayoutTest, WidensWhatStaysTogether) {
  ASSERT_OK_AND_ASSIGN(const CopyLayout pairs, CopyLayout::From({1, {{5, 2, 20}, {7, 10, 2}, {2, 1, 1}}}));
  EXPECT_EQ(pairs.unit_bytes, 2);
  EXPECT_THAT(pairs.dims, ElementsAre(CopyDim{7, 10, 2}, CopyDim{5, 2, 20}));
  ASSERT_OK_AND_ASSIGN(const CopyLayout vectors, CopyLayout::From({4, {{9, 16, 32}, {4, 4, 4}}}));
  EXPECT_EQ(vectors.unit_bytes, 16);
  EXPECT_THAT(vectors.dims, ElementsAre(CopyDim{9, 16, 32}));
  // Not groups of three, nor more than 16 bytes.
  ASSERT_OK_AND_ASSIGN(const CopyLayout threes, CopyLayout::From({1, {{5, 3, 20}, {3, 1, 1}}}));
  EXPECT_EQ(threes.unit_bytes, 1);
  ASSERT_OK_AND_ASSIGN(const CopyLayout large, CopyLayout::From({8, {{5, 32, 50}, {4, 8, 8}}}));
  EXPECT_EQ(large.unit_bytes, 8);
}

TEST(CopyLayoutTest, TurnsNegativeDestinationStrides) {
  ASSERT_OK_AND_ASSIGN(const CopyLayout layout, CopyLayout::From({4, {{5, 4, -4}, {3, -40, -100}}}));
  EXPECT_EQ(layout.source_offset, 4 * 4 - 2 * 40);
  EXPECT_EQ(layout.destination_offset, -4 * 4 - 2 * 100);
  EXPECT_THAT(layout.dims, ElementsAre(CopyDim{5, -4, 4}, CopyDim{3, 40, 100}));
}

TEST(CopyLayoutTest, NothingToDo) {
  // Strides do not matter then.
  ASSERT_OK_AND_ASSIGN(const CopyLayout layout,
                       CopyLayout::From({2, {{0, 0, 0}, {1000, std::numeric_limits<int64_t>::max(), 0}, {5, 2, -2}}}));
  EXPECT_EQ(layout.bytes, 0);
  EXPECT_THAT(layout.dims, IsEmpty());
  EXPECT_EQ(layout.source_offset, 0);
  EXPECT_EQ(layout.destination_offset, 0);
}

TEST(CopyLayoutTest, RefusesElementSizes) {
  for (const int bytes : {-1, 0, 3, 16}) {
    EXPECT_THAT(CopyLayout::From({bytes, {}}), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("1, 2, 4 or 8")));
  }
}

TEST(CopyLayoutTest, RefusesWhatIsNoLayout) {
  EXPECT_THAT(CopyLayout::From({4, {{3, 4, 4}, {-1, 12, 12}}}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("negative extent: dimension 1, extent -1")));
  EXPECT_THAT(CopyLayout::From({4, {{3, 4, 0}}}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("more than once: dimension 0")));
}

TEST(CopyLayoutTest, RefusesWhatIsTooLarge) {
  constexpr int64_t kLarge = std::numeric_limits<int64_t>::max();
  constexpr int64_t kLeast = std::numeric_limits<int64_t>::min();
  const auto refused = [](const StridedCopySpec& spec) {
    EXPECT_THAT(CopyLayout::From(spec), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("2^62 bytes or more")));
  };
  refused({1, {{kLarge, 0, 1}}});
  refused({8, {{int64_t{1} << 59, 0, 8}}});
  refused({1, {{int64_t{1} << 32, 0, 1}, {int64_t{1} << 32, 0, 1}}});
  refused({1, {{2, 0, kLarge}}});
  refused({1, {{2, kLeast, 1}}});
  refused({1, {{3, int64_t{1} << 61, 1}}});
  refused({1, {{2, int64_t{1} << 61, 1}, {2, -(int64_t{1} << 61), 2}}});
  EXPECT_OK(CopyLayout::From({1, {{2, (int64_t{1} << 62) - 1, 1}}}));
}

}  // namespace
}  // namespace burin::jit
