#include "tools/benchmark/exec_graph.h"

#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/element_type.h"
#include "base/status_macros.h"
#include "nlohmann/json.hpp"
#include "runtime/api/operation.h"
#include "tools/inspect/drawing.h"

namespace burin::benchmark {

namespace {

using Json = nlohmann::ordered_json;

// Larger constants are printed by hash: a graph is looked at, not read back.
constexpr int64_t kMaxConstantElements = 16;

Json ToJson(const Operation& operation) {
  Json json = Json::object();
  json["name"] = operation.name;
  json["type"] = operation.type;
  json["original_names"] = operation.original_names;
  json["runtime_info"] = operation.runtime_info;
  Json& inputs = json["inputs"] = Json::array();
  for (const Operation::Input& input : operation.inputs) {
    inputs.push_back(Json{{"node", input.operation}, {"output", input.output}});
  }
  Json& outputs = json["outputs"] = Json::array();
  for (const Operation::Output& output : operation.outputs) {
    outputs.push_back(Json{{"names", output.names},
                           {"element_type", std::string(Name(output.element_type))},
                           {"shape", output.shape.ToString()}});
  }
  return json;
}

absl::StatusOr<std::string> GraphToJson(const Model& model) {
  BURIN_ASSIGN_OR_RETURN(std::vector<Operation> operations, model.GetOperations());
  Json json = Json::object();
  json["name"] = model.name();
  Json& nodes = json["nodes"] = Json::array();
  for (const Operation& operation : operations) nodes.push_back(ToJson(operation));
  return absl::StrCat(json.dump(2, ' ', false, Json::error_handler_t::replace), "\n");
}

}  // namespace

absl::Status CheckGraphPath(const std::string& path) {
  for (const char* end : {".txt", ".json", ".dot", ".svg"}) {
    if (absl::EndsWith(path, end)) return absl::OkStatus();
  }
  return absl::InvalidArgumentError(
      absl::StrCat("An execution graph is written to .txt, .json, .dot or .svg, found \"", path, "\""));
}

absl::StatusOr<std::string> GraphToText(const Model& runtime_model, const std::string& path) {
  BURIN_RETURN_IF_ERROR(CheckGraphPath(path));
  if (absl::EndsWith(path, ".json")) return GraphToJson(runtime_model);
  if (absl::EndsWith(path, ".dot")) return inspect::DrawDot(runtime_model.graph());
  if (absl::EndsWith(path, ".svg")) return inspect::DrawSvg(runtime_model.graph());
  return runtime_model.ToText(kMaxConstantElements);
}

}  // namespace burin::benchmark
