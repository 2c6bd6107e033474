// A model compiled for the CPU: the operations as nodes, plans for shapes, and streams to run them in.
//
// Thread-safe.
#ifndef BURIN_RUNTIME_PLUGINS_CPU_COMPILED_MODEL_H_
#define BURIN_RUNTIME_PLUGINS_CPU_COMPILED_MODEL_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "ir/model.h"
#include "runtime/dev/compiled_model.h"
#include "runtime/dev/configuration.h"
#include "runtime/dev/profiling/execution_profile.h"
#include "runtime/dev/property_map.h"
#include "runtime/dev/remote_context.h"
#include "runtime/dev/sync_infer_request.h"
#include "runtime/executor/broker/lease_streams.h"
#include "runtime/executor/cpu_streams_executor.h"
#include "runtime/plugins/cpu/graph/node.h"
#include "runtime/plugins/cpu/pipeline.h"
#include "runtime/plugins/cpu/plan_cache.h"
#include "runtime/plugins/cpu/streams/graph_guard.h"
#include "runtime/plugins/cpu/streams/stream_graphs.h"

namespace burin::cpu {

class CompiledModel final : public ICompiledModel {
 public:
  // Takes what the stages made and the nodes of its model, by the index of their ids. A model of static shapes is
  // planned at once; errors as StreamGraphs::Create().
  static absl::StatusOr<std::shared_ptr<ICompiledModel>> Create(CompilationState state,
                                                                std::vector<std::shared_ptr<const Node>> nodes,
                                                                const std::string& device_name,
                                                                Configuration configuration, NodeContext context);

  absl::StatusOr<std::string> GetProperty(const std::string& name) const override;
  absl::StatusOr<std::shared_ptr<IRemoteContext>> GetContext() const override;
  absl::StatusOr<std::unique_ptr<ir::Model>> GetRuntimeModel() const override;

  executor::CpuStreamsExecutor& streams() const { return *executor_; }
  const ir::Model& model() const { return *model_; }
  bool perf_count() const { return perf_count_; }
  // Returns the nodes that run, as profiles name them; and where requests add what they measure.
  const std::vector<ProfilingInfo>& running() const { return running_; }
  ExecutionProfile& profile() const { return profile_; }

  // Return the graphs of the stream that the calling thread is in, which must be one of streams(), and the plans that
  // it shares with others on its NUMA node.
  GraphGuard::Lock GetGraph() const;
  PlanCache& GetPlans() const;

 protected:
  absl::StatusOr<std::unique_ptr<ISyncInferRequest>> CreateSyncInferRequest() const override;

 private:
  CompiledModel(CompilationState state, std::shared_ptr<executor::CpuStreamsExecutor> executor,
                std::unique_ptr<StreamGraphs> graphs, std::vector<ProfilingInfo> running,
                const std::string& device_name, Configuration configuration);

  int CurrentStream() const;

  const std::unique_ptr<ir::Model> model_;
  // Kept as long as the streams run.
  const executor::LeasedStreams leased_;
  const std::shared_ptr<executor::CpuStreamsExecutor> executor_;
  // Destroyed before the executor, of whose threads their teams are.
  const std::unique_ptr<StreamGraphs> graphs_;
  const std::string device_name_;
  const Configuration configuration_;
  const PropertyMap facts_;
  const bool perf_count_;
  const std::vector<ProfilingInfo> running_;
  mutable ExecutionProfile profile_;
};

}  // namespace burin::cpu

#endif  // BURIN_RUNTIME_PLUGINS_CPU_COMPILED_MODEL_H_
