#include <cmath>
#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/element_type.h"
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
  const absl::StatusOr<Tensor> result = Evaluate(ReduceMeanOp(), attributes, {data, axes});
  EXPECT_OK(result);
  return result.ok() ? *result : Tensor();
}

TEST(ReduceMeanTest, ReducesRowsColumnsAndAll) {
  const Tensor data = F32({2, 3}, {1, -2, 3, 4, 5, -6});
  ExpectTensorNear(Reduced(data, I64({1}, {1})), F32({2}, {0.6666666666666666, 1}), 1e-6);
  ExpectTensorNear(Reduced(data, I64({}, {0})), F32({3}, {2.5, 1.5, -1.5}), 1e-6);
  ExpectTensorNear(Reduced(data, I32({2}, {-1, 0})), F32({}, {0.8333333333333334}), 1e-6);
}

TEST(ReduceMeanTest, KeepsDims) {
  const Tensor data = F32({2, 3}, {1, -2, 3, 4, 5, -6});
  ExpectTensorNear(Reduced(data, I64({1}, {-1}), /*keep_dims=*/true), F32({2, 1}, {0.6666666666666666, 1}), 1e-6);
  ExpectTensorNear(Reduced(data, I64({2}, {0, 1}), /*keep_dims=*/true), F32({1, 1}, {0.8333333333333334}), 1e-6);
}

TEST(ReduceMeanTest, ReducesHalfPrecision) {
  const Tensor data = F16({2, 3}, {1, -2, 3, 4, 5, -6});
  ExpectTensorNear(Reduced(data, I64({1}, {0})), F16({3}, {2.5, 1.5, -1.5}), 1e-3);
}

TEST(ReduceMeanTest, ReducesIntegers) { ExpectTensorEq(Reduced(I8({2}, {-5, 2}), I64({1}, {0})), I8({}, {-1})); }

TEST(ReduceMeanTest, ReducesNothing) {
  ExpectTensorEq(Reduced(F32({2, 0}, {}), I64({1}, {1})), F32({2}, {NAN, NAN}));
  ExpectTensorEq(Reduced(F32({2, 0}, {}), I64({1}, {0})), F32({0}, {}));
}

TEST(ReduceMeanTest, WithoutAxesGivesTheData) {
  const Tensor data = F32({2}, {1, -2});
  ExpectTensorEq(Reduced(data, I64({0}, {})), data);
}

TEST(ReduceMeanTest, DividesUnsignedIntegersAsUnsigned) {
  // 2^63, whose bits are those of the most negative int64.
  ExpectTensorEq(Reduced(IntTensor(ElementType::kU64, {1}, {INT64_MIN}), I64({1}, {0})),
                 IntTensor(ElementType::kU64, {}, {INT64_MIN}));
}

TEST(ReduceMeanTest, C1_RefusesBooleans) {
  EXPECT_THAT(Evaluate(ReduceMeanOp(), ReductionAttributes(), {Bool({1}, {1}), I64({1}, {0})}).status(),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("ReduceMean_c1")));
}

}  // namespace
}  // namespace burin::ir
