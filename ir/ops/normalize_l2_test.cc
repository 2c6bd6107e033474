#include "ir/ops/normalize_l2.h"

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

absl::StatusOr<Tensor> Normalized(double eps, NormalizeL2EpsMode mode, const Tensor& data, const Tensor& axes) {
  NormalizeL2Attributes attributes;
  attributes.eps = eps;
  attributes.eps_mode = mode;
  return Evaluate(NormalizeL2Op(), attributes, {data, axes});
}

TEST(NormalizeL2Test, DividesByTheNorm) {
  const Tensor data = F32({2, 2}, {3, 4, 6, 8});
  ASSERT_OK_AND_ASSIGN(const Tensor rows, Normalized(0, NormalizeL2EpsMode::kAdd, data, I64({1}, {1})));
  ExpectTensorNear(rows, F32({2, 2}, {0.6, 0.8, 0.6, 0.8}), 1e-6);
  ASSERT_OK_AND_ASSIGN(const Tensor all, Normalized(0, NormalizeL2EpsMode::kAdd, data, I32({2}, {0, -1})));
  const double norm = 11.180339887498949;
  ExpectTensorNear(all, F32({2, 2}, {3 / norm, 4 / norm, 6 / norm, 8 / norm}), 1e-6);
}

TEST(NormalizeL2Test, KeepsTheDivisorFromZero) {
  const Tensor data = F16({1, 2}, {3, 4});
  ASSERT_OK_AND_ASSIGN(const Tensor added, Normalized(75, NormalizeL2EpsMode::kAdd, data, I64({}, {1})));
  ExpectTensorNear(added, F16({1, 2}, {0.3, 0.4}), 1e-3);
  ASSERT_OK_AND_ASSIGN(const Tensor larger, Normalized(100, NormalizeL2EpsMode::kMax, data, I64({}, {1})));
  ExpectTensorNear(larger, F16({1, 2}, {0.3, 0.4}), 1e-3);
  ASSERT_OK_AND_ASSIGN(const Tensor unused, Normalized(1, NormalizeL2EpsMode::kMax, data, I64({}, {1})));
  ExpectTensorNear(unused, F16({1, 2}, {0.6, 0.8}), 1e-3);
}

TEST(NormalizeL2Test, WithoutAxesGivesSigns) {
  ASSERT_OK_AND_ASSIGN(const Tensor result, Normalized(0, NormalizeL2EpsMode::kAdd, F32({2}, {5, -2}), I64({0}, {})));
  ExpectTensorEq(result, F32({2}, {1, -1}));
}

TEST(NormalizeL2Test, HandlesEmptyTensors) {
  ASSERT_OK_AND_ASSIGN(const Tensor result, Normalized(0, NormalizeL2EpsMode::kAdd, F32({2, 0}, {}), I64({1}, {1})));
  ExpectTensorEq(result, F32({2, 0}, {}));
}

TEST(NormalizeL2Test, InfersTheDataShape) {
  const PartialShape shape({Dimension::Symbol("batch"), 3});
  const absl::StatusOr<ValueInfo> result =
      InferOne(NormalizeL2Op(), NormalizeL2Attributes(), {Known(ElementType::kF32, shape), Constant(I64({1}, {1}))});
  ASSERT_OK(result);
  EXPECT_EQ(result->shape, shape);
}

TEST(NormalizeL2Test, RefusesWhatBreaksConstraints) {
  const Tensor data = F32({1, 2}, {1, 2});
  const auto error = [](const char* label) { return StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(label)); };
  EXPECT_THAT(Normalized(0, NormalizeL2EpsMode::kAdd, I32({1}, {1}), I64({1}, {0})).status(), error("NormalizeL2_c1"));
  EXPECT_THAT(Normalized(0, NormalizeL2EpsMode::kAdd, data, I64({1}, {2})).status(), error("NormalizeL2_c2"));
  EXPECT_THAT(Normalized(-1, NormalizeL2EpsMode::kAdd, data, I64({1}, {1})).status(), error("NormalizeL2_c3"));
}

}  // namespace
}  // namespace burin::ir
