#include "ir/ops/broadcast.h"

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

BroadcastOpAttributes Mode(BroadcastMode mode) {
  BroadcastOpAttributes attributes;
  attributes.mode = mode;
  return attributes;
}

Tensor List(const std::vector<int64_t>& values) { return I64({static_cast<int64_t>(values.size())}, values); }

TEST(BroadcastTest, NumpyStretchesOnes) {
  const BroadcastOpAttributes numpy;
  ASSERT_OK_AND_ASSIGN(const Tensor rows, Evaluate(BroadcastOp(), numpy, {F32({2, 1}, {1, 2}), List({2, 2, 3})}));
  ExpectTensorEq(rows, F32({2, 2, 3}, {1, 1, 1, 2, 2, 2, 1, 1, 1, 2, 2, 2}));
  ASSERT_OK_AND_ASSIGN(const Tensor scalar,
                       Evaluate(BroadcastOp(), numpy, {IntTensor(ElementType::kI4, {}, {-3}), List({3})}));
  ExpectTensorEq(scalar, IntTensor(ElementType::kI4, {3}, {-3, -3, -3}));
  ASSERT_OK_AND_ASSIGN(const Tensor empty, Evaluate(BroadcastOp(), numpy, {F32({1}, {1}), List({2, 0})}));
  ExpectTensorEq(empty, F32({2, 0}, {}));
}

TEST(BroadcastTest, ExplicitFollowsTheMapping) {
  ASSERT_OK_AND_ASSIGN(const Tensor channels, Evaluate(BroadcastOp(), Mode(BroadcastMode::kExplicit),
                                                       {Bool({2}, {0, 1}), List({2, 2, 2}), List({1})}));
  ExpectTensorEq(channels, Bool({2, 2, 2}, {0, 0, 1, 1, 0, 0, 1, 1}));
}

TEST(BroadcastTest, BidirectionalStretchesTheTarget) {
  ASSERT_OK_AND_ASSIGN(const Tensor both, Evaluate(BroadcastOp(), Mode(BroadcastMode::kBidirectional),
                                                   {I64({2, 1}, {1, 2}), List({1, 2})}));
  ExpectTensorEq(both, I64({2, 2}, {1, 1, 2, 2}));
}

TEST(BroadcastTest, InfersPartialShapes) {
  const Dimension n = Dimension::Symbol("n");
  ASSERT_OK_AND_ASSIGN(const ValueInfo known,
                       InferOne(BroadcastOp(), BroadcastOpAttributes(),
                                {Known(ElementType::kF32, {1, 5}), Partial({n, 2, Dimension()})}));
  EXPECT_EQ(known.shape, PartialShape({n, 2, 5}));
  ASSERT_OK_AND_ASSIGN(const ValueInfo length,
                       InferOne(BroadcastOp(), BroadcastOpAttributes(),
                                {Known(ElementType::kF32, {1, 5}), Known(ElementType::kI64, {Dimension()})}));
  EXPECT_FALSE(length.shape.has_rank());
  ASSERT_OK_AND_ASSIGN(const ValueInfo mapping,
                       InferOne(BroadcastOp(), Mode(BroadcastMode::kExplicit),
                                {Known(ElementType::kF32, {5}), Partial({n, 5}), Known(ElementType::kI64, {1})}));
  EXPECT_EQ(mapping.shape, PartialShape({n, 5}));
}

TEST(BroadcastTest, PropagatesContent) {
  const Dimension n = Dimension::Symbol("n");
  ASSERT_OK_AND_ASSIGN(const ValueInfo info,
                       InferOne(BroadcastOp(), BroadcastOpAttributes(), {PartialScalar(n), Constant(List({3}))}));
  EXPECT_EQ(info.content, (PartialValue{n, n, n}));
}

TEST(BroadcastTest, C1RejectsTargets) {
  EXPECT_THAT(Evaluate(BroadcastOp(), BroadcastOpAttributes(), {F32({1}, {1}), List({-1})}),
              StatusIs(kInvalid, HasSubstr("Broadcast_c1")));
  EXPECT_THAT(Evaluate(BroadcastOp(), BroadcastOpAttributes(), {F32({1}, {1}), F32({1}, {1})}),
              StatusIs(kInvalid, HasSubstr("Broadcast_c1")));
}

TEST(BroadcastTest, C2RejectsMappingsByMode) {
  EXPECT_THAT(Evaluate(BroadcastOp(), BroadcastOpAttributes(), {F32({1}, {1}), List({1}), List({0})}),
              StatusIs(kInvalid, HasSubstr("Broadcast_c2")));
  EXPECT_THAT(Evaluate(BroadcastOp(), Mode(BroadcastMode::kExplicit), {F32({1}, {1}), List({1})}),
              StatusIs(kInvalid, HasSubstr("Broadcast_c2")));
}

TEST(BroadcastTest, C3RejectsOtherSizes) {
  for (const BroadcastMode mode : {BroadcastMode::kNumpy, BroadcastMode::kBidirectional}) {
    EXPECT_THAT(Evaluate(BroadcastOp(), Mode(mode), {F32({2}, {1, 2}), List({3})}),
                StatusIs(kInvalid, HasSubstr("Broadcast_c3")));
  }
  EXPECT_THAT(Evaluate(BroadcastOp(), BroadcastOpAttributes(), {F32({2}, {1, 2}), List({1})}),
              StatusIs(kInvalid, HasSubstr("Broadcast_c3")));
}

TEST(BroadcastTest, C4RejectsTooManyDimensions) {
  EXPECT_THAT(Evaluate(BroadcastOp(), BroadcastOpAttributes(), {F32({1, 1}, {1}), List({1})}),
              StatusIs(kInvalid, HasSubstr("Broadcast_c4")));
}

TEST(BroadcastTest, C5RejectsMappings) {
  for (const std::vector<int64_t>& mapping : {std::vector<int64_t>{0}, {1, 0}, {0, 2}, {-1, 0}}) {
    EXPECT_THAT(
        Evaluate(BroadcastOp(), Mode(BroadcastMode::kExplicit), {F32({1, 1}, {1}), List({1, 1}), List(mapping)}),
        StatusIs(kInvalid, HasSubstr("Broadcast_c5")));
  }
}

}  // namespace
}  // namespace burin::ir
