#include "runtime/plugins/cpu/nodes/convolution_node.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "base/status_macros.h"
#include "ir/ops/convolution.h"
#include "ir/ops/group_convolution.h"
#include "ir/shape.h"
#include "jit/kernels/convolution/activation_strides.h"
#include "jit/kernels/convolution/convolution_spec.h"
#include "jit/kernels/convolution/convolution_weights.h"
#include "jit/kernels/convolution/window.h"
#include "jit/kernels/depthwise/depthwise_kernel.h"
#include "jit/kernels/depthwise/depthwise_spec.h"
#include "runtime/plugins/cpu/nodes/dense/convolution_kernels.h"
#include "runtime/plugins/cpu/nodes/spatial_axes.h"

namespace burin::cpu {

namespace {

jit::WindowAxis KernelAxis(const SpatialAxis& axis) {
  return {axis.input, axis.output, axis.window.kernel, axis.window.stride, axis.window.dilation, axis.window.pad_begin};
}

// Fills in what both kinds of specs call alike.
template <class Spec>
absl::Status SetActivations(const ir::Shape& input, const ir::Shape& output,
                            const std::array<SpatialAxis, kMostSpatialAxes>& axes, Spec& spec) {
  spec.images = input[0];
  spec.depth = KernelAxis(axes[0]);
  spec.height = KernelAxis(axes[1]);
  spec.width = KernelAxis(axes[2]);
  BURIN_ASSIGN_OR_RETURN(spec.input,
                         jit::ActivationStrides::Dense(axes[0].input, axes[1].input, axes[2].input, input[1]));
  BURIN_ASSIGN_OR_RETURN(spec.output,
                         jit::ActivationStrides::Dense(axes[0].output, axes[1].output, axes[2].output, output[1]));
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::shared_ptr<const Node>> ConvolutionNode::Create(const ir::Node& op, DenseStep step,
                                                                    const NodeContext& context) {
  return std::shared_ptr<const Node>(new ConvolutionNode(op.attributes_as<ir::ConvolutionAttributes>(),
                                                         /*grouped=*/false, std::move(step), context));
}

absl::StatusOr<std::shared_ptr<const Node>> ConvolutionNode::CreateGrouped(const ir::Node& op, DenseStep step,
                                                                           const NodeContext& context) {
  return std::shared_ptr<const Node>(new ConvolutionNode(op.attributes_as<ir::GroupConvolutionAttributes>(),
                                                         /*grouped=*/true, std::move(step), context));
}

absl::StatusOr<DensePasses> ConvolutionNode::MakePasses(const NodeValues& values, const jit::EpilogueEmitter* epilogue,
                                                        const NodeContext& context) const {
  const ir::Shape& input = values.inputs[0].desc.shape;
  const ir::Shape& weights = values.inputs[1].desc.shape;
  const ir::Shape& output = values.outputs[0].shape;
  const size_t first_tap = grouped_ ? 3 : 2;
  const std::vector<int64_t> kernel(weights.begin() + static_cast<ptrdiff_t>(first_tap), weights.end());
  BURIN_ASSIGN_OR_RETURN(const auto axes, SpatialAxes(window_, kernel, input, output));
  const int64_t groups = grouped_ ? weights[0] : 1;
  const int64_t channels_of_group = weights[first_tap - 1];
  const int64_t row = axes[2].window.kernel;
  const int64_t plane = axes[1].window.kernel * row;
  const int64_t taps = axes[0].window.kernel * plane;

  DensePasses passes(1);
  if (grouped_ && channels_of_group == 1) {
    jit::DepthwiseSpec spec;
    BURIN_RETURN_IF_ERROR(SetActivations(input, output, axes, spec));
    spec.channels = groups;
    spec.multiplier = weights[1];
    BURIN_ASSIGN_OR_RETURN(passes[0], MakeDepthwiseKernel(spec, {taps, plane, row, 1}, epilogue, context));
    return passes;
  }
  jit::ConvolutionSpec spec;
  BURIN_RETURN_IF_ERROR(SetActivations(input, output, axes, spec));
  spec.input_channels = input[1];
  spec.output_channels = output[1];
  spec.groups = groups;
  const jit::ConvolutionWeightStrides strides{channels_of_group * taps, taps, plane, row, 1, std::nullopt};
  // Weights that come with each execution would be transformed with each.
  if (values.inputs[1].constant.has_value() && context.inexact_methods && WinogradIsFaster(spec, context.target)) {
    BURIN_ASSIGN_OR_RETURN(passes[0], MakeWinogradKernel(spec, strides, epilogue, context));
  } else {
    BURIN_ASSIGN_OR_RETURN(passes[0], MakeDirectKernel(spec, strides, epilogue, context));
  }
  return passes;
}

}  // namespace burin::cpu
