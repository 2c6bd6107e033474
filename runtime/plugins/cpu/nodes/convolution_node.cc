#include "runtime/plugins/cpu/nodes/convolution_node.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "base/aligned_buffer.h"
#include "base/status_macros.h"
#include "ir/shape.h"
#include "ir/tensor.h"
#include "jit/kernels/convolution/activation_strides.h"
#include "jit/kernels/convolution/convolution_kernel.h"
#include "jit/kernels/convolution/convolution_spec.h"
#include "jit/kernels/convolution/convolution_weights.h"
#include "jit/kernels/convolution/window.h"
#include "jit/kernels/depthwise/depthwise_kernel.h"
#include "jit/kernels/depthwise/depthwise_spec.h"
#include "runtime/executor/team.h"
#include "runtime/executor/work_split.h"
#include "runtime/plugins/cpu/graph/value_desc.h"
#include "runtime/plugins/cpu/nodes/spatial_axes.h"

namespace burin::cpu {

namespace {

// A kernel and the packing of its weights, of either family.
class DirectPart {
 public:
  DirectPart(jit::ConvolutionKernel kernel, jit::ConvolutionWeights weights)
      : kernel_(std::move(kernel)), weights_(std::move(weights)) {}

  int64_t packed_bytes() const { return weights_.packed_bytes(); }
  void Pack(const void* source, void* packed) const { weights_.Run(source, packed, 0, weights_.work_items()); }
  int64_t work_items() const { return kernel_.work_items(); }
  void Run(const void* input, const void* packed, void* output, int64_t begin, int64_t end) const {
    kernel_.Run({input, packed, output, nullptr}, begin, end);
  }
  std::string name() const { return "convolution"; }

 private:
  jit::ConvolutionKernel kernel_;
  jit::ConvolutionWeights weights_;
};

class DepthwisePart {
 public:
  DepthwisePart(jit::DepthwiseKernel kernel, const jit::DepthwiseWeightStrides& strides)
      : kernel_(std::move(kernel)), strides_(strides) {}

  int64_t packed_bytes() const { return kernel_.packed_weights_bytes(); }
  void Pack(const void* source, void* packed) const {
    kernel_.PackWeights(static_cast<const float*>(source), strides_, packed);
  }
  int64_t work_items() const { return kernel_.work_items(); }
  void Run(const void* input, const void* packed, void* output, int64_t begin, int64_t end) const {
    kernel_.Run({input, packed, output, nullptr}, begin, end);
  }
  std::string name() const { return kernel_.kernel_name(); }

 private:
  jit::DepthwiseKernel kernel_;
  jit::DepthwiseWeightStrides strides_;
};

template <class Part>
class ConvolutionPrimitive final : public Primitive {
 public:
  // `packed` are the weights where they are constant.
  ConvolutionPrimitive(Part part, std::optional<AlignedBuffer> packed, std::string isa)
      : part_(std::move(part)), packed_(std::move(packed)), isa_(std::move(isa)) {}

  void Execute(const ExecutionArgs& args) const override {
    const void* weights = packed_.has_value() ? packed_->data() : args.scratch;
    if (!packed_.has_value()) part_.Pack(args.inputs[1], args.scratch);
    const executor::WorkSplit split = executor::WorkSplit::Dynamic(part_.work_items(), 1, args.team->size());
    args.team->Share(split.chunks(), [&](int64_t chunk, int) {
      const executor::ItemRange range = split.Range(chunk);
      part_.Run(args.inputs[0], weights, args.outputs[0], range.begin, range.end);
    });
  }

  int64_t ScratchBytes(int) const override { return packed_.has_value() ? 0 : part_.packed_bytes(); }
  std::string kernel_name() const override { return part_.name(); }
  std::string isa_name() const override { return isa_; }

