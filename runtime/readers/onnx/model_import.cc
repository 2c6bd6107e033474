#include "runtime/readers/onnx/model_import.h"

#include <cstdint>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "base/status_context.h"
#include "base/status_macros.h"
#include "runtime/readers/onnx/binding.h"
#include "runtime/readers/onnx/data_type.h"
#include "runtime/readers/onnx/message/tensor_message.h"
#include "runtime/readers/onnx/message/value_message.h"
#include "runtime/readers/onnx/node_context.h"
#include "runtime/readers/onnx/node_order.h"
#include "runtime/readers/onnx/opset_imports.h"
#include "runtime/readers/onnx/opset_table.h"
#include "runtime/readers/onnx/scope.h"
#include "runtime/readers/onnx/tensor_import.h"
#include "runtime/readers/onnx/translators.h"
#include "runtime/readers/onnx/unsupported.h"

namespace burin::onnx {
namespace {

constexpr int kMaxCallDepth = 32;
// What looking at a node costs even if it adds nothing: bounds functions that call functions that call functions.
constexpr uint64_t kVisitBytes = 128;

// Where in the file the importer is: what is in force for all nodes of a graph.
struct Place {
  Scope* scope = nullptr;
  const OpsetImports* opsets = nullptr;
  const AttributeFrame* frame = nullptr;  // Null outside functions.
  std::string prefix;                     // Of node names: the calls around.
  int call_depth = 0;
};

// Which operator a node names, and in which schema.
struct Operator {
  absl::string_view domain;
  int64_t opset = 0;
  int64_t since = 0;
};

absl::StatusOr<ir::PartialShape> ImportShape(const TypeMessage& type) {
  if (!type.has_shape) return ir::PartialShape::DynamicRank();
  if (type.dims.size() > static_cast<size_t>(ir::kMaxRank)) {
    return absl::InvalidArgumentError(absl::StrCat("A shape has too many dimensions: ", type.dims.size()));
  }
  ir::PartialShape shape;
  for (const DimensionMessage& dim : type.dims) {
    switch (dim.kind) {
      case DimensionMessage::Kind::kUnknown:
        shape.Append(ir::Dimension());
        break;
      case DimensionMessage::Kind::kSymbol:
        shape.Append(dim.symbol.empty() ? ir::Dimension() : ir::Dimension::Symbol(std::string(dim.symbol)));
        break;
      case DimensionMessage::Kind::kValue:
        if (dim.value < 0) {
          return absl::InvalidArgumentError(absl::StrCat("A shape has a negative dimension: ", dim.value));
        }
        shape.Append(ir::Dimension(dim.value));
        break;
    }
  }
  return shape;
}

class ModelImporter {
 public:
  ModelImporter(const ModelMessage& message, std::shared_ptr<const void> owner, ExternalSource external,
                ReadBudget* budget)
      : message_(message),
        budget_(budget),
        tensors_(std::move(owner), std::move(external), budget),
        free_names_(budget) {}

  absl::StatusOr<std::unique_ptr<ir::Model>> Run();

  // Imports a sub-graph of a node at `place`.
  absl::StatusOr<ImportedBody> ImportBody(const GraphMessage& graph, absl::Span<const ir::ValueInfo> inputs,
                                          const Place& place);
  // Makes a sub-graph part of the model at `place`.
  absl::StatusOr<std::vector<Binding>> InlineBody(const GraphMessage& graph, std::vector<Binding> inputs,
                                                  absl::string_view name, const Place& place);

 private:
  using FunctionKey = std::tuple<absl::string_view, absl::string_view, absl::string_view>;  // Domain, name, overload.

