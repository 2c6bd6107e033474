#include "runtime/api/model.h"

#include <algorithm>
#include <optional>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "base/status_context.h"
#include "base/status_macros.h"
#include "ir/evaluator.h"
#include "ir/layout.h"
#include "ir/model.h"
#include "ir/ops/op_code.h"
#include "ir/runtime_info.h"
#include "ir/text.h"
#include "ir/verifier.h"
#include "runtime/api/describe_operation.h"
#include "runtime/dev/compiled_model.h"
#include "runtime/dev/find_port.h"
#include "runtime/dev/slot.h"

namespace burin {

namespace {

// The axis of the batch in a layout.
constexpr char kBatchAxis[] = "N";

bool IsInput(const Port& port) { return port.kind == Slot::Kind::kInput; }

// Returns the node of a port. InvalidArgument where the port is not one of this model.
absl::StatusOr<ir::NodeId> NodeOf(const ir::Model& graph, const Port& port) {
  const std::vector<Port> ports = IsInput(port) ? InputPorts(graph) : OutputPorts(graph);
  if (port.index >= ports.size() || ports[port.index].names != port.names) {
    return absl::InvalidArgumentError(
        absl::StrCat("The port is no ", IsInput(port) ? "input" : "output", " of the model: ",
                     port.names.empty() ? "one without a name" : ToString(port), "; there are: ", NamesOf(ports)));
  }
  return (IsInput(port) ? graph.parameters() : graph.results())[port.index];
}

// Returns the value whose names a port has besides its node's name.
ir::Value ValueOf(const ir::Model& graph, const Port& port, ir::NodeId node) {
  return IsInput(port) ? ir::Value{node, 0} : graph.node(node).input(0);
}

absl::StatusOr<ir::NodeId> FindOperation(const ir::Model& graph, const std::string& name) {
  const ir::NodeId id = graph.FindNode(name);
  if (id == ir::NodeId::kNone) {
    return absl::NotFoundError(absl::StrCat("The model has no operation of this name: '", name, "'"));
  }
  return id;
}

// Returns the value that has this tensor name.
std::optional<ir::Value> FindTensor(const ir::Model& graph, const std::string& name) {
  for (const ir::NodeId id : graph.NodeIds()) {
    const ir::Node& node = graph.node(id);
    for (int32_t i = 0; i < node.output_count(); ++i) {
      const std::vector<std::string>& names = node.output_names(i);
      if (std::find(names.begin(), names.end(), name) != names.end()) return ir::Value{id, i};
    }
  }
  return std::nullopt;
}

absl::Status CheckPath(const std::string& path) {
  for (const absl::string_view key : absl::StrSplit(path, '/')) {
    if (key.empty()) {
      return absl::InvalidArgumentError(absl::StrCat("A path of runtime info has an empty key: '", path, "'"));
    }
  }
  return absl::OkStatus();
}

bool IsAtOrBelow(const std::string& key, const std::string& path) {
  return path.empty() || key == path || absl::StartsWith(key, path + "/");
}

absl::StatusOr<ir::Layout> ParseLayout(const std::string& text, const PartialShape& shape) {
  BURIN_ASSIGN_OR_RETURN(ir::Layout layout, ir::Layout::Parse(text));
  if (shape.has_rank() && !layout.FitsRank(shape.rank())) {
    return absl::InvalidArgumentError(absl::StrCat("The layout ", text, " does not fit the shape ", shape.ToString()));
  }
  return layout;
}

// An axis of each of some ports.
using AxisByIndex = std::map<size_t, int64_t>;

// Returns the axis of the batch for each input whose layout has one.
absl::StatusOr<AxisByIndex> BatchAxes(const std::vector<Port>& inputs) {
  AxisByIndex axes;
  for (const Port& port : inputs) {
    if (port.layout == ir::Layout()) continue;
    if (!port.shape.has_rank()) {
      return absl::InvalidArgumentError(
          absl::StrCat("The batch is not known where the rank is not: input ", ToString(port)));
    }
    BURIN_ASSIGN_OR_RETURN(const std::optional<int64_t> axis, port.layout.Find(kBatchAxis, port.shape.rank()));
    if (axis.has_value()) axes.emplace(port.index, *axis);
  }
  if (axes.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat("No input has a layout with an axis ", kBatchAxis, "; the inputs are: ", NamesOf(inputs)));
  }
  return axes;
}

}  // namespace

const std::string& Model::name() const { return graph_->name(); }
void Model::SetName(const std::string& name) { graph_->set_name(name); }

// ---- Ports ----

