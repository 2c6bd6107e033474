#include "ir/ops/lrn.h"

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

absl::StatusOr<Tensor> Normalized(int64_t size, const Tensor& data, const Tensor& axes) {
  LRNAttributes attributes;
  attributes.alpha = 3;
  attributes.beta = 0.5;
  attributes.bias = 2;
  attributes.size = size;
  return Evaluate(LRNOp(), attributes, {data, axes});
}

TEST(LRNTest, SumsNeighboursAlongChannels) {
  // Sums of squares of up to 3 channels: 5, 14, 29, 25; alpha / size is 1.
  ASSERT_OK_AND_ASSIGN(const Tensor result, Normalized(3, F32({1, 4, 1, 1}, {1, 2, 3, 4}), I64({1}, {1})));
  ExpectTensorNear(
      result, F32({1, 4, 1, 1}, {1 / std::sqrt(7.0), 2 / std::sqrt(16.0), 3 / std::sqrt(31.0), 4 / std::sqrt(27.0)}),
      1e-6);
}

TEST(LRNTest, SumsSquaresOverTwoAxes) {
  // Every 3x3 region holds the whole 2x2 image: 30; alpha / size^2 is 1/3.
  ASSERT_OK_AND_ASSIGN(const Tensor result, Normalized(3, F32({1, 1, 2, 2}, {1, 2, 3, 4}), I64({2}, {-1, 2})));
  const double divisor = std::sqrt(12.0);
  ExpectTensorNear(result, F32({1, 1, 2, 2}, {1 / divisor, 2 / divisor, 3 / divisor, 4 / divisor}), 1e-6);
}

TEST(LRNTest, WithoutAxesTakesEachElementAlone) {
  ASSERT_OK_AND_ASSIGN(const Tensor result, Normalized(5, F32({2}, {1, 3}), I64({0}, {})));
  ExpectTensorNear(result, F32({2}, {1 / std::sqrt(5.0), 3 / std::sqrt(29.0)}), 1e-6);
}

TEST(LRNTest, TakesAnySizeAndEmptyTensors) {
  ASSERT_OK_AND_ASSIGN(const Tensor result, Normalized(INT64_MAX, F16({2}, {0, 0}), I64({1}, {0})));
  ExpectTensorEq(result, F16({2}, {0, 0}));
  ASSERT_OK_AND_ASSIGN(const Tensor empty, Normalized(3, F32({0, 2}, {}), I64({1}, {1})));
  ExpectTensorEq(empty, F32({0, 2}, {}));
}

TEST(LRNTest, InfersTheDataShape) {
  const PartialShape shape({Dimension::Symbol("batch"), 3});
  const absl::StatusOr<ValueInfo> result =
      InferOne(LRNOp(), LRNAttributes(), {Known(ElementType::kF32, shape), Constant(I64({1}, {1}))});
  ASSERT_OK(result);
  EXPECT_EQ(result->shape, shape);
}

TEST(LRNTest, RefusesWhatBreaksConstraints) {
  const Tensor data = F32({1, 2}, {1, 2});
  const auto error = [](const char* label) { return StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(label)); };
  EXPECT_THAT(Normalized(1, I32({1}, {1}), I64({1}, {0})).status(), error("LRN_c1"));
  EXPECT_THAT(Normalized(1, data, I64({1}, {2})).status(), error("LRN_c2"));
  EXPECT_THAT(Normalized(1, data, I64({2}, {0, 0})).status(), error("LRN_c2"));
  EXPECT_THAT(Normalized(0, data, I64({1}, {0})).status(), error("LRN_c3"));
}

}  // namespace
}  // namespace burin::ir
