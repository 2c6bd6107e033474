// Runs a Subgraph without a dense anchor: its body as one generated kernel (snippets/kernel).
//
// Row-major values, and where the body is element-wise also such with their channels last. Immutable; thread-safe.
#ifndef BURIN_RUNTIME_PLUGINS_CPU_NODES_SUBGRAPH_NODE_H_
#define BURIN_RUNTIME_PLUGINS_CPU_NODES_SUBGRAPH_NODE_H_

#include <memory>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "ir/model.h"
#include "runtime/plugins/cpu/graph/node.h"
#include "runtime/plugins/cpu/graph/primitive.h"
#include "snippets/kernel/dynamic_kernel.h"

namespace burin::cpu {

class SubgraphNode final : public Node {
 public:
  // Compiles the body of `node`, a Subgraph. Errors as of snippets::Decompose() and DynamicKernel::Create():
  // Unimplemented, with the reason, for what cannot be one kernel.
  static absl::StatusOr<std::shared_ptr<const Node>> Create(const ir::Node& node, const NodeContext& context);

  const char* type_name() const override { return "Subgraph"; }
  std::vector<NodeCandidate> Candidates(const NodeValues& values, const NodeContext& context) const override;
  bool MayRunInPlace(const NodeValues& values, int input, int output) const override;
  absl::StatusOr<std::unique_ptr<const Primitive>> CreatePrimitive(const NodeValues& values,
                                                                   const NodeContext& context) const override;

 private:
  SubgraphNode(std::unique_ptr<snippets::DynamicKernel> row_major,
               std::unique_ptr<snippets::DynamicKernel> channels_last)
      : row_major_(std::move(row_major)), channels_last_(std::move(channels_last)) {}

  // Returns the kernel for the shapes and layouts of `values`.
  absl::StatusOr<std::shared_ptr<const snippets::DynamicKernel::Sized>> KernelFor(const NodeValues& values) const;

  const std::unique_ptr<snippets::DynamicKernel> row_major_;
  // Null where there is none.
  const std::unique_ptr<snippets::DynamicKernel> channels_last_;
};

}  // namespace burin::cpu

#endif  // BURIN_RUNTIME_PLUGINS_CPU_NODES_SUBGRAPH_NODE_H_
