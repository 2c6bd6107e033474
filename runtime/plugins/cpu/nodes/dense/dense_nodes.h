// Makes the nodes of operations that kernels with epilogues run: products of matrices, convolutions and poolings, by
// themselves or as the anchors of Subgraphs.
//
// A part of the table in runtime/plugins/cpu/nodes/nodes_factory.h. Stateless, thread-safe.
#ifndef BURIN_RUNTIME_PLUGINS_CPU_NODES_DENSE_DENSE_NODES_H_
#define BURIN_RUNTIME_PLUGINS_CPU_NODES_DENSE_DENSE_NODES_H_

#include <memory>

#include "absl/status/statusor.h"
#include "ir/model.h"
#include "runtime/plugins/cpu/graph/node.h"

namespace burin::cpu {

// Makes the node of such an operation. Unimplemented, with the reason, where no kernel takes it.
absl::StatusOr<std::shared_ptr<const Node>> MakeDenseNode(const ir::Node& op, const NodeContext& context);

// Makes the node of a Subgraph whose body has an anchor. Errors as of snippets::SplitAnchored() and
// snippets::Epilogue::Create(), and as above.
absl::StatusOr<std::shared_ptr<const Node>> MakeAnchoredNode(const ir::Node& subgraph, const NodeContext& context);

}  // namespace burin::cpu

#endif  // BURIN_RUNTIME_PLUGINS_CPU_NODES_DENSE_DENSE_NODES_H_
