#include "ir/verifier.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "base/element_type.h"
#include "base/status_macros.h"
#include "ir/evaluate_op.h"
#include "ir/infer_context.h"
#include "ir/op_def.h"
#include "ir/ops/assign.h"
#include "ir/ops/op_code.h"
#include "ir/ops/read_value.h"

namespace burin::ir {
namespace {

std::string Label(const Node& node) { return absl::StrCat("node '", node.name(), "' (", node.op().name, ")"); }

template <class... Args>
absl::Status Broken(const Args&... what) {
  return absl::InternalError(absl::StrCat(what...));
}

absl::Status VerifyInputs(const Model& model, const Node& node) {
  for (int64_t i = 0; i < node.input_count(); ++i) {
    const Value input = node.input(i);
    if (!input.exists()) {
      if (i < 64 && ((node.op().absent_inputs >> i) & 1) != 0) continue;
      return Broken("M1: Input ", i, " of ", Label(node), " may not be absent");
    }
    if (!model.Contains(input.node) || input.output < 0 || input.output >= model.node(input.node).output_count()) {
      return Broken("M1: Input ", i, " of ", Label(node), " is no output of a node of the model: ", Index(input.node),
                    ".", input.output);
    }
  }
  return absl::OkStatus();
}

absl::Status VerifyCounts(const Node& node) {
  const OpDef& op = node.op();
  if (node.input_count() < op.min_inputs || (op.max_inputs >= 0 && node.input_count() > op.max_inputs)) {
    return Broken("M3: The number of inputs of ", Label(node), " is wrong: ", node.input_count());
  }
  if (op.outputs >= 0 && node.output_count() != op.outputs) {
    return Broken("M3: The number of outputs of ", Label(node), " is wrong: ", node.output_count());
  }
  const auto bodies = static_cast<int64_t>(node.bodies().size());
  if (op.bodies >= 0 && bodies != op.bodies) {
    return Broken("M3: The number of bodies of ", Label(node), " is wrong: ", bodies);
  }
  return absl::OkStatus();
}

absl::Status VerifyList(const Model& model, OpCode code, const std::vector<NodeId>& list, const char* what) {
  absl::flat_hash_set<NodeId> listed;
  for (const NodeId id : list) {
    if (!model.Contains(id) || model.node(id).code() != code) {
      return Broken("M4: The list of ", what, " names another node: ", Index(id));
    }
    if (!listed.insert(id).second) {
      return Broken("M4: The list of ", what, " names ", Label(model.node(id)), " twice");
    }
  }
  for (const NodeId id : model.NodeIds()) {
    if (model.node(id).code() == code && !listed.contains(id)) {
      return Broken("M4: The list of ", what, " lacks ", Label(model.node(id)));
    }
  }
  return absl::OkStatus();
}

absl::Status VerifyOutputs(const Model& model, const Node& node) {
  std::vector<const ValueInfo*> inputs;
  for (const Value& input : node.inputs()) inputs.push_back(input.exists() ? &model.info(input) : nullptr);
  const absl::StatusOr<std::vector<ValueInfo>> outputs = InferOp(node.op(), node.attributes(), inputs, node.bodies());
  if (!outputs.ok()) return Broken("M6: Inference refuses ", Label(node), ": ", outputs.status().message());
  if (static_cast<int64_t>(outputs->size()) != node.output_count()) {
    return Broken("M6: Inference gives another number of outputs of ", Label(node), ": ", outputs->size(),
                  " instead of ", node.output_count());
  }
  for (int64_t i = 0; i < node.output_count(); ++i) {
    const ValueInfo& inferred = (*outputs)[static_cast<size_t>(i)];
    const ValueInfo& recorded = node.output(i);
    if (inferred.type != recorded.type || !inferred.shape.MayEqual(recorded.shape)) {
      return Broken("M6: Inference gives another output ", i, " of ", Label(node), ": ", Name(inferred.type),
                    inferred.shape.ToString(), " instead of ", Name(recorded.type), recorded.shape.ToString());
    }
  }
  return absl::OkStatus();
}

// Checks that a ReadValue or Assign names a variable, and that its value fits there.
absl::Status VerifyVariableOf(const Model& model, const Node& node) {
  const std::string* id = nullptr;
  if (const auto* read = AttributesAs<ReadValueAttributes>(node.attributes())) id = &read->variable_id;
  if (const auto* assign = AttributesAs<AssignAttributes>(node.attributes())) id = &assign->variable_id;
  if (id == nullptr) return absl::OkStatus();
  const Variable* variable = model.FindVariable(*id);
  if (variable == nullptr) return Broken("M8: ", Label(node), " names an unknown variable: '", *id, "'");
  const ValueInfo& value = node.output(0);
  const bool fits = variable->type == ElementType::kUndefined || variable->type == value.type;
  if (!fits || !variable->shape.MayEqual(value.shape)) {
    return Broken("M8: ", Label(node), " does not fit variable '", *id, "': ", Name(value.type), value.shape.ToString(),
                  " instead of ", Name(variable->type), variable->shape.ToString());
  }
  return absl::OkStatus();
}

absl::Status VerifyNames(const Model& model) {
  absl::flat_hash_set<std::string> names;
  for (const NodeId id : model.NodeIds()) {
    const Node& node = model.node(id);
    if (node.name().empty()) return Broken("M7: The name of node ", Index(id), " (", node.op().name, ") is empty");
    if (!names.insert(node.name()).second) return Broken("M7: Two nodes have the name of ", Label(node));
    if (model.FindNode(node.name()) != id) return Broken("M7: The model does not find ", Label(node), " by its name");
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status Verify(const Model& model) {
  const std::vector<NodeId> ids = model.NodeIds();
  for (const NodeId id : ids) BURIN_RETURN_IF_ERROR(VerifyInputs(model, model.node(id)));
  if (const absl::Status order = model.TopologicalOrder().status(); !order.ok()) {
    return Broken("M2: ", order.message());
  }
  for (const NodeId id : ids) BURIN_RETURN_IF_ERROR(VerifyCounts(model.node(id)));
  BURIN_RETURN_IF_ERROR(VerifyList(model, OpCode::kParameter, model.parameters(), "parameters"));
  BURIN_RETURN_IF_ERROR(VerifyList(model, OpCode::kResult, model.results(), "results"));
  BURIN_RETURN_IF_ERROR(VerifyList(model, OpCode::kAssign, model.sinks(), "sinks"));
  for (const NodeId id : ids) {
    const Node& node = model.node(id);
    if (node.attributes().TypeTag() != node.op().make_attributes()->TypeTag()) {
      return Broken("M5: ", Label(node), " has the attributes of another op");
    }
  }
  for (const NodeId id : ids) BURIN_RETURN_IF_ERROR(VerifyOutputs(model, model.node(id)));
  BURIN_RETURN_IF_ERROR(VerifyNames(model));
  absl::flat_hash_set<std::string> variables;
  for (const Variable& variable : model.variables()) {
    if (variable.id.empty() || !variables.insert(variable.id).second) {
      return Broken("M8: The id of a variable is empty or not unique: '", variable.id, "'");
    }
  }
  for (const NodeId id : ids) BURIN_RETURN_IF_ERROR(VerifyVariableOf(model, model.node(id)));
  for (const NodeId id : ids) {
    const Node& node = model.node(id);
    for (const auto& body : node.bodies()) {
      if (const absl::Status status = Verify(*body); !status.ok()) {
        return Broken("M9: In a body of ", Label(node), ": ", status.message());
      }
    }
  }
  return absl::OkStatus();
}

}  // namespace burin::ir
