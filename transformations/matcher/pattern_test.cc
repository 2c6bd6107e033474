#include "transformations/matcher/pattern.h"

#include <gtest/gtest.h>

#include <memory>

#include "absl/strings/string_view.h"
#include "base/element_type.h"
#include "ir/dimension.h"
#include "ir/model.h"
#include "ir/ops/op_code.h"
#include "ir/ops/softmax.h"
#include "ir/partial_shape.h"
#include "ir/rewrite.h"
#include "ir/text.h"
#include "testing/gtest/status_matchers.h"
#include "transformations/matcher/match.h"
#include "transformations/matcher/matcher.h"

namespace burin::transformations {
namespace {

using ::burin::ir::OpCode;

constexpr char kModel[] = R"(model "" {
  %0 "x" = Parameter() {shape = [batch,?,4]}
  %1 "y" = Parameter() {shape = [batch,?,4]}
  %2 "ids" = Parameter() {element_type = i64, shape = [...]}
  %3 "one" = Constant() {value = f32[1,1]{1}}
  %4 "zeros" = Constant() {value = f32[2]{0, 0}}
  %5 "minus_zero" = Constant() {value = f32[]{-0}}
  %6 "shape" = ShapeOf(%3)
  %7 "empty" = Constant() {value = f32[0]{}}
  %8 "softmax" = Softmax(%0) {axis = -1}
  %9 "sum" = Add(%8, %1)
  %10 "flag" = Constant() {value = boolean[]{1}}
  %11 "mixed" = Constant() {value = f32[2]{0, 1}}
  %12 "out" = Result(%9)
  %13 "out2" = Result(%8)
})";

class PatternTest : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_OK_AND_ASSIGN(model_, ir::ParseModel(kModel)); }
  bool Matches(const Pattern& pattern, absl::string_view node) {
    return MatchAt(pattern, *model_, model_->FindNode(node), ir::PassContext()).has_value();
  }
  std::unique_ptr<ir::Model> model_;
};

TEST_F(PatternTest, AsksForOps) {
  EXPECT_TRUE(Matches(Op(OpCode::kAdd), "sum"));
  EXPECT_TRUE(Matches(Op({OpCode::kSubtract, OpCode::kAdd}), "sum"));
  EXPECT_FALSE(Matches(Op(OpCode::kSubtract), "sum"));
  EXPECT_TRUE(Matches(Op(OpCode::kAdd).InputCount(2), "sum"));
  EXPECT_FALSE(Matches(Op(OpCode::kAdd).InputCount(3), "sum"));
  EXPECT_FALSE(Matches(Op(OpCode::kAdd).Input(2, Any()), "sum"));
}

TEST_F(PatternTest, AsksForTypes) {
  EXPECT_TRUE(Matches(Any().HasType(ElementType::kF32), "x"));
  EXPECT_FALSE(Matches(Any().HasType(ElementType::kF32), "ids"));
  EXPECT_TRUE(Matches(Any().HasTypeAmong({ElementType::kI32, ElementType::kI64}), "ids"));
  EXPECT_FALSE(Matches(Any().HasTypeAmong({ElementType::kI32, ElementType::kU8}), "ids"));
  EXPECT_TRUE(Matches(Any().HasFloatType(), "x"));
  EXPECT_FALSE(Matches(Any().HasFloatType(), "ids"));
  EXPECT_TRUE(Matches(Any().HasIntegerType(), "ids"));
  EXPECT_FALSE(Matches(Any().HasIntegerType(), "x"));
  EXPECT_FALSE(Matches(Any().HasIntegerType(), "flag"));
}

TEST_F(PatternTest, AsksForRanksAndShapes) {
  EXPECT_TRUE(Matches(Any().HasRank(3), "x"));
  EXPECT_FALSE(Matches(Any().HasRank(2), "x"));
  EXPECT_FALSE(Matches(Any().HasRank(0), "ids"));
  EXPECT_TRUE(Matches(Any().HasShape({2}), "zeros"));
  EXPECT_FALSE(Matches(Any().HasShape({3}), "zeros"));
  EXPECT_FALSE(Matches(Any().HasShape({2, 1}), "zeros"));
  // A size that is not known may be another in any run.
  EXPECT_FALSE(Matches(Any().HasShape({ir::Dimension::Symbol("batch"), ir::Dimension(), 4}), "x"));
  EXPECT_TRUE(Matches(Any().HasDimension(-1, 4), "x"));
  EXPECT_TRUE(Matches(Any().HasDimension(0, ir::Dimension::Symbol("batch")), "x"));
  EXPECT_FALSE(Matches(Any().HasDimension(0, ir::Dimension::Symbol("other")), "x"));
  EXPECT_FALSE(Matches(Any().HasDimension(1, ir::Dimension()), "x"));
  EXPECT_FALSE(Matches(Any().HasDimension(3, 4), "x"));
  EXPECT_FALSE(Matches(Any().HasDimension(-4, 4), "x"));
  EXPECT_FALSE(Matches(Any().HasDimension(0, 4), "ids"));
}

