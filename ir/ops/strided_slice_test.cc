#include "ir/ops/strided_slice.h"

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

constexpr absl::StatusCode kInvalid = absl::StatusCode::kInvalidArgument;

Tensor List(const std::vector<int64_t>& values) { return I64({static_cast<int64_t>(values.size())}, values); }

absl::StatusOr<Tensor> Cut(const StridedSliceAttributes& attributes, const Tensor& data,
                           const std::vector<int64_t>& begin, const std::vector<int64_t>& end,
                           const std::vector<int64_t>& stride) {
  return Evaluate(StridedSliceOp(), attributes, {data, List(begin), List(end), List(stride)});
}

// 2 x 3 x 2, the elements being 0, 1, 2, ...
const Tensor& Cube() {
  static const Tensor cube = I32({2, 3, 2}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11});
  return cube;
}

TEST(StridedSliceTest, SlicesAsPythonDoes) {
  const StridedSliceAttributes plain;
  // cube[1:2, ::-1 by bounds, 0:1]
  ASSERT_OK_AND_ASSIGN(const Tensor part, Cut(plain, Cube(), {1, 2, 0}, {2, -10, 1}, {1, -1, 1}));
  ExpectTensorEq(part, I32({1, 3, 1}, {10, 8, 6}));
  ASSERT_OK_AND_ASSIGN(const Tensor shorter, Cut(plain, Cube(), {-1}, {100}, {1}));
  ExpectTensorEq(shorter, I32({1, 3, 2}, {6, 7, 8, 9, 10, 11}));
  ASSERT_OK_AND_ASSIGN(const Tensor empty, Cut(plain, Cube(), {1}, {1}, {1}));
  ExpectTensorEq(empty, I32({0, 3, 2}, {}));
  ASSERT_OK_AND_ASSIGN(const Tensor default_stride,
                       Evaluate(StridedSliceOp(), plain, {F32({3}, {1, 2, 3}), List({1}), List({3})}));
  ExpectTensorEq(default_stride, F32({2}, {2, 3}));
}

TEST(StridedSliceTest, MasksIgnoreBounds) {
  StridedSliceAttributes attributes;
  attributes.begin_mask = {0, 1, 1};
  attributes.end_mask = {1, 1, 1, 1};
  // cube[1:, :, ::-1]
  ASSERT_OK_AND_ASSIGN(const Tensor part, Cut(attributes, Cube(), {1, 1, 123}, {0, 0, 2}, {1, 1, -1}));
  ExpectTensorEq(part, I32({1, 3, 2}, {7, 6, 9, 8, 11, 10}));
}

TEST(StridedSliceTest, MasksInsertRemoveAndSkipDimensions) {
  StridedSliceAttributes attributes;
  attributes.new_axis_mask = {1};
  attributes.ellipsis_mask = {0, 1};
  attributes.shrink_axis_mask = {0, 0, 1};
  // cube[newaxis, ..., -1]
  ASSERT_OK_AND_ASSIGN(const Tensor part, Cut(attributes, Cube(), {0, 0, -1}, {0, 0, 0}, {1, 1, 1}));
  ExpectTensorEq(part, I32({1, 2, 3}, {1, 3, 5, 7, 9, 11}));
}

TEST(StridedSliceTest, ShrinksToAScalar) {
  StridedSliceAttributes attributes;
  attributes.shrink_axis_mask = {1};
  ASSERT_OK_AND_ASSIGN(const Tensor scalar, Cut(attributes, F16({3}, {1, 2, 3}), {1}, {2}, {1}));
  ExpectTensorEq(scalar, F16({}, {2}));
}

TEST(StridedSliceTest, InfersPartialShapes) {
  const Dimension n = Dimension::Symbol("n");
  StridedSliceAttributes attributes;
  attributes.begin_mask = {1, 0};
  attributes.end_mask = {1, 0};
  const ValueInfo data = Known(ElementType::kF32, {n, Dimension(4, 9), n});
  ASSERT_OK_AND_ASSIGN(const ValueInfo info,
                       InferOne(StridedSliceOp(), attributes,
                                {data, Constant(List({5, 1})), Constant(List({0, -1})), Constant(List({1, 1}))}));
  EXPECT_EQ(info.shape, PartialShape({n, Dimension(2, 7), n}));
  const ValueInfo unknown = Known(ElementType::kI64, {2});
  ASSERT_OK_AND_ASSIGN(const ValueInfo bounds,
                       InferOne(StridedSliceOp(), attributes, {data, unknown, unknown, unknown}));
  EXPECT_EQ(bounds.shape, PartialShape({Dimension(), Dimension(0, 9), n}));
  const ValueInfo any = Known(ElementType::kI64, {Dimension()});
  ASSERT_OK_AND_ASSIGN(const ValueInfo lengths, InferOne(StridedSliceOp(), attributes, {data, any, any}));
  EXPECT_FALSE(lengths.shape.has_rank());
}

