#include "runtime/dev/compiled_model.h"

#include <utility>

#include "base/status_macros.h"

namespace burin {

namespace {

void AddName(const std::string& name, Port* port) {
  if (!port->HasName(name)) port->names.push_back(name);
}

Port MakePort(const ir::Node& node, size_t index, const ir::ValueInfo& info) {
  Port port;
  port.index = index;
  port.names = node.output_names(0);
  port.element_type = info.type;
  port.shape = info.shape;
  return port;
}

}  // namespace

std::vector<Port> InputPorts(const ir::Model& model) {
  std::vector<Port> ports;
  for (ir::NodeId id : model.parameters()) {
    const ir::Node& node = model.node(id);
    Port port = MakePort(node, ports.size(), node.output(0));
    AddName(node.name(), &port);
    ports.push_back(std::move(port));
  }
  return ports;
}

std::vector<Port> OutputPorts(const ir::Model& model) {
  std::vector<Port> ports;
  for (ir::NodeId id : model.results()) {
    const ir::Node& node = model.node(id);
    const ir::Value source = node.input(0);
    // The result's own names first: the value may have others from where it was computed.
    Port port = MakePort(node, ports.size(), model.info(source));
    for (const std::string& name : model.node(source.node).output_names(source.output)) AddName(name, &port);
    AddName(node.name(), &port);
    ports.push_back(std::move(port));
  }
  return ports;
}

ICompiledModel::ICompiledModel(const ir::Model& model, std::shared_ptr<ITaskExecutor> task_executor,
                               std::shared_ptr<ITaskExecutor> callback_executor)
    : inputs_(InputPorts(model)),
      outputs_(OutputPorts(model)),
      task_executor_(std::move(task_executor)),
      callback_executor_(std::move(callback_executor)) {}

absl::StatusOr<std::unique_ptr<AsyncInferRequest>> ICompiledModel::CreateInferRequest() {
  BURIN_ASSIGN_OR_RETURN(std::unique_ptr<ISyncInferRequest> request, CreateSyncInferRequest());
  return std::make_unique<AsyncInferRequest>(std::move(request), task_executor_, callback_executor_,
                                             shared_from_this());
}

absl::Status ICompiledModel::SetProperty(const std::string&, const std::string&) {
  return absl::UnimplementedError("This device's compiled models have no property that can be set");
}

absl::Status ICompiledModel::Export(std::ostream&) const {
  return absl::UnimplementedError("This device cannot export compiled models");
}

absl::StatusOr<std::unique_ptr<ir::Model>> ICompiledModel::GetRuntimeModel() const {
  return absl::UnimplementedError("This device has no runtime model");
}

absl::Status ICompiledModel::ReleaseMemory() {
  return absl::UnimplementedError("This device's compiled models keep no memory that can be released");
}

}  // namespace burin
