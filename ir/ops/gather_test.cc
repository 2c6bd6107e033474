#include "ir/ops/gather.h"

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

GatherAttributes Batch(int64_t batch_dims) {
  GatherAttributes attributes;
  attributes.batch_dims = batch_dims;
  return attributes;
}

absl::StatusOr<Tensor> Taken(const Tensor& data, const Tensor& indices, int64_t axis, int64_t batch_dims = 0) {
  return Evaluate(GatherOp(), Batch(batch_dims), {data, indices, I64({}, {axis})});
}

TEST(GatherTest, TakesSlices) {
  const Tensor data = F32({2, 3}, {1, 2, 3, 4, 5, 6});
  ASSERT_OK_AND_ASSIGN(const Tensor rows, Taken(data, I32({3}, {1, 0, -1}), 0));
  ExpectTensorEq(rows, F32({3, 3}, {4, 5, 6, 1, 2, 3, 4, 5, 6}));
  ASSERT_OK_AND_ASSIGN(const Tensor columns, Taken(data, U8({1, 2}, {2, 0}), -1));
  ExpectTensorEq(columns, F32({2, 1, 2}, {3, 1, 6, 4}));
  ASSERT_OK_AND_ASSIGN(const Tensor one, Taken(data, I64({}, {1}), 1));
  ExpectTensorEq(one, F32({2}, {2, 5}));
  ASSERT_OK_AND_ASSIGN(const Tensor packed, Taken(IntTensor(ElementType::kI4, {3}, {1, 2, -3}), I64({2}, {2, 1}), 0));
  ExpectTensorEq(packed, IntTensor(ElementType::kI4, {2}, {-3, 2}));
}

// The examples with batches are those of the operation's specification.
TEST(GatherTest, TakesSlicesPerBatch) {
  const Tensor data = I64({2, 5}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10});
  const Tensor indices = I64({2, 3}, {0, 0, 4, 4, 0, 0});
  for (const int64_t batch_dims : {1, -1}) {
    ASSERT_OK_AND_ASSIGN(const Tensor taken, Taken(data, indices, 1, batch_dims));
    ExpectTensorEq(taken, I64({2, 3}, {1, 1, 5, 10, 6, 6}));
  }
  std::vector<int64_t> elements(40);
  for (size_t i = 0; i < elements.size(); ++i) elements[i] = static_cast<int64_t>(i) + 1;
  ASSERT_OK_AND_ASSIGN(const Tensor deeper, Taken(I8({2, 1, 5, 4}, elements), I32({2, 3}, {1, 2, 4, 4, 3, 2}), 2, 1));
  ExpectTensorEq(deeper, I8({2, 1, 3, 4}, {5,  6,  7,  8,  9,  10, 11, 12, 17, 18, 19, 20,
                                           37, 38, 39, 40, 33, 34, 35, 36, 29, 30, 31, 32}));
}

TEST(GatherTest, IndicesOutsideGiveZeros) {
  ASSERT_OK_AND_ASSIGN(const Tensor taken, Taken(F16({5}, {1, 2, 3, 4, 5}), I64({3}, {3, 10, -20}), 0));
  ExpectTensorEq(taken, F16({3}, {4, 0, 0}));
  ASSERT_OK_AND_ASSIGN(const Tensor from_nothing, Taken(F32({0, 2}, {}), I64({1}, {0}), 0));
  ExpectTensorEq(from_nothing, F32({1, 2}, {0, 0}));
}

TEST(GatherTest, EmptyIndices) {
  ASSERT_OK_AND_ASSIGN(const Tensor none, Taken(F32({2, 2}, {1, 2, 3, 4}), I64({0}, {}), 0));
  ExpectTensorEq(none, F32({0, 2}, {}));
}

TEST(GatherTest, InfersPartialShapes) {
  const Dimension n = Dimension::Symbol("n");
  const Dimension m = Dimension::Symbol("m");
  ASSERT_OK_AND_ASSIGN(const ValueInfo known, InferOne(GatherOp(), Batch(0),
                                                       {Known(ElementType::kF32, {1000, 768}),
                                                        Known(ElementType::kI64, {n, m}), Constant(I64({}, {0}))}));
  EXPECT_EQ(known.shape, PartialShape({n, m, 768}));
  ASSERT_OK_AND_ASSIGN(const ValueInfo batched, InferOne(GatherOp(), Batch(1),
                                                         {Known(ElementType::kF32, {Dimension(), 7}),
                                                          Known(ElementType::kI64, {n, m}), Constant(I64({}, {1}))}));
  EXPECT_EQ(batched.shape, PartialShape({n, m}));
  ASSERT_OK_AND_ASSIGN(const ValueInfo axis, InferOne(GatherOp(), Batch(0),
                                                      {Known(ElementType::kF32, {4, 7}), Known(ElementType::kI64, {2}),
                                                       Known(ElementType::kI64, {})}));
  EXPECT_EQ(axis.shape, PartialShape::OfRank(2));
  ASSERT_OK_AND_ASSIGN(const ValueInfo rank, InferOne(GatherOp(), Batch(0),
                                                      {Known(ElementType::kF32, PartialShape::DynamicRank()),
                                                       Known(ElementType::kI64, {2}), Constant(I64({}, {0}))}));
  EXPECT_FALSE(rank.shape.has_rank());
}

TEST(GatherTest, PropagatesContent) {
  const Dimension n = Dimension::Symbol("n");
  const ValueInfo data = Partial({n, 3, Dimension(2, 4)});
  ASSERT_OK_AND_ASSIGN(const ValueInfo scalar,
                       InferOne(GatherOp(), Batch(0), {data, Constant(I64({}, {0})), Constant(I64({}, {0}))}));
  EXPECT_EQ(scalar.shape, PartialShape());
  EXPECT_EQ(scalar.content, (PartialValue{n}));
  ASSERT_OK_AND_ASSIGN(const ValueInfo list,
                       InferOne(GatherOp(), Batch(0), {data, Constant(I64({2}, {-1, 1})), Constant(I64({}, {0}))}));
  EXPECT_EQ(list.content, (PartialValue{Dimension(2, 4), 3}));
}

TEST(GatherTest, C1RejectsIndices) {
  EXPECT_THAT(Taken(F32({1}, {1}), F32({1}, {0}), 0), StatusIs(kInvalid, HasSubstr("Gather_c1")));
}

TEST(GatherTest, C2RejectsAxes) {
  EXPECT_THAT(Taken(F32({1}, {1}), I64({1}, {0}), 1), StatusIs(kInvalid, HasSubstr("Gather_c2")));
  EXPECT_THAT(Taken(F32({}, {1}), I64({1}, {0}), 0), StatusIs(kInvalid, HasSubstr("Gather_c2")));
}

TEST(GatherTest, C3RejectsBatchDims) {
  EXPECT_THAT(Taken(F32({1, 1}, {1}), I64({1}, {0}), 0, 1), StatusIs(kInvalid, HasSubstr("Gather_c3")));
  EXPECT_THAT(Taken(F32({1, 1}, {1}), I64({1}, {0}), 1, 2), StatusIs(kInvalid, HasSubstr("Gather_c3")));
  EXPECT_THAT(Taken(F32({1, 1}, {1}), I64({1}, {0}), 1, -2), StatusIs(kInvalid, HasSubstr("Gather_c3")));
}

TEST(GatherTest, C4RejectsBatches) {
  EXPECT_THAT(Taken(F32({2, 1}, {1, 2}), I64({3, 1}, {0, 0, 0}), 1, 1), StatusIs(kInvalid, HasSubstr("Gather_c4")));
}

}  // namespace
}  // namespace burin::ir
