#include <gtest/gtest.h>

#include "base/element_type.h"
#include "ir/attributes.h"
#include "ir/dimension.h"
#include "ir/infer_context.h"
#include "ir/ops/op_testlib.h"
#include "ir/ops/ops.h"
#include "ir/partial_shape.h"
#include "testing/gtest/status_matchers.h"

namespace burin::ir {
namespace {

TEST(ConvertLikeTest, TakesTheTypeOfTheSecondInput) {
  ExpectEvaluates(ConvertLikeOp(), NoAttributes(), {F32({3}, {1.9, -1.9, 0}), I32({2, 2}, {7, 7, 7, 7})},
                  I32({3}, {1, -1, 0}));
  ExpectEvaluates(ConvertLikeOp(), NoAttributes(), {I64({2}, {3, 4}), F16({0}, {})}, F16({2}, {3, 4}));
}

TEST(ConvertLikeTest, KeepsTheShapeOfTheFirstInput) {
  const PartialShape shape = {Dimension::Symbol("n"), 3};
  ASSERT_OK_AND_ASSIGN(const ValueInfo out, InferOne(ConvertLikeOp(), NoAttributes(),
                                                     {Known(ElementType::kF32, shape),
                                                      Known(ElementType::kU8, PartialShape::DynamicRank())}));
  EXPECT_EQ(out.type, ElementType::kU8);
  EXPECT_EQ(out.shape, shape);
}

TEST(ConvertLikeTest, ConvertLike_c1_RejectsStrings) {
  ExpectInferFails(ConvertLikeOp(), NoAttributes(), {Known(ElementType::kString, {2}), Known(ElementType::kF32, {})},
                   "ConvertLike_c1");
  ExpectInferFails(ConvertLikeOp(), NoAttributes(), {Known(ElementType::kF32, {2}), Known(ElementType::kString, {})},
                   "ConvertLike_c1");
}

}  // namespace
}  // namespace burin::ir
