#include "ir/ops/batch_norm_inference.h"

#include <limits>
#include <vector>

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

// Gamma, beta, mean and variance of two channels.
std::vector<Tensor> Parameters() { return {F32({2}, {1, 2}), F32({2}, {0, 1}), F32({2}, {1, 3}), F32({2}, {4, 1})}; }

absl::StatusOr<Tensor> Normalized(const Tensor& data, double epsilon) {
  BatchNormInferenceAttributes attributes;
  attributes.epsilon = epsilon;
  return Evaluate(BatchNormInferenceOp(), attributes,
                  {data, Parameters()[0], Parameters()[1], Parameters()[2], Parameters()[3]});
}

TEST(BatchNormInferenceTest, NormalizesEachChannel) {
  // Channel 0: (x - 1) / 2. Channel 1: 2 * (x - 3) / 1 + 1.
  ASSERT_OK_AND_ASSIGN(const Tensor image, Normalized(F32({2, 2, 1, 2}, {1, 3, 3, 4, 5, -1, 2, 0}), 0));
  ExpectTensorEq(image, F32({2, 2, 1, 2}, {0, 1, 1, 3, 2, -1, -1, -5}));
  ASSERT_OK_AND_ASSIGN(const Tensor rows, Normalized(F32({2, 2}, {1, 3, 3, 4}), 0));
  ExpectTensorEq(rows, F32({2, 2}, {0, 1, 1, 3}));
}

TEST(BatchNormInferenceTest, AddsEpsilonToTheVariance) {
  ASSERT_OK_AND_ASSIGN(const Tensor result, Normalized(F32({1, 2}, {4, 5}), 5));
  ExpectTensorNear(result, F32({1, 2}, {1, 2 * 2 / 2.449489743 + 1}), 1e-6);
}

TEST(BatchNormInferenceTest, HandlesEmptyBatches) {
  ASSERT_OK_AND_ASSIGN(const Tensor result, Normalized(F32({0, 2, 3}, {}), 0));
  ExpectTensorEq(result, F32({0, 2, 3}, {}));
}

TEST(BatchNormInferenceTest, LearnsTheChannelsFromTheParameters) {
  const Dimension batch = Dimension::Symbol("batch");
  const ValueInfo list = Known(ElementType::kF32, PartialShape({7}));
  const absl::StatusOr<ValueInfo> result =
      InferOne(BatchNormInferenceOp(), BatchNormInferenceAttributes(),
               {Known(ElementType::kF32, {batch, Dimension(), 5}), list, list, list, list});
  ASSERT_OK(result);
  EXPECT_EQ(result->shape, PartialShape({batch, 7, 5}));
}

void ExpectError(const Tensor& data, const Tensor& gamma, double epsilon, const char* label) {
  BatchNormInferenceAttributes attributes;
  attributes.epsilon = epsilon;
  EXPECT_THAT(
      Evaluate(BatchNormInferenceOp(), attributes, {data, gamma, Parameters()[1], Parameters()[2], Parameters()[3]})
          .status(),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(label)));
}

TEST(BatchNormInferenceTest, RefusesWhatBreaksConstraints) {
  ExpectError(F32({1, 2}, {1, 2}), F16({2}, {1, 1}), 0, "BatchNormInference_c1");
  ExpectError(F32({2}, {1, 2}), Parameters()[0], 0, "BatchNormInference_c2");
  ExpectError(F32({1, 2}, {1, 2}), F32({3}, {1, 1, 1}), 0, "BatchNormInference_c3");
  ExpectError(F32({1, 2}, {1, 2}), F32({2, 1}, {1, 1}), 0, "BatchNormInference_c3");
  ExpectError(F32({1, 2}, {1, 2}), Parameters()[0], -1, "BatchNormInference_c4");
  ExpectError(F32({1, 2}, {1, 2}), Parameters()[0], std::numeric_limits<double>::quiet_NaN(), "BatchNormInference_c4");
}

}  // namespace
}  // namespace burin::ir
