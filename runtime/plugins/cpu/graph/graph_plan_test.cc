#include "runtime/plugins/cpu/graph/graph_plan.h"

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/model.h"
#include "ir/text.h"
#include "runtime/plugins/cpu/graph/configure.h"
#include "runtime/plugins/cpu/graph/fake_nodes_testlib.h"
#include "runtime/plugins/cpu/graph/node.h"
#include "testing/gtest/status_matchers.h"

namespace burin::cpu {
namespace {

using ::testing::HasSubstr;

constexpr char kChain[] = R"(model "" {
  %0 "x" = Parameter() {element_type = f32, shape = [64]}
  %1 "a" = Exp(%0)
  %2 "b" = Relu(%1)
  %3 "c" = Abs(%2)
  %4 "d" = Exp(%3)
  %5 "y" = Result(%4)
})";

// Configures the chain with fake nodes that `change` sees.
template <class Change>
absl::StatusOr<ConfiguredGraph> Configure(Change change) {
  const absl::StatusOr<std::unique_ptr<ir::Model>> model = ir::ParseModel(kChain);
  EXPECT_OK(model.status());
  ConfigureContext context = FakeContext();
  context.make_node = [&](const ir::Node& node, const NodeContext&) -> absl::StatusOr<std::shared_ptr<const Node>> {
    auto fake = std::make_shared<FakeNode>();
    change(node.name(), *fake);
    return fake;
  };
  return ConfigureGraph(**model, context);
}

TEST(GraphPlanTest, ValuesThatDoNotLiveTogetherShareMemory) {
  const absl::StatusOr<ConfiguredGraph> configured = Configure([](const std::string&, FakeNode&) {});
  ASSERT_OK(configured.status());
  const auto plan = GraphPlan::Activate(*configured, FakeContext().node);
  ASSERT_OK(plan.status());
  ASSERT_EQ((*plan)->steps().size(), 4);
  // Three values of 256 bytes, two at a time; the last one is the user's.
  EXPECT_EQ((*plan)->arena_bytes(), 512);
  EXPECT_EQ((*plan)->least_arena_bytes(), 512);
  EXPECT_EQ((*plan)->steps()[0].inputs[0].home, ValueHome::kInput);
  EXPECT_EQ((*plan)->steps()[3].outputs[0].home, ValueHome::kOutput);
  EXPECT_EQ((*plan)->steps()[1].inputs[0].offset, (*plan)->steps()[0].outputs[0].offset);
  EXPECT_NE((*plan)->steps()[1].inputs[0].offset, (*plan)->steps()[1].outputs[0].offset);
  EXPECT_EQ((*plan)->dead_after(1).size(), 1);
}

TEST(GraphPlanTest, InPlaceTakesNoMemory) {
  const absl::StatusOr<ConfiguredGraph> configured = Configure([](const std::string&, FakeNode& node) {
    node.in_place = {{0, 0}};
  });
  ASSERT_OK(configured.status());
  const auto plan = GraphPlan::Activate(*configured, FakeContext().node);
  ASSERT_OK(plan.status());
  EXPECT_EQ((*plan)->arena_bytes(), 0);
  EXPECT_EQ((*plan)->steps()[0].outputs[0].home, ValueHome::kOutput);
}

TEST(GraphPlanTest, ViewsDoNotRun) {
  const absl::StatusOr<ConfiguredGraph> configured = Configure([](const std::string& name, FakeNode& node) {
    if (name == "b") node.view_of = 0;
  });
  ASSERT_OK(configured.status());
  const auto plan = GraphPlan::Activate(*configured, FakeContext().node);
  ASSERT_OK(plan.status());
  ASSERT_EQ((*plan)->steps().size(), 3);
  EXPECT_EQ((*plan)->steps()[1].name, "c");
  EXPECT_EQ((*plan)->steps()[1].inputs[0].offset, (*plan)->steps()[0].outputs[0].offset);
}

TEST(GraphPlanTest, ScratchMemoryIsOfOneStep) {
  const absl::StatusOr<ConfiguredGraph> configured =
      Configure([](const std::string&, FakeNode& node) { node.scratch_bytes = 1024; });
  ASSERT_OK(configured.status());
  NodeContext context = FakeContext().node;
  context.threads = 3;
  const auto plan = GraphPlan::Activate(*configured, context);
  ASSERT_OK(plan.status());
  EXPECT_EQ((*plan)->arena_bytes(), 512 + 3 * 1024);
}

}  // namespace
}  // namespace burin::cpu
