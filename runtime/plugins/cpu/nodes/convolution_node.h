// Runs Convolution and GroupConvolution of f32: directly, or depthwise where every group has one channel
// (jit/kernels/convolution, jit/kernels/depthwise).
//
// Channels are last. Constant weights are packed once, others at each execution. Immutable; thread-safe.
#ifndef BURIN_RUNTIME_PLUGINS_CPU_NODES_CONVOLUTION_NODE_H_
#define BURIN_RUNTIME_PLUGINS_CPU_NODES_CONVOLUTION_NODE_H_

#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "ir/ops/family/window.h"
#include "runtime/plugins/cpu/graph/node.h"
#include "runtime/plugins/cpu/graph/primitive.h"

namespace burin::cpu {

class ConvolutionNode final : public Node {
 public:
  // Weights are [output channels, input channels, axes...], or `grouped`: [groups, those of a group...].
  ConvolutionNode(const ir::WindowParameters& window, bool grouped) : window_(window), grouped_(grouped) {}

  const char* type_name() const override { return "Convolution"; }
  std::vector<NodeCandidate> Candidates(const NodeValues& values, const NodeContext& context) const override;
  absl::StatusOr<std::unique_ptr<const Primitive>> CreatePrimitive(const NodeValues& values,
                                                                   const NodeContext& context) const override;

 private:
  const ir::WindowParameters window_;
  const bool grouped_;
};

}  // namespace burin::cpu

#endif  // BURIN_RUNTIME_PLUGINS_CPU_NODES_CONVOLUTION_NODE_H_
