#include "runtime/plugins/cpu/nodes/reshape_node.h"

#include <utility>

#include "absl/status/status.h"
#include "runtime/plugins/cpu/graph/value_desc.h"

namespace burin::cpu {

std::vector<NodeCandidate> ReshapeNode::Candidates(const NodeValues& values, const NodeContext&) const {
  NodeCandidate candidate;
  candidate.inputs.assign(values.inputs.size(), Layout::kRowMajor);
  candidate.outputs.assign(values.outputs.size(), Layout::kRowMajor);
  return {std::move(candidate)};
}

absl::StatusOr<std::unique_ptr<const Primitive>> ReshapeNode::CreatePrimitive(const NodeValues&,
                                                                              const NodeContext&) const {
  return absl::InternalError("A view has nothing to run");
}

}  // namespace burin::cpu
