#include "transformations/fusion/formula.h"

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "ir/model.h"
#include "ir/ops/ops.h"
#include "ir/rewrite.h"
#include "ir/text.h"
#include "transformations/matcher/explain.h"
#include "transformations/matcher/match.h"
#include "transformations/matcher/matcher.h"
#include "transformations/matcher/pattern.h"

namespace burin::transformations {
namespace {

// Returns a model of x, a number %1 and nodes the last of which is called "end".
std::unique_ptr<ir::Model> ModelOf(absl::string_view number, absl::string_view nodes,
                                   absl::string_view x = "{shape = [2,3]}") {
  return ir::ParseModel(absl::StrCat("model \"\" {\n  %0 \"x\" = Parameter() ", x,
                                     "\n  %1 = Constant() {value = ", number, "}\n", nodes, "\n  %10 = Result(%9)\n}"))
      .value();
}

std::optional<Match> Find(const Pattern& pattern, const ir::Model& model) {
  return MatchAt(pattern, model, model.FindNode("end"), ir::PassContext());
}

Pattern X() { return Any().Capture("x"); }

TEST(FormulaTest, NumbersAreRecognisedWithinRoundings) {
  const Pattern third = Product(X(), Number(1.0 / 3));
  const char* const product = "  %9 \"end\" = Multiply(%0, %1)";
  EXPECT_TRUE(Find(third, *ModelOf("f32[]{0.33333334}", product)).has_value());
  EXPECT_TRUE(Find(third, *ModelOf("f32[1]{0.33333328}", product)).has_value());
  EXPECT_FALSE(Find(third, *ModelOf("f32[]{0.333333}", product)).has_value());
  EXPECT_FALSE(Find(third, *ModelOf("f32[]{-0.33333334}", product)).has_value());
  EXPECT_FALSE(Find(third, *ModelOf("f32[]{nan}", product)).has_value());
  EXPECT_TRUE(Find(third, *ModelOf("f16[]{0.333}", product, "{element_type = f16, shape = [2]}")).has_value());
  EXPECT_FALSE(Find(third, *ModelOf("f64[]{0.3333333}", product, "{element_type = f64, shape = [2]}")).has_value());
  EXPECT_FALSE(
      Find(Product(X(), Number(3)), *ModelOf("i32[]{3}", product, "{element_type = i32, shape = [2]}")).has_value());
}

TEST(FormulaTest, FactorsAreProductsOrQuotients) {
  const Pattern half = Scaled(X(), 0.5);
  EXPECT_TRUE(Find(half, *ModelOf("f32[]{0.5}", "  %9 \"end\" = Multiply(%1, %0)")).has_value());
  EXPECT_TRUE(Find(half, *ModelOf("f32[]{2}", "  %9 \"end\" = Divide(%0, %1)")).has_value());
  EXPECT_FALSE(Find(half, *ModelOf("f32[]{2}", "  %9 \"end\" = Divide(%1, %0)")).has_value());
  EXPECT_FALSE(Find(half, *ModelOf("f32[]{2}", "  %9 \"end\" = Multiply(%1, %0)")).has_value());
}

TEST(FormulaTest, ProductsOfThreeInAnyAssociation) {
  const Pattern product = ScaledProduct(X(), Op(ir::OpCode::kAbs).Input(0, X()), 0.5);
  for (const char* nodes : {"  %3 = Multiply(%0, %1)\n  %9 \"end\" = Multiply(%2, %3)",
                            "  %3 = Multiply(%1, %2)\n  %9 \"end\" = Multiply(%3, %0)",
                            "  %3 = Multiply(%2, %0)\n  %9 \"end\" = Multiply(%3, %1)"}) {
    SCOPED_TRACE(nodes);
    EXPECT_TRUE(Find(product, *ModelOf("f32[]{0.5}", absl::StrCat("  %2 = Abs(%0)\n", nodes))).has_value());
  }
  EXPECT_FALSE(
      Find(product, *ModelOf("f32[]{0.5}", "  %3 = Multiply(%0, %1)\n  %9 \"end\" = Multiply(%3, %0)")).has_value());
}

TEST(FormulaTest, Clamps) {
  const Pattern clamped = Clamped(X(), 0, 6);
  for (const char* nodes :
       {"  %9 \"end\" = Clamp(%0) {min = 0, max = 6}", "  %3 = Relu(%0)\n  %9 \"end\" = Minimum(%1, %3)",
        "  %3 = Minimum(%0, %1)\n  %9 \"end\" = Relu(%3)"}) {
    EXPECT_TRUE(Find(clamped, *ModelOf("f32[]{6}", nodes)).has_value()) << nodes;
  }
  for (const char* nodes : {"  %9 \"end\" = Clamp(%0) {min = 0, max = 7}", "  %9 \"end\" = Minimum(%0, %1)",
                            "  %3 = Relu(%0)\n  %9 \"end\" = Maximum(%1, %3)"}) {
    EXPECT_FALSE(Find(clamped, *ModelOf("f32[]{6}", nodes)).has_value()) << nodes;
  }
  EXPECT_FALSE(
      Find(Clamped(X(), 1, 6), *ModelOf("f32[]{6}", "  %3 = Relu(%0)\n  %9 \"end\" = Minimum(%1, %3)")).has_value());
}

// Returns why the formula |x| * 0.5 may not be replaced; "" where it may.
std::string WhyKept(absl::string_view number, absl::string_view x, absl::string_view more = "") {
  const std::unique_ptr<ir::Model> model =
      ModelOf(number, absl::StrCat("  %2 = Abs(%0)\n  %9 \"end\" = Multiply(%2, %1)\n", more), x);
  const Explainer explainer;
  ir::PassContext context;
  context.Provide(&explainer);
  const Pattern formula = Op(ir::OpCode::kMultiply).Input(0, Op(ir::OpCode::kAbs).Input(0, X()));
  const std::optional<Match> match = MatchAt(formula, *model, model->FindNode("end"), context);
  if (!match.has_value()) return "no match";
  const std::optional<ir::Patch> patch = ReplaceFormula(*match, model->FindNode("end"), ir::ReluOp(), context);
  EXPECT_EQ(patch.has_value(), explainer.failures().empty());
  return explainer.failures().empty() ? "" : explainer.failures().back().why;
}

TEST(FormulaTest, GuardsOfReplacement) {
  EXPECT_EQ(WhyKept("f32[]{0.5}", "{shape = [...]}"), "");
  EXPECT_EQ(WhyKept("f32[1,1]{0.5}", "{shape = [?,?]}"), "");
  EXPECT_EQ(WhyKept("f32[1,1]{0.5}", "{shape = [?]}"), "a number may add dimensions");
  EXPECT_EQ(WhyKept("f32[1]{0.5}", "{shape = [...]}"), "a number may add dimensions");
  EXPECT_EQ(WhyKept("i32[]{1}", "{element_type = i32, shape = [2]}"), "the type has less than 16 bits");
  EXPECT_EQ(WhyKept("f32[]{0.5}", "{shape = [2]}", "  %20 = Result(%2)"), "a part is read elsewhere");
  EXPECT_EQ(WhyKept("f32[]{0.5}", "{shape = [2]}", "  %20 = Result(%0)"), "");
}

}  // namespace
}  // namespace burin::transformations
