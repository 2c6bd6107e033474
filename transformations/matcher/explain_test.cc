#include "transformations/matcher/explain.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "ir/model.h"
#include "ir/ops/op_code.h"
#include "ir/ops/ops.h"
#include "ir/rewrite.h"
#include "ir/text.h"
#include "testing/gtest/status_matchers.h"
#include "transformations/matcher/match.h"
#include "transformations/matcher/matcher.h"
#include "transformations/matcher/pattern.h"

namespace burin::transformations {
namespace {

using ::burin::ir::OpCode;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr char kModel[] = R"(model "" {
  %0 "x" = Parameter() {shape = [2]}
  %1 "r" = Relu(%0)
  %2 "a" = Abs(%0)
  %3 "c" = Constant() {value = f32[2]{1, 2}}
  %4 "by_x" = Add(%1, %0)
  %5 "by_abs" = Add(%2, %3)
  %6 "by_c" = Add(%3, %1)
  %7 "out" = Result(%4)
  %8 "out2" = Result(%5)
  %9 "out3" = Result(%6)
})";

// Relu(x) + constant => -x, where x has fewer than three elements: only to be explained.
absl::StatusOr<std::optional<ir::Patch>> TestRule(const ir::Model& model, ir::NodeId node,
                                                  const ir::PassContext& context) {
  static const auto* const pattern =
      new Pattern(Op(OpCode::kAdd)
                      .Commutative()
                      .Input(0, Op(OpCode::kRelu).Input(0, Any().Capture("x")).Capture("relu"))
                      .Input(1, Constant().Capture("c")));
  const std::optional<Match> match = MatchAt(*pattern, model, node, context);
  if (!match.has_value()) return std::nullopt;
  if (model.name() == "forbidden") return Decline(context, node, "the model's name forbids it");
  if (model.name() == "costly") return Decline(context, node, [] { return std::string("the text was made"); });
  ir::Patch patch(model);
  patch.Replace(ir::Value{node, 0}, patch.Add(ir::NegativeOp(), {match->value("x")}));
  return patch;
}

absl::StatusOr<std::optional<ir::Patch>> FailingRule(const ir::Model&, ir::NodeId, const ir::PassContext&) {
  return absl::InvalidArgumentError("broken");
}

absl::StatusOr<std::optional<ir::Patch>> SilentRule(const ir::Model&, ir::NodeId, const ir::PassContext&) {
  return std::nullopt;
}

class ExplainTest : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_OK_AND_ASSIGN(model_, ir::ParseModel(kModel)); }
  std::string Explained(const char* node) {
    absl::StatusOr<std::string> text = Explain(&TestRule, *model_, model_->FindNode(node), ir::PassContext());
    EXPECT_OK(text);
    return *std::move(text);
  }
  std::unique_ptr<ir::Model> model_;
};

TEST_F(ExplainTest, SaysThatItFires) {
  EXPECT_THAT(Explained("by_c"), AllOf(StartsWith("fires at "), HasSubstr("\"by_c\" = Add")));
}

TEST_F(ExplainTest, SaysWhichOpWasFoundAtTheRoot) {
  EXPECT_THAT(Explained("r"), AllOf(StartsWith("does not fire at "), HasSubstr("root: is Relu, not Add")));
}

TEST_F(ExplainTest, SaysWhereTheBestAttemptFailed) {
  EXPECT_THAT(Explained("by_x"), HasSubstr("input 1 ('c'): is Parameter, not Constant; at %0 \"x\" = Parameter"));
  EXPECT_THAT(Explained("by_abs"), HasSubstr("input 0 ('relu'): is Abs, not Relu; at %2 \"a\" = Abs"));
}

TEST_F(ExplainTest, SaysWhatAGuardRefused) {
  model_->set_name("forbidden");
  EXPECT_THAT(Explained("by_c"), HasSubstr("guard: the model's name forbids it; at %6"));
  model_->set_name("costly");
  EXPECT_THAT(Explained("by_c"), HasSubstr("guard: the text was made"));
}

TEST_F(ExplainTest, SaysThatARuleIsSilent) {
  EXPECT_THAT(Explain(&SilentRule, *model_, model_->FindNode("r"), ir::PassContext()),
              IsOkAndHolds(HasSubstr("gives no reason")));
}

TEST_F(ExplainTest, PassesErrorsOn) {
  EXPECT_THAT(Explain(&FailingRule, *model_, model_->FindNode("r"), ir::PassContext()),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("broken")));
  EXPECT_THAT(Explain(&TestRule, *model_, static_cast<ir::NodeId>(77), ir::PassContext()),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("no node with id 77")));
}

TEST_F(ExplainTest, KeepsTheServicesOfTheContext) {
  static const int service = 7;
  ir::PassContext context;
  context.Provide(&service);
  const ir::Rule rule = [](const ir::Model&, ir::NodeId node,
                           const ir::PassContext& inner) -> absl::StatusOr<std::optional<ir::Patch>> {
    return Decline(inner, node, inner.Find<int>() == nullptr ? "no service" : "the service is there");
  };
  EXPECT_THAT(Explain(rule, *model_, model_->FindNode("r"), context), IsOkAndHolds(HasSubstr("the service is there")));
}

TEST_F(ExplainTest, MakesNoTextWhereNobodyAsks) {
  bool made = false;
  EXPECT_FALSE(Decline(ir::PassContext(), model_->FindNode("r"), [&made] {
                 made = true;
                 return std::string("why");
               }).has_value());
  EXPECT_FALSE(made);
}

TEST_F(ExplainTest, NamesNestedPlaces) {
  const Explainer explainer;
  ir::PassContext context;
  context.Provide(&explainer);
  const Pattern pattern = Op(OpCode::kAdd).Input(0, Op(OpCode::kRelu).Input(0, Op(OpCode::kAbs).OnlyUse()));
  EXPECT_FALSE(MatchAt(pattern, *model_, model_->FindNode("by_x"), context).has_value());
  ASSERT_EQ(explainer.failures().size(), 1u);
  EXPECT_EQ(explainer.failures()[0].where, "input 0 of input 0");
  EXPECT_EQ(explainer.failures()[0].why, "is Parameter, not Abs");
  EXPECT_EQ(explainer.failures()[0].at, model_->FindNode("x"));
  const Pattern once = Op(OpCode::kAdd).Input(1, Any().OnlyUse());
  EXPECT_FALSE(MatchAt(once, *model_, model_->FindNode("by_x"), context).has_value());
  ASSERT_EQ(explainer.failures().size(), 2u);
  EXPECT_EQ(explainer.failures()[1].why, "not true: is read once");
}

}  // namespace
}  // namespace burin::transformations
