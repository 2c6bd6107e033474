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
#include "ir/ops/op_code.h"
#include "ir/shape.h"
#include "ir/tensor.h"

namespace burin::reference {

namespace {

int64_t ThreadCpuNanoseconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<int64_t>(now.tv_sec) * 1000000000 + now.tv_nsec;
}

// A variable's value lives in the request; a handle keeps the store alive.
class State final : public IVariableState {
 public:
  State(const ir::Variable& variable, std::shared_ptr<ir::MapVariableStore> store)
      : variable_(variable), store_(std::move(store)) {}
  const std::string& name() const override { return variable_.id; }
  absl::StatusOr<ir::Tensor> GetState() const override {
    const ir::Tensor* value = store_->Find(variable_.id);
    if (value == nullptr) {
      return absl::FailedPreconditionError(absl::StrCat("Variable has no value yet: ", variable_.id));
    }
    return *value;
  }
  absl::Status SetState(const ir::Tensor& value) override {
    if (!value.has_value() || value.element_type() != variable_.type || !variable_.shape.Accepts(value.shape())) {
      return absl::InvalidArgumentError(absl::StrCat(
          "Variable ", variable_.id, ": expected ", Name(variable_.type), variable_.shape.ToString(), ", given ",
          value.has_value() ? absl::StrCat(Name(value.element_type()), ir::ToString(value.shape())) : "no tensor"));
    }
    // A copy: the user may go on writing to the memory.
    BURIN_ASSIGN_OR_RETURN(ir::Tensor copy, value.Copy());
    store_->Assign(variable_.id, std::move(copy));
    return absl::OkStatus();
  }
  void Reset() override { store_->Reset(variable_.id); }

 private:
  const ir::Variable variable_;
  const std::shared_ptr<ir::MapVariableStore> store_;
};

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

// Says what one execution costs, from the shapes that it had.
void SetCost(const ir::Node& node, absl::Span<const ir::Tensor> inputs, absl::Span<const ir::Tensor> outputs,
             ProfilingInfo* info) {
  const std::vector<ir::ValueInfo> input_infos = Describe(inputs);
  const std::vector<ir::ValueInfo> output_infos = Describe(outputs);
  std::vector<const ir::ValueInfo*> present(inputs.size(), nullptr);
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i].has_value()) present[i] = &input_infos[i];
  }
  const ir::Cost cost = ir::CostOf(node.op(), ir::CostContext(node.attributes(), present, output_infos));
  info->flops = cost.flops;
  info->bytes = cost.bytes_read + cost.bytes_written;
}

}  // namespace

SyncInferRequest::SyncInferRequest(const CompiledModel* compiled)
    : ISyncInferRequest(&compiled->inputs(), &compiled->outputs()),
      compiled_(compiled),
      variables_(std::make_shared<ir::MapVariableStore>()) {
  if (!compiled->config().perf_count) return;
  const ir::Model& model = compiled->model();
  profile_index_.assign(static_cast<size_t>(model.id_bound()), -1);
  for (ir::NodeId id : model.NodeIds()) {
    const ir::Node& node = model.node(id);
    if (node.code() == ir::OpCode::kConstant) continue;
    ProfilingInfo info;
    info.node_name = node.name();
    info.op_type = node.op().name;
    info.op_names = node.original_names();
    info.kernel = "reference";
    info.isa = "none";
    info.layout = "row-major";
    if (node.output_count() > 0) info.precision = std::string(Name(node.output(0).type));
    profile_index_[static_cast<size_t>(ir::Index(id))] = static_cast<int32_t>(profile_.size());
    profile_.push_back(std::move(info));
  }
}

absl::StatusOr<std::vector<ir::Tensor>> SyncInferRequest::GatherInputs() {
  std::vector<ir::Tensor> tensors;
  for (size_t i = 0; i < inputs().size(); ++i) {
    // Memory of a static input that nobody has asked for holds zeros.
    absl::StatusOr<ir::Tensor> tensor = GetTensor(Slot{Slot::Kind::kInput, i});
    if (!tensor.ok()) {
      return absl::InvalidArgumentError(absl::StrCat("Input ", ToString(inputs()[i]), " has not been set"));
    }
    tensors.push_back(*std::move(tensor));
  }
  return tensors;
}

absl::Status SyncInferRequest::ScatterOutputs(std::vector<ir::Tensor> results) {
  for (size_t i = 0; i < results.size(); ++i) {
    if (outputs()[i].shape.is_static()) {
      // Static outputs keep one memory, so that a tensor obtained once shows every later result.
      BURIN_RETURN_IF_ERROR(GetTensor(Slot{Slot::Kind::kOutput, i}).status());
    }
    if (!IsUserOutput(i)) {
      // A result may share memory with an input or a constant, and the user may write to what is returned.
      BURIN_ASSIGN_OR_RETURN(ir::Tensor owned, results[i].Copy());
      SetOutputTensor(i, std::move(owned));
      continue;
    }
    const ir::Tensor& target = output_tensor(i);
    if (target.shape() != results[i].shape()) {
      return absl::InvalidArgumentError(
          absl::StrCat("Output ", ToString(outputs()[i]), ": the tensor that was set has shape ",
                       ir::ToString(target.shape()), ", the result has ", ir::ToString(results[i].shape())));
    }
    BURIN_RETURN_IF_ERROR(results[i].CopyTo(target));
  }
  return absl::OkStatus();
}

absl::Status SyncInferRequest::Infer() {
  BURIN_ASSIGN_OR_RETURN(std::vector<ir::Tensor> tensors, GatherInputs());
  // An inference that fails leaves the state as it was, also where only its results could not be delivered.
  ir::MapVariableStore variables = *variables_;
  ir::RunOptions options;
  options.cancelled = &cancelled();
  options.variables = &variables;
  int64_t cpu_start = ThreadCpuNanoseconds();
  if (!profile_.empty()) {
    options.observer = [this, &cpu_start](const ir::Node& node, int64_t nanoseconds,
                                          absl::Span<const ir::Tensor> inputs, absl::Span<const ir::Tensor> outputs) {
      const int64_t cpu_now = ThreadCpuNanoseconds();
      const int32_t index = profile_index_[static_cast<size_t>(ir::Index(node.id()))];
      if (index >= 0) {
        ProfilingInfo& info = profile_[static_cast<size_t>(index)];
        info.status = ProfilingInfo::Status::kExecuted;
        info.real_time_ns += nanoseconds;
        info.cpu_time_ns += cpu_now - cpu_start;
        ++info.count;
        SetCost(node, inputs, outputs, &info);
      }
      cpu_start = ThreadCpuNanoseconds();
    };
  }
  BURIN_ASSIGN_OR_RETURN(std::vector<ir::Tensor> results, compiled_->evaluator().Run(tensors, options));
  BURIN_RETURN_IF_ERROR(ScatterOutputs(std::move(results)));
  *variables_ = std::move(variables);
  return absl::OkStatus();
}

std::vector<std::shared_ptr<IVariableState>> SyncInferRequest::QueryState() {
  std::vector<std::shared_ptr<IVariableState>> states;
  for (const ir::Variable& variable : compiled_->model().variables()) {
    states.push_back(std::make_shared<State>(variable, variables_));
  }
  return states;
}

absl::StatusOr<std::vector<ProfilingInfo>> SyncInferRequest::GetProfilingInfo() const {
  if (!compiled_->config().perf_count) {
    return absl::FailedPreconditionError("The model was compiled without PERF_COUNT=YES: there is no profile");
  }
  return profile_;
}

}  // namespace burin::reference
