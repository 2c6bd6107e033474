// Which node runs which operation: one table.
//
// Stateless, thread-safe.
#ifndef BURIN_RUNTIME_PLUGINS_CPU_NODES_NODES_FACTORY_H_
#define BURIN_RUNTIME_PLUGINS_CPU_NODES_NODES_FACTORY_H_

#include <memory>

#include "absl/status/statusor.h"
#include "ir/model.h"
#include "runtime/plugins/cpu/graph/node.h"

namespace burin::cpu {

// Returns the node for an operation of a model that outlives it: a CutNode for what runs between graphs, with the nodes
// of its bodies; else what the table says, or a Reference node where that refuses, or has no line. Unimplemented, with
// the reason, for operations without reference evaluation.
absl::StatusOr<std::shared_ptr<const Node>> MakeNode(const ir::Node& node, const NodeContext& context);

// Returns the Reference node of an operation of a model that outlives it. Unimplemented, with the reason, for
// operations with state, or without reference evaluation.
absl::StatusOr<std::shared_ptr<const Node>> MakeReferenceNode(const ir::Node& node);

}  // namespace burin::cpu

#endif  // BURIN_RUNTIME_PLUGINS_CPU_NODES_NODES_FACTORY_H_
