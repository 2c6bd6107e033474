#include "tools/bisect/cut.h"

#include <cstdint>
#include <string>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "ir/ops/op_code.h"

namespace burin::bisect {
namespace {

bool IsPort(const ir::Node& node) {
  return node.code() == ir::OpCode::kParameter || node.code() == ir::OpCode::kResult;
}

// Copies nodes one after the other.
class Cutter {
 public:
  Cutter(const ir::Model& whole, const NodeSet& nodes) : whole_(whole) {
    for (const ir::NodeId id : nodes) {
      if (IsPort(whole.node(id))) continue;
      members_.insert(id);
      for (const ir::Value& input : whole.node(id).inputs()) {
        if (input.exists() && whole.node(input.node).code() == ir::OpCode::kConstant) members_.insert(input.node);
      }
    }
    cut_.model = std::make_unique<ir::Model>(absl::StrCat("part of ", whole.name()));
  }

  absl::StatusOr<Cut> Finish() && {
    BURIN_RETURN_IF_ERROR(CopyVariables());
    BURIN_ASSIGN_OR_RETURN(const std::vector<ir::NodeId> order, whole_.TopologicalOrder());
    for (const ir::NodeId id : order) {
      if (members_.count(id) > 0) BURIN_RETURN_IF_ERROR(CopyNode(whole_.node(id)));
    }
    for (const ir::NodeId id : order) {
      if (members_.count(id) > 0) BURIN_RETURN_IF_ERROR(AddResults(whole_.node(id)));
    }
    if (cut_.model->results().empty()) return absl::InvalidArgumentError("No value of the part is read elsewhere");
    return std::move(cut_);
  }

 private:
  absl::Status CopyVariables() {
    bool used = false;
    for (const ir::NodeId id : members_) {
      const ir::OpCode code = whole_.node(id).code();
      used = used || code == ir::OpCode::kReadValue || code == ir::OpCode::kAssign;
    }
    if (!used) return absl::OkStatus();
    for (const ir::Variable& variable : whole_.variables()) BURIN_RETURN_IF_ERROR(cut_.model->AddVariable(variable));
    return absl::OkStatus();
  }

  absl::StatusOr<ir::Value> Copied(ir::Value value) {
    if (!value.exists()) return value;
    const auto found = values_.find(value);
    if (found != values_.end()) return found->second;
    const ir::ValueInfo& info = whole_.info(value);
    std::string name = whole_.node(value.node).name();
    if (value.output != 0) absl::StrAppend(&name, ".", value.output);
    BURIN_ASSIGN_OR_RETURN(const ir::Value parameter, cut_.model->AddParameter(name, info.type, info.shape));
    cut_.inputs.push_back(value);
    values_[value] = parameter;
    return parameter;
  }

  absl::Status CopyNode(const ir::Node& node) {
    ir::NodeSpec spec;
    spec.op = &node.op();
    spec.attributes = node.attributes().Clone();
    for (const ir::Value& input : node.inputs()) {
      BURIN_ASSIGN_OR_RETURN(const ir::Value copied, Copied(input));
      spec.inputs.push_back(copied);
    }
    spec.name = node.name();
    spec.original_names = node.original_names();
    spec.runtime_info = node.runtime_info();
    for (int64_t i = 0; i < node.output_count(); ++i) spec.output_names.push_back(node.output_names(i));
    for (const std::unique_ptr<ir::Model>& body : node.bodies()) spec.bodies.push_back(body->Clone());
    BURIN_ASSIGN_OR_RETURN(const ir::NodeId id, cut_.model->AddNode(std::move(spec)));
    for (int32_t i = 0; i < node.output_count(); ++i) values_[ir::Value{node.id(), i}] = ir::Value{id, i};
    return absl::OkStatus();
  }

  absl::Status AddResults(const ir::Node& node) {
    if (node.code() == ir::OpCode::kConstant) return absl::OkStatus();
    for (int32_t i = 0; i < node.output_count(); ++i) {
      const ir::Value value{node.id(), i};
      bool leaves = false;
      for (const ir::Use& use : whole_.UsesOf(value)) leaves = leaves || members_.count(use.node) == 0;
      if (!leaves) continue;
      BURIN_RETURN_IF_ERROR(
          cut_.model->AddResult(values_.at(value), absl::StrCat("result of ", node.name(), ".", i)).status());
    }
    return absl::OkStatus();
  }

  const ir::Model& whole_;
  NodeSet members_;
  absl::flat_hash_map<ir::Value, ir::Value> values_;  // From the whole model to the cut.
  Cut cut_;
};

}  // namespace

absl::StatusOr<Cut> CutOut(const ir::Model& whole, const NodeSet& nodes) { return Cutter(whole, nodes).Finish(); }

}  // namespace burin::bisect