std::vector<Port> Model::inputs() const { return InputPorts(*graph_); }
std::vector<Port> Model::outputs() const { return OutputPorts(*graph_); }

absl::StatusOr<Port> Model::input(size_t index) const { return FindPort(inputs(), "input", index); }
absl::StatusOr<Port> Model::input(const std::string& name) const { return FindPort(inputs(), "input", name); }
absl::StatusOr<Port> Model::output(size_t index) const { return FindPort(outputs(), "output", index); }
absl::StatusOr<Port> Model::output(const std::string& name) const { return FindPort(outputs(), "output", name); }

bool Model::is_dynamic() const {
  const auto dynamic = [](const std::vector<Port>& ports) {
    return std::any_of(ports.begin(), ports.end(), [](const Port& port) { return port.shape.is_dynamic(); });
  };
  return dynamic(inputs()) || dynamic(outputs());
}

std::vector<Variable> Model::variables() const {
  std::vector<Variable> variables;
  for (const ir::Variable& variable : graph_->variables()) {
    variables.push_back(Variable{variable.id, variable.type, variable.shape});
  }
  return variables;
}

absl::StatusOr<Port> Model::AddOutput(const std::string& tensor_or_operation) {
  const std::optional<ir::Value> tensor = FindTensor(*graph_, tensor_or_operation);
  if (tensor.has_value()) {
    return AddOutput(graph_->node(tensor->node).name(), static_cast<size_t>(tensor->output));
  }
  const ir::NodeId id = graph_->FindNode(tensor_or_operation);
  if (id == ir::NodeId::kNone) {
    return absl::NotFoundError(
        absl::StrCat("The model has no tensor and no operation of this name: '", tensor_or_operation, "'"));
  }
  if (graph_->node(id).output_count() != 1) {
    return absl::InvalidArgumentError(absl::StrCat("The operation '", tensor_or_operation, "' has not one output but ",
                                                   graph_->node(id).output_count(), ": choose one"));
  }
  return AddOutput(tensor_or_operation, 0);
}

absl::StatusOr<Port> Model::AddOutput(const std::string& operation, size_t output_index) {
  BURIN_ASSIGN_OR_RETURN(const ir::NodeId id, FindOperation(*graph_, operation));
  const ir::Node& node = graph_->node(id);
  if (output_index >= static_cast<size_t>(node.output_count())) {
    return absl::InvalidArgumentError(
        absl::StrCat("The operation '", operation, "' has no output ", output_index, "; it has ", node.output_count()));
  }
  const ir::Value value =
      node.code() == ir::OpCode::kResult ? node.input(0) : ir::Value{id, static_cast<int32_t>(output_index)};
  const std::vector<ir::NodeId>& results = graph_->results();
  const auto known = std::find_if(results.begin(), results.end(),
                                  [&](ir::NodeId result) { return graph_->node(result).input(0) == value; });
  if (known != results.end()) return output(static_cast<size_t>(known - results.begin()));
  std::string name = output_index == 0 ? operation : absl::StrCat(operation, ":", output_index);
  const std::vector<std::string>& names = graph_->node(value.node).output_names(value.output);
  if (!names.empty()) {
    name = names.front();
  } else if (!FindTensor(*graph_, name).has_value()) {
    graph_->SetOutputNames(value, {name});
  }
  BURIN_RETURN_IF_ERROR(graph_->AddResult(value, std::move(name)).status());
  return outputs().back();
}

absl::Status Model::SetPortNames(const Port& port, const std::vector<std::string>& names) {
  BURIN_ASSIGN_OR_RETURN(const ir::NodeId node, NodeOf(*graph_, port));
  if (names.empty()) return absl::InvalidArgumentError(absl::StrCat("No name is given for port ", ToString(port)));
  absl::flat_hash_set<std::string> seen;
  for (const std::string& name : names) {
    if (name.empty()) return absl::InvalidArgumentError(absl::StrCat("An empty name for port ", ToString(port)));
    if (!seen.insert(name).second) {
      return absl::InvalidArgumentError(absl::StrCat("A name is given twice for port ", ToString(port), ": ", name));
    }
    for (const Port& other : IsInput(port) ? inputs() : outputs()) {
      if (other.index == port.index || !other.HasName(name)) continue;
      return absl::InvalidArgumentError(
          absl::StrCat("A name for port ", ToString(port), " is that of another: ", ToString(other)));
    }
  }
  graph_->SetOutputNames(ir::Value{node, 0}, names);
  return absl::OkStatus();
}

// ---- Shapes ----

