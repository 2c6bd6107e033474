#include "runtime/plugins/cpu/streams/graph_guard.h"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "gtest/gtest.h"
#include "ir/model.h"
#include "runtime/executor/team.h"
#include "runtime/plugins/cpu/graph/configure.h"
#include "runtime/plugins/cpu/graph/configure_context.h"
#include "runtime/plugins/cpu/graph/fake_nodes_testlib.h"
#include "runtime/plugins/cpu/graph/graph_plan.h"
#include "runtime/plugins/cpu/graph/node.h"
#include "runtime/plugins/cpu/graph/ready_graph.h"
#include "runtime/plugins/cpu/mlp_testlib.h"
#include "runtime/plugins/cpu/segments/segment_planner.h"
#include "testing/gtest/status_matchers.h"

namespace burin::cpu {
namespace {

// Returns a plan for so many rows.
std::shared_ptr<const ModelPlan> MakePlan(int64_t rows = 2) {
  const std::unique_ptr<ir::Model> model = Mlp(rows);
  ConfigureContext context = FakeContext();
  context.make_node = [](const ir::Node&, const NodeContext&) -> absl::StatusOr<std::shared_ptr<const Node>> {
    return std::make_shared<FakeNode>();
  };
  ModelPlan plan;
  plan.graph = GraphPlan::Activate(ConfigureGraph(*model, context).value(), context.node).value();
  return std::make_shared<const ModelPlan>(std::move(plan));
}

TEST(GraphGuardTest, FindsTheGraphOfAPlanAgain) {
  GraphGuard guard(1, nullptr);
  const std::shared_ptr<const ModelPlan> first = MakePlan();
  const std::shared_ptr<const ModelPlan> second = MakePlan();
  GraphGuard::Lock lock(guard);
  EXPECT_EQ(lock.team()->size(), 1);
  ASSERT_OK_AND_ASSIGN(ReadyGraph* const graph, lock.GraphFor(first));
  ASSERT_OK_AND_ASSIGN(ReadyGraph* const other, lock.GraphFor(second));
  EXPECT_NE(graph, other);
  EXPECT_EQ(&graph->plan(), first->graph.get());
  EXPECT_EQ(&other->plan(), second->graph.get());
  EXPECT_EQ(lock.GraphFor(first).value(), graph);
}

TEST(GraphGuardTest, KeepsGraphsAsLongAsTheirPlansAreThere) {
  GraphGuard guard(1, nullptr);
  GraphGuard::Lock lock(guard);
  std::vector<std::shared_ptr<const ModelPlan>> plans;
  std::vector<std::weak_ptr<const GraphPlan>> graphs;
  for (int i = 0; i < 40; ++i) {
    plans.push_back(MakePlan());
    graphs.emplace_back(plans.back()->graph);
    ASSERT_OK(lock.GraphFor(plans.back()));
  }
  plans[1] = nullptr;
  plans[7] = nullptr;
  EXPECT_FALSE(graphs[1].expired()) << "the guard has them until it makes another one";
  const std::shared_ptr<const ModelPlan> another = MakePlan();
  ASSERT_OK(lock.GraphFor(another));
  for (size_t i = 0; i < plans.size(); ++i) EXPECT_EQ(graphs[i].expired(), i == 1 || i == 7) << i;
}

TEST(GraphGuardTest, MemoryThatOnlyAForgottenGraphNeededGoes) {
  GraphGuard guard(1, nullptr);
  GraphGuard::Lock lock(guard);
  std::shared_ptr<const ModelPlan> large = MakePlan(100000);
  const std::shared_ptr<const ModelPlan> small = MakePlan(2);
  ASSERT_OK(lock.GraphFor(large));
  EXPECT_GE(guard.arena_bytes(), large->graph->arena_bytes());
  ASSERT_OK(lock.GraphFor(small));
  EXPECT_GE(guard.arena_bytes(), large->graph->arena_bytes());
  large = nullptr;
  ASSERT_OK(lock.GraphFor(small));
  const std::shared_ptr<const ModelPlan> another = MakePlan(3);
  ASSERT_OK(lock.GraphFor(another));
  EXPECT_LT(guard.arena_bytes(), 10000);
}

TEST(GraphGuardTest, OneThreadAtATimeHasTheGraphs) {
  GraphGuard guard(1, nullptr);
  std::atomic<bool> entered{false};
  std::thread thread;
  {
    GraphGuard::Lock lock(guard);
    thread = std::thread([&] {
      GraphGuard::Lock inner(guard);
      entered = true;
    });
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    EXPECT_FALSE(entered);
  }
  thread.join();
  EXPECT_TRUE(entered);
}

TEST(GraphGuardTest, WhoTakesDenormalsForZerosPlansNothing) {
  GraphGuard exact(1, nullptr);
  GraphGuard::Lock lock(exact);
  EXPECT_EQ(lock.planners(), lock.team());
  GraphGuard flushing(1, nullptr, /*flush_denormals=*/true);
  EXPECT_EQ(GraphGuard::Lock(flushing).planners(), nullptr);
}

TEST(GraphGuardTest, WhoHasTheRightFlushesDenormalsWhereTheStreamDoes) {
  const volatile float smallest = std::numeric_limits<float>::min();
  for (const bool flush : {false, true}) {
    GraphGuard guard(1, nullptr, flush);
    {
      const GraphGuard::Lock lock(guard);
      EXPECT_EQ(smallest * 0.5f == 0, flush);
    }
    EXPECT_NE(smallest * 0.5f, 0.0f);
  }
}

}  // namespace
}  // namespace burin::cpu
