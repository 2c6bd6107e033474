// One inference on the CPU: tensors of the user in, a graph of a stream, tensors out.
//
// Dense tensors are read and written where they are. Used by one thread at a time.
#ifndef BURIN_RUNTIME_PLUGINS_CPU_SYNC_INFER_REQUEST_H_
#define BURIN_RUNTIME_PLUGINS_CPU_SYNC_INFER_REQUEST_H_

#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "ir/evaluator.h"
#include "ir/shape.h"
#include "ir/tensor.h"
#include "runtime/dev/profiling/execution_profile.h"
#include "runtime/dev/profiling_info.h"
#include "runtime/dev/sync_infer_request.h"
#include "runtime/plugins/cpu/compiled_model.h"
#include "runtime/plugins/cpu/plan_cache.h"
#include "runtime/plugins/cpu/segments/run_variables.h"
#include "runtime/plugins/cpu/segments/segment_planner.h"

namespace burin::cpu {

class SyncInferRequest final : public ISyncInferRequest {
 public:
  // `compiled` outlives the request.
  explicit SyncInferRequest(const CompiledModel* compiled);

  absl::Status Infer() override;
  std::vector<std::shared_ptr<IVariableState>> QueryState() override;
  absl::StatusOr<std::vector<ProfilingInfo>> GetProfilingInfo() const override;

 private:
  // Does all in the stream that the calling thread is in.
  absl::Status InferInStream();
  // Sets plan_ to that of the inputs' shapes.
  absl::Status FindPlan();
  // Sets the addresses of the inputs, of dense copies where they are not dense themselves.
  absl::Status PushInputData();
  // Sees to it that there is memory for each output, and sets the addresses: those of the user's tensors where results
  // may be written there.
  absl::Status PrepareOutputs();
  // Copies what was not written to the user's memory.
  absl::Status PullOutputData();
  absl::Status RunGraph();
  // Does all that is left to do where the data tells shapes.
  absl::Status InferSegments();
  absl::Status RunSegments(RunVariables* variables, std::vector<ir::Tensor>* results);

  const CompiledModel* const compiled_;
  std::shared_ptr<const ModelPlan> plan_;
  // Whose plan it is; streams on other NUMA nodes have other ones.
  const PlanCache* planned_by_ = nullptr;
  std::vector<ir::Shape> shapes_;
  // By input and output: a dense copy, where one is needed.
  std::vector<ir::Tensor> input_copies_;
  std::vector<ir::Tensor> output_copies_;
  // What segments read.
  std::vector<ir::Tensor> segment_inputs_;
  std::vector<const void*> inputs_;
  std::vector<void*> outputs_;
  // The values of the variables, of those in bodies too. Handles on states keep them alive.
  const std::shared_ptr<ir::MapVariableStore> variables_;
  ExecutionProfile profile_;
};

}  // namespace burin::cpu

#endif  // BURIN_RUNTIME_PLUGINS_CPU_SYNC_INFER_REQUEST_H_
