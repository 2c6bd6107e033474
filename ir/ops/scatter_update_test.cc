#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "ir/ops/op_testlib.h"
#include "ir/ops/ops.h"
#include "testing/gtest/status_matchers.h"

namespace burin::ir {
namespace {

using ::testing::HasSubstr;

constexpr absl::StatusCode kInvalid = absl::StatusCode::kInvalidArgument;

absl::StatusOr<Tensor> Updated(const Tensor& data, const Tensor& indices, const Tensor& updates, int64_t axis) {
  return Evaluate(ScatterUpdateOp(), NoAttributes(), {data, indices, updates, I64({}, {axis})});
}

TEST(ScatterUpdateTest, ReplacesSlices) {
  // The example of the operation's specification.
  ASSERT_OK_AND_ASSIGN(const Tensor columns, Updated(F32({3, 5}, {-1, 1, -1, 3, 4, -1, 6, -1, 8, 9, -1, 11, 1, 13, 14}),
                                                     I64({2}, {0, 2}), F32({3, 2}, {1, 1, 1, 1, 1, 2}), 1));
  ExpectTensorEq(columns, F32({3, 5}, {1, 1, 1, 3, 4, 1, 6, 1, 8, 9, 1, 11, 2, 13, 14}));
  ASSERT_OK_AND_ASSIGN(const Tensor row, Updated(I8({2, 2}, {1, 2, 3, 4}), I32({}, {-1}), I8({2}, {7, 8}), 0));
  ExpectTensorEq(row, I8({2, 2}, {1, 2, 7, 8}));
  ASSERT_OK_AND_ASSIGN(const Tensor packed, Updated(IntTensor(ElementType::kI4, {3}, {1, 2, 3}), I64({1, 1}, {1}),
                                                    IntTensor(ElementType::kI4, {1, 1}, {-8}), 0));
  ExpectTensorEq(packed, IntTensor(ElementType::kI4, {3}, {1, -8, 3}));
  ASSERT_OK_AND_ASSIGN(const Tensor none, Updated(F32({2}, {1, 2}), I64({0}, {}), F32({0}, {}), 0));
  ExpectTensorEq(none, F32({2}, {1, 2}));
}

TEST(ScatterUpdateTest, KeepsTheShapeOfTheData) {
  const Dimension n = Dimension::Symbol("n");
  const ValueInfo any = Known(ElementType::kF32, PartialShape::DynamicRank());
  ASSERT_OK_AND_ASSIGN(const ValueInfo info,
                       InferOne(ScatterUpdateOp(), NoAttributes(),
                                {Known(ElementType::kF32, {n, 2}), Known(ElementType::kI64, {Dimension()}), any,
                                 Known(ElementType::kI64, {})}));
  EXPECT_EQ(info.shape, PartialShape({n, 2}));
}

TEST(ScatterUpdateTest, RejectsByConstraint) {
  const Tensor data = F32({2}, {1, 2});
  const Tensor zero = I64({1}, {0});
  const Tensor update = F32({1}, {1});
  EXPECT_THAT(Updated(data, F32({1}, {0}), update, 0), StatusIs(kInvalid, HasSubstr("ScatterUpdate_c1")));
  EXPECT_THAT(Updated(data, zero, update, 1), StatusIs(kInvalid, HasSubstr("ScatterUpdate_c2")));
  EXPECT_THAT(Updated(data, zero, I32({1}, {1}), 0), StatusIs(kInvalid, HasSubstr("ScatterUpdate_c3")));
  EXPECT_THAT(Updated(data, zero, F32({2}, {1, 2}), 0), StatusIs(kInvalid, HasSubstr("ScatterUpdate_c3")));
  EXPECT_THAT(Updated(data, I64({1}, {2}), update, 0), StatusIs(kInvalid, HasSubstr("ScatterUpdate_c4")));
}

}  // namespace
}  // namespace burin::ir
