#include "jit/kernels/convolution/transposed_convolution.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"

namespace burin::jit {
namespace {

constexpr int64_t kFloatBytes = 4;

// Each phase has code of its own.
constexpr int64_t kMostPhases = 1024;

// Returns the part of a transposed convolution whose outputs are of these phases.
ConvolutionSpec PartOf(const ConvolutionSpec& forward, const TransposedPhase& depth, const TransposedPhase& height,
                       const TransposedPhase& width) {
  ConvolutionSpec part = forward;
  part.input_type = forward.output_type;
  part.output_type = forward.input_type;
  part.input_channels = forward.output_channels;
  part.output_channels = forward.input_channels;
  part.depth = depth.axis;
  part.height = height.axis;
  part.width = width.axis;
  part.input = forward.output;
  part.output = forward.input;
  // Of a stride beyond the axis, a phase has one output.
  part.output.plane *= std::min(forward.depth.stride, std::max<int64_t>(1, forward.depth.input));
  part.output.row *= std::min(forward.height.stride, std::max<int64_t>(1, forward.height.input));
  part.output.pixel *= std::min(forward.width.stride, std::max<int64_t>(1, forward.width.input));
  return part;
}

// Returns the strides of the part's weights.
ConvolutionWeightStrides StridesOf(const ConvolutionSpec& forward, const ConvolutionWeightStrides& strides,
                                   const TransposedPhase& depth, const TransposedPhase& height,
                                   const TransposedPhase& width) {
  ConvolutionWeightStrides part;
  part.output_channel = strides.input_channel;
  part.input_channel = strides.output_channel;
  part.depth = depth.tap_step * strides.depth;
  part.height = height.tap_step * strides.height;
  part.width = width.tap_step * strides.width;
  part.group = strides.group.value_or(forward.output_channels_of_group() * strides.output_channel);
  return part;
}

// Calls visit(depth, height, width) for each combination of phases.
template <class Visit>
absl::Status ForEachPhase(const ConvolutionSpec& forward, const Visit& visit) {
  for (const TransposedPhase& depth : TransposedPhases(forward.depth)) {
    for (const TransposedPhase& height : TransposedPhases(forward.height)) {
      for (const TransposedPhase& width : TransposedPhases(forward.width)) {
        BURIN_RETURN_IF_ERROR(visit(depth, height, width));
      }
    }
  }
  return absl::OkStatus();
}

}  // namespace

std::vector<TransposedPhase> TransposedPhases(const WindowAxis& axis) {
  std::vector<TransposedPhase> phases;
  const int64_t common = std::gcd(axis.stride, axis.dilation);
  for (int64_t first = 0; first < std::min(axis.stride, axis.input); ++first) {
    TransposedPhase phase;
    phase.first = first;
    phase.axis.input = axis.output;
    phase.axis.output = (axis.input - first - 1) / axis.stride + 1;
    phase.axis.dilation = axis.dilation / common;
    // Tap k spreads input i to output i * stride - pad_before + k * dilation.
    int64_t tap = 0;
    const auto reaches = [&](int64_t k) { return (first + axis.pad_before - k * axis.dilation) % axis.stride == 0; };
    while (tap < axis.kernel && !reaches(tap)) ++tap;
    if (tap == axis.kernel) {
      phase.axis.pad_before = phase.axis.output;
      phases.push_back(phase);
      continue;
    }
    // In reverse, so that inputs come in their order.
    const int64_t step = axis.stride / common;
    phase.axis.kernel = (axis.kernel - tap - 1) / step + 1;
    phase.first_tap = tap + (phase.axis.kernel - 1) * step;
    phase.tap_step = -step;
    phase.axis.pad_before = -(first + axis.pad_before - phase.first_tap * axis.dilation) / axis.stride;
    phases.push_back(phase);
  }
  return phases;
}

absl::StatusOr<TransposedConvolution> TransposedConvolution::Create(const ConvolutionSpec& forward,
                                                                    const ConvolutionWeightStrides& strides,
                                                                    const Target& target, CodeCache& cache,
                                                                    const EpilogueEmitter* epilogue) {
  BURIN_RETURN_IF_ERROR(forward.Check());
  const bool one_phase = forward.depth.stride == 1 && forward.height.stride == 1 && forward.width.stride == 1;
  if (epilogue != nullptr && !one_phase) {
    return absl::UnimplementedError("An epilogue of a transposed convolution with strides");
  }
  int64_t rest = kMostPhases;
  for (const WindowAxis* const axis : {&forward.depth, &forward.height, &forward.width}) {
    rest /= std::max<int64_t>(1, std::min(axis->stride, axis->input));
  }
  if (rest == 0) {
    return absl::UnimplementedError(absl::StrCat("A transposed convolution with more phases than ", kMostPhases,
                                                 ": strides ", forward.depth.stride, ", ", forward.height.stride, ", ",
                                                 forward.width.stride));
  }
  TransposedConvolution transposed;
  BURIN_RETURN_IF_ERROR(ForEachPhase(
      forward,
      [&](const TransposedPhase& depth, const TransposedPhase& height, const TransposedPhase& width) -> absl::Status {
        const ConvolutionSpec spec = PartOf(forward, depth, height, width);
        BURIN_ASSIGN_OR_RETURN(ConvolutionKernel kernel, ConvolutionKernel::Create(spec, target, cache, epilogue));
        BURIN_ASSIGN_OR_RETURN(
            ConvolutionWeights weights,
            ConvolutionWeights::Create(spec, StridesOf(forward, strides, depth, height, width), target, cache));
        Part part{std::move(kernel), std::move(weights)};
        part.source =
            (depth.first_tap * strides.depth + height.first_tap * strides.height + width.first_tap * strides.width) *
            kFloatBytes;
        part.packed = transposed.packed_bytes_;
        part.output =
            (depth.first * forward.input.plane + height.first * forward.input.row + width.first * forward.input.pixel) *
            kFloatBytes;
        transposed.packed_bytes_ += part.weights.packed_bytes();
        transposed.pack_items_ += part.weights.work_items();
        transposed.work_items_ += part.kernel.work_items();
        transposed.parts_.push_back(std::move(part));
        return absl::OkStatus();
      }));
  return transposed;
}

void TransposedConvolution::Pack(const void* weights, void* packed, int64_t begin, int64_t end) const {
  for (const Part& part : parts_) {
    const int64_t items = part.weights.work_items();
    const int64_t from = std::clamp<int64_t>(begin, 0, items);
    const int64_t to = std::clamp<int64_t>(end, 0, items);
    if (from < to) {
      part.weights.Run(static_cast<const uint8_t*>(weights) + part.source, static_cast<uint8_t*>(packed) + part.packed,
                       from, to);
    }
    begin -= items;
    end -= items;
  }
}

void TransposedConvolution::Run(const ConvolutionArgs& args, int64_t begin, int64_t end) const {
  for (const Part& part : parts_) {
    const int64_t items = part.kernel.work_items();
    const int64_t from = std::clamp<int64_t>(begin, 0, items);
    const int64_t to = std::clamp<int64_t>(end, 0, items);
    if (from < to) {
      ConvolutionArgs of_part = args;
      of_part.weights = static_cast<const uint8_t*>(args.weights) + part.packed;
      if (args.output != nullptr) of_part.output = static_cast<uint8_t*>(args.output) + part.output;
      part.kernel.Run(of_part, from, to);
    }
    begin -= items;
    end -= items;
  }
}

bool TransposedConvolution::keeps_sums() const {
  return std::any_of(parts_.begin(), parts_.end(), [](const Part& part) { return part.kernel.keeps_sums(); });
}

}  // namespace burin::jit
