#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/ops/family/reduction.h"
#include "ir/ops/op_testlib.h"
#include "ir/ops/ops.h"
#include "ir/tensor.h"
#include "testing/gtest/status_matchers.h"

namespace burin::ir {
namespace {

using ::testing::HasSubstr;

Tensor Reduced(const Tensor& data, const Tensor& axes, bool keep_dims = false) {
  ReductionAttributes attributes;
  attributes.keep_dims = keep_dims;
  const absl::StatusOr<Tensor> result = Evaluate(ReduceLogicalAndOp(), attributes, {data, axes});
  EXPECT_OK(result);
  return result.ok() ? *result : Tensor();
}

TEST(ReduceLogicalAndTest, ReducesRowsAndColumns) {
  const Tensor data = Bool({2, 3}, {1, 0, 1, 1, 1, 1});
  ExpectTensorEq(Reduced(data, I64({1}, {1})), Bool({2}, {0, 1}));
  ExpectTensorEq(Reduced(data, I64({1}, {-2}), /*keep_dims=*/true), Bool({1, 3}, {1, 0, 1}));
  ExpectTensorEq(Reduced(Bool({2}, {0, 0}), I64({1}, {0})), Bool({}, {0}));
}

TEST(ReduceLogicalAndTest, ReducesNothing) {
  ExpectTensorEq(Reduced(Bool({2, 0}, {}), I64({1}, {1})), Bool({2}, {1, 1}));
}

TEST(ReduceLogicalAndTest, C1_RefusesNumbers) {
  EXPECT_THAT(Evaluate(ReduceLogicalAndOp(), ReductionAttributes(), {F32({1}, {1}), I64({1}, {0})}).status(),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("ReduceLogicalAnd_c1")));
}

}  // namespace
}  // namespace burin::ir
