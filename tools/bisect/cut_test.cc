#include "tools/bisect/cut.h"

#include <initializer_list>
#include <memory>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/model.h"
#include "ir/text.h"
#include "testing/gtest/status_matchers.h"
#include "tools/bisect/difference.h"

namespace burin::bisect {
namespace {

constexpr char kText[] = R"(model "" {
  %0 "x" = Parameter() {shape = [?,3]}
  %1 "w" = Constant() {value = f32[3]{1, 2, 3}}
  %2 "a" = Add(%0, %1)
  %3 "r" = Relu(%2) names("t") from("user's")
  %4 "m" = Multiply(%3, %2)
  %5 "out" = Result(%4)
  %6 "out2" = Result(%3)
})";

NodeSet Ids(std::initializer_list<int> ids) {
  NodeSet nodes;
  for (const int id : ids) nodes.insert(static_cast<ir::NodeId>(id));
  return nodes;
}

TEST(CutTest, MakesParametersAndResultsAtTheCut) {
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<ir::Model> model, ir::ParseModel(kText));
  ASSERT_OK_AND_ASSIGN(const Cut cut, CutOut(*model, Ids({3})));
  EXPECT_EQ(cut.model->node_count(), 3);
  ASSERT_EQ(cut.inputs.size(), 1u);
  EXPECT_EQ(cut.inputs[0], (ir::Value{static_cast<ir::NodeId>(2), 0}));
  const ir::Node& relu = cut.model->node(cut.model->FindNode("r"));
  EXPECT_THAT(relu.original_names(), testing::ElementsAre("user's"));
  EXPECT_THAT(relu.output_names(0), testing::ElementsAre("t"));
  EXPECT_EQ(cut.model->info({cut.model->parameters()[0], 0}).shape.ToString(), "[?,3]");
}

TEST(CutTest, TakesConstantsAlongAndLeavesPortsOut) {
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<ir::Model> model, ir::ParseModel(kText));
  ASSERT_OK_AND_ASSIGN(const Cut cut, CutOut(*model, Ids({0, 2, 5})));
  EXPECT_EQ(cut.model->node_count(), 4);
  EXPECT_NE(cut.model->FindNode("w"), ir::NodeId::kNone);
  EXPECT_EQ(cut.model->results().size(), 1u);
}

TEST(CutTest, ReadsAValueThatComesBackFromOutside) {
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<ir::Model> model, ir::ParseModel(kText));
  // The Relu between both stays outside.
  ASSERT_OK_AND_ASSIGN(const Cut cut, CutOut(*model, Ids({2, 4})));
  EXPECT_EQ(cut.model->parameters().size(), 2u);
  EXPECT_EQ(cut.model->results().size(), 2u);
}

TEST(CutTest, RefusesToCutNothing) {
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<ir::Model> model, ir::ParseModel(kText));
  EXPECT_THAT(CutOut(*model, Ids({0})), StatusIs(absl::StatusCode::kInvalidArgument));
}

}  // namespace
}  // namespace burin::bisect
