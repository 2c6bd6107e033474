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
  const absl::StatusOr<Tensor> result = Evaluate(ReduceMinOp(), attributes, {data, axes});
  EXPECT_OK(result);
  return result.ok() ? *result : Tensor();
}

TEST(ReduceMinTest, ReducesRowsColumnsAndAll) {
  const Tensor data = F32({2, 3}, {1, -2, 3, 4, 5, -6});
  ExpectTensorEq(Reduced(data, I64({1}, {1})), F32({2}, {-2, -6}));
  ExpectTensorEq(Reduced(data, I64({}, {0})), F32({3}, {1, -2, -6}));
  ExpectTensorEq(Reduced(data, I32({2}, {-1, 0})), F32({}, {-6}));
}

TEST(ReduceMinTest, KeepsDims) {
  const Tensor data = F32({2, 3}, {1, -2, 3, 4, 5, -6});
  ExpectTensorEq(Reduced(data, I64({1}, {-1}), /*keep_dims=*/true), F32({2, 1}, {-2, -6}));
  ExpectTensorEq(Reduced(data, I64({2}, {0, 1}), /*keep_dims=*/true), F32({1, 1}, {-6}));
}

TEST(ReduceMinTest, ReducesHalfPrecision) {
  const Tensor data = F16({2, 3}, {1, -2, 3, 4, 5, -6});
  ExpectTensorEq(Reduced(data, I64({1}, {0})), F16({3}, {1, -2, -6}));
}

TEST(ReduceMinTest, ReducesIntegers) { ExpectTensorEq(Reduced(I8({3}, {100, 7, 127}), I64({1}, {0})), I8({}, {7})); }

TEST(ReduceMinTest, ReducesNothing) {
  ExpectTensorEq(Reduced(F32({2, 0}, {}), I64({1}, {1})), F32({2}, {INFINITY, INFINITY}));
  ExpectTensorEq(Reduced(F32({2, 0}, {}), I64({1}, {0})), F32({0}, {}));
}

TEST(ReduceMinTest, WithoutAxesGivesTheData) {
  const Tensor data = F32({2}, {1, -2});
  ExpectTensorEq(Reduced(data, I64({0}, {})), data);
}

TEST(ReduceMinTest, OrdersUnsignedIntegersAsUnsigned) {
  // 2^63 has the bits of the most negative int64.
  ExpectTensorEq(Reduced(IntTensor(ElementType::kU64, {2}, {INT64_MIN, 5}), I64({1}, {0})),
                 IntTensor(ElementType::kU64, {}, {5}));
}

TEST(ReduceMinTest, OfNoIntegersIsTheLimitOfTheType) {
  ExpectTensorEq(Reduced(I8({0}, {}), I64({1}, {0})), I8({}, {127}));
  ExpectTensorEq(Reduced(U8({0}, {}), I64({1}, {0})), U8({}, {255}));
  ExpectTensorEq(Reduced(I64({0}, {}), I64({1}, {0})), I64({}, {INT64_MAX}));
  ExpectTensorEq(Reduced(IntTensor(ElementType::kU64, {0}, {}), I64({1}, {0})), IntTensor(ElementType::kU64, {}, {-1}));
}

TEST(ReduceMinTest, KeepsNaN) { ExpectTensorEq(Reduced(F32({3}, {1, NAN, 2}), I64({1}, {0})), F32({}, {NAN})); }

TEST(ReduceMinTest, PropagatesPartiallyKnownContent) {
  const absl::StatusOr<ValueInfo> result =
      InferOne(ReduceMinOp(), ReductionAttributes(),
               {Partial({Dimension(2, 6), Dimension(7), Dimension(7)}), Constant(I64({1}, {0}))});
  ASSERT_OK(result);
  ASSERT_TRUE(result->content.has_value());
  EXPECT_EQ(result->content->front(), Dimension(2, 6));
}

TEST(ReduceMinTest, C1_RefusesBooleans) {
  EXPECT_THAT(Evaluate(ReduceMinOp(), ReductionAttributes(), {Bool({1}, {1}), I64({1}, {0})}).status(),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("ReduceMin_c1")));
}

}  // namespace
}  // namespace burin::ir
