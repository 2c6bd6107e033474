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
  const absl::StatusOr<Tensor> result = Evaluate(ReduceL1Op(), attributes, {data, axes});
  EXPECT_OK(result);
  return result.ok() ? *result : Tensor();
}

TEST(ReduceL1Test, ReducesRowsColumnsAndAll) {
  const Tensor data = F32({2, 3}, {1, -2, 3, 4, 5, -6});
  ExpectTensorEq(Reduced(data, I64({1}, {1})), F32({2}, {6, 15}));
  ExpectTensorEq(Reduced(data, I64({}, {0})), F32({3}, {5, 7, 9}));
  ExpectTensorEq(Reduced(data, I32({2}, {-1, 0})), F32({}, {21}));
}

TEST(ReduceL1Test, KeepsDims) {
  const Tensor data = F32({2, 3}, {1, -2, 3, 4, 5, -6});
  ExpectTensorEq(Reduced(data, I64({1}, {-1}), /*keep_dims=*/true), F32({2, 1}, {6, 15}));
  ExpectTensorEq(Reduced(data, I64({2}, {0, 1}), /*keep_dims=*/true), F32({1, 1}, {21}));
}

TEST(ReduceL1Test, ReducesHalfPrecision) {
  const Tensor data = F16({2, 3}, {1, -2, 3, 4, 5, -6});
  ExpectTensorEq(Reduced(data, I64({1}, {0})), F16({3}, {5, 7, 9}));
}

TEST(ReduceL1Test, ReducesIntegers) { ExpectTensorEq(Reduced(I8({3}, {-128, 1, -1}), I64({1}, {0})), I8({}, {-126})); }

TEST(ReduceL1Test, ReducesNothing) {
  ExpectTensorEq(Reduced(F32({2, 0}, {}), I64({1}, {1})), F32({2}, {0, 0}));
  ExpectTensorEq(Reduced(F32({2, 0}, {}), I64({1}, {0})), F32({0}, {}));
}

TEST(ReduceL1Test, C1_RefusesBooleans) {
  EXPECT_THAT(Evaluate(ReduceL1Op(), ReductionAttributes(), {Bool({1}, {1}), I64({1}, {0})}).status(),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("ReduceL1_c1")));
}

}  // namespace
}  // namespace burin::ir
