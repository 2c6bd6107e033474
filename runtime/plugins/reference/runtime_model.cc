#include "runtime/plugins/reference/runtime_model.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

#include "absl/types/span.h"
#include "base/element_type.h"
#include "base/status_macros.h"
#include "ir/infer_context.h"
#include "ir/op_def.h"
#include "ir/ops/op_code.h"
#include "ir/runtime_info.h"
#include "runtime/dev/profiling/execution_info.h"

namespace burin::reference {

namespace {

bool AllStatic(absl::Span<const ir::ValueInfo> infos) {
  return std::all_of(infos.begin(), infos.end(), [](const ir::ValueInfo& info) { return info.shape.is_static(); });
}

// Sets work and traffic of a node whose shapes are static.
void SetStaticCost(const ir::Model& model, const ir::Node& node, ProfilingInfo* info) {
  std::vector<const ir::ValueInfo*> inputs;
  for (const ir::Value& input : node.inputs()) {
    inputs.push_back(input.exists() ? &model.info(input) : nullptr);
    if (input.exists() && inputs.back()->shape.is_dynamic()) return;
  }
  if (!AllStatic(node.outputs())) return;
  const ir::Cost cost =
      ir::CostOf(node.op(), ir::CostContext(node.attributes(), inputs, node.outputs(), node.bodies()));
  info->flops = cost.flops;
  info->bytes = cost.bytes_read + cost.bytes_written;
}

// Returns what holds for every node of this device.
ProfilingInfo Describe(const ir::Node& node) {
  ProfilingInfo info;
  info.node_name = node.name();
  info.op_type = node.op().name;
  info.op_names = node.original_names();
  info.kernel = "reference";
  info.isa = "none";
  info.layout = "row-major";
  if (node.output_count() > 0) info.precision = std::string(Name(node.output(0).type));
  return info;
}

}  // namespace

absl::StatusOr<RunningNodes> DescribeRunningNodes(const ir::Model& model) {
  BURIN_ASSIGN_OR_RETURN(const std::vector<ir::NodeId> order, model.TopologicalOrder());
  RunningNodes running;
  running.index.assign(static_cast<size_t>(model.id_bound()), -1);
  for (const ir::NodeId id : order) {
    const ir::Node& node = model.node(id);
    if (node.code() == ir::OpCode::kConstant) continue;
    running.index[static_cast<size_t>(ir::Index(id))] = static_cast<int32_t>(running.nodes.size());
    running.nodes.push_back(Describe(node));
    SetStaticCost(model, node, &running.nodes.back());
  }
  return running;
}

absl::StatusOr<std::unique_ptr<ir::Model>> MakeRuntimeModel(const ir::Model& model, const RunningNodes& running,
                                                            const std::vector<ProfilingInfo>& profile) {
  BURIN_ASSIGN_OR_RETURN(const std::vector<ir::NodeId> order, model.TopologicalOrder());
  std::unique_ptr<ir::Model> copy = model.Clone();
  for (size_t i = 0; i < order.size(); ++i) {
    const ir::Node& node = model.node(order[i]);
    const int32_t index = running.index[static_cast<size_t>(ir::Index(order[i]))];
    ir::RuntimeInfo info =
        ExecutionInfo(index < 0 ? Describe(node) : profile[static_cast<size_t>(index)], static_cast<int64_t>(i));
    // What the user's model says of the node stays.
    info.insert(node.runtime_info().begin(), node.runtime_info().end());
    copy->SetRuntimeInfo(order[i], std::move(info));
  }
  return copy;
}

}  // namespace burin::reference
