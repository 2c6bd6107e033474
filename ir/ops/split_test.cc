#include "ir/ops/split.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "absl/status/status.h"
#include "ir/ops/op_testlib.h"
#include "ir/ops/ops.h"
#include "testing/gtest/status_matchers.h"

namespace burin::ir {
namespace {

using ::testing::HasSubstr;

SplitAttributes Parts(int64_t count) {
  SplitAttributes attributes;
  attributes.num_splits = count;
  return attributes;
}

TEST(SplitTest, CutsAlongTheAxis) {
  const Tensor data = I32({2, 4}, {0, 1, 2, 3, 4, 5, 6, 7});
  ASSERT_OK_AND_ASSIGN(const std::vector<Tensor> parts, EvaluateAll(SplitOp(), Parts(2), {data, I64({}, {-1})}));
  ASSERT_EQ(parts.size(), 2u);
  ExpectTensorEq(parts[0], I32({2, 2}, {0, 1, 4, 5}));
  ExpectTensorEq(parts[1], I32({2, 2}, {2, 3, 6, 7}));
}

TEST(SplitTest, CutsPackedAndEmptyTensors) {
  ASSERT_OK_AND_ASSIGN(
      const std::vector<Tensor> packed,
      EvaluateAll(SplitOp(), Parts(2), {IntTensor(ElementType::kI4, {6}, {1, 2, 3, -4, -5, -6}), I32({1}, {0})}));
  ExpectTensorEq(packed[0], IntTensor(ElementType::kI4, {3}, {1, 2, 3}));
  ExpectTensorEq(packed[1], IntTensor(ElementType::kI4, {3}, {-4, -5, -6}));
  ASSERT_OK_AND_ASSIGN(const std::vector<Tensor> empty,
                       EvaluateAll(SplitOp(), Parts(3), {F32({0, 2}, {}), I64({}, {0})}));
  ASSERT_EQ(empty.size(), 3u);
  ExpectTensorEq(empty[2], F32({0, 2}, {}));
}

TEST(SplitTest, InfersPartialShapes) {
  const PartialShape data = {Dimension::Symbol("batch"), Dimension(4, 9)};
  ASSERT_OK_AND_ASSIGN(const std::vector<ValueInfo> known,
                       Infer(SplitOp(), Parts(3), {Known(ElementType::kF16, data), Constant(I64({}, {1}))}));
  ASSERT_EQ(known.size(), 3u);
  EXPECT_EQ(known[1].shape, PartialShape({Dimension::Symbol("batch"), Dimension(2, 3)}));
  ASSERT_OK_AND_ASSIGN(const std::vector<ValueInfo> unknown_axis,
                       Infer(SplitOp(), Parts(2), {Known(ElementType::kF16, {4, 6}), Known(ElementType::kI64, {})}));
  EXPECT_EQ(unknown_axis[0].shape, PartialShape({Dimension(2, 4), Dimension(3, 6)}));
  ASSERT_OK_AND_ASSIGN(
      const std::vector<ValueInfo> unknown_rank,
      Infer(SplitOp(), Parts(2), {Known(ElementType::kF16, PartialShape::DynamicRank()), Constant(I64({}, {1}))}));
  EXPECT_EQ(unknown_rank.size(), 2u);
}

TEST(SplitTest, PropagatesContent) {
  const Dimension n = Dimension::Symbol("n");
  ASSERT_OK_AND_ASSIGN(const std::vector<ValueInfo> parts,
                       Infer(SplitOp(), Parts(2), {Partial({1, n, 3, 4}), Constant(I64({}, {0}))}));
  EXPECT_EQ(parts[0].content, (PartialValue{1, n}));
  EXPECT_EQ(parts[1].content, (PartialValue{3, 4}));
}

TEST(SplitTest, C1RejectsAxes) {
  for (const Tensor& axis : {I64({}, {1}), I64({2}, {0, 0}), F32({}, {0})}) {
    EXPECT_THAT(EvaluateAll(SplitOp(), Parts(1), {F32({2}, {1, 2}), axis}),
                StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("Split_c1")));
  }
}

TEST(SplitTest, C2RejectsNumbersOfParts) {
  EXPECT_THAT(EvaluateAll(SplitOp(), Parts(0), {F32({2}, {1, 2}), I64({}, {0})}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("Split_c2")));
  EXPECT_THAT(EvaluateAll(SplitOp(), Parts(int64_t{1} << 60), {F32({0}, {}), I64({}, {0})}),
              StatusIs(absl::StatusCode::kUnimplemented, HasSubstr("more parts")));
}

TEST(SplitTest, C3RejectsUnevenParts) {
  EXPECT_THAT(EvaluateAll(SplitOp(), Parts(3), {F32({4}, {1, 2, 3, 4}), I64({}, {0})}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("Split_c3")));
  EXPECT_THAT(Infer(SplitOp(), Parts(5), {Known(ElementType::kF32, {Dimension(6, 9)}), Constant(I64({}, {0}))}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("Split_c3")));
}

}  // namespace
}  // namespace burin::ir
