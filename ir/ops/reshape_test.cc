#include "ir/ops/reshape.h"

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

ReshapeAttributes SpecialZero(bool special_zero) {
  ReshapeAttributes attributes;
  attributes.special_zero = special_zero;
  return attributes;
}

absl::StatusOr<Tensor> To(const Tensor& data, const std::vector<int64_t>& pattern, bool special_zero = false) {
  return Evaluate(ReshapeOp(), SpecialZero(special_zero), {data, I64({static_cast<int64_t>(pattern.size())}, pattern)});
}

// Infers the shape of f32 data under a pattern.
absl::StatusOr<PartialShape> Shaped(const PartialShape& data, const PartialValue& pattern, bool special_zero = false) {
  absl::StatusOr<ValueInfo> info =
      InferOne(ReshapeOp(), SpecialZero(special_zero), {Known(ElementType::kF32, data), Partial(pattern)});
  if (!info.ok()) return info.status();
  return info->shape;
}

TEST(ReshapeTest, KeepsTheElements) {
  ASSERT_OK_AND_ASSIGN(const Tensor plain, To(F32({2, 3}, {1, 2, 3, 4, 5, 6}), {3, 2}));
  ExpectTensorEq(plain, F32({3, 2}, {1, 2, 3, 4, 5, 6}));
  ASSERT_OK_AND_ASSIGN(const Tensor inferred, To(Bool({4}, {1, 0, 0, 1}), {2, -1}));
  ExpectTensorEq(inferred, Bool({2, 2}, {1, 0, 0, 1}));
  ASSERT_OK_AND_ASSIGN(const Tensor packed, To(IntTensor(ElementType::kI4, {3}, {1, -2, 3}), {1, 3}));
  ExpectTensorEq(packed, IntTensor(ElementType::kI4, {1, 3}, {1, -2, 3}));
  ASSERT_OK_AND_ASSIGN(const Tensor scalar, To(I32({1, 1}, {7}), {}));
  ExpectTensorEq(scalar, I32({}, {7}));
}

TEST(ReshapeTest, ZeroStandsForTheDimensionOrForItself) {
  ASSERT_OK_AND_ASSIGN(const Tensor copied, To(F16({2, 3}, {1, 2, 3, 4, 5, 6}), {0, -1, 1}, true));
  ExpectTensorEq(copied, F16({2, 3, 1}, {1, 2, 3, 4, 5, 6}));
  ASSERT_OK_AND_ASSIGN(const Tensor empty, To(F32({0, 3}, {}), {3, 0}));
  ExpectTensorEq(empty, F32({3, 0}, {}));
}

TEST(ReshapeTest, ScalarPattern) {
  ASSERT_OK_AND_ASSIGN(const Tensor scalar, Evaluate(ReshapeOp(), ReshapeAttributes(), {F32({1}, {7}), I64({}, {1})}));
  ExpectTensorEq(scalar, F32({}, {7}));
}

TEST(ReshapeTest, KeepsSymbolsThatDivideOut) {
  const Dimension batch = Dimension::Symbol("batch");
  const Dimension length = Dimension::Symbol("length");
  EXPECT_THAT(Shaped({batch, length, 768}, {0, 0, 12, 64}, true), IsOkAndHolds(PartialShape({batch, length, 12, 64})));
  EXPECT_THAT(Shaped({batch, length, 768}, {batch, -1, 12, 64}), IsOkAndHolds(PartialShape({batch, length, 12, 64})));
  EXPECT_THAT(Shaped({batch, length, 768}, {-1, length, 12, 64}, true),
              IsOkAndHolds(PartialShape({batch, length, 12, 64})));
  EXPECT_THAT(Shaped({batch, length, 12, 64}, {batch, length, -1}), IsOkAndHolds(PartialShape({batch, length, 768})));
  EXPECT_THAT(Shaped({batch, 4, 2}, {-1, 8}), IsOkAndHolds(PartialShape({batch, 8})));
}

TEST(ReshapeTest, InfersIntervals) {
  EXPECT_THAT(Shaped({Dimension(2, 5), 6}, {-1, 3}), IsOkAndHolds(PartialShape({Dimension(4, 10), 3})));
  EXPECT_THAT(Shaped({Dimension(2, 7), 2}, {-1, 4}), IsOkAndHolds(PartialShape({Dimension(1, 3), 4})));
  // Two anonymous dimensions are not known to be equal.
  EXPECT_THAT(Shaped({Dimension(), 6}, {Dimension(), -1}), IsOkAndHolds(PartialShape({Dimension(), Dimension()})));
  // A special zero copies the very dimension, so that it divides out even without a symbol.
  EXPECT_THAT(Shaped({Dimension(), 6, 2}, {0, -1}, true), IsOkAndHolds(PartialShape({Dimension(), 12})));
  EXPECT_THAT(Shaped({7, 6}, {Dimension(0, 3), 6}, true), IsOkAndHolds(PartialShape({Dimension(0, 7), 6})));
}

