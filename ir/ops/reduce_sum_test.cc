#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/dimension.h"
#include "ir/infer_context.h"
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
  const absl::StatusOr<Tensor> result = Evaluate(ReduceSumOp(), attributes, {data, axes});
  EXPECT_OK(result);
  return result.ok() ? *result : Tensor();
}

TEST(ReduceSumTest, ReducesRowsColumnsAndAll) {
  const Tensor data = F32({2, 3}, {1, -2, 3, 4, 5, -6});
  ExpectTensorEq(Reduced(data, I64({1}, {1})), F32({2}, {2, 3}));
  ExpectTensorEq(Reduced(data, I64({}, {0})), F32({3}, {5, 3, -3}));
  ExpectTensorEq(Reduced(data, I32({2}, {-1, 0})), F32({}, {5}));
}

TEST(ReduceSumTest, KeepsDims) {
  const Tensor data = F32({2, 3}, {1, -2, 3, 4, 5, -6});
  ExpectTensorEq(Reduced(data, I64({1}, {-1}), /*keep_dims=*/true), F32({2, 1}, {2, 3}));
  ExpectTensorEq(Reduced(data, I64({2}, {0, 1}), /*keep_dims=*/true), F32({1, 1}, {5}));
}

TEST(ReduceSumTest, ReducesHalfPrecision) {
  const Tensor data = F16({2, 3}, {1, -2, 3, 4, 5, -6});
  ExpectTensorEq(Reduced(data, I64({1}, {0})), F16({3}, {5, 3, -3}));
}

TEST(ReduceSumTest, ReducesIntegers) { ExpectTensorEq(Reduced(I8({3}, {100, 100, 1}), I64({1}, {0})), I8({}, {-55})); }

TEST(ReduceSumTest, ReducesNothing) {
  ExpectTensorEq(Reduced(F32({2, 0}, {}), I64({1}, {1})), F32({2}, {0, 0}));
  ExpectTensorEq(Reduced(F32({2, 0}, {}), I64({1}, {0})), F32({0}, {}));
}

TEST(ReduceSumTest, WithoutAxesGivesTheData) {
  const Tensor data = F32({2}, {1, -2});
  ExpectTensorEq(Reduced(data, I64({0}, {})), data);
}

TEST(ReduceSumTest, PropagatesPartiallyKnownContent) {
  const absl::StatusOr<ValueInfo> result =
      InferOne(ReduceSumOp(), ReductionAttributes(),
               {Partial({Dimension(2, 6), Dimension(7), Dimension(1)}), Constant(I64({1}, {0}))});
  ASSERT_OK(result);
  ASSERT_TRUE(result->content.has_value());
  EXPECT_EQ(result->content->front(), Dimension(10, 14));
}

TEST(ReduceSumTest, C1_RefusesBooleans) {
  EXPECT_THAT(Evaluate(ReduceSumOp(), ReductionAttributes(), {Bool({1}, {1}), I64({1}, {0})}).status(),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("ReduceSum_c1")));
}

}  // namespace
}  // namespace burin::ir
