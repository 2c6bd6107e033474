#include <gtest/gtest.h>

#include <limits>

#include "base/element_type.h"
#include "ir/dimension.h"
#include "ir/infer_context.h"
#include "ir/ops/family/broadcast_rule.h"
#include "ir/ops/family/elementwise.h"
#include "ir/ops/op_testlib.h"
#include "ir/ops/ops.h"
#include "ir/partial_shape.h"
#include "testing/gtest/status_matchers.h"

namespace burin::ir {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

TEST(SelectTest, ChoosesElementByElement) {
  const Tensor cond = Bool({3, 2}, {0, 0, 1, 0, 1, 1});
  ExpectEvaluates(SelectOp(), BroadcastAttributes(),
                  {cond, I32({3, 2}, {-1, 0, 1, 2, 3, 4}), I32({3, 2}, {11, 10, 9, 8, 7, 6})},
                  I32({3, 2}, {11, 10, 1, 8, 3, 4}));
  ExpectEvaluates(SelectOp(), BroadcastAttributes(), {Bool({2}, {1, 0}), F16({2}, {1, 2}), F16({2}, {3, kNan})},
                  F16({2}, {1, kNan}));
  ExpectEvaluates(SelectOp(), BroadcastAttributes(), {Bool({2}, {1, 0}), Bool({2}, {1, 1}), Bool({2}, {0, 0})},
                  Bool({2}, {1, 0}));
  ExpectEvaluates(SelectOp(), BroadcastAttributes(),
                  {Bool({1}, {1}), IntTensor(ElementType::kU64, {1}, {-1}), IntTensor(ElementType::kU64, {1}, {0})},
                  IntTensor(ElementType::kU64, {1}, {-1}));
}

TEST(SelectTest, BroadcastsAllThree) {
  ExpectEvaluates(SelectOp(), BroadcastAttributes(), {Bool({2, 1}, {1, 0}), F32({2}, {1, 2}), F32({}, {9})},
                  F32({2, 2}, {1, 2, 9, 9}));
  BroadcastAttributes pdpd;
  pdpd.broadcast = {AutoBroadcast::kPdpd, 0};
  ExpectEvaluates(SelectOp(), pdpd, {Bool({2}, {1, 0}), F32({2, 2}, {1, 2, 3, 4}), F32({2, 2}, {5, 6, 7, 8})},
                  F32({2, 2}, {1, 2, 7, 8}));
}

TEST(SelectTest, PropagatesContent) {
  const PartialValue a = {Dimension::Symbol("n"), 4, Dimension(2, 3)};
  const PartialValue b = {1, Dimension(5, 6), Dimension(7, 8)};
  ASSERT_OK_AND_ASSIGN(const ValueInfo chosen, InferOne(SelectOp(), BroadcastAttributes(),
                                                        {Constant(Bool({3}, {1, 0, 1})), Partial(a), Partial(b)}));
  const PartialValue expected = {Dimension::Symbol("n"), Dimension(5, 6), Dimension(2, 3)};
  EXPECT_EQ(chosen.content, expected);
  ASSERT_OK_AND_ASSIGN(const ValueInfo either, InferOne(SelectOp(), BroadcastAttributes(),
                                                        {Known(ElementType::kBoolean, {3}), Partial(a), Partial(b)}));
  const PartialValue hull = {Dimension(), Dimension(4, 6), Dimension(2, 8)};
  EXPECT_EQ(either.content, hull);
}

TEST(SelectTest, InfersUnknownShapes) {
  ASSERT_OK_AND_ASSIGN(const ValueInfo out, InferOne(SelectOp(), BroadcastAttributes(),
                                                     {Known(ElementType::kBoolean, {Dimension::Symbol("n"), 1}),
                                                      Known(ElementType::kF32, {1, 4}), Known(ElementType::kF32, {})}));
  EXPECT_EQ(out.shape, PartialShape({Dimension::Symbol("n"), 4}));
  ASSERT_OK_AND_ASSIGN(const ValueInfo any, InferOne(SelectOp(), BroadcastAttributes(),
                                                     {Known(ElementType::kBoolean, PartialShape::DynamicRank()),
                                                      Known(ElementType::kF32, {1, 4}), Known(ElementType::kF32, {})}));
  EXPECT_FALSE(any.shape.has_rank());
}

TEST(SelectTest, Select_c1_RejectsConditionsThatAreNotBoolean) {
  ExpectInferFails(SelectOp(), BroadcastAttributes(),
                   {Known(ElementType::kU8, {2}), Known(ElementType::kF32, {2}), Known(ElementType::kF32, {2})},
                   "Select_c1");
}

TEST(SelectTest, Select_c2_RejectsMixedTypesAndStrings) {
  ExpectInferFails(SelectOp(), BroadcastAttributes(),
                   {Known(ElementType::kBoolean, {2}), Known(ElementType::kF32, {2}), Known(ElementType::kF16, {2})},
                   "Select_c2");
  ExpectInferFails(
      SelectOp(), BroadcastAttributes(),
      {Known(ElementType::kBoolean, {2}), Known(ElementType::kString, {2}), Known(ElementType::kString, {2})},
      "Select_c2");
}

TEST(SelectTest, Select_c3_RejectsShapesThatDoNotBroadcast) {
  ExpectInferFails(SelectOp(), BroadcastAttributes(),
                   {Known(ElementType::kBoolean, {2}), Known(ElementType::kF32, {3}), Known(ElementType::kF32, {3})},
                   "Select_c3");
  ExpectInferFails(SelectOp(), BroadcastAttributes(),
                   {Known(ElementType::kBoolean, {2}), Known(ElementType::kF32, {2}), Known(ElementType::kF32, {3})},
                   "Select_c3");
}

}  // namespace
}  // namespace burin::ir
