#include "runtime/plugins/cpu/streams/stream_graphs.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/dimension.h"
#include "ir/model.h"
#include "ir/ops/ops.h"
#include "runtime/executor/cpu_streams_executor.h"
#include "runtime/executor/stream_cpus.h"
#include "runtime/plugins/cpu/constants/packed_weights.h"
#include "runtime/plugins/cpu/constants/release_constants.h"
#include "runtime/plugins/cpu/graph/draft_from_model.h"
#include "runtime/plugins/cpu/graph/fake_nodes_testlib.h"
#include "runtime/plugins/cpu/graph/node.h"
#include "runtime/plugins/cpu/graph/primitive.h"
#include "runtime/plugins/cpu/mlp_testlib.h"
#include "runtime/plugins/cpu/streams/graph_guard.h"
#include "testing/gtest/status_matchers.h"

namespace burin::cpu {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

// Two streams on one node, one on another, one on no node in particular.
std::vector<executor::CpuStream> Streams() {
  std::vector<executor::CpuStream> streams(4);
  const std::optional<int> nodes[] = {4, 7, 4, std::nullopt};
  for (size_t i = 0; i < streams.size(); ++i) {
    streams[i].node = nodes[i];
    streams[i].threads = i == 0 ? 2 : 1;
    streams[i].cpus = {0, 1};
  }
  return streams;
}

// Notes for which node of the machine it was prepared, and fails on one of them.
class NotingNode final : public Node {
 public:
  explicit NotingNode(int failing = -2) : failing_(failing) {}

  const char* type_name() const override { return "Noting"; }
  absl::StatusOr<std::unique_ptr<const Primitive>> CreatePrimitive(const NodeValues& values,
                                                                   const NodeContext& context) const override {
    {
      const absl::MutexLock lock(&mutex_);
      noted_.emplace(context.numa_node, context.threads);
    }
    if (context.numa_node == failing_) return absl::ResourceExhaustedError("no memory there");
    return fake_.CreatePrimitive(values, context);
  }

  // Returns pairs of a node of the machine, and the size of teams there.
  std::set<std::pair<int, int>> noted() const {
    const absl::MutexLock lock(&mutex_);
    return noted_;
  }

 private:
  const int failing_;
  const FakeNode fake_;
  mutable absl::Mutex mutex_;
  mutable std::set<std::pair<int, int>> noted_;
};

// y = relu(x) + w, with a w that a graph reads as it is.
std::unique_ptr<ir::Model> Biased() {
  auto model = ModelOf(R"(model "" {
    %0 "x" = Parameter() {element_type = f32, shape = [4, 2000]}
    %1 "relu" = Relu(%0)
    %3 "y" = Result(%1)
  })");
  const ir::Value w = *model->AddConstant(Varied({2000}), "w");
  const ir::NodeId result = model->FindNode("y");
  const ir::Value sum = *model->Add(ir::AddOp(), {model->node(result).input(0), w}, nullptr, "sum");
  model->SetInput(ir::Use{result, 0}, sum);
  return model;
}

class StreamGraphsTest : public ::testing::Test {
 protected:
  absl::Status Create(ir::Model* model, const std::shared_ptr<const Node>& node, int numa_nodes) {
    std::vector<std::shared_ptr<const Node>> nodes(static_cast<size_t>(model->id_bound()));
    for (const ir::NodeId id : model->NodeIds()) {
      if (Computes(model->node(id))) nodes[static_cast<size_t>(ir::Index(id))] = node;
    }
    NodeContext context = FakeContext().node;
    context.packed_weights = &store_;
    absl::StatusOr<std::unique_ptr<StreamGraphs>> made =
        StreamGraphs::Create(model, nodes, context, executor_, {numa_nodes, /*flush_denormals=*/false});
    if (!made.ok()) return made.status();
    graphs_ = *std::move(made);
    return absl::OkStatus();
  }

  PackedWeightsStore store_;
  executor::CpuStreamsExecutor executor_{Streams()};
  std::unique_ptr<ir::Model> model_ = Biased();
  std::unique_ptr<StreamGraphs> graphs_;
};

