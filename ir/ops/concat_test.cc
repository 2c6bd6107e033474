#include "ir/ops/concat.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/status/status.h"
#include "ir/ops/op_testlib.h"
#include "ir/ops/ops.h"
#include "testing/gtest/status_matchers.h"

namespace burin::ir {
namespace {

using ::testing::HasSubstr;

ConcatAttributes Axis(int64_t axis) {
  ConcatAttributes attributes;
  attributes.axis = axis;
  return attributes;
}

TEST(ConcatTest, JoinsRowsAndColumns) {
  const Tensor a = F32({2, 2}, {1, 2, 3, 4});
  ASSERT_OK_AND_ASSIGN(const Tensor rows, Evaluate(ConcatOp(), Axis(0), {a, F32({1, 2}, {5, 6})}));
  ExpectTensorEq(rows, F32({3, 2}, {1, 2, 3, 4, 5, 6}));
  ASSERT_OK_AND_ASSIGN(const Tensor columns, Evaluate(ConcatOp(), Axis(-1), {a, F32({2, 1}, {5, 6})}));
  ExpectTensorEq(columns, F32({2, 3}, {1, 2, 5, 3, 4, 6}));
}

TEST(ConcatTest, JoinsEveryKindOfType) {
  for (const ElementType type : {ElementType::kI4, ElementType::kU2, ElementType::kU8, ElementType::kI64}) {
    ASSERT_OK_AND_ASSIGN(
        const Tensor joined,
        Evaluate(ConcatOp(), Axis(0), {IntTensor(type, {3}, {1, 0, 1}), IntTensor(type, {2}, {0, 1})}));
    ExpectTensorEq(joined, IntTensor(type, {5}, {1, 0, 1, 0, 1}));
  }
  ASSERT_OK_AND_ASSIGN(const Tensor joined, Evaluate(ConcatOp(), Axis(0), {Bool({1}, {1}), Bool({2}, {0, 1})}));
  ExpectTensorEq(joined, Bool({3}, {1, 0, 1}));
}

TEST(ConcatTest, AcceptsEmptyInputs) {
  ASSERT_OK_AND_ASSIGN(const Tensor joined, Evaluate(ConcatOp(), Axis(1), {I32({2, 0}, {}), I32({2, 1}, {7, 8})}));
  ExpectTensorEq(joined, I32({2, 1}, {7, 8}));
}

TEST(ConcatTest, AddsTheAxisAndMergesTheRest) {
  const PartialShape a = {Dimension::Symbol("batch"), Dimension(1, 4), 3};
  const PartialShape b = {Dimension(), Dimension(2, 5), Dimension()};
  ASSERT_OK_AND_ASSIGN(const ValueInfo info,
                       InferOne(ConcatOp(), Axis(1), {Known(ElementType::kF32, a), Known(ElementType::kF32, b)}));
  EXPECT_EQ(info.shape, PartialShape({Dimension::Symbol("batch"), Dimension(3, 9), 3}));
}

TEST(ConcatTest, KeepsTheSymbolBesideAnEmptyInput) {
  ASSERT_OK_AND_ASSIGN(const ValueInfo info, InferOne(ConcatOp(), Axis(0),
                                                      {Known(ElementType::kF32, {Dimension::Symbol("n"), 2}),
                                                       Known(ElementType::kF32, {0, 2})}));
  EXPECT_EQ(info.shape, PartialShape({Dimension::Symbol("n"), 2}));
}

TEST(ConcatTest, AcceptsUnknownRanks) {
  const ValueInfo unknown = Known(ElementType::kF32, PartialShape::DynamicRank());
  ASSERT_OK_AND_ASSIGN(const ValueInfo both, InferOne(ConcatOp(), Axis(0), {unknown, unknown}));
  EXPECT_FALSE(both.shape.has_rank());
  ASSERT_OK_AND_ASSIGN(const ValueInfo one, InferOne(ConcatOp(), Axis(0), {unknown, Known(ElementType::kF32, {4, 5})}));
  EXPECT_EQ(one.shape, PartialShape({Dimension(4, Dimension::kInfinite), 5}));
}

TEST(ConcatTest, PropagatesContent) {
  const Dimension batch = Dimension::Symbol("batch");
  ASSERT_OK_AND_ASSIGN(const ValueInfo info,
                       InferOne(ConcatOp(), Axis(0), {Partial({batch}), Constant(I64({2}, {3, -1}))}));
  EXPECT_EQ(info.content, (PartialValue{batch, 3, -1}));
  ASSERT_OK_AND_ASSIGN(const ValueInfo folded,
                       InferOne(ConcatOp(), Axis(0), {Constant(I64({1}, {7})), Constant(I64({1}, {8}))}));
  ASSERT_TRUE(folded.constant.has_value());
  ExpectTensorEq(folded.constant, I64({2}, {7, 8}));
}

TEST(ConcatTest, C1RejectsMixedTypes) {
  EXPECT_THAT(Evaluate(ConcatOp(), Axis(0), {F32({1}, {1}), I32({1}, {1})}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("Concat_c1")));
}

TEST(ConcatTest, C2RejectsAxesAndRanks) {
  EXPECT_THAT(Evaluate(ConcatOp(), Axis(1), {F32({1}, {1}), F32({1}, {1})}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("Concat_c2")));
  EXPECT_THAT(Evaluate(ConcatOp(), Axis(0), {F32({1}, {1}), F32({1, 1}, {1})}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("Concat_c2")));
  EXPECT_THAT(Evaluate(ConcatOp(), Axis(0), {F32({}, {1})}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("Concat_c2")));
}

TEST(ConcatTest, C3RejectsOtherDimensions) {
  EXPECT_THAT(Evaluate(ConcatOp(), Axis(0), {F32({1, 2}, {1, 2}), F32({1, 1}, {1})}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("Concat_c3")));
  const ValueInfo huge = Known(ElementType::kF32, {Dimension(Dimension::kInfinite - 1), 0});
  EXPECT_THAT(InferOne(ConcatOp(), Axis(0), {huge, huge}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("Concat_c3")));
}

}  // namespace
}  // namespace burin::ir
