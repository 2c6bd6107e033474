#include "runtime/plugins/cpu/graph/known_values.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_context.h"
#include "base/status_macros.h"
#include "ir/evaluate_op.h"
#include "ir/op_def.h"
#include "ir/ops/op_code.h"

namespace burin::cpu {

namespace {

// Returns whether what the model has recorded is taken as it is: of constants, and of operations with bodies that may
// not run at all, which may well refuse shapes that never reach them.
bool IsRecorded(const ir::Node& node) {
  return node.code() == ir::OpCode::kConstant || (!node.bodies().empty() && node.op().Has(ir::kDataDependentShape));
}

// Returns the outputs of a node where all of them are given, else none.
std::vector<ir::ValueInfo> GivenOutputs(const ir::Node& node, const KnownValues::Given& given) {
  std::vector<ir::ValueInfo> outputs;
  for (int32_t i = 0; i < static_cast<int32_t>(node.output_count()); ++i) {
    const auto found = given.find(ir::Value{node.id(), i});
    if (found == given.end()) return {};
    outputs.push_back(found->second);
  }
  return outputs;
}

}  // namespace

KnownValues KnownValues::Recorded(const ir::Model& model) {
  KnownValues known;
  known.table_.resize(static_cast<size_t>(model.id_bound()));
  for (const ir::NodeId id : model.NodeIds()) {
    const absl::Span<const ir::ValueInfo> outputs = model.node(id).outputs();
    known.table_[static_cast<size_t>(Index(id))].assign(outputs.begin(), outputs.end());
  }
  return known;
}

absl::StatusOr<KnownValues> KnownValues::Infer(const ir::Model& model, absl::Span<const ir::NodeId> order,
                                               const Given& given) {
  KnownValues known;
  known.table_.resize(static_cast<size_t>(model.id_bound()));
  std::vector<const ir::ValueInfo*> inputs;
  for (const ir::NodeId id : order) {
    const ir::Node& node = model.node(id);
    std::vector<ir::ValueInfo>& outputs = known.table_[static_cast<size_t>(Index(id))];
    outputs = GivenOutputs(node, given);
    if (!outputs.empty()) continue;
    if (IsRecorded(node)) {
      outputs.assign(node.outputs().begin(), node.outputs().end());
      continue;
    }
    inputs.clear();
    for (const ir::Value& input : node.inputs()) inputs.push_back(input.exists() ? &known.info(input) : nullptr);
    absl::StatusOr<std::vector<ir::ValueInfo>> inferred =
        ir::InferOp(node.op(), node.attributes(), inputs, node.bodies());
    if (!inferred.ok()) {
      return WithContext(inferred.status(), absl::StrCat("Node '", node.name(), "' (", node.op().name, ")"));
    }
    outputs = *std::move(inferred);
    for (size_t i = 0; i < outputs.size(); ++i) {
      const auto found = given.find(ir::Value{id, static_cast<int32_t>(i)});
      if (found != given.end()) outputs[i] = found->second;
    }
  }
  return known;
}

bool KnownValues::AreConstant(ir::NodeId node) const {
  const std::vector<ir::ValueInfo>& outputs = Outputs(node);
  return std::all_of(outputs.begin(), outputs.end(),
                     [](const ir::ValueInfo& info) { return info.constant.has_value(); });
}

}  // namespace burin::cpu
