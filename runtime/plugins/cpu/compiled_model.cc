#include "runtime/plugins/cpu/compiled_model.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "base/check.h"
#include "base/element_type.h"
#include "base/status_macros.h"
#include "ir/runtime_info.h"
#include "runtime/dev/profiling/execution_info.h"
#include "runtime/dev/profiling_info.h"
#include "runtime/dev/properties.h"
#include "runtime/dev/property_table.h"
#include "runtime/executor/streams_table.h"
#include "runtime/plugins/cpu/config.h"
#include "runtime/plugins/cpu/graph/graph_plan.h"
#include "runtime/plugins/cpu/profile_recorder.h"
#include "runtime/plugins/cpu/segments/segment_planner.h"
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
int64_t ThreadsOf(const executor::CpuStreamsExecutor& executor) {
  int64_t threads = 0;
  for (size_t stream = 0; stream < executor.streams().size(); ++stream) {
    threads += executor.threads(static_cast<int>(stream));
  }
  return threads;
}

// Returns `asked` with what took effect of it.
absl::StatusOr<Configuration> Effective(Configuration asked, const executor::CpuStreamsExecutor& executor,
                                        const executor::StreamsTable& table) {
  BURIN_RETURN_IF_ERROR(
      asked.Apply({num_streams(std::to_string(executor.streams().size())), inference_num_threads(ThreadsOf(executor)),
                   enable_cpu_pinning(table.cpu_pinning), enable_cpu_reservation(table.cpu_reservation),
                   enable_hyper_threading(table.hyper_threading)}));
  return asked;
}

}  // namespace

absl::StatusOr<std::shared_ptr<ICompiledModel>> CompiledModel::Create(CompilationState state,
                                                                      std::vector<std::shared_ptr<const Node>> nodes,
                                                                      const std::string& device_name,
                                                                      Configuration configuration,
                                                                      NodeContext context) {
  auto executor =
      std::make_shared<executor::CpuStreamsExecutor>(state.streams.streams, state.streams.table.cpu_pinning);
  StreamGraphs::Options options;
  options.numa_nodes = state.numa_nodes;
  options.flush_denormals = configuration.Value(cpu_denormals_optimization);
  std::vector<ProfilingInfo> running = DescribeNodes(*state.model, nodes);
  BURIN_ASSIGN_OR_RETURN(std::unique_ptr<StreamGraphs> graphs,
                         StreamGraphs::Create(state.model.get(), nodes, context, *executor, options));
  const ModelPlan* const plan = graphs->static_plan();
  if (plan != nullptr && plan->graph != nullptr) running = DescribeSteps(*plan->graph);
  BURIN_ASSIGN_OR_RETURN(configuration, Effective(std::move(configuration), *executor, state.streams.table));
  return std::shared_ptr<ICompiledModel>(new CompiledModel(std::move(state), std::move(executor), std::move(graphs),
                                                           std::move(running), device_name, std::move(configuration)));
}

CompiledModel::CompiledModel(CompilationState state, std::shared_ptr<executor::CpuStreamsExecutor> executor,
                             std::unique_ptr<StreamGraphs> graphs, std::vector<ProfilingInfo> running,
                             const std::string& device_name, Configuration configuration)
    : ICompiledModel(*state.model, executor, executor::CpuStreamsExecutor::ForCallbacks()),
      model_(std::move(state.model)),
      leased_(std::move(state.streams)),
      executor_(std::move(executor)),
      graphs_(std::move(graphs)),
      device_name_(device_name),
      configuration_(std::move(configuration)),
      facts_(ModelFacts(device_name, model_->name(), static_cast<int64_t>(executor_->streams().size()))),
      perf_count_(configuration_.Value(burin::perf_count)),
      running_(std::move(running)),
      profile_(running_) {}

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

int CompiledModel::CurrentStream() const {
  const std::optional<int> stream = executor_->GetStreamId();
  BURIN_CHECK(stream.has_value()) << "a graph is asked for outside of the streams";
  return *stream;
}

GraphGuard::Lock CompiledModel::GetGraph() const { return GraphGuard::Lock(graphs_->graph(CurrentStream())); }

PlanCache& CompiledModel::GetPlans() const { return graphs_->plans(CurrentStream()); }

absl::StatusOr<std::unique_ptr<ISyncInferRequest>> CompiledModel::CreateSyncInferRequest() const {
  return std::make_unique<SyncInferRequest>(this);
}

}  // namespace burin::cpu
