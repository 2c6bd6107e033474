#include "ir/ops/scatter_nd_update.h"

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

ScatterNDUpdateAttributes Reduce(ScatterReduction reduction) {
  ScatterNDUpdateAttributes attributes;
  attributes.reduction = reduction;
  return attributes;
}

absl::StatusOr<Tensor> Updated(ScatterReduction reduction, const Tensor& data, const Tensor& indices,
                               const Tensor& updates) {
  return Evaluate(ScatterNDUpdateOp(), Reduce(reduction), {data, indices, updates});
}

// The inputs are those of the examples of the operation's specification.
TEST(ScatterNDUpdateTest, ReducesElements) {
  const Tensor data = I32({4}, {1, 2, 3, 4});
  const Tensor indices = I64({5, 1}, {0, 2, -3, -3, 0});
  const Tensor updates = I32({5}, {10, 20, 30, 40, 50});
  ASSERT_OK_AND_ASSIGN(const Tensor sum, Updated(ScatterReduction::kSum, data, indices, updates));
  ExpectTensorEq(sum, I32({4}, {61, 72, 23, 4}));
  ASSERT_OK_AND_ASSIGN(const Tensor difference, Updated(ScatterReduction::kSub, data, indices, updates));
  ExpectTensorEq(difference, I32({4}, {-59, -68, -17, 4}));
  ASSERT_OK_AND_ASSIGN(const Tensor product, Updated(ScatterReduction::kProd, data, indices, updates));
  ExpectTensorEq(product, I32({4}, {500, 2400, 60, 4}));
  ASSERT_OK_AND_ASSIGN(const Tensor none,
                       Updated(ScatterReduction::kNone, F32({8}, {1, 2, 3, 4, 5, 6, 7, 8}),
                               I32({6, 1}, {4, 3, 1, 7, -2, -4}), F32({6}, {9, 10, 11, 12, 13, 14})));
  ExpectTensorEq(none, F32({8}, {1, 11, 3, 10, 14, 6, 13, 12}));
}

TEST(ScatterNDUpdateTest, UpdatesSlices) {
  ASSERT_OK_AND_ASSIGN(const Tensor rows, Updated(ScatterReduction::kNone, F16({3, 2}, {1, 2, 3, 4, 5, 6}),
                                                  I64({2, 1}, {2, 0}), F16({2, 2}, {7, 8, 9, 10})));
  ExpectTensorEq(rows, F16({3, 2}, {9, 10, 3, 4, 7, 8}));
  ASSERT_OK_AND_ASSIGN(const Tensor element,
                       Updated(ScatterReduction::kMax, U8({2, 2}, {1, 2, 3, 4}), I64({2}, {1, 0}), U8({1}, {9})));
  ExpectTensorEq(element, U8({2, 2}, {1, 2, 9, 4}));
  ASSERT_OK_AND_ASSIGN(const Tensor nothing,
                       Updated(ScatterReduction::kMin, F32({2}, {1, 2}), I64({0, 1}, {}), F32({0}, {})));
  ExpectTensorEq(nothing, F32({2}, {1, 2}));
}

TEST(ScatterNDUpdateTest, KeepsTheShapeOfTheData) {
  const Dimension n = Dimension::Symbol("n");
  ASSERT_OK_AND_ASSIGN(const ValueInfo info,
                       InferOne(ScatterNDUpdateOp(), ScatterNDUpdateAttributes(),
                                {Known(ElementType::kF32, {n, 2}), Known(ElementType::kI64, {3, Dimension()}),
                                 Known(ElementType::kF32, PartialShape::DynamicRank())}));
  EXPECT_EQ(info.shape, PartialShape({n, 2}));
}

TEST(ScatterNDUpdateTest, RejectsByConstraint) {
  const Tensor data = F32({2}, {1, 2});
  const auto rejects = [](const absl::StatusOr<Tensor>& result, const char* label) {
    EXPECT_THAT(result, StatusIs(kInvalid, HasSubstr(label)));
  };
  const ScatterReduction none = ScatterReduction::kNone;
  rejects(Updated(none, data, F32({1}, {0}), F32({}, {1})), "ScatterNDUpdate_c1");
  rejects(Updated(none, F32({}, {1}), I64({1}, {0}), F32({}, {1})), "ScatterNDUpdate_c1");
  rejects(Updated(none, data, I64({1, 2}, {0, 0}), F32({1}, {1})), "ScatterNDUpdate_c2");
  rejects(Updated(none, data, I64({1, 1}, {0}), I32({1}, {1})), "ScatterNDUpdate_c3");
  rejects(Updated(none, data, I64({1, 1}, {0}), F32({2}, {1, 1})), "ScatterNDUpdate_c3");
  rejects(Updated(ScatterReduction::kMean, data, I64({1, 1}, {0}), F32({1}, {1})), "ScatterNDUpdate_c4");
  rejects(Updated(none, data, I64({1, 1}, {2}), F32({1}, {1})), "ScatterNDUpdate_c5");
}

}  // namespace
}  // namespace burin::ir
