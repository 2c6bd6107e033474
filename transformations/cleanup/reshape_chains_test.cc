#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "ir/model.h"
#include "ir/rewrite.h"
#include "ir/text.h"
#include "testing/gtest/status_matchers.h"
#include "transformations/matcher/explain.h"
#include "transformations/passes.h"
#include "transformations/rewrite_testlib.h"

namespace burin::transformations {
namespace {

using ::testing::HasSubstr;

// x is %0 of that shape, %8 the result.
std::string ModelOf(absl::string_view shape, absl::string_view lines) {
  return absl::StrCat("model \"\" {\n  %0 \"x\" = Parameter() {shape = ", shape, "}\n", lines,
                      "\n  %9 \"out\" = Result(%8)\n}");
}

void ExpectTurnsInto(absl::string_view shape, absl::string_view lines, absl::string_view after) {
  SCOPED_TRACE(lines);
  ExpectRewrites(&ReshapeChains, ModelOf(shape, lines), ModelOf(shape, after));
}

void ExpectGone(absl::string_view shape, absl::string_view lines) {
  SCOPED_TRACE(lines);
  ExpectRewrites(
      &ReshapeChains, ModelOf(shape, lines),
      absl::StrCat("model \"\" {\n  %0 \"x\" = Parameter() {shape = ", shape, "}\n  %9 \"out\" = Result(%0)\n}"));
}

void ExpectKept(absl::string_view shape, absl::string_view lines) {
  SCOPED_TRACE(lines);
  ExpectUnchanged(&ReshapeChains, ModelOf(shape, lines));
}

// An operation with a list of integers as its second input, and that list.
std::string With(int id, absl::string_view op, absl::string_view input, absl::string_view list,
                 absl::string_view attributes = "") {
  return absl::StrCat("  %", id - 1, " = Constant() {value = i64", list, "}\n  %", id, " = ", op, "(", input, ", %",
                      id - 1, ") {", attributes, "}\n");
}

TEST(ReshapeChainsTest, SqueezeAndUnsqueezeCancel) {
  ExpectGone("[?,?]", With(2, "Unsqueeze", "%0", "[2]{0, 2}") + With(8, "Squeeze", "%2", "[2]{0, -2}"));
  ExpectGone("[2,3]", With(2, "Unsqueeze", "%0", "[1]{1}") + "  %8 = Squeeze(%2)");
  ExpectGone("[?,3]",
             With(2, "Unsqueeze", "%0", "[1]{0}") + With(8, "Squeeze", "%2", "[2]{0, 2}", "allow_axis_skip = true"));
}

TEST(ReshapeChainsTest, SqueezeAndUnsqueezeMerge) {
  ExpectTurnsInto("[?,?]", With(2, "Unsqueeze", "%0", "[1]{0}") + With(8, "Unsqueeze", "%2", "[2]{2, 4}"),
                  With(8, "Unsqueeze", "%0", "[3]{0, 2, 4}"));
  ExpectTurnsInto("[?,1,?,1]", With(2, "Squeeze", "%0", "[1]{1}") + With(8, "Squeeze", "%2", "[1]{-1}"),
                  With(8, "Squeeze", "%0", "[2]{1, 3}"));
  ExpectTurnsInto("[?,?]", With(2, "Unsqueeze", "%0", "[2]{0, 1}") + With(8, "Squeeze", "%2", "[1]{0}"),
                  With(8, "Unsqueeze", "%0", "[1]{0}"));
  ExpectTurnsInto("[1,?,1]", With(2, "Squeeze", "%0", "[2]{0, 2}") + With(8, "Unsqueeze", "%2", "[1]{0}"),
                  With(8, "Reshape", "%0", "[2]{1, -1}"));
}

TEST(ReshapeChainsTest, ALongChainBecomesOne) {
  ExpectTurnsInto("[?,?]",
                  With(2, "Unsqueeze", "%0", "[1]{0}") + With(4, "Unsqueeze", "%2", "[1]{0}") +
                      With(6, "Squeeze", "%4", "[1]{1}") + With(8, "Unsqueeze", "%6", "[1]{3}"),
                  With(8, "Unsqueeze", "%0", "[2]{0, 3}"));
}

TEST(ReshapeChainsTest, TheLastPatternCounts) {
  ExpectTurnsInto("[?,1]", With(2, "Squeeze", "%0", "[1]{1}") + With(8, "Reshape", "%2", "[2]{-1, 1}"),
                  With(8, "Reshape", "%0", "[2]{-1, 1}"));
  ExpectTurnsInto("[2,6]", With(2, "Reshape", "%0", "[2]{3, 4}") + With(8, "Reshape", "%2", "[3]{-1, 2, 2}"),
                  With(8, "Reshape", "%0", "[3]{-1, 2, 2}"));
  ExpectTurnsInto("[?,6]", With(2, "Unsqueeze", "%0", "[1]{1}") + With(8, "Reshape", "%2", "[2]{-1, 3}"),
                  With(8, "Reshape", "%0", "[2]{-1, 3}"));
  ExpectTurnsInto("[?,6]",
                  With(2, "Unsqueeze", "%0", "[1]{1}") + With(8, "Reshape", "%2", "[2]{-1, 3}", "special_zero = true"),
                  With(8, "Reshape", "%0", "[2]{-1, 3}", "special_zero = true"));
}

TEST(ReshapeChainsTest, ThePatternMayBeComputed) {
  const std::string pattern =
      "  %3 \"pattern\" = Parameter() {element_type = i64, shape = [2]}\n  %8 = Reshape(%2, %3)\n";
  const std::string after =
      "  %3 \"pattern\" = Parameter() {element_type = i64, shape = [2]}\n  %8 = Reshape(%0, %3)\n";
  RewriteTestOptions options;
  options.min_integer = 0;
  options.max_integer = 3;
  ExpectRewrites(&ReshapeChains, ModelOf("[?,2]", With(2, "Unsqueeze", "%0", "[1]{0}") + pattern),
                 ModelOf("[?,2]", after), options);
  // Its zeros would be those of another tensor.
  ExpectUnchanged(&ReshapeChains,
                  ModelOf("[?,2]", With(2, "Unsqueeze", "%0", "[1]{0}") +
                                       "  %3 \"pattern\" = Parameter() {element_type = i64, shape = [2]}\n"
                                       "  %8 = Reshape(%2, %3) {special_zero = true}\n"),
                  options);
}

TEST(ReshapeChainsTest, TheOutputsShapeIsSpelled) {
  // Static, whatever the inner pattern says.
  ExpectTurnsInto("[2,6]", With(2, "Reshape", "%0", "[2]{3, 4}") + With(8, "Unsqueeze", "%2", "[1]{0}"),
                  With(8, "Reshape", "%0", "[3]{1, 3, 4}"));
  // One size is left over.
  ExpectTurnsInto("[?,6]", With(2, "Reshape", "%0", "[2]{-1, 3}") + With(8, "Unsqueeze", "%2", "[1]{1}"),
                  With(8, "Reshape", "%0", "[3]{-1, 1, 3}"));
  // A special zero stands for another dimension of the inner one's data.
  ExpectTurnsInto(
      "[2,6]", With(2, "Reshape", "%0", "[2]{3, 4}") + With(8, "Reshape", "%2", "[3]{0, 2, 2}", "special_zero = true"),
      With(8, "Reshape", "%0", "[3]{3, 2, 2}"));
  // The symbols of x at the same places.
  ExpectTurnsInto(
      "[n,m,12]",
      With(2, "Reshape", "%0", "[4]{0, 0, 3, 4}", "special_zero = true") + With(8, "Unsqueeze", "%2", "[1]{4}"),
      With(8, "Reshape", "%0", "[5]{0, 0, 3, 4, 1}", "special_zero = true"));
  ExpectTurnsInto("[2,0]", With(2, "Reshape", "%0", "[2]{0, 3}") + With(8, "Unsqueeze", "%2", "[1]{0}"),
                  With(8, "Reshape", "%0", "[3]{1, 0, 3}"));
}

TEST(ReshapeChainsTest, BackToTheShapeOfX) {
  ExpectGone("[n,m,12]", With(2, "Reshape", "%0", "[4]{0, 0, 3, 4}", "special_zero = true") +
                             With(8, "Reshape", "%2", "[3]{0, 0, 12}", "special_zero = true"));
  ExpectGone("[2,6]", With(2, "Reshape", "%0", "[2]{3, 4}") + With(8, "Reshape", "%2", "[2]{2, 6}"));
}

TEST(ReshapeChainsTest, ASizeThatNothingCertainlyGives) {
  // Two sizes without a name.
  ExpectKept("[?,?,4]",
             With(2, "Reshape", "%0", "[4]{0, 0, 2, 2}", "special_zero = true") + With(8, "Unsqueeze", "%2", "[1]{0}"));
  // Two sizes whose places are not those of x.
  ExpectKept("[n,m,4]",
             With(2, "Reshape", "%0", "[4]{0, 0, 2, 2}", "special_zero = true") + With(8, "Unsqueeze", "%2", "[1]{0}"));
  // With n = 0 nothing could be inferred.
  ExpectKept("[n,?]",
             With(2, "Reshape", "%0", "[3]{0, -1, 3}", "special_zero = true") + With(8, "Unsqueeze", "%2", "[1]{2}"));
}

TEST(ReshapeChainsTest, NothingKnownIsLost) {
  // The inner pattern says that the sizes make 6.
  ExpectTurnsInto("[?,?]", With(2, "Reshape", "%0", "[2]{2, 3}") + With(8, "Reshape", "%2", "[2]{-1, 2}"),
                  With(8, "Reshape", "%0", "[2]{3, 2}"));
  ExpectKept("[...]", With(2, "Squeeze", "%0", "[1]{0}") + With(8, "Unsqueeze", "%2", "[1]{0}"));
  ExpectKept("[?,1,?]", "  %2 = Squeeze(%0)\n" + With(8, "Unsqueeze", "%2", "[1]{0}"));
}

TEST(ReshapeChainsTest, OthersKeepTheInnerOne) {
  ExpectRewrites(&ReshapeChains,
                 R"(model "" {
  %0 "x" = Parameter() {shape = [?,2]}
  %1 = Constant() {value = i64[1]{0}}
  %2 = Unsqueeze(%0, %1)
  %3 = Squeeze(%2, %1)
  %4 "out" = Result(%3)
  %5 "out2" = Result(%2)
})",
                 R"(model "" {
  %0 "x" = Parameter() {shape = [?,2]}
  %1 = Constant() {value = i64[1]{0}}
  %2 = Unsqueeze(%0, %1)
  %4 "out" = Result(%0)
  %5 "out2" = Result(%2)
})");
}

