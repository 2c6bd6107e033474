#include "snippets/tokenize/anchor/anchor_rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "ir/model.h"
#include "ir/text.h"
#include "snippets/tokenize/anchor/checked_epilogues.h"
#include "snippets/tokenize/body_space.h"
#include "snippets/tokenize/fusion_report.h"
#include "snippets/tokenize/iteration_space.h"
#include "testing/gtest/status_matchers.h"

namespace burin::snippets {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr char kModel[] = R"(model "" {
  %0 "x" = Parameter() {element_type = f32, shape = [n, 6]}
  %1 "w" = Parameter() {element_type = f32, shape = [6, 6]}
  %2 "product" = MatMul(%0, %1)
  %3 "other" = MatMul(%0, %1)
  %4 "relu" = Relu(%2)
  %5 "twice" = Add(%2, %4)
  %6 "order" = Constant() {value = i64[2]{1, 0}}
  %7 "turned" = Transpose(%5, %6)
  %8 "weights" = Softmax(%5) {axis = 1}
  %9 "out" = Result(%7)
  %10 "second" = Result(%8)
  %11 "third" = Result(%3)
})";

// Holds a model in its topological order.
struct Ordered {
  explicit Ordered(absl::string_view text) : model(ir::ParseModel(text).value()) {
    order = model->TopologicalOrder().value();
  }

  ir::NodeId Id(const std::string& name) const { return model->FindNode(name); }

  std::vector<int> Positions(const std::vector<std::string>& names) const {
    std::vector<int> positions;
    for (const std::string& name : names) {
      positions.push_back(static_cast<int>(std::find(order.begin(), order.end(), Id(name)) - order.begin()));
    }
    return positions;
  }

  std::unique_ptr<ir::Model> model;
  std::vector<ir::NodeId> order;
};

using Refusal = std::optional<std::pair<FusionReason, std::string>>;

class AnchorRulesTest : public ::testing::Test {
 protected:
  // Joins groups of these nodes, the first of which is the anchor where that is said.
  Refusal WhyNot(const std::vector<std::string>& from, bool from_anchor, const std::vector<std::string>& to,
                 bool to_anchor) {
    const std::vector<int> first = ordered_.Positions(from);
    const std::vector<int> second = ordered_.Positions(to);
    space_.reset();
    return rules_.WhyNotTogether({first, from_anchor ? first[0] : -1}, {second, to_anchor ? second[0] : -1}, &space_);
  }

  const Ordered ordered_{kModel};
  CheckedEpilogues checked_;
  AnchorRules rules_{*ordered_.model, ordered_.order, &checked_};
  std::optional<IterationSpace> space_;
};

TEST_F(AnchorRulesTest, ElementWiseOperationsAreAnEpilogue) {
  EXPECT_EQ(WhyNot({"product"}, true, {"relu"}, false), std::nullopt);
  ASSERT_TRUE(space_.has_value());
  EXPECT_NE(space_->AxesOf({ordered_.Id("relu"), 0}), AxisMask{0});
  // Members come in any order.
  EXPECT_EQ(WhyNot({"product"}, true, {"twice", "relu"}, false), std::nullopt);
  EXPECT_TRUE(space_.has_value());
}

TEST_F(AnchorRulesTest, OneAnchorIsEnough) {
  const Refusal refusal = WhyNot({"product"}, true, {"other"}, true);
  ASSERT_TRUE(refusal.has_value());
  EXPECT_EQ(refusal->first, FusionReason::kAnchors);
  EXPECT_EQ(refusal->second, "Both have a dense anchor: 'product' and 'other'");
  EXPECT_FALSE(space_.has_value());
}

TEST_F(AnchorRulesTest, ViewsStayApartAndAreNotTried) {
  const Refusal refusal = WhyNot({"product", "relu", "twice"}, true, {"turned"}, false);
  ASSERT_TRUE(refusal.has_value());
  EXPECT_EQ(refusal->first, FusionReason::kEpilogue);
  EXPECT_EQ(refusal->second, "A view beside a dense anchor: 'turned' (Transpose)");
  EXPECT_EQ(checked_.compiled(), 0);
}

TEST_F(AnchorRulesTest, ATrialSaysTheRest) {
  const Refusal refusal = WhyNot({"product", "relu", "twice"}, true, {"weights"}, false);
  ASSERT_TRUE(refusal.has_value());
  EXPECT_EQ(refusal->first, FusionReason::kEpilogue);
  EXPECT_THAT(refusal->second, HasSubstr("not element-wise"));
  EXPECT_FALSE(space_.has_value());
}

