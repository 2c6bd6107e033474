#include "runtime/api/infer_request.h"

#include <optional>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "runtime/api/compiled_model.h"
#include "runtime/dev/async_infer_request.h"
#include "runtime/dev/find_port.h"
#include "runtime/dev/sync_infer_request.h"

namespace burin {

// The compiled model is held here so that it outlives the request.
struct InferRequest::Impl {
  CompiledModel model;
  std::shared_ptr<AsyncInferRequest> request;

  // Finds a name among the inputs, then the outputs.
  absl::StatusOr<Slot> FindSlot(const std::string& name) const {
    for (const Port& port : request->inputs()) {
      if (port.HasName(name)) return Slot{Slot::Kind::kInput, port.index};
    }
    for (const Port& port : request->outputs()) {
      if (port.HasName(name)) return Slot{Slot::Kind::kOutput, port.index};
    }
    return absl::NotFoundError(absl::StrCat("There is no input or output \"", name, "\"; inputs: ",
                                            NamesOf(request->inputs()), "; outputs: ", NamesOf(request->outputs())));
  }

  absl::StatusOr<Slot> InputSlot(size_t index) const {
    BURIN_RETURN_IF_ERROR(FindPort(request->inputs(), "input", index).status());
    return Slot{Slot::Kind::kInput, index};
  }
  absl::StatusOr<Slot> OutputSlot(size_t index) const {
    BURIN_RETURN_IF_ERROR(FindPort(request->outputs(), "output", index).status());
    return Slot{Slot::Kind::kOutput, index};
  }
  absl::StatusOr<Slot> OnlyInput() const {
    if (request->inputs().size() != 1) {
      return absl::InvalidArgumentError(absl::StrCat(
          "An input must be named where there is not exactly one; there are: ", NamesOf(request->inputs())));
    }
    return Slot{Slot::Kind::kInput, 0};
  }
  absl::StatusOr<Slot> OnlyOutput() const {
    if (request->outputs().size() != 1) {
      return absl::InvalidArgumentError(absl::StrCat(
          "An output must be named where there is not exactly one; there are: ", NamesOf(request->outputs())));
    }
    return Slot{Slot::Kind::kOutput, 0};
  }

  absl::Status Set(absl::StatusOr<Slot> slot, const Tensor& tensor) const {
    BURIN_RETURN_IF_ERROR(slot.status());
    return request->SetTensor(*slot, tensor);
  }
  absl::StatusOr<Tensor> Get(absl::StatusOr<Slot> slot) const {
    BURIN_RETURN_IF_ERROR(slot.status());
    return request->GetTensor(*slot);
  }
};

InferRequest::InferRequest(std::shared_ptr<AsyncInferRequest> request, CompiledModel model)
    : impl_(std::make_shared<Impl>(Impl{std::move(model), std::move(request)})) {}

absl::Status InferRequest::SetTensor(const std::string& name, const Tensor& tensor) {
  return impl_->Set(impl_->FindSlot(name), tensor);
}
absl::Status InferRequest::SetInputTensor(const Tensor& tensor) { return impl_->Set(impl_->OnlyInput(), tensor); }
absl::Status InferRequest::SetInputTensor(size_t index, const Tensor& tensor) {
  return impl_->Set(impl_->InputSlot(index), tensor);
}
absl::Status InferRequest::SetOutputTensor(const Tensor& tensor) { return impl_->Set(impl_->OnlyOutput(), tensor); }
absl::Status InferRequest::SetOutputTensor(size_t index, const Tensor& tensor) {
  return impl_->Set(impl_->OutputSlot(index), tensor);
}

absl::Status InferRequest::SetTensors(const std::string&, const std::vector<Tensor>&) {
  return absl::UnimplementedError("SetTensors: batches of separate tensors are not supported");
}
absl::Status InferRequest::SetInputTensors(size_t, const std::vector<Tensor>&) {
  return absl::UnimplementedError("SetInputTensors: batches of separate tensors are not supported");
}

absl::StatusOr<Tensor> InferRequest::GetTensor(const std::string& name) { return impl_->Get(impl_->FindSlot(name)); }
absl::StatusOr<Tensor> InferRequest::GetInputTensor() { return impl_->Get(impl_->OnlyInput()); }
absl::StatusOr<Tensor> InferRequest::GetInputTensor(size_t index) { return impl_->Get(impl_->InputSlot(index)); }
absl::StatusOr<Tensor> InferRequest::GetOutputTensor() { return impl_->Get(impl_->OnlyOutput()); }
absl::StatusOr<Tensor> InferRequest::GetOutputTensor(size_t index) { return impl_->Get(impl_->OutputSlot(index)); }

absl::Status InferRequest::Infer() { return impl_->request->Infer(); }
absl::Status InferRequest::StartAsync() { return impl_->request->StartAsync(); }
absl::Status InferRequest::Wait() { return impl_->request->Wait(); }
absl::StatusOr<bool> InferRequest::WaitFor(std::chrono::milliseconds timeout) {
  return impl_->request->WaitFor(timeout);
}
void InferRequest::Cancel() { impl_->request->Cancel(); }
absl::Status InferRequest::SetCallback(std::function<void(absl::Status)> callback) {
  return impl_->request->SetCallback(std::move(callback));
}

absl::StatusOr<std::vector<VariableState>> InferRequest::QueryState() {
  BURIN_ASSIGN_OR_RETURN(std::vector<std::shared_ptr<IVariableState>> states, impl_->request->QueryState());
  std::vector<VariableState> handles;
  for (std::shared_ptr<IVariableState>& state : states) handles.emplace_back(std::move(state));
  return handles;
}

absl::Status InferRequest::ResetState() {
  BURIN_ASSIGN_OR_RETURN(std::vector<VariableState> states, QueryState());
  for (VariableState& state : states) state.Reset();
  return absl::OkStatus();
}

absl::StatusOr<std::vector<ProfilingInfo>> InferRequest::GetProfilingInfo() const {
  return impl_->request->GetProfilingInfo();
}

CompiledModel InferRequest::GetCompiledModel() const { return impl_->model; }

}  // namespace burin
