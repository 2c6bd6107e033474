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
  const absl::StatusOr<Tensor> result = Evaluate(ReduceL2Op(), attributes, {data, axes});
  EXPECT_OK(result);
  return result.ok() ? *result : Tensor();
}

TEST(ReduceL2Test, ReducesRowsColumnsAndAll) {
  const Tensor data = F32({2, 3}, {1, -2, 3, 4, 5, -6});
  ExpectTensorNear(Reduced(data, I64({1}, {1})), F32({2}, {3.7416573867739413, 8.774964387392123}), 1e-6);
  ExpectTensorNear(Reduced(data, I64({}, {0})), F32({3}, {4.123105625617661, 5.385164807134504, 6.708203932499369}),
                   1e-6);
  ExpectTensorNear(Reduced(data, I32({2}, {-1, 0})), F32({}, {9.539392014169456}), 1e-6);
}

TEST(ReduceL2Test, KeepsDims) {
  const Tensor data = F32({2, 3}, {1, -2, 3, 4, 5, -6});
  ExpectTensorNear(Reduced(data, I64({1}, {-1}), /*keep_dims=*/true),
                   F32({2, 1}, {3.7416573867739413, 8.774964387392123}), 1e-6);
  ExpectTensorNear(Reduced(data, I64({2}, {0, 1}), /*keep_dims=*/true), F32({1, 1}, {9.539392014169456}), 1e-6);
}

TEST(ReduceL2Test, ReducesHalfPrecision) {
  const Tensor data = F16({2, 3}, {1, -2, 3, 4, 5, -6});
  ExpectTensorNear(Reduced(data, I64({1}, {0})), F16({3}, {4.123105625617661, 5.385164807134504, 6.708203932499369}),
                   1e-3);
}

TEST(ReduceL2Test, ReducesIntegers) { ExpectTensorEq(Reduced(I8({2}, {-4, 4}), I64({1}, {0})), I8({}, {5})); }

TEST(ReduceL2Test, ReducesNothing) {
  ExpectTensorEq(Reduced(F32({2, 0}, {}), I64({1}, {1})), F32({2}, {0, 0}));
  ExpectTensorEq(Reduced(F32({2, 0}, {}), I64({1}, {0})), F32({0}, {}));
}

TEST(ReduceL2Test, C1_RefusesBooleans) {
  EXPECT_THAT(Evaluate(ReduceL2Op(), ReductionAttributes(), {Bool({1}, {1}), I64({1}, {0})}).status(),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("ReduceL2_c1")));
}

}  // namespace
}  // namespace burin::ir
