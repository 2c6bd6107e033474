#include "snippets/decompose/lower_bound.h"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "ir/model.h"
#include "ir/text.h"
#include "testing/gtest/status_matchers.h"

namespace burin::snippets {
namespace {

// Returns the bound of %9, which these nodes make of %0.
double Bound(absl::string_view nodes) {
  const std::string text =
      absl::StrCat("model \"\" {\n%0 \"x\" = Parameter() {shape = [n,4]}\n", nodes, "\n%10 = Result(%9)\n}");
  const absl::StatusOr<std::unique_ptr<ir::Model>> model = ir::ParseModel(text);
  EXPECT_OK(model.status());
  return LowerBound(**model, (*model)->node((*model)->results()[0]).input(0));
}

TEST(LowerBoundTest, KnowsWhatIsNotNegative) {
  EXPECT_EQ(Bound("%9 = Exp(%0)"), 0);
  EXPECT_EQ(Bound("%9 = Multiply(%0, %0)"), 0);
  EXPECT_EQ(Bound("%1 = Constant() {value = i64[1]{1}}\n%2 = Abs(%0)\n%9 = ReduceSum(%2, %1) {keep_dims = true}"), 0);
}

TEST(LowerBoundTest, AddsAndTakesRoots) {
  EXPECT_EQ(Bound("%1 = Constant() {value = f32[]{0.25}}\n%2 = Multiply(%0, %0)\n%3 = Add(%2, %1)\n%9 = Sqrt(%3)"),
            0.5);
  EXPECT_EQ(Bound("%1 = Constant() {value = f32[2,1]{3, 2}}\n%9 = Maximum(%0, %1)"), 2);
  EXPECT_EQ(Bound("%9 = Clamp(%0) {min = -3, max = 8}"), -3);
}

TEST(LowerBoundTest, KnowsNothingElse) {
  EXPECT_TRUE(std::isinf(Bound("%9 = Negative(%0)")));
  EXPECT_TRUE(std::isinf(Bound("%1 = Constant() {value = f32[]{5}}\n%9 = Minimum(%0, %1)")));
  EXPECT_TRUE(std::isinf(Bound("%1 = Exp(%0)\n%9 = Multiply(%0, %1)")));
}

}  // namespace
}  // namespace burin::snippets
