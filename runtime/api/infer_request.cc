#include "runtime/api/infer_request.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "runtime/api/compiled_model.h"
#include "runtime/dev/async_infer_request.h"
#include "runtime/dev/compiled_model.h"
#include "runtime/dev/find_port.h"
#include "runtime/dev/slot.h"
#include "runtime/dev/sync_infer_request.h"

namespace burin {

struct InferRequest::Impl {
  std::shared_ptr<ICompiledModel> compiled;  // Declared first: outlives the request.
  std::unique_ptr<AsyncInferRequest> request;

  const std::vector<Port>& Ports(Slot::Kind kind) const {
    return kind == Slot::Kind::kInput ? compiled->inputs() : compiled->outputs();
  }

  absl::StatusOr<Slot> Find(const std::string& name) const {
    if (const Slot* slot = compiled->slots().Find(name)) return *slot;
    return absl::NotFoundError(absl::StrCat("There is no input or output \"", name, "\"; inputs: ",
                                            NamesOf(compiled->inputs()), "; outputs: ", NamesOf(compiled->outputs())));
  }

  absl::StatusOr<Slot> Find(const Port& port) const {
    const std::vector<Port>& ports = Ports(port.kind);
    if (port.index < ports.size() && !port.names.empty() && ports[port.index].name() == port.name()) {
      return port.slot();
    }
    return absl::InvalidArgumentError(
        absl::StrCat("The port is of another model: ", port.names.empty() ? "without a name" : ToString(port),
                     "; this one has: ", NamesOf(ports)));
  }

  absl::StatusOr<Slot> Find(Slot::Kind kind, size_t index) const {
    const std::vector<Port>& ports = Ports(kind);
    if (index < ports.size()) return Slot{kind, index};
    return FindPort(ports, kind == Slot::Kind::kInput ? "input" : "output", index).status();
  }

  absl::StatusOr<Slot> FindOnly(Slot::Kind kind) const {
    const std::vector<Port>& ports = Ports(kind);
    if (ports.size() == 1) return Slot{kind, 0};
    return absl::InvalidArgumentError(
        absl::StrCat("An ", kind == Slot::Kind::kInput ? "input" : "output",
                     " must be named where there is not exactly one; there are: ", NamesOf(ports)));
  }

  absl::Status Set(const absl::StatusOr<Slot>& slot, const Tensor& tensor) const {
    BURIN_RETURN_IF_ERROR(slot.status());
    return request->SetTensor(*slot, tensor);
  }
  absl::Status SetBatch(const absl::StatusOr<Slot>& slot, const std::vector<Tensor>& tensors) const {
    BURIN_RETURN_IF_ERROR(slot.status());
    return request->SetTensors(*slot, tensors);
  }
  absl::StatusOr<Tensor> Get(const absl::StatusOr<Slot>& slot) const {
    BURIN_RETURN_IF_ERROR(slot.status());
    return request->GetTensor(*slot);
  }
};

namespace {

constexpr Slot::Kind kInput = Slot::Kind::kInput;
constexpr Slot::Kind kOutput = Slot::Kind::kOutput;

}  // namespace

InferRequest::InferRequest(std::unique_ptr<AsyncInferRequest> request, std::shared_ptr<ICompiledModel> compiled)
    : impl_(std::make_shared<Impl>(Impl{std::move(compiled), std::move(request)})) {}

absl::Status InferRequest::SetTensor(const std::string& name, const Tensor& tensor) {
  return impl_->Set(impl_->Find(name), tensor);
}
absl::Status InferRequest::SetTensor(const Port& port, const Tensor& tensor) {
  return impl_->Set(impl_->Find(port), tensor);
}
absl::Status InferRequest::SetInputTensor(const Tensor& tensor) { return impl_->Set(impl_->FindOnly(kInput), tensor); }
absl::Status InferRequest::SetInputTensor(size_t index, const Tensor& tensor) {
  return impl_->Set(impl_->Find(kInput, index), tensor);
}
absl::Status InferRequest::SetOutputTensor(const Tensor& tensor) {
  return impl_->Set(impl_->FindOnly(kOutput), tensor);
}
absl::Status InferRequest::SetOutputTensor(size_t index, const Tensor& tensor) {
  return impl_->Set(impl_->Find(kOutput, index), tensor);
}

absl::Status InferRequest::SetTensors(const std::string& name, const std::vector<Tensor>& tensors) {
  return impl_->SetBatch(impl_->Find(name), tensors);
}
absl::Status InferRequest::SetTensors(const Port& port, const std::vector<Tensor>& tensors) {
  return impl_->SetBatch(impl_->Find(port), tensors);
}
absl::Status InferRequest::SetInputTensors(const std::vector<Tensor>& tensors) {
  return impl_->SetBatch(impl_->FindOnly(kInput), tensors);
}
absl::Status InferRequest::SetInputTensors(size_t index, const std::vector<Tensor>& tensors) {
  return impl_->SetBatch(impl_->Find(kInput, index), tensors);
}

absl::StatusOr<Tensor> InferRequest::GetTensor(const std::string& name) { return impl_->Get(impl_->Find(name)); }
absl::StatusOr<Tensor> InferRequest::GetTensor(const Port& port) { return impl_->Get(impl_->Find(port)); }
absl::StatusOr<Tensor> InferRequest::GetInputTensor() { return impl_->Get(impl_->FindOnly(kInput)); }
absl::StatusOr<Tensor> InferRequest::GetInputTensor(size_t index) { return impl_->Get(impl_->Find(kInput, index)); }
absl::StatusOr<Tensor> InferRequest::GetOutputTensor() { return impl_->Get(impl_->FindOnly(kOutput)); }
absl::StatusOr<Tensor> InferRequest::GetOutputTensor(size_t index) { return impl_->Get(impl_->Find(kOutput, index)); }

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

absl::Status InferRequest::ResetState() { return impl_->request->ResetState(); }

absl::StatusOr<std::vector<ProfilingInfo>> InferRequest::GetProfilingInfo() const {
  return impl_->request->GetProfilingInfo();
}

CompiledModel InferRequest::GetCompiledModel() const { return CompiledModel(impl_->compiled); }

}  // namespace burin
