#include "ir/ops/family/window.h"

#include <algorithm>
#include <string>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"

namespace burin::ir {
namespace {

absl::Status CheckList(absl::string_view label, const char* name, const std::vector<int64_t>& values, int64_t min,
                       int64_t spatial_rank) {
  if (values.empty()) return absl::OkStatus();
  if (static_cast<int64_t>(values.size()) != spatial_rank) {
    return absl::InvalidArgumentError(absl::StrCat(label, ": the length of ", name,
                                                   " differs from the number of spatial axes: ", values.size(), " and ",
                                                   spatial_rank));
  }
  for (int64_t value : values) {
    if (value < min || value > kMaxWindowParameter) {
      return absl::InvalidArgumentError(
          absl::StrCat(label, ": a number in ", name, " lies outside [", min, ",", kMaxWindowParameter, "]: ", value));
    }
  }
  return absl::OkStatus();
}

int64_t ValueOr(const std::vector<int64_t>& values, int64_t i, int64_t otherwise) {
  return values.empty() ? otherwise : values[static_cast<size_t>(i)];
}

// The windows along an axis of `input` elements under an extent; at least 0. Not decreasing in `input`, not increasing
// in `extent`.
int64_t CountWindows(int64_t input, int64_t extent, const WindowAxis& axis, RoundingType rounding) {
  // Beyond this, sums with an extent (up to 2^48) or pads could overflow; no tensor is as large.
  if (input > Dimension::kInfinite / 2) return Dimension::kInfinite;
  const int64_t room = input - extent + axis.pad_begin + axis.pad_end;
  if (room < 0) return 0;
  int64_t count = room / axis.stride + 1;
  if (rounding == RoundingType::kFloor || room % axis.stride == 0) return count;
  ++count;
  if (rounding == RoundingType::kCeilTorch && (count - 1) * axis.stride >= input + axis.pad_begin) --count;
  return count;
}

int64_t CeilDivPositive(int64_t a, int64_t b) { return a / b + (a % b > 0 ? 1 : 0); }

}  // namespace

void WindowParameters::VisitWindow(AttributeVisitor& visitor) {
  visitor.Visit("strides", strides);
  visitor.Visit("pads_begin", pads_begin);
  visitor.Visit("pads_end", pads_end);
  visitor.Visit("dilations", dilations);
  visitor.Visit("auto_pad", auto_pad);
}

int64_t SpatialRankOf(const WindowParameters& window) {
  for (const std::vector<int64_t>* values :
       {&window.strides, &window.dilations, &window.pads_begin, &window.pads_end}) {
    if (!values->empty()) return static_cast<int64_t>(values->size());
  }
  return -1;
}

absl::StatusOr<std::vector<WindowAxis>> MakeWindowAxes(absl::string_view label, const WindowParameters& window,
                                                       int64_t spatial_rank) {
  BURIN_RETURN_IF_ERROR(CheckList(label, "strides", window.strides, 1, spatial_rank));
  BURIN_RETURN_IF_ERROR(CheckList(label, "dilations", window.dilations, 1, spatial_rank));
  BURIN_RETURN_IF_ERROR(CheckList(label, "pads_begin", window.pads_begin, 0, spatial_rank));
  BURIN_RETURN_IF_ERROR(CheckList(label, "pads_end", window.pads_end, 0, spatial_rank));
  std::vector<WindowAxis> axes(static_cast<size_t>(spatial_rank));
  for (int64_t i = 0; i < spatial_rank; ++i) {
    WindowAxis& axis = axes[static_cast<size_t>(i)];
    axis.stride = ValueOr(window.strides, i, 1);
    axis.dilation = ValueOr(window.dilations, i, 1);
    if (window.auto_pad != AutoPad::kExplicit) continue;
    axis.pad_begin = ValueOr(window.pads_begin, i, 0);
    axis.pad_end = ValueOr(window.pads_end, i, 0);
  }
  return axes;
}

absl::StatusOr<Dimension> WindowCount(absl::string_view label, const Dimension& input, const Dimension& kernel,
                                      const WindowAxis& axis, AutoPad auto_pad, RoundingType rounding) {
  Dimension size = kernel;
  if (!Intersect(Dimension(1, kMaxWindowParameter), &size)) {
    return absl::InvalidArgumentError(
        absl::StrCat(label, ": the kernel size lies outside [1,", kMaxWindowParameter, "]: ", kernel.ToString()));
  }
  if (auto_pad == AutoPad::kSameUpper || auto_pad == AutoPad::kSameLower) {
    return axis.stride == 1 ? input : CeilDiv(input, axis.stride);
  }
  const int64_t min_extent = (size.min() - 1) * axis.dilation + 1;
  const int64_t max_extent = (size.max() - 1) * axis.dilation + 1;
  const bool keeps_size = axis.stride == 1 && min_extent == max_extent &&
                          axis.pad_begin + axis.pad_end == min_extent - 1 && input.max() > 0;
  if (keeps_size) return input;
  const int64_t most = CountWindows(input.max(), min_extent, axis, rounding);
  if (most == 0) {
    return absl::InvalidArgumentError(absl::StrCat(
        label, ": the window does not fit into the padded input: kernel ", kernel.ToString(), ", dilation ",
        axis.dilation, ", pads ", axis.pad_begin, " and ", axis.pad_end, ", input ", input.ToString()));
  }
  // An input into which no window fits is refused when it is seen, so a valid run has at least one.
  const int64_t least = std::max<int64_t>(1, CountWindows(input.min(), max_extent, axis, rounding));
  return Dimension(least, most);
}

WindowAxis ResolvePadding(const WindowAxis& axis, int64_t input, AutoPad auto_pad) {
  WindowAxis resolved = axis;
  if (auto_pad == AutoPad::kExplicit) return resolved;
  resolved.pad_begin = 0;
  resolved.pad_end = 0;
  if (auto_pad == AutoPad::kValid || input == 0) return resolved;
  const int64_t count = CeilDivPositive(input, axis.stride);
  const int64_t total = std::max<int64_t>(0, (count - 1) * axis.stride + axis.extent() - input);
  const int64_t smaller = total / 2;
  resolved.pad_begin = auto_pad == AutoPad::kSameUpper ? smaller : total - smaller;
  resolved.pad_end = total - resolved.pad_begin;
  return resolved;
}

WindowAxis TransposedPadding(const WindowAxis& axis, int64_t input, int64_t output, int64_t output_padding,
                             AutoPad auto_pad) {
  const int64_t reach = input == 0 ? 0 : (input - 1) * axis.stride + axis.extent();
  const int64_t total = std::max<int64_t>(0, reach - output + output_padding);
  WindowAxis padded = axis;
  padded.pad_begin = auto_pad == AutoPad::kSameUpper ? total - total / 2 : total / 2;
  padded.pad_end = total - padded.pad_begin;
  return padded;
}

TapRange OutputsOfTap(const WindowAxis& axis, int64_t tap, int64_t input, int64_t count) {
  // Window o reads o * stride + offset, which lies in [0, input).
  const int64_t offset = tap * axis.dilation - axis.pad_begin;
  TapRange range;
  range.first = offset >= 0 ? 0 : CeilDivPositive(-offset, axis.stride);
  range.last = offset >= input ? 0 : std::min(count, (input - 1 - offset) / axis.stride + 1);
  range.last = std::max(range.first, range.last);
  return range;
}

}  // namespace burin::ir
