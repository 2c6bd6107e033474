#include "snippets/decompose/channel_groups.h"

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "ir/dimension.h"
#include "ir/model.h"
#include "ir/partial_shape.h"
#include "ir/rewrite.h"
#include "ir/text.h"
#include "snippets/decompose/formula.h"
#include "testing/gtest/status_matchers.h"

namespace burin::snippets {
namespace {

// A model whose node "f" has dimensions 0, 1 and more of that shape.
std::unique_ptr<ir::Model> ModelOf(const std::string& shape) {
  absl::StatusOr<std::unique_ptr<ir::Model>> model = ir::ParseModel(absl::StrCat(
      "model \"\" {\n%0 \"x\" = Parameter() {shape = ", shape, "}\n%1 \"f\" = Relu(%0)\n%2 = Result(%1)\n}"));
  EXPECT_OK(model);
  return *std::move(model);
}

const ir::Node& Function(const ir::Model& model) { return model.node(model.FindNode("f")); }
const ir::Node& ReadByResult(const ir::Model& model) {
  return model.node(model.node(model.results()[0]).input(0).node);
}

TEST(ChannelGroupsTest, SplitsAndFindsIt) {
  const auto model = ModelOf("[n,6,?,w]");
  Formula f(*model, Function(*model));
  const ChannelGroups groups{4, 1, 6, 2};
  const ir::Value split = groups.Split(f, f.Input(0));
  ASSERT_OK(std::move(f).ReplaceWith(groups.Merge(f, split)).Apply(model.get()));
  const std::optional<GroupedView> merge = FindMerge(*model, ReadByResult(*model));
  ASSERT_TRUE(merge.has_value());
  EXPECT_EQ(merge->groups, groups);
  EXPECT_EQ(ReadByResult(*model).output(0).shape.ToString(), "[n,6,?,w]");
  const ir::Node& inner = model->node(merge->source.node);
  EXPECT_EQ(inner.output(0).shape.ToString(), "[n,2,3,?,w]");
  const std::optional<GroupedView> found = FindSplit(*model, inner);
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->groups, groups);
  EXPECT_EQ(found->source.node, model->FindNode("x"));
  EXPECT_FALSE(FindSplit(*model, ReadByResult(*model)).has_value());
  EXPECT_FALSE(FindMerge(*model, inner).has_value());
}

TEST(ChannelGroupsTest, OperandsAlignFromTheInnermost) {
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<ir::Model> model, ir::ParseModel(R"(model "" {
  %0 "all" = Parameter() {shape = [n,6,?]}
  %1 "list" = Parameter() {shape = [6,1]}
  %2 "one" = Parameter() {shape = [1,5]}
  %3 "inner" = Parameter() {shape = [6]}
  %4 "unknown" = Parameter() {shape = [2,c,5]}
})"));
  const ChannelGroups output{3, 1, 6, 2};
  const auto split = [&](const char* name) {
    return SplitOperandOf(*model, ir::Value{model->FindNode(name), 0}, output);
  };
  EXPECT_EQ(split("all").how, OperandSplit::kSplit);
  EXPECT_EQ(split("all").groups, output);
  EXPECT_EQ(split("list").how, OperandSplit::kSplit);
  EXPECT_EQ(split("list").groups, (ChannelGroups{2, 0, 6, 2}));
  EXPECT_EQ(split("one").how, OperandSplit::kUnsqueeze);
  EXPECT_EQ(split("one").groups.axis, 0);
  EXPECT_EQ(split("inner").how, OperandSplit::kKeep);
  EXPECT_EQ(split("unknown").how, OperandSplit::kUnknown);
}

TEST(ChannelGroupsTest, OtherReshapesAreNeither) {
  for (const char* lines :
       {"%2 = Constant() {value = i64[2]{12, 5}}\n%3 \"f\" = Reshape(%0, %2)",
        "%2 = Constant() {value = i64[3]{0, 6, 5}}\n%3 \"f\" = Reshape(%0, %2) {special_zero = true}",
        "%2 = Constant() {value = i64[1]{1}}\n%3 \"f\" = Unsqueeze(%0, %2)"}) {
    absl::StatusOr<std::unique_ptr<ir::Model>> model = ir::ParseModel(
        absl::StrCat("model \"\" {\n%0 \"x\" = Parameter() {shape = [2,6,5]}\n", lines, "\n%4 = Result(%3)\n}"));
    ASSERT_OK(model);
    EXPECT_FALSE(FindSplit(**model, Function(**model)).has_value()) << lines;
    EXPECT_FALSE(FindMerge(**model, Function(**model)).has_value()) << lines;
  }
}

}  // namespace
}  // namespace burin::snippets