  absl::Status CollectFunctions();
  absl::Status DefineInitializers(const GraphMessage& graph, Scope* scope);
  absl::Status DefineInputs(const GraphMessage& graph, Scope* scope);
  absl::Status ImportNodes(const std::vector<NodeMessage>& nodes, const Place& place);
  absl::Status ImportNode(const NodeMessage& node, size_t index, const Place& place);
  // Translates the node whose inputs are all usable.
  absl::Status Translate(const NodeMessage& node, const std::string& name, const std::vector<Binding>& inputs,
                         const Place& place);
  absl::Status Inline(const FunctionMessage& function, const NodeMessage& call, const std::string& name,
                      const std::vector<Scope::Binding>& inputs, const Place& place);
  absl::StatusOr<AttributeFrame> BindAttributes(const FunctionMessage& function, const NodeMessage& call,
                                                const Place& place);
  // Returns nullopt (and notes it) where no translation exists.
  absl::StatusOr<std::optional<Operator>> Identify(const NodeMessage& node, const std::string& name,
                                                   const Place& place);
  absl::Status DefineOutputs(const NodeMessage& node, const NodeContext& context, Scope* scope);
  absl::Status DefineUnusable(const NodeMessage& node, Scope* scope);
  // Adds the graph's results; returns false where one of them is not usable.
  absl::StatusOr<bool> AddResults(const GraphMessage& graph, Scope* scope);

  const ModelMessage& message_;
  ReadBudget* const budget_;
  TensorImporter tensors_;
  FreeNames free_names_;
  UnsupportedList unsupported_;
  OpsetImports opsets_;
  absl::flat_hash_map<FunctionKey, const FunctionMessage*> functions_;
};

// Imports the sub-graphs of one node.
class BodyImporterAt final : public BodyImporter {
 public:
  BodyImporterAt(ModelImporter* importer, const Place* place) : importer_(importer), place_(place) {}
  absl::StatusOr<ImportedBody> ImportBody(const GraphMessage& graph, absl::Span<const ir::ValueInfo> inputs) override {
    return importer_->ImportBody(graph, inputs, *place_);
  }
  absl::StatusOr<std::vector<Binding>> InlineBody(const GraphMessage& graph, std::vector<Binding> inputs,
                                                  absl::string_view name) override {
    return importer_->InlineBody(graph, std::move(inputs), name, *place_);
  }

