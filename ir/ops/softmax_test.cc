#include "ir/ops/softmax.h"

#include <cmath>
#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/element_type.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/dimension.h"
#include "ir/infer_context.h"
#include "ir/ops/op_testlib.h"
#include "ir/ops/ops.h"
#include "ir/partial_shape.h"
#include "ir/tensor.h"
#include "testing/gtest/status_matchers.h"

namespace burin::ir {
namespace {

using ::testing::HasSubstr;

Tensor Computed(int64_t axis, const Tensor& data) {
  SoftmaxAttributes attributes;
  attributes.axis = axis;
  const absl::StatusOr<Tensor> result = Evaluate(SoftmaxOp(), attributes, {data});
  EXPECT_OK(result);
  return result.ok() ? *result : Tensor();
}

// The example of ONNX's Softmax.
TEST(SoftmaxTest, GivesShares) {
  ExpectTensorNear(Computed(1, F32({1, 3}, {-1, 0, 1})), F32({1, 3}, {0.09003057, 0.24472847, 0.66524096}), 1e-6);
  ExpectTensorNear(Computed(-1, F16({1, 3}, {-1, 0, 1})), F16({1, 3}, {0.09003057, 0.24472847, 0.66524096}), 1e-3);
}

TEST(SoftmaxTest, RunsAlongTheAxis) {
  const double e = std::exp(1.0);
  ExpectTensorNear(Computed(0, F32({2, 2}, {0, 5, 1, 5})), F32({2, 2}, {1 / (1 + e), 0.5, e / (1 + e), 0.5}), 1e-6);
  ExpectTensorNear(Computed(-2, F32({1, 2, 2}, {0, 5, 1, 5})), F32({1, 2, 2}, {1 / (1 + e), 0.5, e / (1 + e), 0.5}),
                   1e-6);
}

TEST(SoftmaxTest, SurvivesLargeNumbersAndMasks) {
  ExpectTensorNear(
      Computed(1, F32({2, 4}, {0, 1, 2, 3, 10000, 10001, 10002, 10003})),
      F32({2, 4}, {0.032058604, 0.08714432, 0.23688284, 0.6439143, 0.032058604, 0.08714432, 0.23688284, 0.6439143}),
      1e-6);
  ExpectTensorEq(Computed(1, F32({1, 3}, {-INFINITY, 0, 0})), F32({1, 3}, {0, 0.5, 0.5}));
}

TEST(SoftmaxTest, HandlesEmptyTensors) {
  ExpectTensorEq(Computed(1, F32({2, 0}, {})), F32({2, 0}, {}));
  ExpectTensorEq(Computed(1, F32({0, 2}, {})), F32({0, 2}, {}));
}

TEST(SoftmaxTest, InfersTheDataShape) {
  const PartialShape shape({Dimension::Symbol("batch"), 5});
  absl::StatusOr<ValueInfo> result = InferOne(SoftmaxOp(), SoftmaxAttributes(), {Known(ElementType::kF16, shape)});
  ASSERT_OK(result);
  EXPECT_EQ(result->shape, shape);
  EXPECT_EQ(result->type, ElementType::kF16);
  result = InferOne(SoftmaxOp(), SoftmaxAttributes(), {Known(ElementType::kF16, PartialShape::DynamicRank())});
  ASSERT_OK(result);
  EXPECT_FALSE(result->shape.has_rank());
}

TEST(SoftmaxTest, C1_RefusesIntegers) {
  EXPECT_THAT(Evaluate(SoftmaxOp(), SoftmaxAttributes(), {I32({1, 1}, {1})}).status(),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("Softmax_c1")));
}

TEST(SoftmaxTest, C2_RefusesAxes) {
  SoftmaxAttributes attributes;
  for (int64_t axis : {int64_t{2}, int64_t{-3}, INT64_MIN}) {
    attributes.axis = axis;
    EXPECT_THAT(Evaluate(SoftmaxOp(), attributes, {F32({1, 1}, {1})}).status(),
                StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("Softmax_c2")));
  }
  EXPECT_THAT(Evaluate(SoftmaxOp(), SoftmaxAttributes(), {F32({}, {1})}).status(),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("Softmax_c2")));
}

}  // namespace
}  // namespace burin::ir