 private:
  const Part part_;
  const std::optional<AlignedBuffer> packed_;
  const std::string isa_;
};

template <class Part>
absl::StatusOr<std::unique_ptr<const Primitive>> MakePrimitive(Part part, const NodeInput& weights,
                                                               const NodeContext& context) {
  std::optional<AlignedBuffer> packed;
  if (weights.constant.has_value()) {
    BURIN_ASSIGN_OR_RETURN(const ir::Tensor dense, weights.constant.ToDense());
    BURIN_ASSIGN_OR_RETURN(packed, AlignedBuffer::Create(static_cast<size_t>(part.packed_bytes())));
    part.Pack(dense.data(), packed->data());
  }
  return std::make_unique<ConvolutionPrimitive<Part>>(std::move(part), std::move(packed),
                                                      std::string(Name(context.target.level())));
}

jit::WindowAxis KernelAxis(const SpatialAxis& axis) {
  return {axis.input, axis.output, axis.window.kernel, axis.window.stride, axis.window.dilation, axis.window.pad_begin};
}

}  // namespace

std::vector<NodeCandidate> ConvolutionNode::Candidates(const NodeValues& values, const NodeContext&) const {
  return ChannelsLastCandidate(values);
}

absl::StatusOr<std::unique_ptr<const Primitive>> ConvolutionNode::CreatePrimitive(const NodeValues& values,
                                                                                  const NodeContext& context) const {
  const ir::Shape& input = values.inputs[0].desc.shape;
  const ir::Shape& weights = values.inputs[1].desc.shape;
  const ir::Shape& output = values.outputs[0].shape;
  const size_t first_tap = grouped_ ? 3 : 2;
  const std::vector<int64_t> kernel(weights.begin() + static_cast<ptrdiff_t>(first_tap), weights.end());
  BURIN_ASSIGN_OR_RETURN(const auto axes, SpatialAxes(window_, kernel, input, output));
  const int64_t groups = grouped_ ? weights[0] : 1;
  const int64_t channels_of_group = weights[first_tap - 1];
  const int64_t taps = axes[0].window.kernel * axes[1].window.kernel * axes[2].window.kernel;
  const int64_t row = axes[2].window.kernel;
  const int64_t plane = axes[1].window.kernel * row;
  BURIN_ASSIGN_OR_RETURN(const jit::ActivationStrides input_strides,
                         jit::ActivationStrides::Dense(axes[0].input, axes[1].input, axes[2].input, input[1]));
  BURIN_ASSIGN_OR_RETURN(const jit::ActivationStrides output_strides,
                         jit::ActivationStrides::Dense(axes[0].output, axes[1].output, axes[2].output, output[1]));

  if (grouped_ && channels_of_group == 1) {
    jit::DepthwiseSpec spec;
    spec.images = input[0];
    spec.channels = groups;
    spec.multiplier = weights[1];
    spec.depth = KernelAxis(axes[0]);
    spec.height = KernelAxis(axes[1]);
    spec.width = KernelAxis(axes[2]);
    spec.input = input_strides;
    spec.output = output_strides;
    BURIN_ASSIGN_OR_RETURN(jit::DepthwiseKernel made,
                           jit::DepthwiseKernel::Create(spec, context.target, *context.code_cache));
    return MakePrimitive(DepthwisePart(std::move(made), {taps, plane, row, 1}), values.inputs[1], context);
  }

  jit::ConvolutionSpec spec;
  spec.images = input[0];
  spec.input_channels = input[1];
  spec.output_channels = output[1];
  spec.groups = groups;
  spec.depth = KernelAxis(axes[0]);
  spec.height = KernelAxis(axes[1]);
  spec.width = KernelAxis(axes[2]);
  spec.input = input_strides;
  spec.output = output_strides;
  BURIN_ASSIGN_OR_RETURN(jit::ConvolutionKernel made,
                         jit::ConvolutionKernel::Create(spec, context.target, *context.code_cache));
  const jit::ConvolutionWeightStrides strides{channels_of_group * taps, taps, plane, row, 1, std::nullopt};
  BURIN_ASSIGN_OR_RETURN(jit::ConvolutionWeights packing,
                         jit::ConvolutionWeights::Create(spec, strides, context.target, *context.code_cache));
  return MakePrimitive(DirectPart(std::move(made), std::move(packing)), values.inputs[1], context);
}

}  // namespace burin::cpu
