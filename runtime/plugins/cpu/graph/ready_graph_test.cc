#include "runtime/plugins/cpu/graph/ready_graph.h"

#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gtest/gtest.h"
#include "ir/model.h"
#include "ir/text.h"
#include "runtime/dev/task_executor.h"
#include "runtime/executor/team.h"
#include "runtime/plugins/cpu/graph/configure.h"
#include "runtime/plugins/cpu/graph/fake_nodes_testlib.h"
#include "runtime/plugins/cpu/graph/graph_plan.h"
#include "runtime/plugins/cpu/graph/node.h"
#include "testing/gtest/status_matchers.h"

namespace burin::cpu {
namespace {

// x -> a -> b -> c, and d reads a and c.
constexpr char kDiamond[] = R"(model "" {
  %0 "x" = Parameter() {element_type = f32, shape = [16]}
  %1 "a" = Exp(%0)
  %2 "b" = Relu(%1)
  %3 "c" = Abs(%2)
  %4 "d" = Add(%1, %3)
  %5 "y" = Result(%4)
})";

using Values = std::array<float, 16>;

// Adds 1 to the sum of all inputs.
void AddOne(const ExecutionArgs& args) {
  for (size_t i = 0; i < 16; ++i) {
    float sum = 1;
    for (const void* input : args.inputs) sum += static_cast<const float*>(input)[i];
    static_cast<float*>(args.outputs[0])[i] = sum;
  }
}

absl::StatusOr<std::shared_ptr<const GraphPlan>> PlanOf(std::function<void(const ExecutionArgs& args)> execute) {
  const absl::StatusOr<std::unique_ptr<ir::Model>> model = ir::ParseModel(kDiamond);
  if (!model.ok()) return model.status();
  ConfigureContext context = FakeContext();
  context.make_node = [&](const ir::Node&, const NodeContext&) -> absl::StatusOr<std::shared_ptr<const Node>> {
    auto fake = std::make_shared<FakeNode>();
    fake->execute = execute;
    return fake;
  };
  absl::StatusOr<ConfiguredGraph> configured = ConfigureGraph(**model, context);
  if (!configured.ok()) return configured.status();
  return GraphPlan::Activate(*configured, context.node);
}

// Runs `graph` on values that are all `value`.
absl::StatusOr<Values> InferBy(executor::Team& team, ReadyGraph& graph, float value,
                               const std::atomic<bool>* cancelled = nullptr, StepObserver* observer = nullptr) {
  Values input;
  input.fill(value);
  Values output{};
  const void* inputs[] = {input.data()};
  void* outputs[] = {output.data()};
  const absl::Status status = graph.InferStatic({inputs, outputs, &team, cancelled, observer});
  if (!status.ok()) return status;
  return output;
}

absl::StatusOr<Values> Infer(ReadyGraph& graph, float value, const std::atomic<bool>* cancelled = nullptr,
                             StepObserver* observer = nullptr) {
  executor::Team team(1, nullptr);
  return InferBy(team, graph, value, cancelled, observer);
}

TEST(ReadyGraphTest, ComputesAlsoWhereDeadMemoryIsPoisoned) {
  const auto plan = PlanOf(&AddOne);
  ASSERT_OK(plan.status());
  for (const bool poison : {false, true}) {
    GraphArena arena;
    const auto graph = ReadyGraph::Create(*plan, &arena, {poison});
    ASSERT_OK(graph.status());
    for (const float value : {0.0f, 5.0f}) {
      const absl::StatusOr<Values> output = Infer(**graph, value);
      ASSERT_OK(output.status());
      // a = x + 1, c = x + 3, d = a + c + 1.
      for (const float element : *output) EXPECT_EQ(element, 2 * value + 5);
    }
  }
}

TEST(ReadyGraphTest, PoisonShowsWhatReadsTheDead) {
  // The third step reads again what the second one read last.
  std::vector<const float*> seen;
  const auto plan = PlanOf([&](const ExecutionArgs& args) {
    AddOne(args);
    seen.push_back(static_cast<const float*>(args.outputs[0]));
  });
  ASSERT_OK(plan.status());
  GraphArena arena;
  const auto graph = ReadyGraph::Create(*plan, &arena, {true});
  ASSERT_OK(graph.status());
  ASSERT_OK(Infer(**graph, 1).status());
  ASSERT_EQ(seen.size(), 4);
  EXPECT_TRUE(std::isnan(seen[1][0])) << "b is dead once c is there";
  EXPECT_TRUE(std::isnan(seen[0][0]));
}

TEST(GraphArenaTest, LetsGoOfWhatIsFarTooMuch) {
  constexpr int64_t kMebibyte = int64_t{1} << 20;
  GraphArena arena;
  ASSERT_OK(arena.Reserve(3 * kMebibyte));
  ASSERT_OK(arena.Reserve(8 * kMebibyte));
  ASSERT_OK(arena.Reserve(8 * kMebibyte));
  arena.Release(8 * kMebibyte);
  arena.Trim();
  EXPECT_EQ(arena.bytes(), 8 * kMebibyte) << "one is left that needs them";
  arena.Release(8 * kMebibyte);
  EXPECT_EQ(arena.bytes(), 8 * kMebibyte);
  arena.Trim();
  EXPECT_EQ(arena.bytes(), 3 * kMebibyte);
  ASSERT_OK(arena.Reserve(2 * kMebibyte));
  arena.Release(3 * kMebibyte);
  arena.Trim();
  EXPECT_EQ(arena.bytes(), 3 * kMebibyte) << "more than half of it is needed";
  arena.Release(2 * kMebibyte);
  arena.Trim();
  EXPECT_EQ(arena.bytes(), 0);
}

