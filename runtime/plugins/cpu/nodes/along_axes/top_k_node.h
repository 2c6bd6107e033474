// Runs TopK (jit/kernels/top_k): of f32 and i32, for k up to the kernel's bound.
//
// Row-major. Immutable; thread-safe.
#ifndef BURIN_RUNTIME_PLUGINS_CPU_NODES_ALONG_AXES_TOP_K_NODE_H_
#define BURIN_RUNTIME_PLUGINS_CPU_NODES_ALONG_AXES_TOP_K_NODE_H_

#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "ir/model.h"
#include "ir/ops/top_k.h"
#include "jit/kernels/top_k/top_k_plan.h"
#include "runtime/plugins/cpu/graph/node.h"
#include "runtime/plugins/cpu/graph/primitive.h"

namespace burin::cpu {

class TopKNode final : public Node {
 public:
  // Makes the node of a TopK. Unimplemented for types that there is no kernel for.
  static absl::StatusOr<std::shared_ptr<const Node>> Create(const ir::Node& node, const NodeContext& context);

  const char* type_name() const override { return "TopK"; }
  std::vector<NodeCandidate> Candidates(const NodeValues& values, const NodeContext& context) const override;
  absl::StatusOr<std::unique_ptr<const Primitive>> CreatePrimitive(const NodeValues& values,
                                                                   const NodeContext& context) const override;

 private:
  explicit TopKNode(const ir::TopKAttributes& attributes) : attributes_(attributes) {}

  absl::StatusOr<jit::TopKSpec> SpecOf(const NodeValues& values) const;

  const ir::TopKAttributes attributes_;
};

}  // namespace burin::cpu

#endif  // BURIN_RUNTIME_PLUGINS_CPU_NODES_ALONG_AXES_TOP_K_NODE_H_
