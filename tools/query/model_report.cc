#include "tools/query/model_report.h"

#include <algorithm>
#include <cstddef>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"

namespace burin::query {
namespace {

using Json = nlohmann::ordered_json;

// What a device thinks of one operation: nothing is wrong where `reason` is empty.
struct Verdict {
  std::string reason;
};

Verdict VerdictOn(const ir::Node& node, const ModelSupport& support, const Verdict& otherwise) {
  bool named = false;
  for (const std::string& name : OriginalNames(node)) {
    const auto refused = support.refused.find(name);
    if (refused != support.refused.end()) return {refused->second};
    named = named || support.supported.count(name) != 0;
  }
  return named ? Verdict{} : otherwise;
}

void Judge(const ir::Model& model, const ModelSupport& support, const Verdict& otherwise, ModelReport* report) {
  for (ir::NodeId id : model.NodeIds()) {
    const ir::Node& node = model.node(id);
    const Verdict verdict = VerdictOn(node, support, otherwise);
    OpTypeReport& type = report->types[node.op().name];
    if (verdict.reason.empty()) {
      ++type.supported;
    } else {
      type.refused[verdict.reason].push_back(node.name());
    }
    for (const auto& body : node.bodies()) Judge(*body, support, verdict, report);
  }
}

}  // namespace

int64_t OpTypeReport::refused_count() const {
  int64_t count = 0;
  for (const auto& [reason, names] : refused) count += static_cast<int64_t>(names.size());
  return count;
}

int64_t ModelReport::supported_count() const {
  int64_t count = 0;
  for (const auto& [name, type] : types) count += type.supported;
  return count;
}

int64_t ModelReport::refused_count() const {
  int64_t count = 0;
  for (const auto& [name, type] : types) count += type.refused_count();
  return count;
}

ModelReport JudgeModel(const ir::Model& model, const ModelSupport& support) {
  ModelReport report;
  report.name = model.name();
  Judge(model, support, {"the device does not say that it supports it"}, &report);
  return report;
}

std::string ToText(const ModelReport& report) {
  std::string text = absl::StrFormat("model \"%s\"\n  supported %d, refused %d\n", report.name,
                                     report.supported_count(), report.refused_count());
  size_t width = 9;  // Of the title "operation".
  for (const auto& [name, type] : report.types) width = std::max(width, name.size());
  absl::StrAppendFormat(&text, "  %-*s  supported  refused\n", static_cast<int>(width), "operation");
  for (const auto& [name, type] : report.types) {
    absl::StrAppendFormat(&text, "  %-*s  %9d  %7d\n", static_cast<int>(width), name, type.supported,
                          type.refused_count());
  }
  if (report.refused_count() == 0) return text;
  absl::StrAppend(&text, "refused\n");
  for (const auto& [name, type] : report.types) {
    for (const auto& [reason, names] : type.refused) {
      absl::StrAppendFormat(&text, "  %d %s: %s\n    %s\n", names.size(), name, reason, absl::StrJoin(names, ", "));
    }
  }
  return text;
}

Json ToJson(const ModelReport& report) {
  Json json = Json::object();
  json["name"] = report.name;
  json["supported"] = report.supported_count();
  json["refused"] = report.refused_count();
  json["operations"] = Json::array();
  for (const auto& [name, type] : report.types) {
    Json operation = {{"type", name}, {"supported", type.supported}, {"refused", type.refused_count()}};
    operation["reasons"] = Json::array();
    for (const auto& [reason, names] : type.refused) {
      operation["reasons"].push_back({{"reason", reason}, {"names", names}});
    }
    json["operations"].push_back(std::move(operation));
  }
  return json;
}

}  // namespace burin::query
