#include "runtime/plugins/cpu/nodes/transposed_convolution_node.h"

#include <array>
#include <cstddef>
#include <optional>
#include <string>

#include "base/status_macros.h"
#include "ir/ops/convolution_backprop_data.h"
#include "ir/ops/group_convolution_backprop_data.h"
#include "ir/shape.h"
#include "jit/kernels/convolution/activation_strides.h"
#include "jit/kernels/convolution/convolution_weights.h"
#include "jit/kernels/convolution/window.h"
#include "runtime/plugins/cpu/nodes/dense/transposed_kernels.h"
#include "runtime/plugins/cpu/nodes/spatial_axes.h"

namespace burin::cpu {

absl::StatusOr<std::shared_ptr<const Node>> TransposedConvolutionNode::Create(const ir::Node& op, DenseStep step,
                                                                              const NodeContext& context) {
  const auto& attributes = op.attributes_as<ir::ConvolutionBackpropDataAttributes>();
  return std::shared_ptr<const Node>(new TransposedConvolutionNode(attributes, attributes.output_padding,
                                                                   /*grouped=*/false, std::move(step), context));
}

absl::StatusOr<std::shared_ptr<const Node>> TransposedConvolutionNode::CreateGrouped(const ir::Node& op, DenseStep step,
                                                                                     const NodeContext& context) {
  const auto& attributes = op.attributes_as<ir::GroupConvolutionBackpropDataAttributes>();
  return std::shared_ptr<const Node>(new TransposedConvolutionNode(attributes, attributes.output_padding,
                                                                   /*grouped=*/true, std::move(step), context));
}

absl::StatusOr<jit::ConvolutionSpec> TransposedConvolutionNode::ForwardSpec(const NodeValues& values) const {
  const ir::Shape& input = values.inputs[0].desc.shape;
  const ir::Shape& weights = values.inputs[1].desc.shape;
  const ir::Shape& output = values.outputs[0].shape;
  const size_t first_tap = grouped_ ? 3 : 2;
  const size_t rank = weights.size() - first_tap;
  BURIN_ASSIGN_OR_RETURN(const std::vector<ir::WindowAxis> windows,
                         ir::MakeWindowAxes("window", window_, static_cast<int64_t>(rank)));
  const bool sizes_given = values.inputs.size() > 2 && values.inputs[2].exists;
  std::array<jit::WindowAxis, kMostSpatialAxes> axes;
  for (size_t i = 0; i < rank; ++i) {
    ir::WindowAxis window = windows[i];
    window.kernel = weights[first_tap + i];
    if (sizes_given) {
      const int64_t extra = output_padding_.empty() ? 0 : output_padding_[i];
      window = ir::TransposedPadding(window, input[2 + i], output[2 + i], extra, window_.auto_pad);
    }
    axes[kMostSpatialAxes - rank + i] = {output[2 + i], input[2 + i],    window.kernel,
                                         window.stride, window.dilation, window.pad_begin};
  }
  jit::ConvolutionSpec forward;
  forward.images = input[0];
  forward.input_channels = output[1];
  forward.output_channels = input[1];
  forward.groups = grouped_ ? weights[0] : 1;
  forward.depth = axes[0];
  forward.height = axes[1];
  forward.width = axes[2];
  BURIN_ASSIGN_OR_RETURN(forward.input, jit::ActivationStrides::Dense(axes[0].input, axes[1].input, axes[2].input,
                                                                      forward.input_channels));
  BURIN_ASSIGN_OR_RETURN(forward.output, jit::ActivationStrides::Dense(axes[0].output, axes[1].output, axes[2].output,
                                                                       forward.output_channels));
  return forward;
}

absl::StatusOr<DensePasses> TransposedConvolutionNode::MakePasses(const NodeValues& values,
                                                                  const jit::EpilogueEmitter* epilogue,
                                                                  const NodeContext& context) const {
  BURIN_ASSIGN_OR_RETURN(const jit::ConvolutionSpec forward, ForwardSpec(values));
  const int64_t row = forward.width.kernel;
  const int64_t plane = forward.height.kernel * row;
  const int64_t taps = forward.depth.kernel * plane;
  const jit::ConvolutionWeightStrides strides{
      forward.input_channels_of_group() * taps, taps, plane, row, 1, std::nullopt};
  return MakeTransposedPasses(forward, strides, epilogue, context);
}

}  // namespace burin::cpu