absl::Status Model::Reshape(const std::map<std::string, PartialShape>& shapes_by_name) {
  std::vector<std::pair<Port, PartialShape>> shapes;
  for (const auto& [name, shape] : shapes_by_name) {
    BURIN_ASSIGN_OR_RETURN(Port port, input(name));
    shapes.emplace_back(std::move(port), shape);
  }
  return Reshape(shapes);
}

absl::Status Model::Reshape(const std::vector<std::pair<Port, PartialShape>>& shapes_by_port) {
  std::map<size_t, PartialShape> shapes;
  for (const auto& [port, shape] : shapes_by_port) {
    BURIN_RETURN_IF_ERROR(NodeOf(*graph_, port).status());
    if (!IsInput(port)) {
      return absl::InvalidArgumentError(absl::StrCat("Reshape takes shapes of inputs; given: ", ToString(port)));
    }
    if (!shapes.emplace(port.index, shape).second) {
      return absl::InvalidArgumentError(absl::StrCat("Reshape names one input twice: ", ToString(port)));
    }
  }
  return Reshape(shapes);
}

absl::Status Model::Reshape(const std::map<size_t, PartialShape>& shapes_by_index) {
  absl::flat_hash_map<int64_t, PartialShape> shapes;
  for (const auto& [index, shape] : shapes_by_index) {
    BURIN_RETURN_IF_ERROR(input(index).status());
    shapes.emplace(static_cast<int64_t>(index), shape);
  }
  return graph_->Reshape(shapes);
}

absl::Status Model::Reshape(const PartialShape& shape) {
  if (graph_->parameters().size() != 1) {
    return absl::InvalidArgumentError(
        absl::StrCat("Reshape to one shape needs a model with one input; this one has: ", NamesOf(inputs())));
  }
  return Reshape(std::map<size_t, PartialShape>{{0, shape}});
}

absl::Status Model::SetLayout(const std::string& port_name, const std::string& layout) {
  const absl::StatusOr<Port> as_input = input(port_name);
  const absl::StatusOr<Port> as_output = output(port_name);
  if (as_input.ok() && as_output.ok()) {
    return absl::InvalidArgumentError(
        absl::StrCat("Both an input and an output have the name: \"", port_name, "\"; give the port"));
  }
  if (as_input.ok()) return SetLayout(*as_input, layout);
  if (as_output.ok()) return SetLayout(*as_output, layout);
  return absl::NotFoundError(absl::StrCat("There is no input and no output \"", port_name, "\"; there are inputs: ",
                                          NamesOf(inputs()), "; outputs: ", NamesOf(outputs())));
}

absl::Status Model::SetLayout(const Port& port, const std::string& layout) {
  BURIN_ASSIGN_OR_RETURN(const ir::NodeId node, NodeOf(*graph_, port));
  const PartialShape& shape = graph_->info(ValueOf(*graph_, port, node)).shape;
  absl::StatusOr<ir::Layout> parsed = ParseLayout(layout, shape);
  if (!parsed.ok()) return WithContext(parsed.status(), absl::StrCat("Port ", ToString(port)));
  ir::RuntimeInfo info = graph_->node(node).runtime_info();
  if (*parsed == ir::Layout()) {
    info.erase(ir::kLayoutKey);
  } else {
    info[ir::kLayoutKey] = parsed->ToString();
  }
  graph_->SetRuntimeInfo(node, std::move(info));
  return absl::OkStatus();
}

absl::StatusOr<Dimension> Model::GetBatch() const {
  const std::vector<Port> ports = inputs();
  BURIN_ASSIGN_OR_RETURN(const AxisByIndex axes, BatchAxes(ports));
  const Port* first = nullptr;
  Dimension batch;
  for (const auto& [index, axis] : axes) {
    const Dimension& dimension = ports[index].shape[axis];
    if (first == nullptr) {
      first = &ports[index];
      batch = dimension;
      continue;
    }
    if (!ir::Intersect(dimension, &batch)) {
      return absl::InvalidArgumentError(
          absl::StrCat("The inputs' batches contradict each other: ", ToString(*first), ", ", ToString(ports[index])));
    }
  }
  return batch;
}

absl::Status Model::SetBatch(const Dimension& batch) {
  const std::vector<Port> ports = inputs();
  BURIN_RETURN_IF_ERROR(GetBatch().status());
  BURIN_ASSIGN_OR_RETURN(const AxisByIndex axes, BatchAxes(ports));
  std::map<size_t, PartialShape> shapes;
  for (const auto& [index, axis] : axes) {
    PartialShape shape = ports[index].shape;
    shape[axis] = batch;
    shapes.emplace(index, std::move(shape));
  }
  return Reshape(shapes);
}

// ---- Operations ----

int64_t Model::operation_count() const { return graph_->node_count(); }

