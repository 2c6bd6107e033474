// Runs Convolution and GroupConvolution of f32, by themselves or with an epilogue: directly, depthwise where every
// group has one channel, or by Winograd's method where that costs less and its errors are allowed.
//
// Channels are last. Constant weights are packed once, others at each execution. Immutable; thread-safe.
#ifndef BURIN_RUNTIME_PLUGINS_CPU_NODES_CONVOLUTION_NODE_H_
#define BURIN_RUNTIME_PLUGINS_CPU_NODES_CONVOLUTION_NODE_H_

#include <memory>
#include <utility>

#include "absl/status/statusor.h"
#include "ir/model.h"
#include "ir/ops/family/window.h"
#include "jit/kernels/epilogue_emitter.h"
#include "runtime/plugins/cpu/graph/node.h"
#include "runtime/plugins/cpu/graph/value_desc.h"
#include "runtime/plugins/cpu/nodes/dense/dense_kernel.h"
#include "runtime/plugins/cpu/nodes/dense/dense_node.h"
#include "runtime/plugins/cpu/nodes/dense/dense_step.h"

namespace burin::cpu {

class ConvolutionNode final : public DenseNode {
 public:
  // Make the node of a Convolution, and of a GroupConvolution, of f32 over one to three axes.
  static absl::StatusOr<std::shared_ptr<const Node>> Create(const ir::Node& op, DenseStep step,
                                                            const NodeContext& context);
  static absl::StatusOr<std::shared_ptr<const Node>> CreateGrouped(const ir::Node& op, DenseStep step,
                                                                   const NodeContext& context);

  const char* type_name() const override { return "Convolution"; }

 private:
  // Weights are [output channels, input channels, axes...], or `grouped`: [groups, those of a group...].
  ConvolutionNode(const ir::WindowParameters& window, bool grouped, DenseStep step, const NodeContext& context)
      : DenseNode(std::move(step), Layout::kChannelsLast, context), window_(window), grouped_(grouped) {}

  absl::StatusOr<DensePasses> MakePasses(const NodeValues& values, const jit::EpilogueEmitter* epilogue,
                                         const NodeContext& context) const override;

  const ir::WindowParameters window_;
  const bool grouped_;
};

}  // namespace burin::cpu

#endif  // BURIN_RUNTIME_PLUGINS_CPU_NODES_CONVOLUTION_NODE_H_