TEST_F(PatternTest, ComparesShapesWithCaptures) {
  const Pattern sum = Op(OpCode::kAdd).Input(0, Any().Capture("a"));
  EXPECT_TRUE(Matches(sum.Input(1, Any().SameDimension(0, "a", 0)), "sum"));
  EXPECT_TRUE(Matches(sum.Input(1, Any().SameDimension(2, "a", -1)), "sum"));
  EXPECT_FALSE(Matches(sum.Input(1, Any().SameDimension(1, "a", 1)), "sum"));
  EXPECT_FALSE(Matches(sum.Input(1, Any().SameDimension(0, "a", 2)), "sum"));
  EXPECT_FALSE(Matches(sum.Input(1, Any().SameDimension(0, "a", 7)), "sum"));
  EXPECT_FALSE(Matches(sum.Input(1, Any().SameShapeAs("a")), "sum"));
  EXPECT_FALSE(Matches(sum.Input(1, Any().SameShapeAs("nobody")), "sum"));
  // The name may come later in the pattern than where it is used, and the value be captured itself or not.
  const Pattern later = Op(OpCode::kSoftmax).Capture("a").Input(0, Any().SameDimension(0, "a", 0).Capture("b"));
  EXPECT_TRUE(Matches(later, "softmax"));
  EXPECT_TRUE(Matches(Op(OpCode::kShapeOf).Input(0, Any().SameShapeAs("one")).Input(0, Any().Capture("one")), "shape"));
}

TEST_F(PatternTest, AsksForConstants) {
  EXPECT_TRUE(Matches(Constant(), "one"));
  EXPECT_FALSE(Matches(Constant(), "shape"));
  EXPECT_TRUE(Matches(KnownValue(), "one"));
  EXPECT_TRUE(Matches(KnownValue(), "shape"));
  EXPECT_FALSE(Matches(KnownValue(), "x"));
  EXPECT_TRUE(Matches(ConstantScalar(1), "one"));
  EXPECT_TRUE(Matches(ConstantScalar(1), "flag"));
  EXPECT_FALSE(Matches(ConstantScalar(2), "one"));
  EXPECT_FALSE(Matches(ConstantScalar(0), "zeros"));
  EXPECT_FALSE(Matches(ConstantScalar(0), "x"));
  EXPECT_TRUE(Matches(ConstantFilledWith(0), "zeros"));
  EXPECT_TRUE(Matches(ConstantFilledWith(1), "shape"));
  EXPECT_FALSE(Matches(ConstantFilledWith(0), "mixed"));
  EXPECT_FALSE(Matches(ConstantFilledWith(0), "empty"));
  EXPECT_FALSE(Matches(ConstantFilledWith(0), "x"));
}

TEST_F(PatternTest, ZeroHasASign) {
  EXPECT_TRUE(Matches(ConstantScalar(-0.0), "minus_zero"));
  EXPECT_FALSE(Matches(ConstantScalar(0.0), "minus_zero"));
  EXPECT_FALSE(Matches(ConstantFilledWith(-0.0), "zeros"));
}

TEST_F(PatternTest, AsksForTheOnlyUse) {
  EXPECT_TRUE(Matches(Any().OnlyUse(), "sum"));
  EXPECT_FALSE(Matches(Any().OnlyUse(), "softmax"));
  EXPECT_FALSE(Matches(Any().OnlyUse(), "zeros"));
}

TEST_F(PatternTest, AsksForAttributes) {
  const auto last = [](const ir::SoftmaxAttributes& attributes) { return attributes.axis == -1; };
  const auto first = [](const ir::SoftmaxAttributes& attributes) { return attributes.axis == 0; };
  EXPECT_TRUE(Matches(Any().WithAttributes<ir::SoftmaxAttributes>("of the last axis", last), "softmax"));
  EXPECT_FALSE(Matches(Any().WithAttributes<ir::SoftmaxAttributes>("of the first axis", first), "softmax"));
  EXPECT_FALSE(Matches(Any().WithAttributes<ir::SoftmaxAttributes>("of the last axis", last), "sum"));
}

TEST_F(PatternTest, AsksAnything) {
  EXPECT_TRUE(Matches(Any().Where("is", [](const ir::Model&, ir::Value) { return true; }), "x"));
  EXPECT_FALSE(Matches(Any().Where("is not", [](const ir::Model&, ir::Value) { return false; }), "x"));
  const Pattern twice =
      Op(OpCode::kAdd).Input(0, Any().Capture("a")).WhereMatch("a is Softmax", [](const Match& match, ir::Value) {
        return match.node("a").code() == OpCode::kSoftmax;
      });
  EXPECT_TRUE(Matches(twice, "sum"));
  EXPECT_FALSE(Matches(
      Op(OpCode::kAdd).Input(0, Any().Capture("a")).WhereMatch("never", [](const Match&, ir::Value) { return false; }),
      "sum"));
}

TEST_F(PatternTest, MakingANewPatternLeavesTheOldOne) {
  const Pattern any = Any();
  const Pattern none = any.Where("never", [](const ir::Model&, ir::Value) { return false; });
  EXPECT_TRUE(Matches(any, "x"));
  EXPECT_FALSE(Matches(none, "x"));
}

TEST_F(PatternTest, RefusesPatternsThatCannotBeMeant) {
  EXPECT_DEATH(Any().Capture("a").Capture("b"), "captured twice");
  EXPECT_DEATH(Any().Input(-1, Any()), "input -1");
  EXPECT_DEATH(AnyOf({}), "a choice of nothing");
  EXPECT_DEATH(AnyOf({Any()}).Input(0, Any()), "inputs of a choice");
  EXPECT_DEATH(Repeat(Any(), Any(), 3, 2), "repeats: 3 to 2");
}

}  // namespace
}  // namespace burin::transformations