TEST_F(AnchorRulesTest, LargeGroupsAreNotTried) {
  const Refusal refusal = WhyNot({"product"}, true, std::vector<std::string>(128, "relu"), false);
  ASSERT_TRUE(refusal.has_value());
  EXPECT_EQ(refusal->second, "More operations than an epilogue is tried for: 129");
}

TEST_F(AnchorRulesTest, TellsWhatIsRead) {
  const std::vector<int> from = ordered_.Positions({"relu", "product"});
  const std::vector<int> to = ordered_.Positions({"twice"});
  const ir::Value product = {ordered_.Id("product"), 0};
  const ir::Value relu = {ordered_.Id("relu"), 0};
  EXPECT_THAT(rules_.ValuesRead({from, from[1]}, {to, -1}), ElementsAre(product, relu));
  EXPECT_THAT(rules_.ValuesRead({to, -1}, {from, from[1]}), IsEmpty());
}

constexpr char kScores[] = R"(model "" {
  %0 "q" = Parameter() {element_type = f32, shape = [n, 6]}
  %1 "k" = Parameter() {element_type = f32, shape = [6, 6]}
  %2 "mask" = Parameter() {element_type = f32, shape = [n, 1]}
  %3 "scale" = Constant() {value = f32[1, 1]{0.25}}
  %4 "product" = MatMul(%0, %1)
  %5 "scaled" = Multiply(%4, %3)
  %6 "masked" = Add(%5, %2)
  %7 "out" = Result(%6)
})";

// Groups by name; everything else is of group 0.
std::optional<int> Taker(const Ordered& ordered, const std::string& last,
                         const std::vector<std::pair<std::string, int>>& groups) {
  return GroupToHandOnTo(*ordered.model, ordered.model->node(ordered.Id(last)), 1, [&](ir::NodeId id) {
    const auto it =
        std::find_if(groups.begin(), groups.end(), [&](const auto& entry) { return ordered.Id(entry.first) == id; });
    return it == groups.end() ? 0 : it->second;
  });
}

TEST(GroupToHandOnTo, AScaleMayGoToItsOnlyReader) {
  EXPECT_EQ(Taker(Ordered(kScores), "scaled", {{"product", 1}, {"scaled", 1}, {"masked", 2}}), 2);
}

TEST(GroupToHandOnTo, WhatReadsOtherThanSingleValuesStays) {
  const Ordered ordered(kScores);
  // The mask has a value for each row.
  EXPECT_EQ(Taker(ordered, "masked", {{"scaled", 1}, {"masked", 1}}), std::nullopt);
  // With nothing of the anchor's group it does not come from there.
  EXPECT_EQ(Taker(ordered, "scaled", {{"scaled", 1}, {"masked", 2}}), std::nullopt);
}

TEST(GroupToHandOnTo, WhatOthersReadOrOneInputChangesStays) {
  const std::vector<std::pair<std::string, int>> groups = {{"product", 1}, {"scaled", 1}, {"relu", 1},
                                                           {"first", 2},   {"second", 3}, {"sum", 2}};
  const Ordered ordered(R"(model "" {
    %0 "q" = Parameter() {element_type = f32, shape = [n, 6]}
    %1 "k" = Parameter() {element_type = f32, shape = [6, 6]}
    %2 "scale" = Constant() {value = f32[1, 1]{0.25}}
    %3 "product" = MatMul(%0, %1)
    %4 "scaled" = Multiply(%3, %2)
    %5 "relu" = Relu(%3)
    %6 "first" = Exp(%4)
    %7 "second" = Abs(%4)
    %8 "sum" = Exp(%5)
    %9 "out" = Result(%6)
    %10 "other" = Result(%7)
    %11 "third" = Result(%8)
  })");
  EXPECT_EQ(Taker(ordered, "scaled", groups), std::nullopt);
  EXPECT_EQ(Taker(ordered, "relu", groups), std::nullopt);
}

TEST(GroupToHandOnTo, AReaderThatIsNotElementWiseTakesNothing) {
  const Ordered ordered(R"(model "" {
    %0 "q" = Parameter() {element_type = f32, shape = [n, 6]}
    %1 "k" = Parameter() {element_type = f32, shape = [6, 6]}
    %2 "scale" = Constant() {value = f32[1, 1]{0.25}}
    %3 "product" = MatMul(%0, %1)
    %4 "scaled" = Multiply(%3, %2)
    %5 "weights" = Softmax(%4) {axis = 1}
    %6 "out" = Result(%5)
  })");
  EXPECT_EQ(Taker(ordered, "scaled", {{"product", 1}, {"scaled", 1}, {"weights", 2}}), std::nullopt);
}

}  // namespace
}  // namespace burin::snippets