TEST_F(StreamGraphsTest, StreamsOfANodeSharePlans) {
  const auto node = std::make_shared<NotingNode>();
  ASSERT_OK(Create(model_.get(), node, 2));
  EXPECT_EQ(&graphs_->plans(0), &graphs_->plans(2));
  EXPECT_NE(&graphs_->plans(0), &graphs_->plans(1));
  EXPECT_NE(&graphs_->plans(0), &graphs_->plans(3));
  EXPECT_NE(&graphs_->plans(1), &graphs_->plans(3));
  // Teams are as large as the largest one there.
  using Noted = std::pair<int, int>;
  EXPECT_THAT(node->noted(), UnorderedElementsAre(Noted{4, 2}, Noted{7, 1}, Noted{-1, 1}));
  ASSERT_NE(graphs_->static_plan(), nullptr);
  EXPECT_EQ(graphs_->static_plan(), graphs_->plans(2).For({{4, 2000}}).value().get());
}

TEST_F(StreamGraphsTest, EachNodeHasTheConstantsInItsMemory) {
  ASSERT_OK(Create(model_.get(), std::make_shared<NotingNode>(), 2));
  EXPECT_EQ(store_.count(), 2) << "those of streams on no node are where they were";
  std::set<const void*> places;
  for (const int stream : {0, 1, 2, 3}) {
    const auto plan = graphs_->plans(stream).For({{4, 2000}}).value();
    places.insert(plan->graph->steps()[1].inputs[1].constant);
  }
  EXPECT_EQ(places.size(), 3u);
  const ir::Node& w = model_->node(model_->FindNode("w"));
  EXPECT_EQ(w.runtime_info().count(kContentReleasedKey), 1u) << "the graphs have it";
  graphs_ = nullptr;
  EXPECT_EQ(store_.count(), 0);
}

TEST_F(StreamGraphsTest, AMachineOfOneNodeHasAllOnce) {
  const auto node = std::make_shared<NotingNode>();
  ASSERT_OK(Create(model_.get(), node, 1));
  EXPECT_EQ(&graphs_->plans(0), &graphs_->plans(1));
  EXPECT_EQ(&graphs_->plans(0), &graphs_->plans(3));
  EXPECT_THAT(node->noted(), ElementsAre(std::pair<int, int>(-1, 2)));
  EXPECT_EQ(store_.count(), 0);
}

TEST_F(StreamGraphsTest, EachStreamHasItsGraphBeforeTheFirstInference) {
  ASSERT_OK(Create(model_.get(), std::make_shared<NotingNode>(), 2));
  std::set<GraphGuard*> guards;
  for (const int stream : {0, 1, 2, 3}) {
    GraphGuard& guard = graphs_->graph(stream);
    EXPECT_TRUE(guards.insert(&guard).second);
    const auto plan = graphs_->plans(stream).For({{4, 2000}}).value();
    EXPECT_EQ(guard.arena_bytes(), plan->graph->arena_bytes());
    GraphGuard::Lock lock(guard);
    EXPECT_EQ(lock.team()->size(), stream == 0 ? 2 : 1);
  }
  EXPECT_GT(graphs_->graph(3).arena_bytes(), 0);
}

TEST_F(StreamGraphsTest, WhereOneNodeFailsNothingIsLeft) {
  const auto failing = std::make_shared<NotingNode>(/*failing=*/7);
  EXPECT_THAT(Create(model_.get(), failing, 2),
              StatusIs(absl::StatusCode::kResourceExhausted, HasSubstr("no memory there")));
  EXPECT_EQ(failing.use_count(), 1) << "plans that were made hold no nodes";
  EXPECT_EQ(store_.count(), 0);
  // The model is as it was.
  const ir::Node& w = model_->node(model_->FindNode("w"));
  EXPECT_EQ(w.runtime_info().count(kContentReleasedKey), 0u);
  EXPECT_OK(Create(model_.get(), std::make_shared<NotingNode>(), 2));
}

TEST_F(StreamGraphsTest, ADynamicModelIsPlannedWhenShapesAreKnown) {
  const std::unique_ptr<ir::Model> model = Mlp(ir::Dimension());
  const auto node = std::make_shared<NotingNode>();
  ASSERT_OK(Create(model.get(), node, 2));
  EXPECT_EQ(graphs_->static_plan(), nullptr);
  EXPECT_THAT(node->noted(), IsEmpty());
  ASSERT_OK(graphs_->plans(1).For({{3, 24}}));
  EXPECT_THAT(node->noted(), ElementsAre(std::pair<int, int>(7, 1)));
  graphs_ = nullptr;
}

}  // namespace
}  // namespace burin::cpu
