// What the stages of ConfigureGraph (runtime/plugins/cpu/graph/configure.h) work with.
//
// Plain data; as thread-safe as the factory.
#ifndef BURIN_RUNTIME_PLUGINS_CPU_GRAPH_CONFIGURE_CONTEXT_H_
#define BURIN_RUNTIME_PLUGINS_CPU_GRAPH_CONFIGURE_CONTEXT_H_

#include <functional>
#include <memory>

#include "absl/status/statusor.h"
#include "ir/model.h"
#include "runtime/plugins/cpu/graph/node.h"

namespace burin::cpu {

// Returns the node for an operation, or Unimplemented saying what is missing.
using NodesFactory =
    std::function<absl::StatusOr<std::shared_ptr<const Node>>(const ir::Node& node, const NodeContext& context)>;

// What a graph is configured with.
struct ConfigureContext {
  NodesFactory make_node;
  NodeContext node;
  // Makes what runs an operation, row-major or in any layout, on shapes that its node turns out to have no kernel for;
  // null where there is nothing of the kind.
  NodesFactory make_fallback = nullptr;
};

}  // namespace burin::cpu

#endif  // BURIN_RUNTIME_PLUGINS_CPU_GRAPH_CONFIGURE_CONTEXT_H_
