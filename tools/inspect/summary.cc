#include "tools/inspect/summary.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/element_type.h"
#include "ir/ops/constant.h"
#include "ir/ops/op_code.h"
#include "runtime/dev/compiled_model.h"
#include "runtime/dev/port.h"

namespace burin::inspect {

namespace {

struct Counts {
  std::map<std::string, int64_t> ops;
  int64_t constants = 0;
  uint64_t constant_bytes = 0;
};

void Count(const ir::Model& model, Counts* counts) {
  for (ir::NodeId id : model.NodeIds()) {
    const ir::Node& node = model.node(id);
    if (node.code() == ir::OpCode::kConstant) {
      ++counts->constants;
      counts->constant_bytes += node.attributes_as<ir::ConstantAttributes>().value.byte_size();
    } else if (node.code() != ir::OpCode::kParameter && node.code() != ir::OpCode::kResult) {
      ++counts->ops[node.op().name];
    }
    for (const auto& body : node.bodies()) Count(*body, counts);
  }
}

void AppendPorts(const char* title, const std::vector<Port>& ports, std::string* text) {
  absl::StrAppend(text, title, "\n");
  for (const Port& port : ports) absl::StrAppend(text, "  ", ToString(port), "\n");
}

}  // namespace

std::string Summarize(const ir::Model& model) {
  Counts counts;
  Count(model, &counts);
  std::string text = absl::StrCat("model \"", model.name(), "\"\n");
  AppendPorts("inputs", InputPorts(model), &text);
  AppendPorts("outputs", OutputPorts(model), &text);
  if (!model.variables().empty()) absl::StrAppend(&text, "variables\n");
  for (const ir::Variable& variable : model.variables()) {
    absl::StrAppend(&text, "  \"", variable.id, "\" ", Name(variable.type), variable.shape.ToString(), "\n");
  }
  absl::StrAppendFormat(&text, "constants\n  %d with %d bytes\n", counts.constants, counts.constant_bytes);
  std::vector<std::pair<int64_t, std::string>> ops;
  int64_t total = 0;
  for (const auto& [name, count] : counts.ops) {
    ops.emplace_back(-count, name);
    total += count;
  }
  std::sort(ops.begin(), ops.end());
  absl::StrAppendFormat(&text, "operations\n  %d of %d kinds\n", total, ops.size());
  for (const auto& [negated, name] : ops) absl::StrAppendFormat(&text, "  %6d  %s\n", -negated, name);
  return text;
}

}  // namespace burin::inspect
