#include "ir/ops/family/space_block.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "absl/status/status.h"
#include "base/element_type.h"
#include "ir/dimension.h"
#include "ir/infer_context.h"
#include "ir/ops/family/index_space.h"
#include "ir/ops/op_testlib.h"
#include "ir/partial_shape.h"
#include "testing/gtest/status_matchers.h"

namespace burin::ir {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<int64_t> DepthPositions(SpaceBlockMode mode) {
  SpaceBlockAttributes attributes;
  attributes.block_size = 2;
  attributes.mode = mode;
  // Space of 2 channels and 4 places in one spatial dimension.
  const SpaceBlockViews views = ViewSpaceBlocks(attributes, {1, 2, 4});
  std::vector<int64_t> positions(8);
  for (BoxWalker walker(views.box, {views.space, views.depth}); !walker.done(); walker.Next()) {
    positions[static_cast<size_t>(walker.position(0))] = walker.position(1);
  }
  return positions;
}

// depth has shape [1, 4, 2]; space[c, x * 2 + j] is depth[j * 2 + c, x] or depth[c * 2 + j, x].
TEST(SpaceBlockTest, FollowsTheMode) {
  EXPECT_THAT(DepthPositions(SpaceBlockMode::kBlocksFirst), ElementsAre(0, 4, 1, 5, 2, 6, 3, 7));
  EXPECT_THAT(DepthPositions(SpaceBlockMode::kDepthFirst), ElementsAre(0, 2, 1, 3, 4, 6, 5, 7));
}

TEST(SpaceBlockTest, DividesExactly) {
  EXPECT_THAT(DivideExactly("X_c1", 8, 4), IsOkAndHolds(Dimension(2)));
  EXPECT_THAT(DivideExactly("X_c1", Dimension(3, 9), 4), IsOkAndHolds(Dimension(1, 2)));
  EXPECT_THAT(DivideExactly("X_c1", Dimension::Symbol("n"), 1), IsOkAndHolds(Dimension::Symbol("n")));
  EXPECT_THAT(DivideExactly("X_c1", Dimension(5, 7), 4),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("X_c1")));
}

TEST(SpaceBlockTest, CountsBlockElements) {
  const auto elements = [](int64_t block, const PartialShape& shape) {
    SpaceBlockAttributes attributes;
    attributes.block_size = block;
    const ValueInfo info = Known(ElementType::kF32, shape);
    const ValueInfo* input = &info;
    return BlockElements("X_c1", InferContext(attributes, {&input, 1}, 1));
  };
  EXPECT_THAT(elements(3, PartialShape::OfRank(4)), IsOkAndHolds(9));
  EXPECT_THAT(elements(3, PartialShape::DynamicRank()), IsOkAndHolds(0));
  EXPECT_THAT(elements(0, PartialShape::OfRank(4)), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("X_c1")));
  EXPECT_THAT(elements(2, PartialShape::OfRank(2)), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("X_c1")));
  EXPECT_THAT(elements(int64_t{1} << 40, PartialShape::OfRank(4)),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("too large")));
}

}  // namespace
}  // namespace burin::ir
