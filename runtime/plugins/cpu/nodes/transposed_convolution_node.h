// Runs ConvolutionBackpropData and GroupConvolutionBackpropData of f32, by themselves or with an epilogue
// (jit/kernels/convolution/transposed_convolution.h).
//
// Channels are last. Constant weights are packed once, others at each execution. Immutable; thread-safe.
#ifndef BURIN_RUNTIME_PLUGINS_CPU_NODES_TRANSPOSED_CONVOLUTION_NODE_H_
#define BURIN_RUNTIME_PLUGINS_CPU_NODES_TRANSPOSED_CONVOLUTION_NODE_H_

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "ir/model.h"
#include "ir/ops/family/window.h"
#include "jit/kernels/convolution/convolution_spec.h"
#include "jit/kernels/epilogue_emitter.h"
#include "runtime/plugins/cpu/graph/node.h"
#include "runtime/plugins/cpu/graph/value_desc.h"
#include "runtime/plugins/cpu/nodes/dense/dense_kernel.h"
#include "runtime/plugins/cpu/nodes/dense/dense_node.h"
#include "runtime/plugins/cpu/nodes/dense/dense_step.h"

namespace burin::cpu {

class TransposedConvolutionNode final : public DenseNode {
 public:
  // Make the node of a ConvolutionBackpropData, and of a GroupConvolutionBackpropData, of f32 over one to three axes.
  static absl::StatusOr<std::shared_ptr<const Node>> Create(const ir::Node& op, DenseStep step,
                                                            const NodeContext& context);
  static absl::StatusOr<std::shared_ptr<const Node>> CreateGrouped(const ir::Node& op, DenseStep step,
                                                                   const NodeContext& context);

  const char* type_name() const override { return "Deconvolution"; }

 private:
  // Weights are [input channels, output channels, axes...], or `grouped`: [groups, those of a group...].
  TransposedConvolutionNode(const ir::WindowParameters& window, std::vector<int64_t> output_padding, bool grouped,
                            DenseStep step, const NodeContext& context)
      : DenseNode(std::move(step), Layout::kChannelsLast, context),
        window_(window),
        output_padding_(std::move(output_padding)),
        grouped_(grouped) {}

  absl::StatusOr<DensePasses> MakePasses(const NodeValues& values, const jit::EpilogueEmitter* epilogue,
                                         const NodeContext& context) const override;
  // Describes the convolution whose transpose it is: it reads what this writes.
  absl::StatusOr<jit::ConvolutionSpec> ForwardSpec(const NodeValues& values) const;

  const ir::WindowParameters window_;
  const std::vector<int64_t> output_padding_;
  const bool grouped_;
};

}  // namespace burin::cpu

#endif  // BURIN_RUNTIME_PLUGINS_CPU_NODES_TRANSPOSED_CONVOLUTION_NODE_H_
