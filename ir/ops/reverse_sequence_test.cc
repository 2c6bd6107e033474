#include "ir/ops/reverse_sequence.h"

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

ReverseSequenceAttributes Axes(int64_t batch_axis, int64_t seq_axis) {
  ReverseSequenceAttributes attributes;
  attributes.batch_axis = batch_axis;
  attributes.seq_axis = seq_axis;
  return attributes;
}

TEST(ReverseSequenceTest, ReversesTheFirstElements) {
  const Tensor data = I32({2, 4}, {0, 1, 2, 3, 4, 5, 6, 7});
  ASSERT_OK_AND_ASSIGN(const Tensor rows, Evaluate(ReverseSequenceOp(), Axes(0, 1), {data, I64({2}, {3, 1})}));
  ExpectTensorEq(rows, I32({2, 4}, {2, 1, 0, 3, 4, 5, 6, 7}));
  ASSERT_OK_AND_ASSIGN(const Tensor columns,
                       Evaluate(ReverseSequenceOp(), Axes(-1, 0), {data, I32({4}, {0, 1, 2, 2})}));
  ExpectTensorEq(columns, I32({2, 4}, {0, 1, 6, 7, 4, 5, 2, 3}));
  ASSERT_OK_AND_ASSIGN(const Tensor inner, Evaluate(ReverseSequenceOp(), ReverseSequenceAttributes(),
                                                    {F16({1, 2, 2}, {1, 2, 3, 4}), F32({1}, {2})}));
  ExpectTensorEq(inner, F16({1, 2, 2}, {3, 4, 1, 2}));
}

TEST(ReverseSequenceTest, EmptyTensors) {
  ASSERT_OK_AND_ASSIGN(const Tensor none,
                       Evaluate(ReverseSequenceOp(), ReverseSequenceAttributes(), {F32({0, 3}, {}), I64({0}, {})}));
  ExpectTensorEq(none, F32({0, 3}, {}));
}

TEST(ReverseSequenceTest, KeepsTheShape) {
  const Dimension n = Dimension::Symbol("n");
  ASSERT_OK_AND_ASSIGN(const ValueInfo info,
                       InferOne(ReverseSequenceOp(), ReverseSequenceAttributes(),
                                {Known(ElementType::kF32, {Dimension(), n}), Known(ElementType::kI64, {4})}));
  EXPECT_EQ(info.shape, PartialShape({4, n}));
}

TEST(ReverseSequenceTest, RejectsByConstraint) {
  const Tensor data = F32({1, 2}, {1, 2});
  const auto rejects = [](const absl::StatusOr<Tensor>& result, const char* label) {
    EXPECT_THAT(result, StatusIs(kInvalid, HasSubstr(label)));
  };
  rejects(Evaluate(ReverseSequenceOp(), Axes(0, 2), {data, I64({1}, {1})}), "ReverseSequence_c1");
  rejects(Evaluate(ReverseSequenceOp(), Axes(1, -1), {data, I64({1}, {1})}), "ReverseSequence_c1");
  rejects(Evaluate(ReverseSequenceOp(), Axes(0, 1), {F32({1}, {1}), I64({1}, {1})}), "ReverseSequence_c1");
  rejects(Evaluate(ReverseSequenceOp(), Axes(0, 1), {data, I64({2}, {1, 1})}), "ReverseSequence_c2");
  rejects(Evaluate(ReverseSequenceOp(), Axes(0, 1), {data, Bool({1}, {1})}), "ReverseSequence_c2");
  rejects(Evaluate(ReverseSequenceOp(), Axes(0, 1), {data, I64({1}, {3})}), "ReverseSequence_c3");
  rejects(Evaluate(ReverseSequenceOp(), Axes(0, 1), {data, I64({1}, {-1})}), "ReverseSequence_c3");
}

}  // namespace
}  // namespace burin::ir