TEST(StridedSliceTest, PropagatesContent) {
  const Dimension n = Dimension::Symbol("n");
  StridedSliceAttributes shrink;
  shrink.shrink_axis_mask = {1};
  ASSERT_OK_AND_ASSIGN(const ValueInfo one, InferOne(StridedSliceOp(), shrink,
                                                     {Partial({1, n, 3}), Constant(List({1})), Constant(List({2}))}));
  EXPECT_EQ(one.shape, PartialShape());
  EXPECT_EQ(one.content, (PartialValue{n}));
  ASSERT_OK_AND_ASSIGN(const ValueInfo two, InferOne(StridedSliceOp(), StridedSliceAttributes(),
                                                     {Partial({1, n, 3}), Constant(List({1})), Constant(List({3}))}));
  EXPECT_EQ(two.content, (PartialValue{n, 3}));
}

TEST(StridedSliceTest, C1RejectsOtherLists) {
  const StridedSliceAttributes plain;
  EXPECT_THAT(Cut(plain, Cube(), {0}, {1, 1}, {1}), StatusIs(kInvalid, HasSubstr("StridedSlice_c1")));
  EXPECT_THAT(Evaluate(StridedSliceOp(), plain, {Cube(), F32({1}, {0}), List({1})}),
              StatusIs(kInvalid, HasSubstr("StridedSlice_c1")));
}

TEST(StridedSliceTest, C2RejectsZeroStrides) {
  EXPECT_THAT(Cut(StridedSliceAttributes(), Cube(), {0}, {1}, {0}), StatusIs(kInvalid, HasSubstr("StridedSlice_c2")));
}

TEST(StridedSliceTest, C3RejectsPlans) {
  StridedSliceAttributes ellipses;
  ellipses.ellipsis_mask = {1, 1};
  EXPECT_THAT(Cut(ellipses, Cube(), {0, 0}, {1, 1}, {1, 1}), StatusIs(kInvalid, HasSubstr("StridedSlice_c3")));
  EXPECT_THAT(Cut(StridedSliceAttributes(), F32({1}, {1}), {0, 0}, {1, 1}, {1, 1}),
              StatusIs(kInvalid, HasSubstr("StridedSlice_c3")));
}

TEST(StridedSliceTest, C4RejectsElementsOutside) {
  StridedSliceAttributes shrink;
  shrink.shrink_axis_mask = {1};
  EXPECT_THAT(Cut(shrink, F32({2}, {1, 2}), {2}, {3}, {1}), StatusIs(kInvalid, HasSubstr("StridedSlice_c4")));
  EXPECT_THAT(Cut(shrink, F32({0}, {}), {0}, {1}, {1}), StatusIs(kInvalid, HasSubstr("StridedSlice_c4")));
}

TEST(StridedSliceTest, ViewReachesWhatIsTaken) {
  StridedSliceAttributes attributes;
  attributes.new_axis_mask = {1};
  attributes.shrink_axis_mask = {0, 1};
  attributes.begin_mask = {0, 0, 1};
  ASSERT_OK_AND_ASSIGN(const StridedView view, StridedSliceView(attributes, {4, 5}, {0, -1, 9}, {0, 0, 0}, {1, 1, -2}));
  EXPECT_EQ(view.offset, 3 * 5 + 4);
  EXPECT_EQ(view.strides, (std::vector<int64_t>{0, -2}));
  EXPECT_THAT(StridedSliceView(attributes, {4, 5}, {0, 4}, {0, 0}, {1, 1}).status(),
              StatusIs(absl::StatusCode::kInvalidArgument));
}

}  // namespace
}  // namespace burin::ir
