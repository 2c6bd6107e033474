#include "runtime/dev/compiled_model.h"

#include <utility>

#include "base/status_macros.h"
#include "ir/layout.h"
#include "ir/runtime_info.h"
#include "runtime/dev/slot.h"

namespace burin {

namespace {

void AddName(const std::string& name, Port* port) {
  if (!port->HasName(name)) port->names.push_back(name);
}

// Returns what the node says of its layout. A text that is none, as a file may hold, says nothing.
ir::Layout LayoutOf(const ir::Node& node) {
  const auto text = node.runtime_info().find(ir::kLayoutKey);
  if (text == node.runtime_info().end()) return ir::Layout();
  return ir::Layout::Parse(text->second).value_or(ir::Layout());
}

Port MakePort(Slot::Kind kind, const ir::Node& node, size_t index, const ir::ValueInfo& info) {
  Port port;
  port.kind = kind;
  port.index = index;
  port.names = node.output_names(0);
  port.element_type = info.type;
  port.shape = info.shape;
  port.layout = LayoutOf(node);
  return port;
}

}  // namespace

std::vector<Port> InputPorts(const ir::Model& model) {
  std::vector<Port> ports;
  for (ir::NodeId id : model.parameters()) {
    const ir::Node& node = model.node(id);
    Port port = MakePort(Slot::Kind::kInput, node, ports.size(), node.output(0));
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
    Port port = MakePort(Slot::Kind::kOutput, node, ports.size(), model.info(source));
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
      slots_(inputs_, outputs_),
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

absl::StatusOr<std::shared_ptr<IRemoteContext>> ICompiledModel::GetContext() const {
  return absl::UnimplementedError("This device has no remote contexts");
}

absl::Status ICompiledModel::ReleaseMemory() {
  return absl::UnimplementedError("This device's compiled models keep no memory that can be released");
}

}  // namespace burin
