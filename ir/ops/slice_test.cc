#include "ir/ops/slice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <vector>

#include "absl/status/status.h"
#include "ir/ops/op_testlib.h"
#include "ir/ops/ops.h"
#include "testing/gtest/status_matchers.h"

namespace burin::ir {
namespace {

using ::testing::HasSubstr;

constexpr absl::StatusCode kInvalid = absl::StatusCode::kInvalidArgument;
constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
constexpr int64_t kMin = std::numeric_limits<int64_t>::min();

Tensor List(const std::vector<int64_t>& values) { return I64({static_cast<int64_t>(values.size())}, values); }

absl::StatusOr<Tensor> Cut(const Tensor& data, const std::vector<int64_t>& start, const std::vector<int64_t>& stop,
                           const std::vector<int64_t>& step) {
  return Evaluate(SliceOp(), NoAttributes(), {data, List(start), List(stop), List(step)});
}

const Tensor& Digits() {
  static const Tensor digits = I32({10}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
  return digits;
}

TEST(SliceTest, TakesPartsOfAList) {
  ASSERT_OK_AND_ASSIGN(const Tensor forwards, Cut(Digits(), {1}, {8}, {2}));
  ExpectTensorEq(forwards, I32({4}, {1, 3, 5, 7}));
  ASSERT_OK_AND_ASSIGN(const Tensor clamped, Cut(Digits(), {-100}, {100}, {1}));
  ExpectTensorEq(clamped, Digits());
  ASSERT_OK_AND_ASSIGN(const Tensor backwards, Cut(Digits(), {9}, {-11}, {-2}));
  ExpectTensorEq(backwards, I32({5}, {9, 7, 5, 3, 1}));
  ASSERT_OK_AND_ASSIGN(const Tensor all_backwards, Cut(I32({3}, {1, 2, 3}), {kMax}, {kMin}, {-1}));
  ExpectTensorEq(all_backwards, I32({3}, {3, 2, 1}));
  ASSERT_OK_AND_ASSIGN(const Tensor empty, Cut(Digits(), {5}, {5}, {1}));
  ExpectTensorEq(empty, I32({0}, {}));
  ASSERT_OK_AND_ASSIGN(const Tensor first, Cut(Digits(), {0}, {kMax}, {kMax}));
  ExpectTensorEq(first, I32({1}, {0}));
}

TEST(SliceTest, TakesPartsAlongAxes) {
  const Tensor data = F16({2, 5}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
  ASSERT_OK_AND_ASSIGN(const Tensor default_axes, Cut(data, {0, 1}, {2, 4}, {1, 2}));
  ExpectTensorEq(default_axes, F16({2, 2}, {1, 3, 6, 8}));
  ASSERT_OK_AND_ASSIGN(const Tensor named,
                       Evaluate(SliceOp(), NoAttributes(), {data, List({-1}), List({-3}), List({-1}), I32({1}, {-1})}));
  ExpectTensorEq(named, F16({2, 2}, {4, 3, 9, 8}));
}

TEST(SliceTest, TakesPackedElements) {
  ASSERT_OK_AND_ASSIGN(const Tensor odd, Cut(IntTensor(ElementType::kI4, {5}, {1, 2, 3, 4, 5}), {1}, {5}, {2}));
  ExpectTensorEq(odd, IntTensor(ElementType::kI4, {2}, {2, 4}));
}

TEST(SliceTest, InfersPartialShapes) {
  const Dimension n = Dimension::Symbol("n");
  const auto shape_of = [](const PartialShape& data, const ValueInfo& start, const ValueInfo& stop) {
    return InferOne(SliceOp(), NoAttributes(),
                    {Known(ElementType::kF32, data), start, stop, Constant(I64({1}, {1})), Constant(I64({1}, {1}))});
  };
  ASSERT_OK_AND_ASSIGN(const ValueInfo whole, shape_of({2, n}, Constant(List({0})), Constant(List({kMax}))));
  EXPECT_EQ(whole.shape, PartialShape({2, n}));
  ASSERT_OK_AND_ASSIGN(const ValueInfo up_to, shape_of({2, 512}, Constant(List({0})), Partial({n})));
  EXPECT_EQ(up_to.shape, PartialShape({2, Dimension(0, 512)}));
  ASSERT_OK_AND_ASSIGN(const ValueInfo last,
                       shape_of({n, Dimension(3, 8)}, Constant(List({-1})), Constant(List({kMax}))));
  EXPECT_EQ(last.shape, PartialShape({n, 1}));
  ASSERT_OK_AND_ASSIGN(const ValueInfo unknown,
                       shape_of({n, 7}, Known(ElementType::kI64, {1}), Known(ElementType::kI64, {1})));
  EXPECT_EQ(unknown.shape, PartialShape({n, Dimension(0, 7)}));
  ASSERT_OK_AND_ASSIGN(const ValueInfo rank,
                       shape_of(PartialShape::DynamicRank(), Constant(List({0})), Constant(List({1}))));
  EXPECT_FALSE(rank.shape.has_rank());
}

TEST(SliceTest, AcceptsUnknownAxes) {
  const ValueInfo one = Known(ElementType::kI64, {1});
  ASSERT_OK_AND_ASSIGN(const ValueInfo info,
                       InferOne(SliceOp(), NoAttributes(), {Known(ElementType::kF32, {4, 5}), one, one, one, one}));
  EXPECT_EQ(info.shape, PartialShape({Dimension(0, 4), Dimension(0, 5)}));
  const ValueInfo any = Known(ElementType::kI64, {Dimension()});
  ASSERT_OK_AND_ASSIGN(const ValueInfo lengths,
                       InferOne(SliceOp(), NoAttributes(), {Known(ElementType::kF32, {4, 5}), any, any, any}));
  EXPECT_EQ(lengths.shape, PartialShape({Dimension(0, 4), Dimension(0, 5)}));
}

TEST(SliceTest, PropagatesContent) {
  const Dimension n = Dimension::Symbol("n");
  ASSERT_OK_AND_ASSIGN(const ValueInfo info,
                       InferOne(SliceOp(), NoAttributes(),
                                {Partial({1, n, 3}), Constant(List({-1})), Constant(List({0})), Constant(List({-1}))}));
  EXPECT_EQ(info.content, (PartialValue{3, n}));
}

TEST(SliceTest, C1RejectsOtherLists) {
  EXPECT_THAT(Evaluate(SliceOp(), NoAttributes(), {Digits(), F32({1}, {0}), List({1}), List({1})}),
              StatusIs(kInvalid, HasSubstr("Slice_c1")));
  EXPECT_THAT(Evaluate(SliceOp(), NoAttributes(), {Digits(), I64({}, {0}), List({1}), List({1})}),
              StatusIs(kInvalid, HasSubstr("Slice_c1")));
}

TEST(SliceTest, C2RejectsLengths) {
  EXPECT_THAT(Cut(Digits(), {0}, {1, 2}, {1}), StatusIs(kInvalid, HasSubstr("Slice_c2")));
  EXPECT_THAT(Cut(Digits(), {0, 0}, {1, 1}, {1, 1}), StatusIs(kInvalid, HasSubstr("Slice_c2")));
  EXPECT_THAT(Cut(F32({}, {1}), {}, {}, {}), StatusIs(kInvalid, HasSubstr("Slice_c2")));
}

TEST(SliceTest, C3RejectsZeroSteps) {
  EXPECT_THAT(Cut(Digits(), {0}, {1}, {0}), StatusIs(kInvalid, HasSubstr("Slice_c3")));
}

TEST(SliceTest, C4RejectsAxes) {
  EXPECT_THAT(Evaluate(SliceOp(), NoAttributes(), {Digits(), List({0}), List({1}), List({1}), List({1})}),
              StatusIs(kInvalid, HasSubstr("Slice_c4")));
  EXPECT_THAT(
      Evaluate(SliceOp(), NoAttributes(), {F32({1, 1}, {1}), List({0, 0}), List({1, 1}), List({1, 1}), List({0, -2})}),
      StatusIs(kInvalid, HasSubstr("Slice_c4")));
}

TEST(SliceTest, ViewReachesWhatIsTaken) {
  ASSERT_OK_AND_ASSIGN(const StridedView view, SliceView({4, 5}, {-1, 1}, {0, 3}, {-2, 1}, {-1, 0}));
  EXPECT_EQ(view.offset, 1 * 5 + 4);
  EXPECT_EQ(view.strides, (std::vector<int64_t>{5, -2}));
  EXPECT_THAT(SliceView({4, 5}, {0}, {1}, {1}, {2}).status(), StatusIs(absl::StatusCode::kInvalidArgument));
}

}  // namespace
}  // namespace burin::ir
