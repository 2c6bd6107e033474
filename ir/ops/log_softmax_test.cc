#include "ir/ops/log_softmax.h"

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
  LogSoftmaxAttributes attributes;
  attributes.axis = axis;
  const absl::StatusOr<Tensor> result = Evaluate(LogSoftmaxOp(), attributes, {data});
  EXPECT_OK(result);
  return result.ok() ? *result : Tensor();
}

// The example of ONNX's LogSoftmax.
TEST(LogSoftmaxTest, GivesLogarithmsOfShares) {
  ExpectTensorNear(Computed(1, F32({1, 3}, {-1, 0, 1})), F32({1, 3}, {-2.4076061, -1.407606, -0.407606}), 1e-6);
}

TEST(LogSoftmaxTest, RunsAlongTheAxis) {
  const double log_sum = std::log(1 + std::exp(1.0));
  ExpectTensorNear(Computed(-2, F32({2, 2}, {0, 5, 1, 5})),
                   F32({2, 2}, {-log_sum, -std::log(2.0), 1 - log_sum, -std::log(2.0)}), 1e-6);
}

TEST(LogSoftmaxTest, SurvivesLargeNumbers) {
  ExpectTensorNear(Computed(1, F32({1, 4}, {10000, 10001, 10002, 10003})),
                   F32({1, 4}, {-3.4401896, -2.4401896, -1.4401896, -0.44018966}), 1e-6);
  // The exponential of -200 is no f32, its logarithm is.
  ExpectTensorNear(Computed(1, F32({1, 2}, {0, -200})), F32({1, 2}, {0, -200}), 1e-6);
}

TEST(LogSoftmaxTest, HandlesEmptyTensors) {
  ExpectTensorEq(Computed(1, F32({2, 0}, {})), F32({2, 0}, {}));
  ExpectTensorEq(Computed(1, F32({0, 2}, {})), F32({0, 2}, {}));
}

TEST(LogSoftmaxTest, InfersTheDataShape) {
  const PartialShape shape({Dimension::Symbol("batch"), 5});
  absl::StatusOr<ValueInfo> result =
      InferOne(LogSoftmaxOp(), LogSoftmaxAttributes(), {Known(ElementType::kF16, shape)});
  ASSERT_OK(result);
  EXPECT_EQ(result->shape, shape);
  EXPECT_EQ(result->type, ElementType::kF16);
  result = InferOne(LogSoftmaxOp(), LogSoftmaxAttributes(), {Known(ElementType::kF16, PartialShape::DynamicRank())});
  ASSERT_OK(result);
  EXPECT_FALSE(result->shape.has_rank());
}

TEST(LogSoftmaxTest, C1_RefusesIntegers) {
  EXPECT_THAT(Evaluate(LogSoftmaxOp(), LogSoftmaxAttributes(), {I32({1, 1}, {1})}).status(),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("LogSoftmax_c1")));
}

TEST(LogSoftmaxTest, C2_RefusesAxes) {
  LogSoftmaxAttributes attributes;
  for (int64_t axis : {int64_t{2}, int64_t{-3}, INT64_MIN}) {
    attributes.axis = axis;
    EXPECT_THAT(Evaluate(LogSoftmaxOp(), attributes, {F32({1, 1}, {1})}).status(),
                StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("LogSoftmax_c2")));
  }
  EXPECT_THAT(Evaluate(LogSoftmaxOp(), LogSoftmaxAttributes(), {F32({}, {1})}).status(),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("LogSoftmax_c2")));
}

}  // namespace
}  // namespace burin::ir