 private:
  ModelImporter* const importer_;
  const Place* const place_;
};

absl::Status ModelImporter::CollectFunctions() {
  for (const FunctionMessage& function : message_.functions) {
    const FunctionKey key(NormalizeDomain(function.domain), function.name, function.overload);
    if (!functions_.emplace(key, &function).second) {
      return absl::InvalidArgumentError(absl::StrCat("Two functions have the same name: \"", function.name, "\""));
    }
  }
  return absl::OkStatus();
}

absl::Status ModelImporter::DefineInitializers(const GraphMessage& graph, Scope* scope) {
  for (const TensorMessage& tensor : graph.initializers) {
    BURIN_RETURN_IF_ERROR(scope->DefineInitializer(tensor.name, &tensor));
  }
  for (const SparseTensorMessage& sparse : graph.sparse_initializers) {
    const absl::string_view name = sparse.values == nullptr ? absl::string_view() : sparse.values->name;
    BURIN_RETURN_IF_ERROR(scope->DefineInitializer(name, &sparse));
  }
  return absl::OkStatus();
}

absl::Status ModelImporter::DefineInputs(const GraphMessage& graph, Scope* scope) {
  for (const ValueMessage& input : graph.inputs) {
    if (scope->HasInitializer(input.name)) continue;
    const std::string label = absl::StrCat("Input \"", input.name, "\"");
    if (input.type.kind == TypeMessage::Kind::kNone) {
      return absl::InvalidArgumentError(absl::StrCat(label, " has no type"));
    }
    if (input.type.kind != TypeMessage::Kind::kTensor) {
      unsupported_.Add("input", "", 0, "an input that is no tensor", input.name);
      BURIN_RETURN_IF_ERROR(scope->Define(input.name, Scope::Binding{ir::Value::None(), false}));
      continue;
    }
    const absl::StatusOr<ElementType> type = ElementTypeFromOnnx(input.type.element_type);
    if (absl::IsUnimplemented(type.status()) || (type.ok() && *type == ElementType::kString)) {
      unsupported_.Add("input", "", 0, type.ok() ? "an input of strings" : type.status().message(), input.name);
      BURIN_RETURN_IF_ERROR(scope->Define(input.name, Scope::Binding{ir::Value::None(), false}));
      continue;
    }
    if (!type.ok()) return WithContext(type.status(), label);
    const absl::StatusOr<ir::PartialShape> shape = ImportShape(input.type);
    if (!shape.ok()) return WithContext(shape.status(), label);
    const absl::StatusOr<ir::Value> value = scope->model().AddParameter(std::string(input.name), *type, *shape);
    if (!value.ok()) return WithContext(value.status(), label);
    BURIN_RETURN_IF_ERROR(scope->Define(input.name, Scope::Binding{*value}));
  }
  return absl::OkStatus();
}

absl::StatusOr<bool> ModelImporter::AddResults(const GraphMessage& graph, Scope* scope) {
  bool usable = true;
  for (const ValueMessage& output : graph.outputs) {
    BURIN_ASSIGN_OR_RETURN(const std::optional<Scope::Binding> found, scope->Find(output.name));
    if (!found.has_value() || (found->usable && !found->exists())) {
      return absl::InvalidArgumentError(absl::StrCat("Nothing produces the graph's output \"", output.name, "\""));
    }
    if (found->container != nullptr) unsupported_.Add("output", "", 0, "an output that is no tensor", output.name);
    if (!found->usable || found->container != nullptr) {
      usable = false;
      continue;
    }
    const ElementType type = scope->model().info(found->value).type;
    if (output.type.kind == TypeMessage::Kind::kTensor && output.type.element_type != 0) {
      const absl::StatusOr<ElementType> declared = ElementTypeFromOnnx(output.type.element_type);
      if (!declared.ok() || *declared != type) {
        return absl::InvalidArgumentError(absl::StrCat("The graph's output has another type than declared: \"",
                                                       output.name, "\", declared ", output.type.element_type, ", got ",
                                                       Name(type)));
      }
    }
    const absl::StatusOr<ir::NodeId> result = scope->model().AddResult(found->value, std::string(output.name));
    if (!result.ok()) return result.status();
    scope->model().SetOutputNames(ir::Value{*result, 0}, {std::string(output.name)});
  }
  return usable;
}

absl::StatusOr<std::unique_ptr<ir::Model>> ModelImporter::Run() {
  if (message_.ir_version < 1 || message_.ir_version > kNewestIrVersion) {
    return absl::InvalidArgumentError(absl::StrCat("The file has an IR version that the reader does not know: ",
                                                   message_.ir_version, "; known: 1 to ", kNewestIrVersion));
  }
  if (!message_.has_graph) return absl::InvalidArgumentError("The file holds no graph");
  BURIN_ASSIGN_OR_RETURN(opsets_, OpsetImports::Create(message_.operator_sets, message_.ir_version));
  BURIN_RETURN_IF_ERROR(CollectFunctions());

  const GraphMessage& graph = message_.graph;
  auto model = std::make_unique<ir::Model>(std::string(graph.name));
  Scope scope(model.get(), nullptr, &tensors_, budget_, /*names_outputs=*/true);
  BURIN_RETURN_IF_ERROR(DefineInitializers(graph, &scope));
  BURIN_RETURN_IF_ERROR(DefineInputs(graph, &scope));
  Place place;
  place.scope = &scope;
  place.opsets = &opsets_;
  BURIN_RETURN_IF_ERROR(ImportNodes(graph.nodes, place));
  BURIN_RETURN_IF_ERROR(AddResults(graph, &scope).status());
  BURIN_RETURN_IF_ERROR(unsupported_.ToStatus());
  model->RemoveDeadNodes();
  return model;
}

absl::StatusOr<ImportedBody> ModelImporter::ImportBody(const GraphMessage& graph,
                                                       absl::Span<const ir::ValueInfo> inputs, const Place& place) {
  if (inputs.size() != graph.inputs.size()) {
    return absl::InvalidArgumentError(absl::StrCat("A sub-graph has another number of inputs than its node gives: \"",
                                                   graph.name, "\", ", graph.inputs.size(), " and ", inputs.size()));
  }
  ImportedBody body;
  body.model = std::make_unique<ir::Model>(std::string(graph.name));
  Scope scope(body.model.get(), place.scope, &tensors_, budget_, place.scope->names_outputs());
  for (size_t i = 0; i < inputs.size(); ++i) {
    BURIN_ASSIGN_OR_RETURN(const ir::Value value, body.model->AddParameter(std::string(graph.inputs[i].name),
                                                                           inputs[i].type, inputs[i].shape));
    BURIN_RETURN_IF_ERROR(scope.Define(graph.inputs[i].name, Scope::Binding{value}));
  }
  BURIN_RETURN_IF_ERROR(DefineInitializers(graph, &scope));
  Place inner = place;
  inner.scope = &scope;
  BURIN_RETURN_IF_ERROR(ImportNodes(graph.nodes, inner));
  BURIN_ASSIGN_OR_RETURN(const bool usable, AddResults(graph, &scope));
  // What is missing is in the list already.
  if (!usable) return absl::UnimplementedError("A sub-graph uses what is not supported");
  body.model->RemoveDeadNodes();
  body.captures = scope.captures();
  return body;
}

absl::StatusOr<std::vector<Binding>> ModelImporter::InlineBody(const GraphMessage& graph, std::vector<Binding> inputs,
                                                               absl::string_view name, const Place& place) {
  if (inputs.size() != graph.inputs.size()) {
    return absl::InvalidArgumentError(absl::StrCat("A sub-graph has another number of inputs than its node gives: \"",
                                                   graph.name, "\", ", graph.inputs.size(), " and ", inputs.size()));
  }
  Scope scope(&place.scope->model(), place.scope, &tensors_, budget_, /*names_outputs=*/false);
  for (size_t i = 0; i < inputs.size(); ++i) {
    BURIN_RETURN_IF_ERROR(scope.Define(graph.inputs[i].name, std::move(inputs[i])));
  }
  BURIN_RETURN_IF_ERROR(DefineInitializers(graph, &scope));
  Place inner = place;
  inner.scope = &scope;
  inner.prefix = absl::StrCat(name, "/");
  BURIN_RETURN_IF_ERROR(ImportNodes(graph.nodes, inner));
  std::vector<Binding> outputs;
  for (const ValueMessage& output : graph.outputs) {
    BURIN_ASSIGN_OR_RETURN(const std::optional<Binding> found, scope.Find(output.name));
    if (!found.has_value() || (found->usable && !found->exists())) {
      return absl::InvalidArgumentError(absl::StrCat("Nothing produces the graph's output \"", output.name, "\""));
    }
    // What is missing is in the list already.
    if (!found->usable) return absl::UnimplementedError("A sub-graph uses what is not supported");
    outputs.push_back(*found);
  }
  return outputs;
}

absl::Status ModelImporter::ImportNodes(const std::vector<NodeMessage>& nodes, const Place& place) {
  BURIN_ASSIGN_OR_RETURN(const std::vector<size_t> order, OrderNodes(nodes, &free_names_));
  for (const size_t index : order) BURIN_RETURN_IF_ERROR(ImportNode(nodes[index], index, place));
  return absl::OkStatus();
}

absl::Status ModelImporter::ImportNode(const NodeMessage& node, size_t index, const Place& place) {
  BURIN_RETURN_IF_ERROR(budget_->Charge(kVisitBytes));
  const std::string name =
      absl::StrCat(place.prefix, node.name.empty() ? absl::StrCat(node.op_type, "_", index) : std::string(node.name));
  const std::string label = absl::StrCat("Node \"", name, "\" (", node.op_type, ")");
  std::vector<Scope::Binding> inputs;
  bool usable = true;
  for (const absl::string_view input : node.inputs) {
    if (input.empty()) {
      inputs.emplace_back();
      continue;
    }
    const absl::StatusOr<std::optional<Scope::Binding>> found = place.scope->Find(input);
    if (!found.ok()) {
      if (!absl::IsUnimplemented(found.status())) return WithContext(found.status(), label);
      unsupported_.Add(node.op_type, node.domain, 0, found.status().message(), name);
      usable = false;
      continue;
    }
    if (!found->has_value()) {
      return absl::InvalidArgumentError(absl::StrCat(label, ": nothing produces its input \"", input, "\""));
    }
    usable = usable && (*found)->usable;
    inputs.push_back(**found);
  }
  // What nodes behind an unsupported one need is still told by their operators.
  const auto function = functions_.find(FunctionKey(NormalizeDomain(node.domain), node.op_type, node.overload));
  if (function != functions_.end()) {
    const absl::Status status = Inline(*function->second, node, name, inputs, place);
    return status.ok() ? status : WithContext(status, label);
  }
  absl::Status status;
  if (!usable) {
    status = Identify(node, name, place).status();
    if (status.ok()) return DefineUnusable(node, place.scope);
  } else {
    status = Translate(node, name, inputs, place);
  }
  return status.ok() ? status : WithContext(status, label);
}

absl::StatusOr<std::optional<Operator>> ModelImporter::Identify(const NodeMessage& node, const std::string& name,
                                                                const Place& place) {
  Operator op;
  op.domain = NormalizeDomain(node.domain);
  BURIN_ASSIGN_OR_RETURN(op.opset, place.opsets->Version(op.domain));
  op.since = op.opset;
  const TranslatorEntry* const entry = FindTranslator(op.domain, node.op_type);
  if (op.domain.empty()) {
    const int64_t since = SchemaVersion(node.op_type, op.opset);
    if (since == 0) {
      unsupported_.Add(node.op_type, op.domain, op.opset,
                       absl::StrCat("the operator exists from opset ", FirstVersion(node.op_type), " on"), name);
      return std::optional<Operator>();
    }
    // Operators that are in the table of translators alone are extensions that other runtimes put into this domain.
    if (since > 0) op.since = since;
  }
  if (entry == nullptr) {
    unsupported_.Add(node.op_type, op.domain, op.opset, "", name);
    return std::optional<Operator>();
  }
  return std::optional<Operator>(op);
}

absl::Status ModelImporter::Translate(const NodeMessage& node, const std::string& name,
                                      const std::vector<Binding>& inputs, const Place& place) {
  BURIN_ASSIGN_OR_RETURN(const std::optional<Operator> op, Identify(node, name, place));
  if (!op.has_value()) return DefineUnusable(node, place.scope);
  const TranslatorEntry* const entry = FindTranslator(op->domain, node.op_type);
  BodyImporterAt bodies(this, &place);
  NodeContext::Environment environment;
  std::vector<ir::Value> values;
  for (const Binding& input : inputs) {
    values.push_back(input.value);
    environment.containers.push_back(input.container);
    if (input.container == nullptr || entry->takes_containers) continue;
    unsupported_.Add(node.op_type, op->domain, op->opset, "an input that is a sequence or an empty optional", name);
    return DefineUnusable(node, place.scope);
  }
  environment.model = &place.scope->model();
  environment.budget = budget_;
  environment.tensors = &tensors_;
  environment.bodies = &bodies;
  environment.frame = place.frame;
  const int32_t first_new = environment.model->id_bound();
  const int64_t unsupported_before = unsupported_.count();
  NodeContext context(environment, node, name, std::move(values), op->opset, op->since,
                      entry->op_def == nullptr ? nullptr : &entry->op_def());
  const absl::Status status = entry->translate(context);
  if (absl::IsUnimplemented(status)) {
    if (unsupported_.count() == unsupported_before) {
      unsupported_.Add(node.op_type, op->domain, op->opset, status.message(), name);
    }
    return DefineUnusable(node, place.scope);
  }
  BURIN_RETURN_IF_ERROR(status);
  // The node that gives the first output bears the name.
  const std::vector<ir::Value>& outputs = context.outputs();
  if (!outputs.empty() && outputs[0].exists() && ir::Index(outputs[0].node) >= first_new &&
      environment.model->FindNode(name) == ir::NodeId::kNone) {
    environment.model->SetName(outputs[0].node, name);
  }
  return DefineOutputs(node, context, place.scope);
}

absl::Status ModelImporter::DefineOutputs(const NodeMessage& node, const NodeContext& context, Scope* scope) {
  for (size_t i = 0; i < node.outputs.size(); ++i) {
    if (node.outputs[i].empty()) continue;
    Binding output = context.OutputBinding(static_cast<int64_t>(i));
    if (!output.exists()) {
      return absl::InvalidArgumentError(
          absl::StrCat("The operator does not have this output: ", i, ", \"", node.outputs[i], "\""));
    }
    BURIN_RETURN_IF_ERROR(scope->Define(node.outputs[i], std::move(output)));
  }
  return absl::OkStatus();
}

absl::Status ModelImporter::DefineUnusable(const NodeMessage& node, Scope* scope) {
  for (const absl::string_view name : node.outputs) {
    if (!name.empty()) BURIN_RETURN_IF_ERROR(scope->Define(name, Scope::Binding{ir::Value::None(), false}));
  }
  return absl::OkStatus();
}

absl::StatusOr<AttributeFrame> ModelImporter::BindAttributes(const FunctionMessage& function, const NodeMessage& call,
                                                             const Place& place) {
  AttributeFrame frame;
  for (const AttributeMessage& attribute : function.default_attributes) frame[attribute.name] = &attribute;
  for (const AttributeMessage& attribute : call.attributes) {
    const AttributeMessage* value = &attribute;
    if (!attribute.reference.empty()) {
      if (place.frame == nullptr) {
        return absl::InvalidArgumentError(
            absl::StrCat("An attribute refers to a function's attribute outside any function: ", attribute.name));
      }
      const auto found = place.frame->find(attribute.reference);
      if (found == place.frame->end()) continue;
      value = found->second;
    }
    frame[attribute.name] = value;
  }
  return frame;
}

absl::Status ModelImporter::Inline(const FunctionMessage& function, const NodeMessage& call, const std::string& name,
                                   const std::vector<Scope::Binding>& inputs, const Place& place) {
  if (place.call_depth >= kMaxCallDepth) {
    return absl::InvalidArgumentError(
        absl::StrCat("Functions call each other too deeply, or endlessly; the limit: ", kMaxCallDepth));
  }
  if (inputs.size() > function.inputs.size() || call.outputs.size() > function.outputs.size()) {
    return absl::InvalidArgumentError("A call gives more inputs or takes more outputs than the function has");
  }
  BURIN_ASSIGN_OR_RETURN(const AttributeFrame frame, BindAttributes(function, call, place));
  OpsetImports opsets;
  if (!function.operator_sets.empty()) {
    BURIN_ASSIGN_OR_RETURN(opsets, OpsetImports::Create(function.operator_sets, message_.ir_version));
  }
  Scope scope(&place.scope->model(), nullptr, &tensors_, budget_, /*names_outputs=*/false);
  for (size_t i = 0; i < function.inputs.size(); ++i) {
    BURIN_RETURN_IF_ERROR(scope.Define(function.inputs[i], i < inputs.size() ? inputs[i] : Scope::Binding()));
  }
  Place inner;
  inner.scope = &scope;
  inner.opsets = function.operator_sets.empty() ? place.opsets : &opsets;
  inner.frame = &frame;
  inner.prefix = absl::StrCat(name, "/");
  inner.call_depth = place.call_depth + 1;
  BURIN_RETURN_IF_ERROR(ImportNodes(function.nodes, inner));
  for (size_t i = 0; i < call.outputs.size(); ++i) {
    if (call.outputs[i].empty()) continue;
    BURIN_ASSIGN_OR_RETURN(const std::optional<Scope::Binding> found, scope.Find(function.outputs[i]));
    if (!found.has_value() || (found->usable && !found->exists())) {
      return absl::InvalidArgumentError(
          absl::StrCat("Nothing produces the function's output \"", function.outputs[i], "\""));
    }
    BURIN_RETURN_IF_ERROR(place.scope->Define(call.outputs[i], *found));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::unique_ptr<ir::Model>> ImportModel(const ModelMessage& message, std::shared_ptr<const void> owner,
                                                       ExternalSource external, ReadBudget* budget) {
  return ModelImporter(message, std::move(owner), std::move(external), budget).Run();
}

}  // namespace burin::onnx
