#include "ir/ops/unique.h"

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

UniqueAttributes Sorted(bool sorted) {
  UniqueAttributes attributes;
  attributes.sorted = sorted;
  return attributes;
}

TEST(UniqueTest, FindsElements) {
  const Tensor data = F32({2, 3}, {2, 1, 1, 3, 4, 3});
  ASSERT_OK_AND_ASSIGN(const std::vector<Tensor> sorted, EvaluateAll(UniqueOp(), Sorted(true), {data}));
  ExpectTensorEq(sorted[0], F32({4}, {1, 2, 3, 4}));
  ExpectTensorEq(sorted[1], I64({4}, {1, 0, 3, 4}));
  ExpectTensorEq(sorted[2], I64({6}, {1, 0, 0, 2, 3, 2}));
  ExpectTensorEq(sorted[3], I64({4}, {2, 1, 2, 1}));
  UniqueAttributes narrow = Sorted(false);
  narrow.index_element_type = ElementType::kI32;
  narrow.count_element_type = ElementType::kI32;
  ASSERT_OK_AND_ASSIGN(const std::vector<Tensor> unsorted, EvaluateAll(UniqueOp(), narrow, {data}));
  ExpectTensorEq(unsorted[0], F32({4}, {2, 1, 3, 4}));
  ExpectTensorEq(unsorted[1], I32({4}, {0, 1, 3, 4}));
  ExpectTensorEq(unsorted[2], I32({6}, {0, 1, 1, 2, 3, 2}));
  ExpectTensorEq(unsorted[3], I32({4}, {1, 2, 2, 1}));
}

TEST(UniqueTest, FindsSlices) {
  const Tensor data = I32({3, 3}, {1, 0, 0, 1, 0, 0, 2, 3, 4});
  ASSERT_OK_AND_ASSIGN(const std::vector<Tensor> rows, EvaluateAll(UniqueOp(), Sorted(true), {data, I64({}, {0})}));
  ExpectTensorEq(rows[0], I32({2, 3}, {1, 0, 0, 2, 3, 4}));
  ExpectTensorEq(rows[1], I64({2}, {0, 2}));
  ExpectTensorEq(rows[2], I64({3}, {0, 0, 1}));
  ExpectTensorEq(rows[3], I64({2}, {2, 1}));
  ASSERT_OK_AND_ASSIGN(const std::vector<Tensor> columns,
                       EvaluateAll(UniqueOp(), Sorted(true), {I8({2, 3}, {1, 0, 1, 1, 0, 1}), I32({1}, {-1})}));
  ExpectTensorEq(columns[0], I8({2, 2}, {0, 1, 0, 1}));
  ExpectTensorEq(columns[2], I64({3}, {1, 0, 1}));
}

TEST(UniqueTest, EmptyTensors) {
  ASSERT_OK_AND_ASSIGN(const std::vector<Tensor> none, EvaluateAll(UniqueOp(), Sorted(true), {F32({0}, {})}));
  ExpectTensorEq(none[0], F32({0}, {}));
  ExpectTensorEq(none[3], I64({0}, {}));
  ASSERT_OK_AND_ASSIGN(const std::vector<Tensor> empty_rows,
                       EvaluateAll(UniqueOp(), Sorted(true), {F32({3, 0}, {}), I64({}, {0})}));
  ExpectTensorEq(empty_rows[0], F32({1, 0}, {}));
  ExpectTensorEq(empty_rows[2], I64({3}, {0, 0, 0}));
}

TEST(UniqueTest, InfersBounds) {
  const Dimension n = Dimension::Symbol("n");
  ASSERT_OK_AND_ASSIGN(const std::vector<ValueInfo> flat,
                       Infer(UniqueOp(), UniqueAttributes(), {Known(ElementType::kF32, {2, 3})}));
  EXPECT_EQ(flat[0].shape, PartialShape({Dimension(1, 6)}));
  EXPECT_EQ(flat[2].shape, PartialShape({6}));
  ASSERT_OK_AND_ASSIGN(
      const std::vector<ValueInfo> rows,
      Infer(UniqueOp(), UniqueAttributes(), {Known(ElementType::kF32, {n, 3}), Constant(I64({}, {0}))}));
  EXPECT_EQ(rows[0].shape, PartialShape({Dimension(), 3}));
  EXPECT_EQ(rows[2].shape, PartialShape({n}));
}

TEST(UniqueTest, RejectsByConstraint) {
  EXPECT_THAT(EvaluateAll(UniqueOp(), UniqueAttributes(), {F32({1}, {1}), I64({}, {1})}),
              StatusIs(kInvalid, HasSubstr("Unique_c1")));
  UniqueAttributes bytes;
  bytes.count_element_type = ElementType::kU8;
  EXPECT_THAT(EvaluateAll(UniqueOp(), bytes, {F32({1}, {1})}), StatusIs(kInvalid, HasSubstr("Unique_c2")));
}

}  // namespace
}  // namespace burin::ir
