#include "runtime/api/compiled_model.h"

#include "base/status_macros.h"
#include "ir/model.h"
#include "runtime/dev/async_infer_request.h"
#include "runtime/dev/compiled_model.h"
#include "runtime/dev/find_port.h"
#include "runtime/dev/remote_context.h"

namespace burin {

absl::StatusOr<InferRequest> CompiledModel::CreateInferRequest() const {
  BURIN_ASSIGN_OR_RETURN(std::unique_ptr<AsyncInferRequest> request, compiled_->CreateInferRequest());
  return InferRequest(std::move(request), compiled_);
}

const std::vector<Port>& CompiledModel::inputs() const { return compiled_->inputs(); }
const std::vector<Port>& CompiledModel::outputs() const { return compiled_->outputs(); }

absl::StatusOr<Port> CompiledModel::input(size_t index) const { return FindPort(inputs(), "input", index); }
absl::StatusOr<Port> CompiledModel::input(const std::string& name) const { return FindPort(inputs(), "input", name); }
absl::StatusOr<Port> CompiledModel::output(size_t index) const { return FindPort(outputs(), "output", index); }
absl::StatusOr<Port> CompiledModel::output(const std::string& name) const {
  return FindPort(outputs(), "output", name);
}

absl::StatusOr<Model> CompiledModel::GetRuntimeModel() const {
  BURIN_ASSIGN_OR_RETURN(std::unique_ptr<ir::Model> graph, compiled_->GetRuntimeModel());
  return Model(std::shared_ptr<ir::Model>(std::move(graph)));
}

absl::Status CompiledModel::ExportModel(std::ostream& stream) const { return compiled_->Export(stream); }

absl::StatusOr<std::string> CompiledModel::GetProperty(const std::string& name) const {
  return compiled_->GetProperty(name);
}

absl::Status CompiledModel::SetProperty(const PropertyMap& properties) {
  for (const auto& [name, value] : properties) BURIN_RETURN_IF_ERROR(compiled_->SetProperty(name, value));
  return absl::OkStatus();
}

absl::StatusOr<RemoteContext> CompiledModel::GetContext() const {
  BURIN_ASSIGN_OR_RETURN(std::shared_ptr<IRemoteContext> context, compiled_->GetContext());
  return RemoteContext(std::move(context));
}

absl::Status CompiledModel::ReleaseMemory() { return compiled_->ReleaseMemory(); }

}  // namespace burin
