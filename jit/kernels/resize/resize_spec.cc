#include "jit/kernels/resize/resize_spec.h"

#include <cstddef>

#include "absl/strings/str_cat.h"
#include "base/byte_span.h"
#include "base/status_macros.h"

namespace burin::jit {
namespace {

int64_t ElementBytes(ElementType type) { return BitWidth(type) / 8; }

absl::Status CheckAxis(const ResizeAxis& axis, size_t i) {
  if (axis.input < 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("The input of an axis of a resampling is negative: axis ", i, ", input ", axis.input));
  }
  for (const std::vector<ResizeTap>& taps : axis.taps) {
    for (const ResizeTap& tap : taps) {
      if (tap.index >= 0 && tap.index < axis.input) continue;
      return absl::InvalidArgumentError(absl::StrCat("A tap of a resampling lies outside of its axis: axis ", i,
                                                     ", index ", tap.index, ", input ", axis.input));
    }
  }
  return absl::OkStatus();
}

absl::Status CheckSpans(const ResizeSpec& spec) {
  int64_t input = 8;
  int64_t output = 8;
  int64_t elements = 8;
  bool fits = AddSpan(spec.batch, spec.input_batch_stride, input) &&
              AddSpan(spec.channels, spec.input_channel_stride, input) &&
              AddSpan(spec.batch, spec.output_batch_stride, output) &&
              AddSpan(spec.channels, spec.output_channel_stride, output) &&
              !__builtin_mul_overflow(elements, spec.batch, &elements) &&
              !__builtin_mul_overflow(elements, spec.channels, &elements);
  for (const ResizeAxis& axis : spec.axes) {
    fits = fits && AddSpan(axis.input, axis.input_stride, input) &&
           AddSpan(axis.output(), axis.output_stride, output) &&
           !__builtin_mul_overflow(elements, axis.output(), &elements);
  }
  if (fits && elements < kMaxSpanBytes) return absl::OkStatus();
  return absl::InvalidArgumentError("The tensors of a resampling span 2^62 bytes or more");
}

}  // namespace

ResizeAxis ResizeAxis::Unchanged(int64_t size) {
  ResizeAxis axis;
  axis.input = size;
  axis.taps.clear();
  for (int64_t i = 0; i < size; ++i) axis.taps.push_back({{i, 1}});
  return axis;
}

void ResizeSpec::SetChannelsInnermost() {
  input_channel_stride = output_channel_stride = ElementBytes(type);
  int64_t input = channels * ElementBytes(type);
  int64_t output = input;
  for (size_t i = axes.size(); i-- > 0;) {
    axes[i].input_stride = input;
    axes[i].output_stride = output;
    input *= axes[i].input;
    output *= axes[i].output();
  }
  input_batch_stride = input;
  output_batch_stride = output;
}

void ResizeSpec::SetChannelsOutermost() {
  int64_t input = ElementBytes(type);
  int64_t output = input;
  for (size_t i = axes.size(); i-- > 0;) {
    axes[i].input_stride = input;
    axes[i].output_stride = output;
    input *= axes[i].input;
    output *= axes[i].output();
  }
  input_channel_stride = input;
  output_channel_stride = output;
  input_batch_stride = input * channels;
  output_batch_stride = output * channels;
}

bool ResizeSpec::IsMovement() const {
  if (term != ResizeTerm::kElement) return false;
  for (const ResizeAxis& axis : axes) {
    for (const std::vector<ResizeTap>& taps : axis.taps) {
      if (taps.size() > 1 || (taps.size() == 1 && taps[0].weight != 1)) return false;
    }
  }
  return true;
}

absl::Status ResizeSpec::Validate() const {
  if (BitWidth(type) < 8) {
    return absl::UnimplementedError(absl::StrCat("A resampling of elements of type ", Name(type)));
  }
  if (batch < 0 || channels < 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("The batch or the channels of a resampling are negative: ", batch, ", ", channels));
  }
  for (size_t i = 0; i < axes.size(); ++i) BURIN_RETURN_IF_ERROR(CheckAxis(axes[i], i));
  BURIN_RETURN_IF_ERROR(CheckSpans(*this));
  if (IsMovement()) return absl::OkStatus();
  if (type != ElementType::kF32) {
    return absl::UnimplementedError(absl::StrCat("A resampling by sums of elements of type ", Name(type)));
  }
  const bool by_channels = input_channel_stride == 4 && output_channel_stride == 4;
  const bool by_row = axes[2].input_stride == 4 && axes[2].output_stride == 4;
  if (by_channels || by_row || channels == 1) return absl::OkStatus();
  return absl::UnimplementedError(
      "A resampling by sums where neither channels nor the innermost axis lie side by side");
}

}  // namespace burin::jit
