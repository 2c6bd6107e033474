#include "ir/ops/group_normalization.h"

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

absl::StatusOr<Tensor> Normalized(int64_t groups, const Tensor& data, const Tensor& scale, const Tensor& bias,
                                  double epsilon = 0) {
  GroupNormalizationAttributes attributes;
  attributes.num_groups = groups;
  attributes.epsilon = epsilon;
  return Evaluate(GroupNormalizationOp(), attributes, {data, scale, bias});
}

TEST(GroupNormalizationTest, NormalizesEachGroup) {
  // Group 0 of batch 0 holds 1, 3, 5, 7: mean 4, variance 5. Group 1 holds 0, 0, 2, 2: mean 1, variance 1.
  const double s = 1 / 2.2360679774997896;
  ASSERT_OK_AND_ASSIGN(const Tensor result, Normalized(2, F32({1, 4, 2}, {1, 3, 5, 7, 0, 0, 2, 2}),
                                                       F32({4}, {1, 2, 1, 10}), F32({4}, {0, 1, 0, 100})));
  ExpectTensorNear(result, F32({1, 4, 2}, {-3 * s, -s, 2 * s + 1, 6 * s + 1, -1, -1, 110, 110}), 1e-6);
}

TEST(GroupNormalizationTest, KeepsBatchesApart) {
  ASSERT_OK_AND_ASSIGN(const Tensor result,
                       Normalized(1, F32({2, 2}, {1, 3, 10, 30}), F32({2}, {1, 1}), F32({2}, {0, 0})));
  ExpectTensorEq(result, F32({2, 2}, {-1, 1, -1, 1}));
}

TEST(GroupNormalizationTest, AddsEpsilonToTheVariance) {
  ASSERT_OK_AND_ASSIGN(const Tensor result, Normalized(1, F16({1, 2}, {1, 3}), F16({2}, {1, 1}), F16({2}, {0, 0}), 3));
  ExpectTensorEq(result, F16({1, 2}, {-0.5, 0.5}));
}

TEST(GroupNormalizationTest, HandlesEmptyTensors) {
  ASSERT_OK_AND_ASSIGN(const Tensor result, Normalized(1, F32({0, 2, 2}, {}), F32({2}, {1, 1}), F32({2}, {0, 0})));
  ExpectTensorEq(result, F32({0, 2, 2}, {}));
}

TEST(GroupNormalizationTest, LearnsTheChannelsFromTheParameters) {
  const Dimension batch = Dimension::Symbol("batch");
  const ValueInfo list = Known(ElementType::kF32, PartialShape({6}));
  GroupNormalizationAttributes attributes;
  attributes.num_groups = 3;
  const absl::StatusOr<ValueInfo> result =
      InferOne(GroupNormalizationOp(), attributes, {Known(ElementType::kF32, {batch, Dimension()}), list, list});
  ASSERT_OK(result);
  EXPECT_EQ(result->shape, PartialShape({batch, 6}));
}

void ExpectError(const absl::StatusOr<Tensor>& result, const char* label) {
  EXPECT_THAT(result.status(), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(label)));
}

TEST(GroupNormalizationTest, RefusesWhatBreaksConstraints) {
  const Tensor data = F32({1, 2}, {1, 2});
  const Tensor two = F32({2}, {1, 1});
  ExpectError(Normalized(1, data, F16({2}, {1, 1}), two), "GroupNormalization_c1");
  ExpectError(Normalized(1, F32({2}, {1, 2}), two, two), "GroupNormalization_c2");
  ExpectError(Normalized(1, data, two, F32({1}, {1})), "GroupNormalization_c3");
  ExpectError(Normalized(0, data, two, two), "GroupNormalization_c4");
  ExpectError(Normalized(3, data, two, two), "GroupNormalization_c4");
  ExpectError(Normalized(1, data, two, two, -1), "GroupNormalization_c5");
}

}  // namespace
}  // namespace burin::ir
