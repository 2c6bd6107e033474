#include "runtime/plugins/cpu/nodes/reorder_node.h"

#include "base/status_macros.h"
#include "runtime/plugins/cpu/graph/value_desc.h"
#include "runtime/plugins/cpu/nodes/copy_primitive.h"

namespace burin::cpu {

double ReorderCycles(double bytes) {
  // Bytes are read and written; a transpose moves some 8 bytes a cycle out of a level 2 cache. A step of its own costs
  // some hundred cycles.
  constexpr double kBytesPerCycle = 8;
  constexpr double kStepCycles = 300;
  return kStepCycles + bytes / kBytesPerCycle;
}

std::vector<NodeCandidate> ReorderNode::Candidates(const NodeValues& values, const NodeContext&) const {
  // Its layouts are what it is for: they are decided where it is inserted.
  return {{{values.inputs[0].desc.layout}, {values.outputs[0].layout}, 0}};
}

absl::StatusOr<std::unique_ptr<const Primitive>> ReorderNode::CreatePrimitive(const NodeValues& values,
                                                                              const NodeContext& context) const {
  BURIN_ASSIGN_OR_RETURN(const ElementMove move, MoveBetween(values.inputs[0].desc, values.outputs[0]));
  return MakeCopyPrimitive({move}, context);
}

}  // namespace burin::cpu
