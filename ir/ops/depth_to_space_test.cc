#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>

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

TEST(DepthToSpaceTest, SpreadsDepthOverBlocks) {
  const Tensor data = F32({1, 4, 1, 2}, {1, 2, 3, 4, 5, 6, 7, 8});
  ASSERT_OK_AND_ASSIGN(const Tensor square, Evaluate(DepthToSpaceOp(), Block(2), {data}));
  ExpectTensorEq(square, F32({1, 1, 2, 4}, {1, 3, 2, 4, 5, 7, 6, 8}));
}

// One spatial dimension, two channels remain: the modes differ.
TEST(DepthToSpaceTest, ModesOrderTheDepth) {
  const Tensor data = I8({1, 4, 1}, {1, 2, 3, 4});
  ASSERT_OK_AND_ASSIGN(const Tensor blocks, Evaluate(DepthToSpaceOp(), Block(2), {data}));
  ExpectTensorEq(blocks, I8({1, 2, 2}, {1, 3, 2, 4}));
  ASSERT_OK_AND_ASSIGN(const Tensor depth, Evaluate(DepthToSpaceOp(), Block(2, SpaceBlockMode::kDepthFirst), {data}));
  ExpectTensorEq(depth, I8({1, 2, 2}, {1, 2, 3, 4}));
}

TEST(DepthToSpaceTest, EmptyTensors) {
  ASSERT_OK_AND_ASSIGN(const Tensor empty, Evaluate(DepthToSpaceOp(), Block(2), {F16({0, 4, 3, 3}, {})}));
  ExpectTensorEq(empty, F16({0, 1, 6, 6}, {}));
}

TEST(DepthToSpaceTest, InfersPartialShapes) {
  const Dimension n = Dimension::Symbol("n");
  ASSERT_OK_AND_ASSIGN(const ValueInfo info,
                       InferOne(DepthToSpaceOp(), Block(2), {Known(ElementType::kF32, {n, 8, Dimension(1, 3), 5})}));
  EXPECT_EQ(info.shape, PartialShape({n, 2, Dimension(2, 6), 10}));
  ASSERT_OK_AND_ASSIGN(const ValueInfo rank,
                       InferOne(DepthToSpaceOp(), Block(2), {Known(ElementType::kF32, PartialShape::DynamicRank())}));
  EXPECT_FALSE(rank.shape.has_rank());
}

TEST(DepthToSpaceTest, C1RejectsRanksAndBlocks) {
  EXPECT_THAT(Evaluate(DepthToSpaceOp(), Block(1), {F32({1, 1}, {1})}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("DepthToSpace_c1")));
  for (const int64_t size : {int64_t{0}, int64_t{-1}, int64_t{1} << 40}) {
    EXPECT_THAT(Evaluate(DepthToSpaceOp(), Block(size), {F32({1, 1, 1, 1}, {1})}),
                StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("DepthToSpace_c1")));
  }
}

TEST(DepthToSpaceTest, C2RejectsDepths) {
  EXPECT_THAT(Evaluate(DepthToSpaceOp(), Block(2), {F32({1, 2, 1, 1}, {1, 2})}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("DepthToSpace_c2")));
}

}  // namespace
}  // namespace burin::ir