TEST(ReshapeChainsTest, LeavesOne) {
  ExpectKept("[2,3]",
             With(2, "Reshape", "%0", "[2]{3, 2}") + "  %3 = Relu(%2)\n" + With(8, "Reshape", "%3", "[2]{2, 3}"));
}

TEST(ReshapeChainsTest, TakesTheNameAndTheMarkOfTheOuterOne) {
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<ir::Model> model, ir::ParseModel(R"(model "" {
  %0 "x" = Parameter() {shape = [2,2]}
  %1 = Constant() {value = i64[1]{0}}
  %2 "inner" = Unsqueeze(%0, %1) from("I")
  %3 "outer" = Unsqueeze(%2, %1) from("O") info("decompression" = "kept")
  %4 "out" = Result(%3)
})"));
  ASSERT_OK_AND_ASSIGN(auto patch, ReshapeChains(*model, model->FindNode("outer"), ir::PassContext()));
  ASSERT_TRUE(patch.has_value());
  ASSERT_OK(std::move(*patch).Apply(model.get()));
  const ir::Node& node = model->node(model->FindNode("outer"));
  EXPECT_THAT(node.original_names(), ::testing::ElementsAre("I", "O"));
  EXPECT_EQ(node.runtime_info().at("decompression"), "kept");
}

TEST(ReshapeChainsTest, TellsWhatItDeclines) {
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<ir::Model> model,
                       ir::ParseModel(ModelOf("[...]",
                                              "%1 = Constant() {value = i64[1]{0}} %2 = Squeeze(%0, %1)"
                                              " %8 \"outer\" = Unsqueeze(%2, %1)")));
  EXPECT_THAT(Explain(&ReshapeChains, *model, model->FindNode("outer"), ir::PassContext()),
              IsOkAndHolds(HasSubstr("no single operation certainly gives the shape")));
}

}  // namespace
}  // namespace burin::transformations
