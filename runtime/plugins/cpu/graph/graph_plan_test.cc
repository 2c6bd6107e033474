#include "runtime/plugins/cpu/graph/graph_plan.h"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/model.h"
#include "ir/text.h"
#include "runtime/dev/task_executor.h"
#include "runtime/executor/team.h"
#include "runtime/plugins/cpu/constants/packed_weights.h"
#include "runtime/plugins/cpu/graph/configure.h"
#include "runtime/plugins/cpu/graph/configure_context.h"
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
absl::StatusOr<ConfiguredGraph> Configure(Change change, NodesFactory make_fallback = nullptr) {
  const absl::StatusOr<std::unique_ptr<ir::Model>> model = ir::ParseModel(kChain);
  EXPECT_OK(model.status());
  ConfigureContext context = FakeContext();
  context.make_fallback = std::move(make_fallback);
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

TEST(GraphPlanTest, TheFallbackRunsWhatHasNoKernel) {
  const absl::StatusOr<ConfiguredGraph> configured = Configure(
      [](const std::string& name, FakeNode& node) {
        if (name == "b") node.creation = absl::UnimplementedError("no kernel");
      },
      [](const ir::Node&, const NodeContext&) -> absl::StatusOr<std::shared_ptr<const Node>> {
        auto fallback = std::make_shared<FakeNode>();
        fallback->scratch_bytes = 128;
        return fallback;
      });
  ASSERT_OK(configured.status());
  const auto plan = GraphPlan::Activate(*configured, FakeContext().node);
  ASSERT_OK(plan.status());
  ASSERT_EQ((*plan)->steps().size(), 4);
  EXPECT_EQ((*plan)->steps()[0].primitive->ScratchBytes(1), 0);
  EXPECT_EQ((*plan)->steps()[1].primitive->ScratchBytes(1), 128);
}

TEST(GraphPlanTest, ListsAllThatNeitherNodesNorFallbacksRun) {
  const NodesFactory no_kernel_either = [](const ir::Node&,
                                           const NodeContext&) -> absl::StatusOr<std::shared_ptr<const Node>> {
    auto fallback = std::make_shared<FakeNode>();
    fallback->creation = absl::UnimplementedError("nor here");
    return fallback;
  };
  for (const NodesFactory& make_fallback : {NodesFactory(), no_kernel_either}) {
    const absl::StatusOr<ConfiguredGraph> configured = Configure(
        [](const std::string& name, FakeNode& node) {
          if (name == "b" || name == "d") node.creation = absl::UnimplementedError("no kernel");
        },
        make_fallback);
    ASSERT_OK(configured.status());
    EXPECT_THAT(GraphPlan::Activate(*configured, FakeContext().node).status(),
                StatusIs(absl::StatusCode::kUnimplemented, HasSubstr("2: b: no kernel; d: no kernel")));
  }
}

TEST(GraphPlanTest, WhatIsWrongIsNotForTheFallback) {
  const absl::StatusOr<ConfiguredGraph> configured = Configure(
      [](const std::string& name, FakeNode& node) {
        if (name == "b") node.creation = absl::ResourceExhaustedError("no memory");
      },
      [](const ir::Node&, const NodeContext&) -> absl::StatusOr<std::shared_ptr<const Node>> {
        return std::make_shared<FakeNode>();
      });
  ASSERT_OK(configured.status());
  EXPECT_THAT(GraphPlan::Activate(*configured, FakeContext().node).status(),
              StatusIs(absl::StatusCode::kResourceExhausted, HasSubstr("Node b: no memory")));
}

// Two steps read a constant.
constexpr char kConstant[] = R"(model "" {
  %0 "x" = Parameter() {element_type = f32, shape = [2]}
  %1 "w" = Constant() {value = f32[2]{1, 2}}
  %2 "a" = Add(%0, %1)
  %3 "b" = Multiply(%1, %2)
  %4 "y" = Result(%3)
})";

