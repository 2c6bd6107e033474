#include "ir/ops/matmul.h"

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/element_type.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/dimension.h"
#include "ir/infer_context.h"
#include "ir/op_def.h"
#include "ir/ops/op_testlib.h"
#include "ir/ops/ops.h"
#include "ir/partial_shape.h"
#include "ir/tensor.h"
#include "testing/gtest/status_matchers.h"

namespace burin::ir {
namespace {

using ::testing::HasSubstr;

MatMulAttributes Transposed(bool a, bool b) {
  MatMulAttributes attributes;
  attributes.transpose_a = a;
  attributes.transpose_b = b;
  return attributes;
}

Tensor Product(const Tensor& a, const Tensor& b, bool transpose_a = false, bool transpose_b = false) {
  const absl::StatusOr<Tensor> result = Evaluate(MatMulOp(), Transposed(transpose_a, transpose_b), {a, b});
  EXPECT_OK(result);
  return result.ok() ? *result : Tensor();
}

PartialShape ProductShape(const PartialShape& a, const PartialShape& b, bool transpose_a = false,
                          bool transpose_b = false) {
  const absl::StatusOr<ValueInfo> result = InferOne(MatMulOp(), Transposed(transpose_a, transpose_b),
                                                    {Known(ElementType::kF32, a), Known(ElementType::kF32, b)});
  EXPECT_OK(result);
  return result.ok() ? result->shape : PartialShape::DynamicRank();
}

TEST(MatMulTest, MultipliesMatrices) {
  const Tensor a = F32({2, 3}, {1, 2, 3, 4, 5, 6});
  const Tensor b = F32({3, 2}, {7, 8, 9, 10, 11, 12});
  const Tensor product = F32({2, 2}, {58, 64, 139, 154});
  ExpectTensorEq(Product(a, b), product);
  ExpectTensorEq(Product(F32({3, 2}, {1, 4, 2, 5, 3, 6}), b, true, false), product);
  ExpectTensorEq(Product(a, F32({2, 3}, {7, 9, 11, 8, 10, 12}), false, true), product);
  ExpectTensorEq(Product(F32({3, 2}, {1, 4, 2, 5, 3, 6}), F32({2, 3}, {7, 9, 11, 8, 10, 12}), true, true), product);
}

TEST(MatMulTest, MultipliesVectors) {
  const Tensor matrix = F32({2, 2}, {1, 2, 3, 4});
  ExpectTensorEq(Product(F32({2}, {10, 1}), matrix), F32({2}, {13, 24}));
  ExpectTensorEq(Product(matrix, F32({2}, {10, 1})), F32({2}, {12, 34}));
  ExpectTensorEq(Product(F32({3}, {1, 2, 3}), F32({3}, {4, 5, 6})), F32({}, {32}));
  // The flags mean nothing for vectors.
  ExpectTensorEq(Product(F32({3}, {1, 2, 3}), F32({3}, {4, 5, 6}), true, true), F32({}, {32}));
}

TEST(MatMulTest, BroadcastsBatches) {
  const Tensor a = F32({2, 1, 1, 2}, {1, 2, 3, 4});
  const Tensor b = F32({3, 2, 1}, {1, 0, 0, 1, 1, 1});
  ExpectTensorEq(Product(a, b), F32({2, 3, 1, 1}, {1, 2, 3, 3, 4, 7}));
  ExpectTensorEq(Product(F32({2}, {1, 1}), F32({2, 2, 1}, {1, 2, 3, 4})), F32({2, 1}, {3, 7}));
}

TEST(MatMulTest, AccumulatesBeyondTheTypeAndRoundsOnce) {
  // In f16 each partial sum would round: 2048 + 1 is 2048.
  ExpectTensorEq(Product(F16({1, 3}, {2048, 1, 1}), F16({3, 1}, {1, 1, 1})), F16({1, 1}, {2050}));
  ExpectTensorEq(Product(BF16({1, 3}, {256, 1, 1}), BF16({3, 1}, {1, 1, 1})), BF16({1, 1}, {258}));
  ExpectTensorEq(Product(F32({1, 3}, {1e8, 1, -1e8}), F32({3, 1}, {1, 1, 1})), F32({1, 1}, {1}));
}

TEST(MatMulTest, WrapsIntegers) {
  ExpectTensorEq(Product(I8({1, 2}, {100, 100}), I8({2, 1}, {1, 1})), I8({1, 1}, {-56}));
  ExpectTensorEq(Product(I64({1, 1}, {INT64_MAX}), I64({1, 1}, {2})), I64({1, 1}, {-2}));
  ExpectTensorEq(Product(I32({1, 2}, {3, -4}), I32({2, 1}, {5, 6})), I32({1, 1}, {-9}));
  ExpectTensorEq(Product(U8({1, 1}, {200}), U8({1, 1}, {2})), U8({1, 1}, {144}));
}

TEST(MatMulTest, HandlesEmptyMatrices) {
  ExpectTensorEq(Product(F32({2, 0}, {}), F32({0, 1}, {})), F32({2, 1}, {0, 0}));
  ExpectTensorEq(Product(F32({0, 2}, {}), F32({2, 1}, {1, 1})), F32({0, 1}, {}));
  ExpectTensorEq(Product(F32({0, 1, 2}, {}), F32({2, 1}, {1, 1})), F32({0, 1, 1}, {}));
}

// More rows, columns and inner elements than one block of each.
TEST(MatMulTest, MultipliesLargerThanBlocks) {
  const int64_t m = 130;
  const int64_t k = 70;
  const int64_t n = 515;
  std::vector<double> a(static_cast<size_t>(m * k));
  std::vector<double> b(static_cast<size_t>(k * n));
  for (size_t i = 0; i < a.size(); ++i) a[i] = static_cast<double>(i % 7) - 3;
  for (size_t i = 0; i < b.size(); ++i) b[i] = static_cast<double>(i % 5) - 2;
  std::vector<double> expected(static_cast<size_t>(m * n));
  for (int64_t i = 0; i < m; ++i) {
    for (int64_t j = 0; j < n; ++j) {
      double sum = 0;
      for (int64_t p = 0; p < k; ++p) sum += a[static_cast<size_t>(i * k + p)] * b[static_cast<size_t>(p * n + j)];
      expected[static_cast<size_t>(i * n + j)] = sum;
    }
  }
  ExpectTensorEq(Product(F32({m, k}, a), F32({k, n}, b)), F32({m, n}, expected));
  std::vector<double> transposed(b.size());
  for (int64_t p = 0; p < k; ++p) {
    for (int64_t j = 0; j < n; ++j) transposed[static_cast<size_t>(j * k + p)] = b[static_cast<size_t>(p * n + j)];
  }
  ExpectTensorEq(Product(F32({m, k}, a), F32({n, k}, transposed), false, true), F32({m, n}, expected));
}

TEST(MatMulTest, InfersSymbols) {
  const Dimension batch = Dimension::Symbol("batch");
  const Dimension length = Dimension::Symbol("length");
  EXPECT_EQ(ProductShape({batch, length, 64}, {64, 32}), PartialShape({batch, length, 32}));
  EXPECT_EQ(ProductShape({batch, 64, length}, {32, 64}, true, true), PartialShape({batch, length, 32}));
  EXPECT_EQ(ProductShape({64}, {batch, 64, length}), PartialShape({batch, length}));
  EXPECT_EQ(ProductShape({batch, 4, length, 64}, {batch, 4, 64, length}), PartialShape({batch, 4, length, length}));
  EXPECT_FALSE(ProductShape(PartialShape::DynamicRank(), {64, 32}).has_rank());
}

TEST(MatMulTest, C1_RefusesDifferentOrBooleanTypes) {
  EXPECT_THAT(Evaluate(MatMulOp(), MatMulAttributes(), {F32({1, 1}, {1}), F16({1, 1}, {1})}).status(),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("MatMul_c1")));
  EXPECT_THAT(Evaluate(MatMulOp(), MatMulAttributes(), {Bool({1, 1}, {1}), Bool({1, 1}, {1})}).status(),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("MatMul_c1")));
}

