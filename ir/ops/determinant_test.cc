#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "base/element_type.h"
#include "ir/attributes.h"
#include "ir/infer_context.h"
#include "ir/ops/op_testlib.h"
#include "ir/ops/ops.h"
#include "ir/partial_shape.h"
#include "ir/tensor.h"
#include "testing/gtest/status_matchers.h"

namespace burin::ir {
namespace {

constexpr double kTiny = 1e-6;

TEST(DeterminantTest, OfOneMatrix) {
  ExpectEvaluates(DeterminantOp(), NoAttributes(), {F32({2, 2}, {0, 1, 2, 3})}, F32({}, {-2}), kTiny);
  // 6 (-2 * 7 - 5 * 8) - 1 (4 * 7 - 5 * 2) + 1 (4 * 8 + 2 * 2).
  ExpectEvaluates(DeterminantOp(), NoAttributes(), {F64({3, 3}, {6, 1, 1, 4, -2, 5, 2, 8, 7})}, F64({}, {-306}), kTiny);
  ExpectEvaluates(DeterminantOp(), NoAttributes(), {F16({1, 1}, {-7})}, F16({}, {-7}));
  // An even permutation of three axes.
  ExpectEvaluates(DeterminantOp(), NoAttributes(), {F32({3, 3}, {0, 1, 0, 0, 0, 1, 1, 0, 0})}, F32({}, {1}));
}

TEST(DeterminantTest, OfABatch) {
  ExpectEvaluates(DeterminantOp(), NoAttributes(), {F32({3, 1, 2, 2}, {1, 2, 3, 4, 1, 2, 2, 1, 1, 3, 3, 1})},
                  F32({3, 1}, {-2, -3, -8}), kTiny);
  ExpectEvaluates(DeterminantOp(), NoAttributes(), {F32({0, 2, 2}, {})}, F32({0}, {}));
  ExpectEvaluates(DeterminantOp(), NoAttributes(), {F32({2, 0, 0}, {})}, F32({2}, {1, 1}));
}

TEST(DeterminantTest, SingularAndNotFinite) {
  ExpectEvaluates(DeterminantOp(), NoAttributes(), {F32({3, 3}, {1, 2, 3, 2, 4, 6, 0, 0, 1})}, F32({}, {0}));
  ExpectEvaluates(DeterminantOp(), NoAttributes(), {F32({2, 2}, {0, 5, 0, 7})}, F32({}, {0}));
  const double nan = std::numeric_limits<double>::quiet_NaN();
  ExpectEvaluates(DeterminantOp(), NoAttributes(), {F32({2, 2}, {1, nan, 2, 3})}, F32({}, {nan}));
}

TEST(DeterminantTest, DropsTheMatricesFromTheShape) {
  const auto infer = [](const PartialShape& shape) {
    return InferOne(DeterminantOp(), NoAttributes(), {Known(ElementType::kF32, shape)});
  };
  ASSERT_OK_AND_ASSIGN(const ValueInfo batch, infer({Dimension::Symbol("n"), 4, Dimension(), 3}));
  EXPECT_EQ(batch.shape, PartialShape({Dimension::Symbol("n"), 4}));
  ASSERT_OK_AND_ASSIGN(const ValueInfo unknown, infer(PartialShape::DynamicRank()));
  EXPECT_FALSE(unknown.shape.has_rank());
}

TEST(DeterminantTest, C1_RefusesIntegers) {
  ExpectInferFails(DeterminantOp(), NoAttributes(), {Known(ElementType::kI32, {2, 2})}, "Determinant_c1");
}

TEST(DeterminantTest, C2_RefusesVectors) {
  ExpectInferFails(DeterminantOp(), NoAttributes(), {Known(ElementType::kF32, {2})}, "Determinant_c2");
}

TEST(DeterminantTest, C3_RefusesOblongMatrices) {
  ExpectInferFails(DeterminantOp(), NoAttributes(), {Known(ElementType::kF32, {2, 3})}, "Determinant_c3");
}

}  // namespace
}  // namespace burin::ir
