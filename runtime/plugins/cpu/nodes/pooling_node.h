// Runs MaxPool and AvgPool of f32, by themselves or with an epilogue (jit/kernels/pooling).
//
// Channels are last. Immutable; thread-safe.
#ifndef BURIN_RUNTIME_PLUGINS_CPU_NODES_POOLING_NODE_H_
#define BURIN_RUNTIME_PLUGINS_CPU_NODES_POOLING_NODE_H_

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "ir/model.h"
#include "ir/ops/family/window.h"
#include "jit/kernels/epilogue_emitter.h"
#include "jit/kernels/pooling/pooling_spec.h"
#include "runtime/plugins/cpu/graph/node.h"
#include "runtime/plugins/cpu/graph/value_desc.h"
#include "runtime/plugins/cpu/nodes/dense/dense_kernel.h"
#include "runtime/plugins/cpu/nodes/dense/dense_node.h"
#include "runtime/plugins/cpu/nodes/dense/dense_step.h"

namespace burin::cpu {

class PoolingNode final : public DenseNode {
 public:
  // Make the node of a MaxPool, and of an AvgPool, of f32 over one to three axes.
  static absl::StatusOr<std::shared_ptr<const Node>> CreateMax(const ir::Node& op, DenseStep step,
                                                               const NodeContext& context);
  static absl::StatusOr<std::shared_ptr<const Node>> CreateAverage(const ir::Node& op, DenseStep step,
                                                                   const NodeContext& context);

  const char* type_name() const override { return "Pooling"; }

 private:
  PoolingNode(const ir::WindowParameters& window, std::vector<int64_t> kernel, DenseStep step,
              const NodeContext& context)
      : DenseNode(std::move(step), Layout::kChannelsLast, context), window_(window), kernel_(std::move(kernel)) {}

  absl::StatusOr<DensePasses> MakePasses(const NodeValues& values, const jit::EpilogueEmitter* epilogue,
                                         const NodeContext& context) const override;

  const ir::WindowParameters window_;
  const std::vector<int64_t> kernel_;
  jit::PoolingKind kind_ = jit::PoolingKind::kMax;
  bool count_padding_ = false;
  // From which axis on positions count, of MaxPool's second output.
  int64_t index_axis_ = 0;
};

}  // namespace burin::cpu

#endif  // BURIN_RUNTIME_PLUGINS_CPU_NODES_POOLING_NODE_H_
