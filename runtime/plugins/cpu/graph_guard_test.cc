#include "runtime/plugins/cpu/graph_guard.h"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <limits>
#include <memory>
#include <thread>
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
#include "testing/gtest/status_matchers.h"

namespace burin::cpu {
namespace {

std::shared_ptr<const GraphPlan> MakePlan() {
  const std::unique_ptr<ir::Model> model = Mlp(2);
  ConfigureContext context = FakeContext();
  context.make_node = [](const ir::Node&, const NodeContext&) -> absl::StatusOr<std::shared_ptr<const Node>> {
    return std::make_shared<FakeNode>();
  };
  return GraphPlan::Activate(ConfigureGraph(*model, context).value(), context.node).value();
}

TEST(GraphGuardTest, FindsTheGraphOfAPlanAgain) {
  GraphGuard guard(1, nullptr);
  const std::shared_ptr<const GraphPlan> first = MakePlan();
  const std::shared_ptr<const GraphPlan> second = MakePlan();
  GraphGuard::Lock lock(guard);
  EXPECT_EQ(lock.team()->size(), 1);
  ASSERT_OK_AND_ASSIGN(ReadyGraph* const graph, lock.GraphFor(first));
  ASSERT_OK_AND_ASSIGN(ReadyGraph* const other, lock.GraphFor(second));
  EXPECT_NE(graph, other);
  EXPECT_EQ(&graph->plan(), first.get());
  EXPECT_EQ(&other->plan(), second.get());
  EXPECT_EQ(lock.GraphFor(first).value(), graph);
}

TEST(GraphGuardTest, KeepsTheGraphsUsedLast) {
  GraphGuard guard(1, nullptr);
  GraphGuard::Lock lock(guard);
  std::vector<std::weak_ptr<const GraphPlan>> plans;
  const auto use_new = [&] {
    const std::shared_ptr<const GraphPlan> plan = MakePlan();
    plans.push_back(plan);
    ASSERT_OK(lock.GraphFor(plan));
  };
  for (size_t i = 0; i < GraphGuard::kMostGraphs; ++i) use_new();
  for (const std::weak_ptr<const GraphPlan>& plan : plans) EXPECT_FALSE(plan.expired());
  ASSERT_OK(lock.GraphFor(plans[0].lock()));
  use_new();
  EXPECT_FALSE(plans[0].expired());
  EXPECT_TRUE(plans[1].expired());
  for (size_t i = 2; i < plans.size(); ++i) EXPECT_FALSE(plans[i].expired()) << i;
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