TEST(ReadyGraphTest, RunsInMemoryThatWasMadeSmaller) {
  const auto plan = PlanOf(&AddOne);
  ASSERT_OK(plan.status());
  GraphArena arena;
  ASSERT_OK(arena.Reserve(int64_t{4} << 20));
  const auto graph = ReadyGraph::Create(*plan, &arena);
  ASSERT_OK(graph.status());
  arena.Release(int64_t{4} << 20);
  arena.Trim();
  EXPECT_EQ(arena.bytes(), (*plan)->arena_bytes());
  const absl::StatusOr<Values> output = Infer(**graph, 3);
  ASSERT_OK(output.status());
  EXPECT_EQ((*output)[0], 11);
}

TEST(ReadyGraphTest, GraphsOfAStreamShareItsMemory) {
  const auto plan = PlanOf(&AddOne);
  ASSERT_OK(plan.status());
  GraphArena arena;
  const auto first = ReadyGraph::Create(*plan, &arena);
  ASSERT_OK(first.status());
  ASSERT_OK(arena.Reserve(1 << 20));
  const absl::StatusOr<Values> output = Infer(**first, 3);
  ASSERT_OK(output.status());
  EXPECT_EQ((*output)[0], 11);
}

TEST(ReadyGraphTest, StopsWhenCancelled) {
  std::atomic<bool> cancelled{false};
  int steps = 0;
  const auto plan = PlanOf([&](const ExecutionArgs& args) {
    AddOne(args);
    if (++steps == 2) cancelled = true;
  });
  ASSERT_OK(plan.status());
  GraphArena arena;
  const auto graph = ReadyGraph::Create(*plan, &arena);
  ASSERT_OK(graph.status());
  EXPECT_THAT(Infer(**graph, 1, &cancelled).status(), StatusIs(absl::StatusCode::kCancelled));
  EXPECT_EQ(steps, 2);
}

TEST(ReadyGraphTest, TellsTheFirstError) {
  int steps = 0;
  const auto plan = PlanOf([&](const ExecutionArgs& args) {
    AddOne(args);
    if (steps++ > 0) args.errors->Add(absl::InvalidArgumentError(std::string(1, static_cast<char>('a' + steps))));
  });
  ASSERT_OK(plan.status());
  GraphArena arena;
  const auto graph = ReadyGraph::Create(*plan, &arena);
  ASSERT_OK(graph.status());
  EXPECT_THAT(Infer(**graph, 1).status(), StatusIs(absl::StatusCode::kInvalidArgument, "c"));
  steps = -100;
  EXPECT_OK(Infer(**graph, 1).status());
}

// Counts the members that are invited.
class CountingThreads final : public ITaskExecutor {
 public:
  void Run(Task task) override {
    ++count_;
    pool_.Run(std::move(task));
  }

  int count() const { return count_; }

 private:
  std::atomic<int> count_{0};
  ThreadPoolExecutor pool_{1};
};

TEST(ReadyGraphTest, WakesMembersForWorkThatIsShared) {
  for (const int64_t chunks : {1, 2}) {
    SCOPED_TRACE(chunks);
    const auto plan = PlanOf([&](const ExecutionArgs& args) {
      AddOne(args);
      args.team->Share(chunks, [](int64_t, int) {});
    });
    ASSERT_OK(plan.status());
    GraphArena arena;
    const auto graph = ReadyGraph::Create(*plan, &arena);
    ASSERT_OK(graph.status());
    CountingThreads threads;
    executor::Team team(2, &threads);
    // The first run does not know.
    ASSERT_OK(InferBy(team, **graph, 1).status());
    EXPECT_EQ(threads.count(), 1);
    const auto invited_again = [&] {
      const int before = threads.count();
      while (team.present() != 0) std::this_thread::yield();
      // One that was invited may come only now.
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      EXPECT_OK(InferBy(team, **graph, 1).status());
      return threads.count() - before;
    };
    // One that is slow may leave and be invited once more.
    for (int i = 0; i < 2; ++i) EXPECT_EQ(invited_again() > 0, chunks > 1);
  }
}

TEST(ReadyGraphTest, TellsTheObserverOfEachStep) {
  class Observer final : public StepObserver {
   public:
    void Ran(size_t step, int64_t nanoseconds) override {
      EXPECT_GE(nanoseconds, 0);
      steps.push_back(step);
    }
    std::vector<size_t> steps;
  };
  const auto plan = PlanOf(&AddOne);
  ASSERT_OK(plan.status());
  GraphArena arena;
  const auto graph = ReadyGraph::Create(*plan, &arena);
  ASSERT_OK(graph.status());
  Observer observer;
  ASSERT_OK(Infer(**graph, 1, nullptr, &observer).status());
  EXPECT_EQ(observer.steps, (std::vector<size_t>{0, 1, 2, 3}));
}

}  // namespace
}  // namespace burin::cpu
