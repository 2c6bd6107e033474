#include "tools/benchmark/port_types.h"

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "base/element_type.h"
#include "base/status_context.h"
#include "base/status_macros.h"
#include "ir/model.h"
#include "ir/ops/convert.h"
#include "ir/ops/op_code.h"
#include "ir/ops/ops.h"
#include "ir/ops/parameter.h"
#include "runtime/dev/port.h"

namespace burin::benchmark {

namespace {

// By port index; nothing where the type stays.
using Types = std::vector<std::optional<ElementType>>;

absl::StatusOr<ElementType> ParseType(const char* option, absl::string_view text) {
  absl::StatusOr<ElementType> type = ParseElementType(text);
  if (!type.ok()) return WithContext(type.status(), absl::StrCat("Option -", option));
  if (*type == ElementType::kUndefined) {
    return absl::InvalidArgumentError(absl::StrCat("Option -", option, ": expected a type, found \"", text, "\""));
  }
  return type;
}

absl::Status SetAll(const char* option, const std::string& text, Types* types) {
  if (text.empty()) return absl::OkStatus();
  BURIN_ASSIGN_OR_RETURN(ElementType type, ParseType(option, text));
  types->assign(types->size(), type);
  return absl::OkStatus();
}

// Sets the type of the ports of that name; returns whether there is any.
bool SetNamed(const std::string& name, ElementType type, const std::vector<Port>& ports, Types* types) {
  bool known = false;
  for (const Port& port : ports) {
    if (!port.HasName(name)) continue;
    known = true;
    (*types)[port.index] = type;
  }
  return known;
}

absl::Status SetByName(const std::string& text, const std::vector<Port>& inputs, const std::vector<Port>& outputs,
                       Types* input_types, Types* output_types) {
  if (text.empty()) return absl::OkStatus();
  std::vector<std::string> seen;
  for (absl::string_view piece : absl::StrSplit(text, ',')) {
    // Names may hold colons, types do not.
    const size_t colon = piece.rfind(':');
    if (colon == absl::string_view::npos) {
      return absl::InvalidArgumentError(absl::StrCat("Option -iop: expected NAME:TYPE, found \"", piece, "\""));
    }
    const std::string name(piece.substr(0, colon));
    BURIN_ASSIGN_OR_RETURN(ElementType type, ParseType("iop", piece.substr(colon + 1)));
    for (const std::string& other : seen) {
      if (name == other) {
        return absl::InvalidArgumentError(absl::StrCat("Option -iop: port is named twice: \"", name, "\""));
      }
    }
    seen.push_back(name);
    const bool is_input = SetNamed(name, type, inputs, input_types);
    const bool is_output = SetNamed(name, type, outputs, output_types);
    if (!is_input && !is_output) {
      return absl::InvalidArgumentError(absl::StrCat("Option -iop: no input or output \"", name,
                                                     "\"; inputs: ", NamesOf(inputs), "; outputs: ", NamesOf(outputs)));
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<ir::Value> AddConvert(ir::Model* graph, ir::Value value, ElementType type) {
  auto attributes = std::make_unique<ir::ConvertAttributes>();
  attributes->destination_type = type;
  return graph->Add(ir::ConvertOp(), {value}, std::move(attributes));
}

absl::Status ConvertInput(ir::Model* graph, ir::NodeId id, ElementType type) {
  const ir::Value value{id, 0};
  const ElementType computed = graph->info(value).type;
  if (type == computed) return absl::OkStatus();
  const std::vector<std::string> names = graph->node(id).output_names(0);
  BURIN_ASSIGN_OR_RETURN(ir::Value converted, AddConvert(graph, value, computed));
  graph->ReplaceUses(value, converted);
  // The names are the port's.
  graph->SetOutputNames(converted, {});
  graph->SetOutputNames(value, names);
  auto attributes = std::make_unique<ir::ParameterAttributes>(graph->node(id).attributes_as<ir::ParameterAttributes>());
  attributes->element_type = type;
  graph->SetAttributes(id, std::move(attributes));
  return graph->InferFrom({id});
}

// Returns whether another result gives the value as well.
bool IsOtherResult(const ir::Model& graph, ir::Value value, ir::NodeId result) {
  for (const ir::Use& use : graph.UsesOf(value)) {
    if (use.node != result && graph.node(use.node).code() == ir::OpCode::kResult) return true;
  }
  return false;
}

absl::Status ConvertOutput(ir::Model* graph, ir::NodeId id, ElementType type) {
  const ir::Value value = graph->node(id).input(0);
  if (type == graph->info(value).type) return absl::OkStatus();
  BURIN_ASSIGN_OR_RETURN(ir::Value converted, AddConvert(graph, value, type));
  if (!IsOtherResult(*graph, value, id)) {
    // The names are the port's.
    graph->SetOutputNames(converted, graph->node(value.node).output_names(value.output));
    graph->SetOutputNames(value, {});
  }
  graph->SetInput(ir::Use{id, 0}, converted);
  return graph->InferFrom({id});
}

}  // namespace

absl::StatusOr<Model> ConvertPorts(const Model& model, const PortTypes& types) {
  const std::vector<Port> inputs = model.inputs();
  const std::vector<Port> outputs = model.outputs();
  Types input_types(inputs.size());
  Types output_types(outputs.size());
  BURIN_RETURN_IF_ERROR(SetAll("ip", types.inputs, &input_types));
  BURIN_RETURN_IF_ERROR(SetAll("op", types.outputs, &output_types));
  BURIN_RETURN_IF_ERROR(SetByName(types.by_name, inputs, outputs, &input_types, &output_types));

  std::unique_ptr<ir::Model> graph = model.graph().Clone();
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (!input_types[i].has_value()) continue;
    const absl::Status status = ConvertInput(graph.get(), graph->parameters()[i], *input_types[i]);
    if (!status.ok()) return WithContext(status, absl::StrCat("Option -ip or -iop: input ", ToString(inputs[i])));
  }
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (!output_types[i].has_value()) continue;
    const absl::Status status = ConvertOutput(graph.get(), graph->results()[i], *output_types[i]);
    if (!status.ok()) return WithContext(status, absl::StrCat("Option -op or -iop: output ", ToString(outputs[i])));
  }
  return Model(std::shared_ptr<ir::Model>(std::move(graph)));
}

}  // namespace burin::benchmark
