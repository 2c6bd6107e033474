#include "ir/ops/mvn.h"

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

absl::StatusOr<Tensor> Normalized(const MVNAttributes& attributes, const Tensor& data, const Tensor& axes) {
  return Evaluate(MVNOp(), attributes, {data, axes});
}

MVNAttributes WithEps(double eps, MVNEpsMode mode) {
  MVNAttributes attributes;
  attributes.eps = eps;
  attributes.eps_mode = mode;
  return attributes;
}

TEST(MVNTest, NormalizesSlices) {
  const MVNAttributes exact = WithEps(0, MVNEpsMode::kInsideSqrt);
  ASSERT_OK_AND_ASSIGN(const Tensor rows, Normalized(exact, F32({2, 2}, {1, 3, 10, 30}), I64({1}, {-1})));
  ExpectTensorEq(rows, F32({2, 2}, {-1, 1, -1, 1}));
  ASSERT_OK_AND_ASSIGN(const Tensor columns, Normalized(exact, F32({2, 2}, {1, 30, 3, 10}), I32({1}, {0})));
  ExpectTensorEq(columns, F32({2, 2}, {-1, 1, 1, -1}));
  // Mean 4, variance 5 over both axes.
  ASSERT_OK_AND_ASSIGN(const Tensor all, Normalized(exact, F32({2, 2}, {1, 3, 5, 7}), I64({2}, {1, 0})));
  const double s = 1 / 2.2360679774997896;
  ExpectTensorNear(all, F32({2, 2}, {-3 * s, -s, s, 3 * s}), 1e-6);
}

TEST(MVNTest, AddsEpsInsideOrOutsideOfTheRoot) {
  const Tensor data = F16({1, 2}, {1, 3});
  ASSERT_OK_AND_ASSIGN(const Tensor inside, Normalized(WithEps(3, MVNEpsMode::kInsideSqrt), data, I64({1}, {1})));
  ExpectTensorEq(inside, F16({1, 2}, {-0.5, 0.5}));
  ASSERT_OK_AND_ASSIGN(const Tensor outside, Normalized(WithEps(3, MVNEpsMode::kOutsideSqrt), data, I64({1}, {1})));
  ExpectTensorEq(outside, F16({1, 2}, {-0.25, 0.25}));
}

TEST(MVNTest, SubtractsTheMeanAlone) {
  MVNAttributes attributes;
  attributes.normalize_variance = false;
  ASSERT_OK_AND_ASSIGN(const Tensor result, Normalized(attributes, F32({1, 3}, {1, 2, 6}), I64({1}, {1})));
  ExpectTensorEq(result, F32({1, 3}, {-2, -1, 3}));
}

TEST(MVNTest, HandlesEmptyTensors) {
  ASSERT_OK_AND_ASSIGN(const Tensor result, Normalized({}, F32({2, 0}, {}), I64({1}, {1})));
  ExpectTensorEq(result, F32({2, 0}, {}));
}

TEST(MVNTest, InfersTheDataShape) {
  const PartialShape shape({Dimension::Symbol("batch"), 3});
  absl::StatusOr<ValueInfo> result = InferOne(
      MVNOp(), MVNAttributes(), {Known(ElementType::kF32, shape), Known(ElementType::kI64, PartialShape::OfRank(1))});
  ASSERT_OK(result);
  EXPECT_EQ(result->shape, shape);
}

TEST(MVNTest, RefusesWhatBreaksConstraints) {
  const Tensor data = F32({1, 2}, {1, 2});
  const auto error = [](const char* label) { return StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(label)); };
  EXPECT_THAT(Normalized({}, I32({1}, {1}), I64({1}, {0})).status(), error("MVN_c1"));
  EXPECT_THAT(Normalized({}, data, I64({1}, {2})).status(), error("MVN_c2"));
  EXPECT_THAT(Normalized({}, data, F32({1}, {0})).status(), error("MVN_c2"));
  EXPECT_THAT(Normalized(WithEps(-1, MVNEpsMode::kInsideSqrt), data, I64({1}, {0})).status(), error("MVN_c3"));
}

}  // namespace
}  // namespace burin::ir
