#include "runtime/plugins/reference/sync_infer_request.h"

#include <time.h>

#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "base/element_type.h"
#include "base/status_macros.h"
#include "ir/infer_context.h"
#include "ir/model.h"
#include "ir/op_def.h"
#include "ir/shape.h"
#include "ir/tensor.h"
#include "runtime/dev/states/variable_states.h"

namespace burin::reference {

namespace {

int64_t ThreadCpuNanoseconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<int64_t>(now.tv_sec) * 1000000000 + now.tv_nsec;
}

// Returns types and shapes; the info of an empty tensor says nothing.
std::vector<ir::ValueInfo> Describe(absl::Span<const ir::Tensor> tensors) {
  std::vector<ir::ValueInfo> infos(tensors.size());
  for (size_t i = 0; i < tensors.size(); ++i) {
    if (!tensors[i].has_value()) continue;
    infos[i].type = tensors[i].element_type();
    infos[i].shape = tensors[i].shape();
  }
  return infos;
}

// Returns what one execution costs, from the shapes that it had.
ir::Cost CostOfRun(const ir::Node& node, absl::Span<const ir::Tensor> inputs, absl::Span<const ir::Tensor> outputs) {
  const std::vector<ir::ValueInfo> input_infos = Describe(inputs);
  const std::vector<ir::ValueInfo> output_infos = Describe(outputs);
  std::vector<const ir::ValueInfo*> present(inputs.size(), nullptr);
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i].has_value()) present[i] = &input_infos[i];
  }
  return ir::CostOf(node.op(), ir::CostContext(node.attributes(), present, output_infos, node.bodies()));
}

}  // namespace

SyncInferRequest::SyncInferRequest(const CompiledModel* compiled)
    : ISyncInferRequest(&compiled->inputs(), &compiled->outputs()),
      compiled_(compiled),
      variables_(std::make_shared<ir::MapVariableStore>()),
      profile_(compiled->perf_count() ? compiled->running().nodes : std::vector<ProfilingInfo>()) {}

absl::Status SyncInferRequest::Infer() {
  // An inference that fails leaves the state as it was, also where only its results could not be delivered.
  ir::MapVariableStore variables = *variables_;
  ir::RunOptions options;
  options.cancelled = &cancelled();
  options.variables = &variables;
  int64_t cpu_start = ThreadCpuNanoseconds();
  if (compiled_->perf_count()) {
    options.observer = [this, &cpu_start](const ir::Node& node, int64_t nanoseconds,
                                          absl::Span<const ir::Tensor> inputs, absl::Span<const ir::Tensor> outputs) {
      const int64_t cpu_now = ThreadCpuNanoseconds();
      const int32_t index = compiled_->running().index[static_cast<size_t>(ir::Index(node.id()))];
      if (index >= 0) {
        const ir::Cost cost = CostOfRun(node, inputs, outputs);
        const ExecutionProfile::Execution execution{nanoseconds, cpu_now - cpu_start, cost.flops,
                                                    cost.bytes_read + cost.bytes_written};
        profile_.Record(static_cast<size_t>(index), execution);
        compiled_->profile().Record(static_cast<size_t>(index), execution);
      }
      cpu_start = ThreadCpuNanoseconds();
    };
  }
  BURIN_ASSIGN_OR_RETURN(std::vector<ir::Tensor> results, compiled_->evaluator().Run(input_tensors(), options));
  BURIN_RETURN_IF_ERROR(DeliverOutputs(std::move(results)));
  *variables_ = std::move(variables);
  return absl::OkStatus();
}

std::vector<std::shared_ptr<IVariableState>> SyncInferRequest::QueryState() {
  return MakeVariableStates(compiled_->model().variables(), variables_);
}

absl::StatusOr<std::vector<ProfilingInfo>> SyncInferRequest::GetProfilingInfo() const {
  if (!compiled_->perf_count()) {
    return absl::FailedPreconditionError("The model was compiled without PERF_COUNT=YES: there is no profile");
  }
  return profile_.Read();
}

}  // namespace burin::reference
