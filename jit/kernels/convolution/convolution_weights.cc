#include "jit/kernels/convolution/convolution_weights.h"

#include <algorithm>

#include "base/status_macros.h"

namespace burin::jit {
namespace {

constexpr int64_t kFloatBytes = 4;

}  // namespace

absl::StatusOr<PanelLayout> ConvolutionWeights::LayoutOfGroup(const ConvolutionSpec& spec) {
  return PanelLayout::Create(spec.weights_type, spec.steps(), spec.output_channels_of_group());
}

absl::StatusOr<ConvolutionWeights> ConvolutionWeights::Create(const ConvolutionSpec& spec,
                                                              const ConvolutionWeightStrides& strides,
                                                              const Target& target, CodeCache& cache) {
  BURIN_ASSIGN_OR_RETURN(const PanelLayout layout, LayoutOfGroup(spec));
  const PanelDim steps[] = {{spec.depth.kernel, strides.depth * kFloatBytes},
                            {spec.height.kernel, strides.height * kFloatBytes},
                            {spec.width.kernel, strides.width * kFloatBytes},
                            {spec.input_channels_of_group(), strides.input_channel * kFloatBytes}};
  BURIN_ASSIGN_OR_RETURN(PanelPacker packer,
                         PanelPacker::Create(layout, steps, strides.output_channel * kFloatBytes, target, cache));
  ConvolutionWeights weights(layout, std::move(packer));
  weights.groups_ = spec.groups;
  weights.group_stride_ =
      strides.group.value_or(spec.output_channels_of_group() * strides.output_channel) * kFloatBytes;
  return weights;
}

void ConvolutionWeights::Run(const void* weights, void* packed, int64_t begin, int64_t end) const {
  const int64_t items = packer_.work_items();
  while (begin < end) {
    const int64_t group = begin / items;
    const int64_t last = std::min(end, (group + 1) * items);
    packer_.Run(static_cast<const uint8_t*>(weights) + group * group_stride_,
                static_cast<uint8_t*>(packed) + group * layout_.bytes(), begin - group * items, last - group * items);
    begin = last;
  }
}

}  // namespace burin::jit