TEST(GraphPlanTest, AConstantThatAllStepsHavePackedIsLetGo) {
  for (const bool a_packs : {false, true}) {
    for (const bool b_packs : {false, true}) {
      ASSERT_OK_AND_ASSIGN(const std::unique_ptr<ir::Model> model, ir::ParseModel(kConstant));
      ConfigureContext context = FakeContext();
      context.make_node = [&](const ir::Node& node, const NodeContext&) -> absl::StatusOr<std::shared_ptr<const Node>> {
        auto fake = std::make_shared<FakeNode>();
        if (node.name() == "a" && a_packs) fake->packed = {1};
        if (node.name() == "b" && b_packs) fake->packed = {0};
        return fake;
      };
      const auto& storage = model->info({model->FindNode("w"), 0}).constant.storage();
      const int64_t holders = storage.use_count();
      ASSERT_OK_AND_ASSIGN(ConfiguredGraph configured, ConfigureGraph(*model, context));
      ASSERT_OK_AND_ASSIGN(const auto plan, GraphPlan::Activate(std::move(configured), context.node));
      const bool is_kept = !a_packs || !b_packs;
      EXPECT_EQ(storage.use_count() > holders, is_kept);
      const ValuePlace& place = plan->steps()[0].inputs[1];
      EXPECT_EQ(place.home, ValueHome::kConstant);
      EXPECT_EQ(place.constant != nullptr, is_kept);
    }
  }
}

TEST(GraphPlanTest, ConstantsAreInTheMemoryOfTheNode) {
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<ir::Model> model, ir::ParseModel(kConstant));
  PackedWeightsStore store;
  ConfigureContext context = FakeContext();
  context.make_node = [](const ir::Node&, const NodeContext&) -> absl::StatusOr<std::shared_ptr<const Node>> {
    return std::make_shared<FakeNode>();
  };
  const auto place_on = [&](int numa_node) {
    NodeContext node = context.node;
    node.numa_node = numa_node;
    node.packed_weights = &store;
    std::shared_ptr<const GraphPlan> plan = GraphPlan::Activate(ConfigureGraph(*model, context).value(), node).value();
    const auto* const constant = static_cast<const float*>(plan->steps()[0].inputs[1].constant);
    EXPECT_EQ(constant[0], 1);
    EXPECT_EQ(constant[1], 2);
    EXPECT_EQ(plan->steps()[1].inputs[0].constant, constant);
    return std::make_pair(std::move(plan), constant);
  };
  EXPECT_EQ(place_on(-1).second, model->info({model->FindNode("w"), 0}).constant.data());
  EXPECT_EQ(store.count(), 0);
  const auto first = place_on(0);
  const auto second = place_on(1);
  EXPECT_EQ(place_on(1).second, second.second) << "plans of one node have it once";
  EXPECT_NE(first.second, second.second);
  EXPECT_EQ(store.count(), 2);
}

TEST(GraphPlanTest, TellsHowLargeItIs) {
  const auto bytes_with = [](int64_t primitive) {
    ConfiguredGraph configured =
        Configure([&](const std::string&, FakeNode& node) { node.primitive_bytes = primitive; }).value();
    return GraphPlan::Activate(std::move(configured), FakeContext().node).value()->bytes();
  };
  EXPECT_GT(bytes_with(0), 4 * static_cast<int64_t>(sizeof(PlannedStep)));
  EXPECT_LT(bytes_with(0), 4096);
  EXPECT_EQ(bytes_with(1000), bytes_with(0) + 4 * 1000);
}

TEST(GraphPlanTest, ATeamMakesTheSamePlan) {
  ThreadPoolExecutor threads(2);
  executor::Team team(3, &threads);
  NodeContext context = FakeContext().node;
  context.team = &team;
  for (int i = 0; i < 20; ++i) {
    ASSERT_OK_AND_ASSIGN(ConfiguredGraph configured,
                         Configure([](const std::string& name, FakeNode& node) { node.scratch_bytes = name[0]; }));
    ASSERT_OK_AND_ASSIGN(const auto plan, GraphPlan::Activate(std::move(configured), context));
    ASSERT_EQ(plan->steps().size(), 4);
    for (const PlannedStep& step : plan->steps()) EXPECT_EQ(step.primitive->ScratchBytes(1), step.name[0]);
  }
  ASSERT_OK_AND_ASSIGN(ConfiguredGraph configured, Configure([](const std::string& name, FakeNode& node) {
                         if (name != "a") node.creation = absl::ResourceExhaustedError("no memory");
                       }));
  EXPECT_THAT(GraphPlan::Activate(std::move(configured), context).status(),
              StatusIs(absl::StatusCode::kResourceExhausted, HasSubstr("Node b: no memory")));
}

}  // namespace
}  // namespace burin::cpu
