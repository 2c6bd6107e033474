#include "jit/kernels/winograd/winograd_weights.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "base/check.h"
#include "base/hash.h"
#include "base/status_macros.h"
#include "jit/code_key.h"
#include "jit/kernels/panels/panel_layout.h"
#include "jit/kernels/winograd/weight_transform.h"
#include "jit/kernels/winograd/winograd_spec.h"

namespace burin::jit {
namespace {

constexpr int64_t kFloatBytes = 4;

constexpr int64_t kLineBytes = 64;

constexpr int64_t kTaps = 9;

int64_t Pieces(int64_t extent, int64_t step) { return (extent + step - 1) / step; }

}  // namespace

int64_t WinogradWeights::PlaneBytes(int64_t input_channels) {
  return input_channels == 0 ? 0 : input_channels * PanelLayout::kStepBytes + kLineBytes;
}

int64_t WinogradWeights::PanelBytes(int64_t input_channels) { return kWinogradProducts * PlaneBytes(input_channels); }

absl::StatusOr<WinogradWeights> WinogradWeights::Create(const ConvolutionSpec& spec,
                                                        const ConvolutionWeightStrides& strides, const Target& target,
                                                        CodeCache& cache) {
  BURIN_RETURN_IF_ERROR(CheckWinograd(spec));
  WinogradWeights weights;
  weights.input_channels_ = spec.input_channels;
  weights.output_channels_ = spec.output_channels;
  weights.output_stride_ = strides.output_channel * kFloatBytes;
  weights.input_stride_ = strides.input_channel * kFloatBytes;
  // What is packed for a block is read again while it is in the level 2 cache, from which it leaves room for the
  // results.
  const int64_t most = target.caches().l2 / 16 / (kTaps * PanelLayout::kStepBytes);
  weights.block_ = std::clamp<int64_t>(most, 1, std::max<int64_t>(1, spec.input_channels));
  if (weights.work_items() == 0) return weights;
  const int64_t column_counts[] = {PanelLayout::kColumns, spec.output_channels % PanelLayout::kColumns};
  const int64_t channel_counts[] = {weights.block_, spec.input_channels % weights.block_};
  for (size_t rest_of_columns = 0; rest_of_columns < 2; ++rest_of_columns) {
    for (size_t rest_of_channels = 0; rest_of_channels < 2; ++rest_of_channels) {
      const int64_t columns = column_counts[rest_of_columns];
      const int64_t channels = channel_counts[rest_of_channels];
      if (columns == 0 || channels == 0) continue;
      BURIN_ASSIGN_OR_RETURN(const PanelLayout layout,
                             PanelLayout::Create(spec.weights_type, channels * kTaps, columns));
      const PanelDim steps[] = {
          {channels, weights.input_stride_}, {3, strides.height * kFloatBytes}, {3, strides.width * kFloatBytes}};
      BURIN_ASSIGN_OR_RETURN(PanelPacker packer,
                             PanelPacker::Create(layout, steps, weights.output_stride_, target, cache));
      weights.packers_[rest_of_columns][rest_of_channels].emplace(std::move(packer));
    }
  }
  const int64_t plane = PlaneBytes(spec.input_channels);
  Hasher hasher;
  hasher.UpdateInt(plane);
  BURIN_ASSIGN_OR_RETURN(weights.code_,
                         cache.GetOrGenerate(CodeKey::Of("winograd_weights", target.isa(), hasher.Finish()),
                                             [&] { return GenerateWeightTransform(plane, target.isa()); }));
  return weights;
}

int64_t WinogradWeights::packed_bytes() const {
  return Pieces(output_channels_, PanelLayout::kColumns) * PanelBytes(input_channels_);
}

int64_t WinogradWeights::scratch_bytes() const { return block_ * kTaps * PanelLayout::kStepBytes; }

int64_t WinogradWeights::work_items() const {
  return Pieces(output_channels_, PanelLayout::kColumns) * Pieces(input_channels_, block_);
}

void WinogradWeights::Run(const void* weights, void* packed, void* scratch, int64_t begin, int64_t end) const {
  BURIN_DCHECK(0 <= begin && begin <= end && end <= work_items()) << "items out of range: " << begin << " to " << end;
  const int64_t blocks = Pieces(input_channels_, block_);
  for (int64_t item = begin; item < end; ++item) {
    const int64_t panel = item / blocks;
    const int64_t channel = item % blocks * block_;
    const int64_t channels = std::min(block_, input_channels_ - channel);
    const bool rest = output_channels_ - panel * PanelLayout::kColumns < PanelLayout::kColumns;
    const PanelPacker& packer = *packers_[rest ? 1 : 0][channels < block_ ? 1 : 0];
    packer.Run(
        static_cast<const uint8_t*>(weights) + panel * PanelLayout::kColumns * output_stride_ + channel * input_stride_,
        scratch, 0, packer.work_items());
    uint8_t* const to =
        static_cast<uint8_t*>(packed) + panel * PanelBytes(input_channels_) + channel * PanelLayout::kStepBytes;
    const WeightTransformArgs args = {scratch, to, channels};
    code_->entry<void (*)(const WeightTransformArgs*)>()(&args);
  }
}

}  // namespace burin::jit