TEST(ReshapeTest, AcceptsUnknowns) {
  EXPECT_THAT(Shaped(PartialShape::DynamicRank(), {2, 0, -1}, true),
              IsOkAndHolds(PartialShape({2, Dimension(), Dimension()})));
  EXPECT_THAT(Shaped({2, 3}, {Dimension::AnyValue(), 3}), IsOkAndHolds(PartialShape({Dimension(), 3})));
  ASSERT_OK_AND_ASSIGN(const ValueInfo length,
                       InferOne(ReshapeOp(), ReshapeAttributes(),
                                {Known(ElementType::kF32, {2, 3}), Known(ElementType::kI64, {Dimension()})}));
  EXPECT_FALSE(length.shape.has_rank());
  ASSERT_OK_AND_ASSIGN(
      const ValueInfo content,
      InferOne(ReshapeOp(), ReshapeAttributes(), {Known(ElementType::kF32, {2, 3}), Known(ElementType::kI64, {3})}));
  EXPECT_EQ(content.shape, PartialShape::OfRank(3));
}

TEST(ReshapeTest, PropagatesContent) {
  const Dimension n = Dimension::Symbol("n");
  ASSERT_OK_AND_ASSIGN(const ValueInfo list,
                       InferOne(ReshapeOp(), ReshapeAttributes(), {PartialScalar(n), Constant(I64({1}, {-1}))}));
  EXPECT_EQ(list.content, (PartialValue{n}));
}

TEST(ReshapeTest, C1RejectsPatterns) {
  EXPECT_THAT(Evaluate(ReshapeOp(), ReshapeAttributes(), {F32({1}, {1}), F32({1}, {1})}),
              StatusIs(kInvalid, HasSubstr("Reshape_c1")));
  EXPECT_THAT(Evaluate(ReshapeOp(), ReshapeAttributes(), {F32({1}, {1}), I64({}, {2})}),
              StatusIs(kInvalid, HasSubstr("Reshape_c1")));
  EXPECT_THAT(To(F32({1}, {1}), std::vector<int64_t>(65, 1)), StatusIs(kInvalid, HasSubstr("Reshape_c1")));
}

TEST(ReshapeTest, C2RejectsNegativeDimensions) {
  EXPECT_THAT(To(F32({1}, {1}), {-2}), StatusIs(kInvalid, HasSubstr("Reshape_c2")));
  EXPECT_THAT(To(F32({1}, {1}), {-1, -1}), StatusIs(kInvalid, HasSubstr("Reshape_c2")));
}

TEST(ReshapeTest, C3RejectsZerosBeyondTheData) {
  EXPECT_THAT(To(F32({1}, {1}), {1, 0}, true), StatusIs(kInvalid, HasSubstr("Reshape_c3")));
}

TEST(ReshapeTest, C4RejectsOtherElementCounts) {
  EXPECT_THAT(To(F32({6}, {1, 2, 3, 4, 5, 6}), {4, 2}), StatusIs(kInvalid, HasSubstr("Reshape_c4")));
  EXPECT_THAT(To(F32({6}, {1, 2, 3, 4, 5, 6}), {4, -1}), StatusIs(kInvalid, HasSubstr("Reshape_c4")));
  EXPECT_THAT(To(F32({2}, {1, 2}), {0, -1}), StatusIs(kInvalid, HasSubstr("Reshape_c4")));
  constexpr int64_t kHuge = int64_t{1} << 40;
  EXPECT_THAT(To(F32({2}, {1, 2}), {kHuge, kHuge, -1}), StatusIs(kInvalid, HasSubstr("Reshape_c4")));
  EXPECT_THAT(To(F32({2}, {1, 2}), {kHuge, kHuge}), StatusIs(kInvalid));
  EXPECT_THAT(Shaped({Dimension(3, 4)}, {-1, 5}), StatusIs(kInvalid, HasSubstr("Reshape_c4")));
}

}  // namespace
}  // namespace burin::ir
