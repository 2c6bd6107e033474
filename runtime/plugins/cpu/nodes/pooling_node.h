// Runs MaxPool and AvgPool of f32 (jit/kernels/pooling).
//
// Channels are last. Immutable; thread-safe.
#ifndef BURIN_RUNTIME_PLUGINS_CPU_NODES_POOLING_NODE_H_
#define BURIN_RUNTIME_PLUGINS_CPU_NODES_POOLING_NODE_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "ir/model.h"
#include "ir/ops/family/window.h"
#include "jit/kernels/pooling/pooling_spec.h"
#include "runtime/plugins/cpu/graph/node.h"
#include "runtime/plugins/cpu/graph/primitive.h"

namespace burin::cpu {

class PoolingNode final : public Node {
 public:
  // Make the node of a MaxPool, and of an AvgPool, of f32.
  static absl::StatusOr<std::shared_ptr<const Node>> CreateMax(const ir::Node& node, const NodeContext& context);
  static absl::StatusOr<std::shared_ptr<const Node>> CreateAverage(const ir::Node& node, const NodeContext& context);

  const char* type_name() const override { return "Pooling"; }
  std::vector<NodeCandidate> Candidates(const NodeValues& values, const NodeContext& context) const override;
  absl::StatusOr<std::unique_ptr<const Primitive>> CreatePrimitive(const NodeValues& values,
                                                                   const NodeContext& context) const override;

 private:
  PoolingNode(const ir::WindowParameters& window, std::vector<int64_t> kernel) : window_(window), kernel_(kernel) {}

  const ir::WindowParameters window_;
  const std::vector<int64_t> kernel_;
  jit::PoolingKind kind_ = jit::PoolingKind::kMax;
  bool count_padding_ = false;
  // From which axis on positions count, of MaxPool's second output.
  int64_t index_axis_ = 0;
};

}  // namespace burin::cpu

#endif  // BURIN_RUNTIME_PLUGINS_CPU_NODES_POOLING_NODE_H_
