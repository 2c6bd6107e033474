#include "runtime/plugins/cpu/segments/segments_testlib.h"

#include <algorithm>
#include <cstddef>

#include "absl/status/statusor.h"
#include "gtest/gtest.h"
#include "ir/evaluator.h"
#include "ir/text.h"
#include "jit/code_cache.h"
#include "jit/isa/target.h"
#include "runtime/plugins/cpu/graph/draft_from_model.h"
#include "runtime/plugins/cpu/graph/graph_plan.h"
#include "runtime/plugins/cpu/nodes/nodes_factory.h"
#include "runtime/plugins/cpu/segments/segment_planner.h"
#include "testing/gtest/status_matchers.h"

namespace burin::cpu {

namespace {

NodeContext ContextOfHost() {
  NodeContext context{jit::Target::Host().value()};
  context.code_cache = &jit::CodeCache::Process();
  return context;
}

}  // namespace

std::vector<std::shared_ptr<const Node>> NodesOf(const ir::Model& model) {
  std::vector<std::shared_ptr<const Node>> nodes(static_cast<size_t>(model.id_bound()));
  for (const ir::NodeId id : model.NodeIds()) {
    if (!Computes(model.node(id))) continue;
    nodes[static_cast<size_t>(ir::Index(id))] = MakeNode(model.node(id), ContextOfHost()).value();
  }
  return nodes;
}

std::vector<std::string> NamesOf(const ir::Model& model, const std::vector<ir::NodeId>& nodes) {
  std::vector<std::string> names;
  for (const ir::NodeId id : nodes) names.push_back(model.node(id).name());
  return names;
}

std::vector<std::string> GraphOf(const Segment& segment) {
  std::vector<std::string> names;
  if (segment.graph == nullptr) return names;
  for (const PlannedStep& step : segment.graph->steps()) names.push_back(step.name);
  return names;
}

std::vector<std::string> CutsOf(const Segment& segment) {
  std::vector<std::string> names;
  for (const Cut& cut : segment.cuts) names.push_back(cut.node->name());
  return names;
}

SegmentedModel::SegmentedModel(absl::string_view text, int64_t most_bytes)
    : model_(ir::ParseModel(text).value()),
      plans_(std::make_unique<PlanCache>(model_.get(), NodesOf(*model_), ContextOfHost(), /*always_segments=*/true,
                                         most_bytes)) {}

absl::Status SegmentedModel::Infer(const std::vector<ir::Tensor>& inputs, std::vector<ir::Tensor>* results,
                                   ir::VariableStore* variables, SegmentObserver* observer) {
  std::vector<ir::Shape> shapes;
  for (const ir::Tensor& input : inputs) shapes.push_back(input.shape());
  const absl::StatusOr<std::shared_ptr<const ModelPlan>> plan = plans_->For(shapes);
  if (!plan.ok()) return plan.status();
  SegmentRunner::Run run;
  run.plans = plans_.get();
  run.inputs = inputs;
  run.team = &team_;
  run.variables = variables;
  run.observer = observer;
  return runner_.Infer(run, (*plan)->segment, results);
}

std::vector<ir::Tensor> SegmentedModel::ExpectReference(const std::vector<ir::Tensor>& inputs) {
  std::vector<ir::Tensor> results;
  EXPECT_OK(Infer(inputs, &results));
  const std::vector<ir::Tensor> expected = ir::Evaluator::Create(*model_).value().Run(inputs).value();
  EXPECT_EQ(results.size(), expected.size());
  for (size_t i = 0; i < std::min(results.size(), expected.size()); ++i) {
    EXPECT_TRUE(ir::BitwiseEqual(results[i], expected[i]))
        << "result " << i << ": " << results[i].ToString() << " instead of " << expected[i].ToString();
  }
  return results;
}

}  // namespace burin::cpu
