// Describes a separable resampling of up to three axes: which elements of the input each element of the output is made
// of.
//
// Use it to make a ResizeKernel (jit/kernels/resize/resize.h). The taps of an axis are a table that the caller fills:
// nearest is one tap of weight 1, linear two, cubic four, a filter that shrinks more, and an element of padding none;
// which of them, by what rule of coordinates and of rounding, is the caller's business. The weights of the axes
// multiply. Plain values; functions are pure.
#ifndef BURIN_JIT_KERNELS_RESIZE_RESIZE_SPEC_H_
#define BURIN_JIT_KERNELS_RESIZE_RESIZE_SPEC_H_

#include <array>
#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "base/element_type.h"

namespace burin::jit {

// Is a contribution: `weight` times the element `index` of the axis.
struct ResizeTap {
  int64_t index = 0;
  float weight = 1;
};

// Says what of an element is summed up.
enum class ResizeTerm : uint8_t { kElement, kSquare };

// Describes an axis: one list of taps for each element of the output.
struct ResizeAxis {
  int64_t input = 1;
  std::vector<std::vector<ResizeTap>> taps = {{{0, 1}}};
  // Bytes between neighbours.
  int64_t input_stride = 0;
  int64_t output_stride = 0;

  // Returns an axis of that many elements that stays as it is; strides are to be set.
  static ResizeAxis Unchanged(int64_t size);

  // Returns the number of elements of the output.
  int64_t output() const { return static_cast<int64_t>(taps.size()); }
};

// Describes the whole. Strides are in bytes.
struct ResizeSpec {
  ElementType type = ElementType::kF32;
  // Squares, once whatever the number of axes, are the terms of a local response normalisation.
  ResizeTerm term = ResizeTerm::kElement;
  int64_t batch = 1;
  int64_t channels = 1;
  int64_t input_batch_stride = 0;
  int64_t output_batch_stride = 0;
  int64_t input_channel_stride = 0;
  int64_t output_channel_stride = 0;
  // From the outermost on; those that are lacking come first, as they are by default.
  std::array<ResizeAxis, 3> axes;

  // Set all strides to those of dense tensors: [batch, axes..., channels] or [batch, channels, axes...].
  void SetChannelsInnermost();
  void SetChannelsOutermost();

  // Returns whether it only moves elements: no element has more than one tap, all weights are 1, and nothing is
  // squared.
  bool IsMovement() const;

  // Returns OK where it can be computed. InvalidArgument, naming the field, where it makes no sense or a tensor spans
  // 2^62 bytes or more; Unimplemented for sums of another type than f32, for types below 8 bits, and for sums where
  // neither channels nor the elements of the innermost axis lie side by side on both sides.
  absl::Status Validate() const;
};

}  // namespace burin::jit

#endif  // BURIN_JIT_KERNELS_RESIZE_RESIZE_SPEC_H_
