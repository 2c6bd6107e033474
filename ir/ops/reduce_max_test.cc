#include <cmath>
#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/element_type.h"
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
  const absl::StatusOr<Tensor> result = Evaluate(ReduceMaxOp(), attributes, {data, axes});
  EXPECT_OK(result);
  return result.ok() ? *result : Tensor();
}

TEST(ReduceMaxTest, ReducesRowsColumnsAndAll) {
  const Tensor data = F32({2, 3}, {1, -2, 3, 4, 5, -6});
  ExpectTensorEq(Reduced(data, I64({1}, {1})), F32({2}, {3, 5}));
  ExpectTensorEq(Reduced(data, I64({}, {0})), F32({3}, {4, 5, 3}));
  ExpectTensorEq(Reduced(data, I32({2}, {-1, 0})), F32({}, {5}));
}

TEST(ReduceMaxTest, KeepsDims) {
  const Tensor data = F32({2, 3}, {1, -2, 3, 4, 5, -6});
  ExpectTensorEq(Reduced(data, I64({1}, {-1}), /*keep_dims=*/true), F32({2, 1}, {3, 5}));
  ExpectTensorEq(Reduced(data, I64({2}, {0, 1}), /*keep_dims=*/true), F32({1, 1}, {5}));
}

TEST(ReduceMaxTest, ReducesHalfPrecision) {
  const Tensor data = F16({2, 3}, {1, -2, 3, 4, 5, -6});
  ExpectTensorEq(Reduced(data, I64({1}, {0})), F16({3}, {4, 5, 3}));
}

TEST(ReduceMaxTest, ReducesIntegers) {
  ExpectTensorEq(Reduced(I8({3}, {-100, -7, -128}), I64({1}, {0})), I8({}, {-7}));
}

TEST(ReduceMaxTest, ReducesNothing) {
  ExpectTensorEq(Reduced(F32({2, 0}, {}), I64({1}, {1})), F32({2}, {-INFINITY, -INFINITY}));
  ExpectTensorEq(Reduced(F32({2, 0}, {}), I64({1}, {0})), F32({0}, {}));
}

TEST(ReduceMaxTest, WithoutAxesGivesTheData) {
  const Tensor data = F32({2}, {1, -2});
  ExpectTensorEq(Reduced(data, I64({0}, {})), data);
}

TEST(ReduceMaxTest, OrdersUnsignedIntegersAsUnsigned) {
  // 2^63 has the bits of the most negative int64.
  ExpectTensorEq(Reduced(IntTensor(ElementType::kU64, {2}, {INT64_MIN, 5}), I64({1}, {0})),
                 IntTensor(ElementType::kU64, {}, {INT64_MIN}));
}

TEST(ReduceMaxTest, OfNoIntegersIsTheLimitOfTheType) {
  ExpectTensorEq(Reduced(I8({0}, {}), I64({1}, {0})), I8({}, {-128}));
  ExpectTensorEq(Reduced(U8({0}, {}), I64({1}, {0})), U8({}, {0}));
  ExpectTensorEq(Reduced(I64({0}, {}), I64({1}, {0})), I64({}, {INT64_MIN}));
  ExpectTensorEq(Reduced(IntTensor(ElementType::kU64, {0}, {}), I64({1}, {0})), IntTensor(ElementType::kU64, {}, {0}));
}

TEST(ReduceMaxTest, KeepsNaN) { ExpectTensorEq(Reduced(F32({3}, {1, NAN, 2}), I64({1}, {0})), F32({}, {NAN})); }

TEST(ReduceMaxTest, PropagatesPartiallyKnownContent) {
  const absl::StatusOr<ValueInfo> result =
      InferOne(ReduceMaxOp(), ReductionAttributes(),
               {Partial({Dimension(2, 6), Dimension(7), Dimension(7)}), Constant(I64({1}, {0}))});
  ASSERT_OK(result);
  ASSERT_TRUE(result->content.has_value());
  EXPECT_EQ(result->content->front(), Dimension(7));
}

TEST(ReduceMaxTest, C1_RefusesBooleans) {
  EXPECT_THAT(Evaluate(ReduceMaxOp(), ReductionAttributes(), {Bool({1}, {1}), I64({1}, {0})}).status(),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("ReduceMax_c1")));
}

}  // namespace
}  // namespace burin::ir
