#include "runtime/plugins/cpu/nodes/reshape_node.h"

#include <utility>

#include "absl/status/status.h"
#include "runtime/plugins/cpu/graph/value_desc.h"

namespace burin::cpu {

absl::StatusOr<std::unique_ptr<const Primitive>> ReshapeNode::CreatePrimitive(const NodeValues&,
                                                                              const NodeContext&) const {
  return absl::InternalError("A view has nothing to run");
}

}  // namespace burin::cpu
