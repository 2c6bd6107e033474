// The arithmetic of sliding windows: output sizes and padding of convolutions and poolings along each spatial axis.
//
// Use it for every op that moves a window over spatial axes. It knows neither batch nor channels nor values. Sizes come
// from untrusted files: all arithmetic is checked or bounded. Stateless, hence thread-safe.
//
// Along one axis a window of `kernel` taps, `dilation` apart, covers extent = (kernel - 1) * dilation + 1 positions;
// window o begins at o * stride - pad_begin.
#ifndef BURIN_IR_OPS_FAMILY_WINDOW_H_
#define BURIN_IR_OPS_FAMILY_WINDOW_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "base/enum_names.h"
#include "ir/attributes.h"
#include "ir/dimension.h"

namespace burin::ir {

// Says where the padding comes from.
enum class AutoPad : uint8_t {
  kExplicit,   // From pads_begin and pads_end.
  kSameUpper,  // ceil(size / stride) windows; an odd padding has its extra element at the end.
  kSameLower,  // The same; the extra element is at the beginning.
  kValid,      // No padding.
};

// Says what happens with a last window that the padded input does not fill.
enum class RoundingType : uint8_t {
  kFloor,      // There is none.
  kCeil,       // It is counted.
  kCeilTorch,  // It is counted unless it would begin in the padding at the end.
};

// The largest stride, dilation, padding and kernel size. Far above what any model has; it keeps products in range.
inline constexpr int64_t kMaxWindowParameter = int64_t{1} << 24;

// The attributes that all windows share: one number per spatial axis, outermost first. An empty list stands for ones
// (strides, dilations) or zeros (pads).
struct WindowParameters {
  std::vector<int64_t> strides;
  std::vector<int64_t> pads_begin;
  std::vector<int64_t> pads_end;
  std::vector<int64_t> dilations;
  AutoPad auto_pad = AutoPad::kExplicit;

  // Visits the five under their names in OpenVINO's specifications.
  void VisitWindow(AttributeVisitor& visitor);
};

// A window along one axis. The pads may be negative: then the output or input is cut.
struct WindowAxis {
  int64_t kernel = 1;
  int64_t stride = 1;
  int64_t dilation = 1;
  int64_t pad_begin = 0;
  int64_t pad_end = 0;

  int64_t extent() const { return (kernel - 1) * dilation + 1; }
};

// Returns the number of spatial axes that the attributes speak of, or -1 where all lists are empty.
int64_t SpatialRankOf(const WindowParameters& window);

// Returns one axis per spatial axis with defaults filled in and kernel sizes of 1. InvalidArgument beginning with
// `label` for a list of another length, or a number outside [1, kMaxWindowParameter] (pads: [0, ...]).
absl::StatusOr<std::vector<WindowAxis>> MakeWindowAxes(absl::string_view label, const WindowParameters& window,
                                                       int64_t spatial_rank);

// Returns how many windows there are along an axis of `input` elements. `axis.kernel` is not used: `kernel` is, which
// may be known partially. InvalidArgument beginning with `label` where a kernel size lies outside
// [1, kMaxWindowParameter], or the window can never fit into the padded input.
absl::StatusOr<Dimension> WindowCount(absl::string_view label, const Dimension& input, const Dimension& kernel,
                                      const WindowAxis& axis, AutoPad auto_pad, RoundingType rounding);

// Returns `axis` with the padding that `auto_pad` gives for `input` elements.
WindowAxis ResolvePadding(const WindowAxis& axis, int64_t input, AutoPad auto_pad);

// Returns `axis` with the padding of a transposed convolution of `input` elements whose output is asked to have
// `output`: what the windows reach beyond it, `output_padding` added; half of it, rounded down, at the beginning, with
// kSameUpper at the end. An output that they do not reach has zeros at its end.
WindowAxis TransposedPadding(const WindowAxis& axis, int64_t input, int64_t output, int64_t output_padding,
                             AutoPad auto_pad);

// The outputs [first, last) whose tap at offset `tap * dilation` lies inside an input of `input` elements.
struct TapRange {
  int64_t first = 0;
  int64_t last = 0;
};
// Returns that range for `count` windows.
TapRange OutputsOfTap(const WindowAxis& axis, int64_t tap, int64_t input, int64_t count);

}  // namespace burin::ir

namespace burin {

template <>
struct EnumNames<ir::AutoPad> {
  static constexpr EnumEntry<ir::AutoPad> kEntries[] = {{ir::AutoPad::kExplicit, "explicit"},
                                                        {ir::AutoPad::kSameUpper, "same_upper"},
                                                        {ir::AutoPad::kSameLower, "same_lower"},
                                                        {ir::AutoPad::kValid, "valid"}};
};

template <>
struct EnumNames<ir::RoundingType> {
  static constexpr EnumEntry<ir::RoundingType> kEntries[] = {{ir::RoundingType::kFloor, "floor"},
                                                             {ir::RoundingType::kCeil, "ceil"},
                                                             {ir::RoundingType::kCeilTorch, "ceil_torch"}};
};

}  // namespace burin

#endif  // BURIN_IR_OPS_FAMILY_WINDOW_H_
