#include "runtime/readers/onnx/node_context.h"

#include <cstdint>
#include <utility>

#include "testing/gtest/status_matchers.h"

namespace burin::onnx {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

AttributeMessage IntNamed(absl::string_view name, int64_t value) {
  AttributeMessage attribute;
  attribute.name = name;
  attribute.type = AttributeMessage::Type::kInt;
  attribute.i = value;
  return attribute;
}

class NodeContextTest : public ::testing::Test {
 protected:
  NodeContext Make(const AttributeFrame* frame = nullptr) {
    NodeContext::Environment environment;
    environment.model = &model_;
    environment.budget = &budget_;
    environment.frame = frame;
    return NodeContext(environment, node_, "node", {}, 17, 13, nullptr);
  }

  ir::Model model_;
  ReadBudget budget_{0};
  NodeMessage node_;
};

TEST_F(NodeContextTest, ReadsAttributesOrFallsBack) {
  node_.attributes.push_back(IntNamed("axis", 3));
  NodeContext context = Make();
  EXPECT_EQ(context.IntAttribute("axis", 1), 3);
  EXPECT_EQ(context.IntAttribute("other", 1), 1);
  EXPECT_EQ(context.FloatAttribute("alpha", 0.5), 0.5);
  EXPECT_EQ(context.StringAttribute("mode", "a"), "a");
  EXPECT_THAT(context.IntsAttribute("axes", {4}), ElementsAre(4));
  EXPECT_OK(context.status());
}

TEST_F(NodeContextTest, RefusesTheWrongType) {
  node_.attributes.push_back(IntNamed("alpha", 3));
  NodeContext context = Make();
  EXPECT_EQ(context.FloatAttribute("alpha", 0.5), 0.5);
  EXPECT_THAT(context.status(), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("alpha")));
}

TEST_F(NodeContextTest, ReadsElementTypesByTheirNumbers) {
  node_.attributes.push_back(IntNamed("dtype", 11));
  node_.attributes.push_back(IntNamed("to", 99));
  NodeContext context = Make();
  EXPECT_EQ(context.ElementTypeAttribute("dtype", ElementType::kF32), ElementType::kF64);
  EXPECT_EQ(context.ElementTypeAttribute("other", ElementType::kF32), ElementType::kF32);
  EXPECT_OK(context.status());
  EXPECT_EQ(context.ElementTypeAttribute("to", ElementType::kF32), ElementType::kF32);
  EXPECT_FALSE(context.ok());
}

TEST_F(NodeContextTest, ResolvesReferences) {
  const AttributeMessage value = IntNamed("outer", 7);
  const AttributeFrame frame = {{"outer", &value}};
  AttributeMessage given = IntNamed("axis", 0);
  given.reference = "outer";
  AttributeMessage absent = IntNamed("mode", 0);
  absent.reference = "nowhere";
  node_.attributes.push_back(std::move(given));
  node_.attributes.push_back(std::move(absent));
  NodeContext context = Make(&frame);
  EXPECT_EQ(context.IntAttribute("axis", 1), 7);
  // What the call does not give is as if it were not there.
  EXPECT_EQ(context.IntAttribute("mode", 1), 1);
  EXPECT_OK(context.status());
  NodeContext outside = Make();
  outside.IntAttribute("axis", 1);
  EXPECT_THAT(outside.status(), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("outside any function")));
}

TEST_F(NodeContextTest, MissingInputsAreErrors) {
  NodeContext context = Make();
  EXPECT_FALSE(context.OptionalInput(0).exists());
  EXPECT_OK(context.status());
  context.Input(0);
  EXPECT_THAT(context.status(), StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST_F(NodeContextTest, KnowsWhichOutputsAreWanted) {
  node_.outputs = {"y", "", "z"};
  NodeContext context = Make();
  EXPECT_TRUE(context.WantsOutput(0));
  EXPECT_FALSE(context.WantsOutput(1));
  EXPECT_TRUE(context.WantsOutput(2));
  EXPECT_FALSE(context.WantsOutput(3));
}

}  // namespace
}  // namespace burin::onnx
