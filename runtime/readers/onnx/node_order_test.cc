#include "runtime/readers/onnx/node_order.h"

#include <memory>
#include <string>
#include <utility>

#include "testing/gtest/status_matchers.h"

namespace burin::onnx {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

NodeMessage MakeNode(std::vector<absl::string_view> inputs, std::vector<absl::string_view> outputs) {
  NodeMessage node;
  node.inputs = std::move(inputs);
  node.outputs = std::move(outputs);
  return node;
}

absl::StatusOr<std::vector<size_t>> Order(const std::vector<NodeMessage>& nodes) {
  ReadBudget budget(0);
  FreeNames free_names(&budget);
  return OrderNodes(nodes, &free_names);
}

TEST(NodeOrderTest, KeepsAGoodOrder) {
  std::vector<NodeMessage> nodes;
  nodes.push_back(MakeNode({"x"}, {"a"}));
  nodes.push_back(MakeNode({"x"}, {"b"}));
  nodes.push_back(MakeNode({"a", "", "b"}, {"c"}));
  EXPECT_THAT(Order(nodes), IsOkAndHolds(ElementsAre(0, 1, 2)));
}

TEST(NodeOrderTest, SortsAnyOrder) {
  std::vector<NodeMessage> nodes;
  nodes.push_back(MakeNode({"b", "a"}, {"c"}));
  nodes.push_back(MakeNode({"a"}, {"b"}));
  nodes.push_back(MakeNode({"x"}, {"a"}));
  EXPECT_THAT(Order(nodes), IsOkAndHolds(ElementsAre(2, 1, 0)));
}

TEST(NodeOrderTest, SubGraphsReadToo) {
  std::vector<NodeMessage> nodes;
  nodes.push_back(MakeNode({"x"}, {"y"}));
  AttributeMessage attribute;
  attribute.graph = std::make_unique<GraphMessage>();
  attribute.graph->nodes.push_back(MakeNode({"local", "outer"}, {"inner"}));
  attribute.graph->nodes.push_back(MakeNode({}, {"local"}));
  nodes[0].attributes.push_back(std::move(attribute));
  nodes.push_back(MakeNode({}, {"outer"}));
  // A name that the sub-graph has itself is none of this graph's.
  nodes.push_back(MakeNode({"y"}, {"local"}));
  EXPECT_THAT(Order(nodes), IsOkAndHolds(ElementsAre(1, 0, 2)));
}

TEST(NodeOrderTest, RefusesCycles) {
  std::vector<NodeMessage> nodes;
  nodes.push_back(MakeNode({"b"}, {"a"}));
  nodes.push_back(MakeNode({"a"}, {"b"}));
  EXPECT_THAT(Order(nodes), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("cycle")));
  std::vector<NodeMessage> self;
  self.push_back(MakeNode({"a"}, {"a"}));
  EXPECT_THAT(Order(self), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("cycle")));
}

TEST(NodeOrderTest, RefusesDuplicateNames) {
  std::vector<NodeMessage> nodes;
  nodes.push_back(MakeNode({"x"}, {"a"}));
  nodes.push_back(MakeNode({"x"}, {"a"}));
  EXPECT_THAT(Order(nodes), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("same name")));
}

TEST(NodeOrderTest, LongChainsAreFine) {
  std::vector<std::string> names;
  for (int i = 0; i <= 100000; ++i) names.push_back(std::to_string(i));
  std::vector<NodeMessage> nodes;
  for (int i = 100000; i > 0; --i) nodes.push_back(MakeNode({names[i - 1]}, {names[i]}));
  ASSERT_OK_AND_ASSIGN(const std::vector<size_t> order, Order(nodes));
  EXPECT_EQ(order.front(), 99999u);
  EXPECT_EQ(order.back(), 0u);
}

}  // namespace
}  // namespace burin::onnx
