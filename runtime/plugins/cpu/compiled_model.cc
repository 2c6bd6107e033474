#include "runtime/plugins/cpu/compiled_model.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "absl/status/status.h"
#include "base/check.h"
#include "base/element_type.h"
#include "base/status_macros.h"
#include "ir/partial_shape.h"
#include "ir/runtime_info.h"
#include "runtime/dev/profiling/execution_info.h"
#include "runtime/dev/profiling_info.h"
#include "runtime/dev/properties.h"
#include "runtime/dev/property_table.h"
#include "runtime/dev/task_executor.h"
#include "runtime/executor/stream_cpus.h"
#include "runtime/executor/team.h"
#include "runtime/plugins/cpu/config.h"
#include "runtime/plugins/cpu/constants/release_constants.h"
#include "runtime/plugins/cpu/profile_recorder.h"
#include "runtime/plugins/cpu/sync_infer_request.h"

namespace burin::cpu {

namespace {

// Returns what is known before anything runs: of a planned model its steps, of another one its nodes.
std::vector<ProfilingInfo> DescribeNodes(const ir::Model& model,
                                         const std::vector<std::shared_ptr<const Node>>& nodes) {
  std::vector<ProfilingInfo> infos;
  for (const ir::NodeId id : model.NodeIds()) {
    const std::shared_ptr<const Node>& node = nodes[static_cast<size_t>(ir::Index(id))];
    if (node == nullptr) continue;
    const ir::Node& origin = model.node(id);
    ProfilingInfo& info = infos.emplace_back();
    info.node_name = origin.name();
    info.op_type = node->type_name();
    info.op_names = origin.original_names();
    if (origin.output_count() > 0) info.precision = std::string(Name(origin.output(0).type));
  }
  return infos;
}

std::vector<ProfilingInfo> DescribeSteps(const GraphPlan& plan) {
  std::vector<ProfilingInfo> infos;
  for (const PlannedStep& step : plan.steps()) infos.push_back(DescribeStep(step));
  return infos;
}

// Returns how many threads all streams have together.
int ThreadsOf(const executor::CpuStreamsExecutor& executor) {
  int threads = 0;
  for (size_t stream = 0; stream < executor.streams().size(); ++stream) {
    threads += executor.threads(static_cast<int>(stream));
  }
  return threads;
}

// Returns the plan of a model of static shapes, made by as many threads as will run it. `model`, of which `plans` are,
// lets go of what is packed.
absl::StatusOr<std::shared_ptr<const ModelPlan>> PlanOnce(const std::vector<ir::Shape>& shapes,
                                                          const executor::CpuStreamsExecutor& streams, ir::Model* model,
                                                          PlanCache* plans) {
  executor::CpuStream all;
  all.threads = ThreadsOf(streams);
  executor::CpuStreamsExecutor compilation({all});
  absl::Status released;
  absl::StatusOr<std::shared_ptr<const ModelPlan>> plan = compilation.Execute([&] {
    executor::Team team(compilation.threads(0), compilation.helpers(0));
    PlanningHelp help;
    help.team = &team;
    help.configured = [&] { released = ReleaseConstants(model); };
    return plans->For(shapes, help);
  });
  BURIN_RETURN_IF_ERROR(released);
  return plan;
}

// Returns the shapes of the parameters where all are static.
bool StaticInputs(const ir::Model& model, std::vector<ir::Shape>* shapes) {
  for (const ir::NodeId parameter : model.parameters()) {
    const ir::PartialShape& shape = model.node(parameter).output(0).shape;
    if (shape.is_dynamic()) return false;
    shapes->push_back(shape.ToShape());
  }
  return true;
}

}  // namespace

absl::StatusOr<std::shared_ptr<ICompiledModel>> CompiledModel::Create(CompilationState state,
                                                                      std::vector<std::shared_ptr<const Node>> nodes,
                                                                      const std::string& device_name,
                                                                      Configuration configuration,
                                                                      NodeContext context) {
  auto executor =
      std::make_shared<executor::CpuStreamsExecutor>(state.streams.streams, state.streams.table.cpu_pinning);
  for (size_t stream = 0; stream < executor->streams().size(); ++stream) {
    context.threads = std::max(context.threads, executor->threads(static_cast<int>(stream)));
  }
  std::vector<ProfilingInfo> running = DescribeNodes(*state.model, nodes);
  auto plans = std::make_unique<PlanCache>(state.model.get(), std::move(nodes), std::move(context));
  std::vector<ir::Shape> shapes;
  if (StaticInputs(*state.model, &shapes)) {
    BURIN_ASSIGN_OR_RETURN(const std::shared_ptr<const ModelPlan> plan,
                           PlanOnce(shapes, *executor, state.model.get(), plans.get()));
    if (plan->graph != nullptr) running = DescribeSteps(*plan->graph);
  }
  return std::shared_ptr<ICompiledModel>(new CompiledModel(std::move(state), std::move(plans), std::move(executor),
                                                           std::move(running), device_name, std::move(configuration)));
}

CompiledModel::CompiledModel(CompilationState state, std::unique_ptr<PlanCache> plans,
                             std::shared_ptr<executor::CpuStreamsExecutor> executor, std::vector<ProfilingInfo> running,
                             const std::string& device_name, Configuration configuration)
    : ICompiledModel(*state.model, executor, executor::CpuStreamsExecutor::ForCallbacks()),
      model_(std::move(state.model)),
      leased_(std::move(state.streams)),
      plans_(std::move(plans)),
      executor_(std::move(executor)),
      device_name_(device_name),
      configuration_(std::move(configuration)),
      facts_(ModelFacts(device_name, model_->name(), static_cast<int64_t>(executor_->streams().size()))),
      perf_count_(configuration_.Value(burin::perf_count)),
      running_(std::move(running)),
      profile_(running_) {
  for (size_t i = 0; i < executor_->streams().size(); ++i) {
    const int stream = static_cast<int>(i);
    graphs_.push_back(std::make_unique<GraphGuard>(executor_->threads(stream), executor_->helpers(stream),
                                                   configuration_.Value(cpu_denormals_optimization)));
  }
}

absl::StatusOr<std::string> CompiledModel::GetProperty(const std::string& name) const {
  return configuration_.Read(PropertyScope::kModel, name, facts_);
}

absl::StatusOr<std::shared_ptr<IRemoteContext>> CompiledModel::GetContext() const {
  return std::make_shared<HostContext>(device_name_);
}

absl::StatusOr<std::unique_ptr<ir::Model>> CompiledModel::GetRuntimeModel() const {
  const std::vector<ProfilingInfo> profile = profile_.Read();
  std::unique_ptr<ir::Model> copy = model_->Clone();
  for (size_t i = 0; i < profile.size(); ++i) {
    const ir::NodeId id = copy->FindNode(profile[i].node_name);
    // Steps between nodes have none of their own.
    if (id == ir::NodeId::kNone) continue;
    ir::RuntimeInfo info = ExecutionInfo(profile[i], static_cast<int64_t>(i));
    const ir::RuntimeInfo& given = copy->node(id).runtime_info();
    info.insert(given.begin(), given.end());
    copy->SetRuntimeInfo(id, std::move(info));
  }
  return copy;
}

GraphGuard::Lock CompiledModel::GetGraph() const {
  const std::optional<int> stream = executor_->GetStreamId();
  BURIN_CHECK(stream.has_value()) << "a graph is asked for outside of the streams";
  return GraphGuard::Lock(*graphs_[static_cast<size_t>(*stream)]);
}

absl::StatusOr<std::unique_ptr<ISyncInferRequest>> CompiledModel::CreateSyncInferRequest() const {
  return std::make_unique<SyncInferRequest>(this);
}

}  // namespace burin::cpu
