// Describes a pooling: what becomes of each window of up to three axes, channel by channel.
//
// Use it to make a PoolingKernel (jit/kernels/pooling/pooling.h). Channels lie side by side in memory, all else is
// where the strides say. Window o of an axis begins at o * stride - pad_begin of its input and has `kernel` taps,
// `dilation` apart; taps outside of the input are padding. How many windows there are is the caller's business, so that
// any rounding of their number can be expressed. Plain values; functions are pure.
#ifndef BURIN_JIT_KERNELS_POOLING_POOLING_SPEC_H_
#define BURIN_JIT_KERNELS_POOLING_POOLING_SPEC_H_

#include <array>
#include <cstdint>
#include <optional>

#include "absl/status/status.h"
#include "base/element_type.h"

namespace burin::jit {

// Says what a window becomes; padding is in none of these.
enum class PoolingKind : uint8_t {
  // The largest tap; minus infinity where there is none. A NaN is larger than all numbers; of equal taps it is the
  // first, which tells zeros apart.
  kMax,
  // The sum of the taps by their number; 0 where there is none.
  kAverage,
  // (sum of |tap|^p)^(1/p); 0 where there is no tap.
  kLp,
};

// Describes one axis that windows move along.
struct PoolingAxis {
  // The most elements and windows of an axis, and the most of the other sizes.
  static constexpr int64_t kMaxExtent = (int64_t{1} << 31) - 1;
  static constexpr int64_t kMaxWindow = int64_t{1} << 24;

  int64_t input = 1;
  int64_t output = 1;
  int64_t kernel = 1;
  int64_t stride = 1;
  int64_t dilation = 1;
  // May be negative: then windows begin or end inside of the input. The end matters to averages that count padding.
  int64_t pad_begin = 0;
  int64_t pad_end = 0;
  // Bytes between neighbours.
  int64_t input_stride = 0;
  int64_t output_stride = 0;
};

// Says what the position of a maximum is called: batch_step * batch + channel_step * channel + the sum over the axes of
// axis_steps * coordinate in the input; 0 in a window of padding alone. That of the first maximum in the order of the
// axes. Positions stay below 2^31.
struct PoolingIndices {
  // i32 or i64.
  ElementType type = ElementType::kI64;
  int64_t batch_step = 0;
  int64_t channel_step = 0;
  std::array<int64_t, 3> axis_steps = {0, 0, 0};
};

// Describes the whole.
struct PoolingSpec {
  PoolingKind kind = PoolingKind::kMax;
  // Of input and output: f32.
  ElementType type = ElementType::kF32;
  // Of kLp: 1 or 2.
  int p = 2;
  // Of kAverage: whether taps in the padding, up to pad_end, count although they are 0.
  bool count_padding = false;
  // Of kMax: a second output, which lies as the output does, element for element.
  std::optional<PoolingIndices> indices;

  int64_t batch = 1;
  int64_t channels = 1;
  int64_t input_batch_stride = 0;
  int64_t output_batch_stride = 0;
  // From the outermost on; those that a pooling of fewer axes lacks come first, as they are by default.
  std::array<PoolingAxis, 3> axes;

  // Sets all strides to those of dense tensors [batch, axes..., channels].
  void SetDenseStrides();

  // Returns the number of windows: rows of the output, whose columns are the channels.
  int64_t Windows() const { return batch * axes[0].output * axes[1].output * axes[2].output; }

  // Returns OK where it can be computed. InvalidArgument, naming the field, where it makes no sense or reaches beyond
  // 2^62 bytes; Unimplemented, naming it, for another type, another p or positions from 2^31 on.
  absl::Status Validate() const;
};

}  // namespace burin::jit

#endif  // BURIN_JIT_KERNELS_POOLING_POOLING_SPEC_H_
