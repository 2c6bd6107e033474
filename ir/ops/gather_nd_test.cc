#include "ir/ops/gather_nd.h"

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

GatherNDAttributes Batch(int64_t batch_dims) {
  GatherNDAttributes attributes;
  attributes.batch_dims = batch_dims;
  return attributes;
}

absl::StatusOr<Tensor> Taken(const Tensor& data, const Tensor& indices, int64_t batch_dims = 0) {
  return Evaluate(GatherNDOp(), Batch(batch_dims), {data, indices});
}

// The examples are those of the operation's specification.
TEST(GatherNDTest, TakesElementsAndSlices) {
  const Tensor data = F32({2, 2}, {1, 2, 3, 4});
  ASSERT_OK_AND_ASSIGN(const Tensor elements, Taken(data, I64({2, 2}, {0, 0, 1, 0})));
  ExpectTensorEq(elements, F32({2}, {1, 3}));
  ASSERT_OK_AND_ASSIGN(const Tensor slices, Taken(data, I32({2, 1}, {-1, 0})));
  ExpectTensorEq(slices, F32({2, 2}, {3, 4, 1, 2}));
  ASSERT_OK_AND_ASSIGN(const Tensor deeper, Taken(data, I64({2, 1, 1}, {1, 0})));
  ExpectTensorEq(deeper, F32({2, 1, 2}, {3, 4, 1, 2}));
  ASSERT_OK_AND_ASSIGN(const Tensor whole, Taken(data, I64({1, 0}, {})));
  ExpectTensorEq(whole, F32({1, 2, 2}, {1, 2, 3, 4}));
  ASSERT_OK_AND_ASSIGN(const Tensor none, Taken(data, I64({0, 1}, {})));
  ExpectTensorEq(none, F32({0, 2}, {}));
}

TEST(GatherNDTest, TakesPerBatch) {
  ASSERT_OK_AND_ASSIGN(const Tensor elements, Taken(I32({2, 2}, {1, 2, 3, 4}), I64({2, 1}, {1, 0}), 1));
  ExpectTensorEq(elements, I32({2}, {2, 3}));
  std::vector<int64_t> values(24);
  for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<int64_t>(i) + 1;
  ASSERT_OK_AND_ASSIGN(const Tensor two, Taken(U8({2, 3, 4}, values), I64({2, 3, 1, 1}, {1, 0, 2, 0, 2, 2}), 2));
  ExpectTensorEq(two, U8({2, 3, 1}, {2, 5, 11, 13, 19, 23}));
}

TEST(GatherNDTest, StretchesBatches) {
  ASSERT_OK_AND_ASSIGN(const Tensor indices, Taken(I32({2, 2}, {1, 2, 3, 4}), I64({1, 1}, {1}), 1));
  ExpectTensorEq(indices, I32({2}, {2, 4}));
  ASSERT_OK_AND_ASSIGN(const Tensor data, Taken(I32({1, 2}, {1, 2}), I64({2, 1}, {1, 0}), 1));
  ExpectTensorEq(data, I32({2}, {2, 1}));
}

TEST(GatherNDTest, InfersPartialShapes) {
  const Dimension n = Dimension::Symbol("n");
  ASSERT_OK_AND_ASSIGN(
      const ValueInfo known,
      InferOne(GatherNDOp(), Batch(1), {Known(ElementType::kF32, {n, 5, 6, 7}), Known(ElementType::kI64, {n, 3, 2})}));
  EXPECT_EQ(known.shape, PartialShape({n, 3, 7}));
  ASSERT_OK_AND_ASSIGN(
      const ValueInfo tuple,
      InferOne(GatherNDOp(), Batch(0), {Known(ElementType::kF32, {n, 5}), Known(ElementType::kI64, {3, Dimension()})}));
  EXPECT_FALSE(tuple.shape.has_rank());
}

TEST(GatherNDTest, C1RejectsIndices) {
  EXPECT_THAT(Taken(F32({1}, {1}), F32({1}, {0})), StatusIs(kInvalid, HasSubstr("GatherND_c1")));
  EXPECT_THAT(Taken(F32({1}, {1}), I64({}, {0})), StatusIs(kInvalid, HasSubstr("GatherND_c1")));
}

TEST(GatherNDTest, C2RejectsBatchDims) {
  for (const int64_t batch_dims : {-1, 1}) {
    EXPECT_THAT(Taken(F32({1, 1}, {1}), I64({1}, {0}), batch_dims), StatusIs(kInvalid, HasSubstr("GatherND_c2")));
  }
}

TEST(GatherNDTest, C3RejectsBatches) {
  EXPECT_THAT(Taken(F32({2, 1}, {1, 2}), I64({3, 1}, {0, 0, 0}), 1), StatusIs(kInvalid, HasSubstr("GatherND_c3")));
}

TEST(GatherNDTest, C4RejectsLongTuples) {
  EXPECT_THAT(Taken(F32({1}, {1}), I64({1, 2}, {0, 0})), StatusIs(kInvalid, HasSubstr("GatherND_c4")));
}

TEST(GatherNDTest, C5RejectsIndicesOutside) {
  EXPECT_THAT(Taken(F32({2}, {1, 2}), I64({1, 1}, {2})), StatusIs(kInvalid, HasSubstr("GatherND_c5")));
}

}  // namespace
}  // namespace burin::ir
