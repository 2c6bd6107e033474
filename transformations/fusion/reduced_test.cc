#include "transformations/fusion/reduced.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "ir/model.h"
#include "ir/ops/op_code.h"
#include "ir/rewrite.h"
#include "ir/text.h"
#include "transformations/matcher/match.h"
#include "transformations/matcher/matcher.h"
#include "transformations/matcher/pattern.h"

namespace burin::transformations {
namespace {

using ::testing::ElementsAre;
using ::testing::Optional;

// Returns the axes of a sum of x along `axes`; nullopt where there is no match, or what they are is not known.
std::optional<std::vector<int64_t>> AxesIn(absl::string_view shape, absl::string_view axes,
                                           absl::string_view keep_dims = "true") {
  const std::unique_ptr<ir::Model> model =
      ir::ParseModel(
          absl::StrCat("model \"\" {\n  %0 \"x\" = Parameter() {shape = ", shape, "}\n  %1 \"axes\" = ", axes,
                       "\n  %2 \"end\" = ReduceSum(%0, %1) {keep_dims = ", keep_dims, "}\n  %3 = Result(%2)\n}"))
          .value();
  const Pattern pattern = Reduced(ir::OpCode::kReduceSum, Any().Capture("x"), "a");
  const std::optional<Match> match = MatchAt(pattern, *model, model->FindNode("end"), ir::PassContext());
  return match.has_value() ? AxesOf(*match, "a") : std::nullopt;
}

TEST(ReducedTest, AxesAreSortedFromZero) {
  EXPECT_THAT(AxesIn("[?,?,3]", "Constant() {value = i64[2]{-1, 0}}"), Optional(ElementsAre(0, 2)));
  EXPECT_THAT(AxesIn("[?,?,3]", "Constant() {value = i32[]{1}}"), Optional(ElementsAre(1)));
  EXPECT_THAT(AxesIn("[...]", "Constant() {value = i64[1]{1}}"), Optional(ElementsAre(1)));
}

TEST(ReducedTest, WhatIsNotKnownIsNotTold) {
  EXPECT_EQ(AxesIn("[...]", "Constant() {value = i64[1]{-1}}"), std::nullopt);
  EXPECT_EQ(AxesIn("[2,3]", "Parameter() {element_type = i64, shape = [1]}"), std::nullopt);
}

TEST(ReducedTest, ReducedAxesStay) {
  EXPECT_EQ(AxesIn("[2,3]", "Constant() {value = i64[1]{1}}", "false"), std::nullopt);
}

}  // namespace
}  // namespace burin::transformations
