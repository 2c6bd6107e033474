#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "ir/ops/op_testlib.h"
#include "ir/ops/ops.h"
#include "testing/gtest/status_matchers.h"

namespace burin::ir {
namespace {

using ::testing::HasSubstr;

absl::StatusOr<Tensor> Repeat(const Tensor& data, const std::vector<int64_t>& repeats) {
  return Evaluate(TileOp(), NoAttributes(), {data, I64({static_cast<int64_t>(repeats.size())}, repeats)});
}

TEST(TileTest, RepeatsDimensions) {
  ASSERT_OK_AND_ASSIGN(const Tensor both, Repeat(F32({2, 2}, {1, 2, 3, 4}), {2, 2}));
  ExpectTensorEq(both, F32({4, 4}, {1, 2, 1, 2, 3, 4, 3, 4, 1, 2, 1, 2, 3, 4, 3, 4}));
  ASSERT_OK_AND_ASSIGN(const Tensor fewer, Repeat(I64({2, 2}, {1, 2, 3, 4}), {2}));
  ExpectTensorEq(fewer, I64({2, 4}, {1, 2, 1, 2, 3, 4, 3, 4}));
  ASSERT_OK_AND_ASSIGN(const Tensor more, Repeat(IntTensor(ElementType::kU4, {3}, {1, 2, 3}), {2, 1}));
  ExpectTensorEq(more, IntTensor(ElementType::kU4, {2, 3}, {1, 2, 3, 1, 2, 3}));
  ASSERT_OK_AND_ASSIGN(const Tensor scalar, Repeat(Bool({}, {1}), {}));
  ExpectTensorEq(scalar, Bool({}, {1}));
}

TEST(TileTest, RepeatsNothingOrZeroTimes) {
  ASSERT_OK_AND_ASSIGN(const Tensor zero, Repeat(F32({2}, {1, 2}), {3, 0}));
  ExpectTensorEq(zero, F32({3, 0}, {}));
  ASSERT_OK_AND_ASSIGN(const Tensor empty, Repeat(F32({0}, {}), {3}));
  ExpectTensorEq(empty, F32({0}, {}));
}

TEST(TileTest, InfersPartialShapes) {
  const Dimension n = Dimension::Symbol("n");
  ASSERT_OK_AND_ASSIGN(const ValueInfo info, InferOne(TileOp(), NoAttributes(),
                                                      {Known(ElementType::kF32, {n, Dimension(2, 3), 1}),
                                                       Partial({1, 4, Dimension::Symbol("m")})}));
  EXPECT_EQ(info.shape, PartialShape({n, Dimension(8, 12), Dimension::Symbol("m")}));
  ASSERT_OK_AND_ASSIGN(
      const ValueInfo unknown,
      InferOne(TileOp(), NoAttributes(), {Known(ElementType::kF32, {n}), Known(ElementType::kI64, {Dimension()})}));
  EXPECT_FALSE(unknown.shape.has_rank());
}

TEST(TileTest, PropagatesContent) {
  const Dimension n = Dimension::Symbol("n");
  ASSERT_OK_AND_ASSIGN(const ValueInfo info,
                       InferOne(TileOp(), NoAttributes(), {Partial({n, 2}), Constant(I64({1}, {2}))}));
  EXPECT_EQ(info.content, (PartialValue{n, 2, n, 2}));
}

TEST(TileTest, C1RejectsRepeats) {
  EXPECT_THAT(Repeat(F32({1}, {1}), {-1}), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("Tile_c1")));
  EXPECT_THAT(Evaluate(TileOp(), NoAttributes(), {F32({1}, {1}), F32({1}, {1})}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("Tile_c1")));
}

TEST(TileTest, C2RejectsHugeOutputs) {
  EXPECT_THAT(Repeat(F32({4}, {1, 2, 3, 4}), {int64_t{1} << 62}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("Tile_c2")));
}

}  // namespace
}  // namespace burin::ir
