#include "ir/ops/parameter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>

#include "absl/status/status.h"
#include "ir/ops/op_testlib.h"
#include "ir/ops/ops.h"
#include "ir/shape.h"
#include "testing/gtest/status_matchers.h"

namespace burin::ir {
namespace {

using ::testing::HasSubstr;

ParameterAttributes Make(ElementType type, PartialShape shape) {
  ParameterAttributes attributes;
  attributes.element_type = type;
  attributes.shape = std::move(shape);
  return attributes;
}

TEST(ParameterTest, InfersTypeAndShapeWithSymbols) {
  const PartialShape shape{Dimension::Symbol("batch"), 3, Dimension(1, 8)};
  ASSERT_OK_AND_ASSIGN(const ValueInfo info, InferOne(ParameterOp(), Make(ElementType::kF16, shape), {}));
  EXPECT_EQ(info.type, ElementType::kF16);
  EXPECT_EQ(info.shape, shape);
  EXPECT_FALSE(info.constant.has_value());
}

TEST(ParameterTest, AcceptsDynamicRankAndScalar) {
  EXPECT_OK(InferOne(ParameterOp(), Make(ElementType::kF32, PartialShape::DynamicRank()), {}));
  EXPECT_OK(InferOne(ParameterOp(), Make(ElementType::kBoolean, PartialShape{}), {}));
}

TEST(ParameterTest, Parameter_c1_RefusesUndefinedAndStringTypes) {
  EXPECT_THAT(InferOne(ParameterOp(), Make(ElementType::kUndefined, {1}), {}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("Parameter_c1")));
  EXPECT_THAT(InferOne(ParameterOp(), Make(ElementType::kString, {1}), {}),
              StatusIs(absl::StatusCode::kUnimplemented, HasSubstr("strings")));
}

TEST(ParameterTest, Parameter_c2_RefusesHostileShapes) {
  EXPECT_THAT(InferOne(ParameterOp(), Make(ElementType::kF32, {2, -1}), {}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("Parameter_c2")));
  EXPECT_THAT(InferOne(ParameterOp(), Make(ElementType::kF32, PartialShape::OfRank(kMaxRank + 1)), {}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("Parameter_c2")));
  EXPECT_OK(InferOne(ParameterOp(), Make(ElementType::kF32, PartialShape::OfRank(kMaxRank)), {}));
}

TEST(ParameterTest, HasNoInputsAndNoValueOfItsOwn) {
  EXPECT_THAT(InferOne(ParameterOp(), ParameterAttributes(), {Known(ElementType::kF32, {1})}),
              StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(Evaluate(ParameterOp(), Make(ElementType::kF32, {1}), {}),
              StatusIs(absl::StatusCode::kFailedPrecondition));
}

}  // namespace
}  // namespace burin::ir