TEST(MatMulTest, C2_RefusesScalars) {
  EXPECT_THAT(Evaluate(MatMulOp(), MatMulAttributes(), {F32({}, {1}), F32({1, 1}, {1})}).status(),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("MatMul_c2")));
}

TEST(MatMulTest, C3_RefusesOtherInnerSizes) {
  EXPECT_THAT(Evaluate(MatMulOp(), MatMulAttributes(), {F32({1, 2}, {1, 1}), F32({1, 2}, {1, 1})}).status(),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("MatMul_c3")));
}

TEST(MatMulTest, C4_RefusesBatchesThatDoNotBroadcast) {
  EXPECT_THAT(Evaluate(MatMulOp(), MatMulAttributes(), {F32({2, 1, 1}, {1, 1}), F32({3, 1, 1}, {1, 1, 1})}).status(),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("MatMul_c4")));
}

TEST(MatMulTest, CostsTwoFlopsPerProduct) {
  const ValueInfo a = Known(ElementType::kF32, PartialShape({2, 3, 4}));
  const ValueInfo b = Known(ElementType::kF32, PartialShape({4, 5}));
  const ValueInfo* const inputs[] = {&a, &b};
  const std::vector<ValueInfo> outputs = {Known(ElementType::kF32, PartialShape({2, 3, 5}))};
  const MatMulAttributes attributes;
  EXPECT_EQ(CostOf(MatMulOp(), CostContext(attributes, inputs, outputs)).flops, 2 * 2 * 3 * 4 * 5);
}

}  // namespace
}  // namespace burin::ir