absl::StatusOr<std::vector<Operation>> Model::GetOperations() const {
  BURIN_ASSIGN_OR_RETURN(const std::vector<ir::NodeId> order, graph_->TopologicalOrder());
  std::vector<Operation> operations;
  operations.reserve(order.size());
  for (const ir::NodeId id : order) operations.push_back(DescribeOperation(*graph_, id));
  return operations;
}

absl::StatusOr<Operation> Model::GetOperation(const std::string& name) const {
  BURIN_ASSIGN_OR_RETURN(const ir::NodeId id, FindOperation(*graph_, name));
  return DescribeOperation(*graph_, id);
}

absl::Status Model::RenameOperation(const std::string& name, const std::string& new_name) {
  BURIN_ASSIGN_OR_RETURN(const ir::NodeId id, FindOperation(*graph_, name));
  if (new_name == name) return absl::OkStatus();
  if (new_name.empty()) return absl::InvalidArgumentError(absl::StrCat("An empty name for operation '", name, "'"));
  if (graph_->FindNode(new_name) != ir::NodeId::kNone) {
    return absl::InvalidArgumentError(
        absl::StrCat("The new name for operation '", name, "' is that of another: '", new_name, "'"));
  }
  graph_->SetName(id, new_name);
  return absl::OkStatus();
}

// ---- Runtime info ----

absl::StatusOr<std::string> Model::GetRuntimeInfo(const std::string& path) const {
  const ir::RuntimeInfo& info = graph_->runtime_info();
  const auto it = info.find(path);
  if (it != info.end()) return it->second;
  return absl::NotFoundError(absl::StrCat(
      "The model has no runtime info at '", path,
      "'; it has: ", absl::StrJoin(info, ", ", [](std::string* out, const ir::RuntimeInfo::value_type& entry) {
        absl::StrAppend(out, "'", entry.first, "'");
      })));
}

std::map<std::string, std::string> Model::GetRuntimeInfoBelow(const std::string& path) const {
  std::map<std::string, std::string> entries;
  for (const auto& [key, text] : graph_->runtime_info()) {
    if (IsAtOrBelow(key, path)) entries.emplace(key, text);
  }
  return entries;
}

absl::Status Model::SetRuntimeInfo(const std::string& path, const std::string& text) {
  BURIN_RETURN_IF_ERROR(CheckPath(path));
  ir::RuntimeInfo info = graph_->runtime_info();
  info[path] = text;
  graph_->set_runtime_info(std::move(info));
  return absl::OkStatus();
}

size_t Model::RemoveRuntimeInfo(const std::string& path) {
  ir::RuntimeInfo kept;
  for (const auto& [key, text] : graph_->runtime_info()) {
    if (!IsAtOrBelow(key, path)) kept.emplace(key, text);
  }
  const size_t removed = graph_->runtime_info().size() - kept.size();
  graph_->set_runtime_info(std::move(kept));
  return removed;
}

absl::Status Model::SetOperationRuntimeInfo(const std::string& operation, const std::string& path,
                                            const std::string& text) {
  BURIN_ASSIGN_OR_RETURN(const ir::NodeId id, FindOperation(*graph_, operation));
  BURIN_RETURN_IF_ERROR(CheckPath(path));
  if (path == ir::kLayoutKey) {
    const absl::Status layout = ir::Layout::Parse(text).status();
    if (!layout.ok()) return WithContext(layout, absl::StrCat("Operation '", operation, "'"));
  }
  ir::RuntimeInfo info = graph_->node(id).runtime_info();
  info[path] = text;
  graph_->SetRuntimeInfo(id, std::move(info));
  return absl::OkStatus();
}

// ---- As a whole ----

Model Model::Clone() const { return Model(std::shared_ptr<ir::Model>(graph_->Clone())); }

absl::StatusOr<std::string> Model::ToText(int64_t max_constant_elements) const {
  return ir::PrintModel(*graph_, ir::PrintOptions{max_constant_elements});
}

absl::StatusOr<Model> Model::FromText(const std::string& text) {
  BURIN_ASSIGN_OR_RETURN(std::unique_ptr<ir::Model> graph, ir::ParseModel(text));
  return Model(std::shared_ptr<ir::Model>(std::move(graph)));
}

absl::Status Model::Validate() const { return ir::Verify(*graph_); }

absl::StatusOr<std::vector<Tensor>> Model::Evaluate(const std::vector<Tensor>& inputs) const {
  BURIN_ASSIGN_OR_RETURN(const ir::Evaluator evaluator, ir::Evaluator::Create(*graph_));
  return evaluator.Run(inputs);
}

}  // namespace burin
