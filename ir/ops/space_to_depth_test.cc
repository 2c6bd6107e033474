#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>
#include <vector>

#include "absl/status/status.h"
#include "ir/ops/family/space_block.h"
#include "ir/ops/op_testlib.h"
#include "ir/ops/ops.h"
#include "testing/gtest/status_matchers.h"

namespace burin::ir {
namespace {

using ::testing::HasSubstr;

SpaceBlockAttributes Block(int64_t size, SpaceBlockMode mode = SpaceBlockMode::kBlocksFirst) {
  SpaceBlockAttributes attributes;
  attributes.block_size = size;
  attributes.mode = mode;
  return attributes;
}

TEST(SpaceToDepthTest, GathersBlocks) {
  const Tensor data = F32({1, 1, 2, 4}, {1, 2, 3, 4, 5, 6, 7, 8});
  ASSERT_OK_AND_ASSIGN(const Tensor square, Evaluate(SpaceToDepthOp(), Block(2), {data}));
  ExpectTensorEq(square, F32({1, 4, 1, 2}, {1, 3, 2, 4, 5, 7, 6, 8}));
}

TEST(SpaceToDepthTest, ModesOrderTheDepth) {
  const Tensor data = I8({1, 2, 2}, {1, 2, 3, 4});
  ASSERT_OK_AND_ASSIGN(const Tensor blocks, Evaluate(SpaceToDepthOp(), Block(2), {data}));
  ExpectTensorEq(blocks, I8({1, 4, 1}, {1, 3, 2, 4}));
  ASSERT_OK_AND_ASSIGN(const Tensor depth, Evaluate(SpaceToDepthOp(), Block(2, SpaceBlockMode::kDepthFirst), {data}));
  ExpectTensorEq(depth, I8({1, 4, 1}, {1, 2, 3, 4}));
}

TEST(SpaceToDepthTest, KeepsEveryElement) {
  std::vector<int64_t> values(2 * 3 * 4 * 6);
  std::iota(values.begin(), values.end(), 0);
  const Tensor data = I32({2, 3, 4, 6}, values);
  for (const SpaceBlockMode mode : {SpaceBlockMode::kBlocksFirst, SpaceBlockMode::kDepthFirst}) {
    ASSERT_OK_AND_ASSIGN(const Tensor deep, Evaluate(SpaceToDepthOp(), Block(2, mode), {data}));
    EXPECT_EQ(deep.shape(), (Shape{2, 12, 2, 3}));
    EXPECT_THAT(Ints(deep), ::testing::UnorderedElementsAreArray(values));
  }
}

TEST(SpaceToDepthTest, InfersPartialShapes) {
  const Dimension n = Dimension::Symbol("n");
  ASSERT_OK_AND_ASSIGN(const ValueInfo info,
                       InferOne(SpaceToDepthOp(), Block(2), {Known(ElementType::kF32, {n, 3, Dimension(3, 7), 8})}));
  EXPECT_EQ(info.shape, PartialShape({n, 12, Dimension(2, 3), 4}));
  ASSERT_OK_AND_ASSIGN(const ValueInfo rank,
                       InferOne(SpaceToDepthOp(), Block(2), {Known(ElementType::kF32, PartialShape::DynamicRank())}));
  EXPECT_FALSE(rank.shape.has_rank());
}

TEST(SpaceToDepthTest, C1RejectsRanksAndBlocks) {
  EXPECT_THAT(Evaluate(SpaceToDepthOp(), Block(1), {F32({1, 1}, {1})}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("SpaceToDepth_c1")));
  EXPECT_THAT(Evaluate(SpaceToDepthOp(), Block(0), {F32({1, 1, 1}, {1})}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("SpaceToDepth_c1")));
}

TEST(SpaceToDepthTest, C2RejectsUnevenSpaces) {
  EXPECT_THAT(Evaluate(SpaceToDepthOp(), Block(2), {F32({1, 1, 3}, {1, 2, 3})}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("SpaceToDepth_c2")));
}

}  // namespace
}  // namespace burin::ir
