#include "runtime/plugins/cpu/sync_infer_request.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/element_type.h"
#include "base/status_macros.h"
#include "ir/model.h"
#include "runtime/dev/port.h"
#include "runtime/dev/slot.h"
#include "runtime/dev/states/variable_states.h"
#include "runtime/plugins/cpu/graph/graph_plan.h"
#include "runtime/plugins/cpu/graph/ready_graph.h"
#include "runtime/plugins/cpu/profile_recorder.h"
#include "runtime/plugins/cpu/segments/run_variables.h"
#include "runtime/plugins/cpu/segments/segment_runner.h"
#include "runtime/plugins/cpu/streams/graph_guard.h"

namespace burin::cpu {

namespace {

// Returns whether two dense tensors share bytes.
bool Overlap(const ir::Tensor& a, const ir::Tensor& b) {
  const char* a_begin = static_cast<const char*>(a.data());
  const char* b_begin = static_cast<const char*>(b.data());
  return a_begin < b_begin + b.byte_size() && b_begin < a_begin + a.byte_size();
}

// Makes `tensor` one of this type and shape, keeping its memory where it is that already.
absl::Status Ensure(ElementType type, const ir::Shape& shape, ir::Tensor* tensor) {
  if (tensor->has_value() && tensor->element_type() == type && tensor->shape() == shape) return absl::OkStatus();
  BURIN_ASSIGN_OR_RETURN(*tensor, ir::Tensor::Create(type, shape));
  return absl::OkStatus();
}

}  // namespace

SyncInferRequest::SyncInferRequest(const CompiledModel* compiled)
    : ISyncInferRequest(&compiled->inputs(), &compiled->outputs()),
      compiled_(compiled),
      shapes_(compiled->inputs().size()),
      input_copies_(compiled->inputs().size()),
      output_copies_(compiled->outputs().size()),
      segment_inputs_(compiled->inputs().size()),
      inputs_(compiled->inputs().size()),
      outputs_(compiled->outputs().size()),
      variables_(std::make_shared<ir::MapVariableStore>()),
      profile_(compiled->perf_count() ? compiled->running() : std::vector<ProfilingInfo>()) {}

absl::Status SyncInferRequest::Infer() {
  // Which plan it takes depends on where the stream is.
  return compiled_->streams().Execute([this] { return InferInStream(); });
}

absl::Status SyncInferRequest::InferInStream() {
  BURIN_RETURN_IF_ERROR(FindPlan());
  BURIN_RETURN_IF_ERROR(PushInputData());
  if (plan_->graph == nullptr) return InferSegments();
  BURIN_RETURN_IF_ERROR(PrepareOutputs());
  BURIN_RETURN_IF_ERROR(RunGraph());
  return PullOutputData();
}

absl::Status SyncInferRequest::FindPlan() {
  PlanCache& plans = compiled_->GetPlans();
  bool same = plan_ != nullptr && planned_by_ == &plans;
  for (size_t i = 0; i < shapes_.size(); ++i) {
    if (same && shapes_[i] == input_tensors()[i].shape()) continue;
    shapes_[i] = input_tensors()[i].shape();
    same = false;
  }
  if (same) return absl::OkStatus();
  plan_ = nullptr;
  // The stream is this thread's, and so is its team.
  PlanningHelp help;
  help.team = compiled_->GetGraph().planners();
  BURIN_ASSIGN_OR_RETURN(plan_, plans.For(shapes_, help));
  planned_by_ = &plans;
  return absl::OkStatus();
}

absl::Status SyncInferRequest::PushInputData() {
  for (size_t i = 0; i < inputs_.size(); ++i) {
    const ir::Tensor& tensor = input_tensors()[i];
    if (tensor.is_dense()) {
      inputs_[i] = tensor.data();
      continue;
    }
    BURIN_RETURN_IF_ERROR(Ensure(tensor.element_type(), tensor.shape(), &input_copies_[i]));
    BURIN_RETURN_IF_ERROR(tensor.CopyTo(input_copies_[i]));
    inputs_[i] = input_copies_[i].data();
  }
  return absl::OkStatus();
}

absl::Status SyncInferRequest::PrepareOutputs() {
  for (size_t i = 0; i < outputs_.size(); ++i) {
    const Port& port = outputs()[i];
    const ir::Shape& shape = plan_->outputs[i];
    if (port.shape.is_static()) {
      BURIN_RETURN_IF_ERROR(GetTensor(Slot{Slot::Kind::kOutput, i}).status());
    } else if (!IsUserOutput(i)) {
      // The user may hold the result of the inference before.
      BURIN_ASSIGN_OR_RETURN(ir::Tensor tensor, ir::Tensor::Create(port.element_type, shape));
      SetOutputTensor(i, std::move(tensor));
    }
    const ir::Tensor& tensor = output_tensor(i);
    if (tensor.shape() != shape) {
      return absl::InvalidArgumentError(absl::StrCat("Output ", ToString(port), ": the tensor that was set has shape ",
                                                     ir::ToString(tensor.shape()), ", the result has ",
                                                     ir::ToString(shape)));
    }
    // What shares memory with an input or another output would be written while that is needed.
    bool direct = tensor.is_dense();
    for (size_t j = 0; direct && j < inputs_.size(); ++j) {
      direct = input_tensors()[j].is_dense() ? !Overlap(tensor, input_tensors()[j]) : inputs_[j] != nullptr;
    }
    // One that is not dense is written at the end: what comes after it is too, in case they overlap.
    for (size_t j = 0; direct && j < i; ++j) {
      direct = output_tensor(j).is_dense() && !Overlap(tensor, output_tensor(j));
    }
    if (direct) {
      output_copies_[i] = ir::Tensor();
      outputs_[i] = tensor.mutable_data();
      continue;
    }
    BURIN_RETURN_IF_ERROR(Ensure(port.element_type, shape, &output_copies_[i]));
    outputs_[i] = output_copies_[i].mutable_data();
  }
  return absl::OkStatus();
}

absl::Status SyncInferRequest::PullOutputData() {
  for (size_t i = 0; i < outputs_.size(); ++i) {
    if (output_copies_[i].has_value()) BURIN_RETURN_IF_ERROR(output_copies_[i].CopyTo(output_tensor(i)));
  }
  return absl::OkStatus();
}

absl::Status SyncInferRequest::RunGraph() {
  GraphGuard::Lock lock = compiled_->GetGraph();
  BURIN_ASSIGN_OR_RETURN(ReadyGraph* const graph, lock.GraphFor(plan_));
  ReadyGraph::Run run;
  run.inputs = inputs_;
  run.outputs = outputs_;
  run.team = lock.team();
  run.cancelled = &cancelled();
  if (!compiled_->perf_count()) return graph->InferStatic(run);
  ProfileRecorder recorder(plan_->graph.get(), &profile_, &compiled_->profile());
  run.observer = &recorder;
  return graph->InferStatic(run);
}

absl::Status SyncInferRequest::InferSegments() {
  for (size_t i = 0; i < inputs_.size(); ++i) {
    segment_inputs_[i] = input_tensors()[i].is_dense() ? input_tensors()[i] : input_copies_[i];
  }
  RunVariables variables(variables_.get());
  std::vector<ir::Tensor> results;
  const absl::Status status = RunSegments(&variables, &results);
  // The user's tensors are not held longer than the user wants.
  for (ir::Tensor& input : segment_inputs_) input = ir::Tensor();
  BURIN_RETURN_IF_ERROR(status);
  BURIN_RETURN_IF_ERROR(DeliverOutputs(std::move(results)));
  variables.Commit();
  return absl::OkStatus();
}

absl::Status SyncInferRequest::RunSegments(RunVariables* variables, std::vector<ir::Tensor>* results) {
  GraphGuard::Lock lock = compiled_->GetGraph();
  SegmentRunner::Run run;
  run.plans = &compiled_->GetPlans();
  run.inputs = segment_inputs_;
  run.team = lock.team();
  run.cancelled = &cancelled();
  run.variables = variables;
  if (!compiled_->perf_count()) return lock.segments().Infer(run, plan_->segment, results);
  ProfileRecorder recorder(nullptr, &profile_, &compiled_->profile());
  run.observer = &recorder;
  return lock.segments().Infer(run, plan_->segment, results);
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

}  // namespace burin::cpu
