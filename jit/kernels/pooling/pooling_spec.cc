#include "jit/kernels/pooling/pooling_spec.h"

#include <cstddef>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/byte_span.h"
#include "base/element_type.h"
#include "base/status_macros.h"

namespace burin::jit {
namespace {

constexpr int64_t kElementBytes = 4;

absl::Status CheckRange(const char* field, size_t axis, int64_t value, int64_t least, int64_t most) {
  if (value >= least && value <= most) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat("A field of an axis of a pooling is not from ", least, " to ", most,
                                                 ": ", field, " of axis ", axis, " is ", value));
}

absl::Status CheckAxis(const PoolingAxis& axis, size_t i) {
  BURIN_RETURN_IF_ERROR(CheckRange("input", i, axis.input, 0, PoolingAxis::kMaxExtent));
  BURIN_RETURN_IF_ERROR(CheckRange("output", i, axis.output, 0, PoolingAxis::kMaxExtent));
  BURIN_RETURN_IF_ERROR(CheckRange("kernel", i, axis.kernel, 1, PoolingAxis::kMaxWindow));
  BURIN_RETURN_IF_ERROR(CheckRange("stride", i, axis.stride, 1, PoolingAxis::kMaxWindow));
  BURIN_RETURN_IF_ERROR(CheckRange("dilation", i, axis.dilation, 1, PoolingAxis::kMaxWindow));
  BURIN_RETURN_IF_ERROR(CheckRange("pad_begin", i, axis.pad_begin, -PoolingAxis::kMaxExtent, PoolingAxis::kMaxExtent));
  return CheckRange("pad_end", i, axis.pad_end, -PoolingAxis::kMaxExtent, PoolingAxis::kMaxExtent);
}

absl::Status CheckSpans(const PoolingSpec& spec) {
  int64_t input = 0;
  int64_t output = 0;
  bool fits = AddSpan(spec.batch, spec.input_batch_stride, input) && AddSpan(spec.channels, kElementBytes, input) &&
              AddSpan(spec.batch, spec.output_batch_stride, output) && AddSpan(spec.channels, kElementBytes, output);
  for (const PoolingAxis& axis : spec.axes) {
    fits = fits && AddSpan(axis.input, axis.input_stride, input) && AddSpan(axis.output, axis.output_stride, output);
  }
  // Of the positions of the indices, which have up to twice the bytes.
  int64_t windows = spec.batch;
  for (const PoolingAxis& axis : spec.axes) fits = fits && !__builtin_mul_overflow(windows, axis.output, &windows);
  fits = fits && !__builtin_mul_overflow(windows, spec.channels, &windows) && windows < kMaxSpanBytes / 8;
  if (fits) return absl::OkStatus();
  return absl::InvalidArgumentError("The tensors of a pooling span 2^62 bytes or more");
}

absl::Status CheckIndices(const PoolingSpec& spec) {
  const PoolingIndices& indices = *spec.indices;
  if (spec.kind != PoolingKind::kMax) {
    return absl::InvalidArgumentError("Only a maximum has a position: indices are asked for of another pooling");
  }
  if (indices.type != ElementType::kI32 && indices.type != ElementType::kI64) {
    return absl::InvalidArgumentError(
        absl::StrCat("The indices of a pooling are i32 or i64: not ", Name(indices.type)));
  }
  int64_t span = 0;
  bool fits = AddSpan(spec.batch, indices.batch_step, span) && AddSpan(spec.channels, indices.channel_step, span);
  int64_t last = 0;
  const auto add = [&](int64_t extent, int64_t step) {
    if (step < 0) fits = false;
    int64_t distance = 0;
    if (!fits || extent <= 1) return;
    fits = !__builtin_mul_overflow(extent - 1, step, &distance) && distance <= INT32_MAX - last;
    if (fits) last += distance;
  };
  add(spec.batch, indices.batch_step);
  add(spec.channels, indices.channel_step);
  for (size_t i = 0; i < spec.axes.size(); ++i) add(spec.axes[i].input, indices.axis_steps[i]);
  if (fits) return absl::OkStatus();
  return absl::UnimplementedError("Positions of the maxima of a pooling that are negative or not below 2^31");
}

}  // namespace

void PoolingSpec::SetDenseStrides() {
  int64_t input_bytes = channels * kElementBytes;
  int64_t output_bytes = input_bytes;
  for (size_t i = axes.size(); i-- > 0;) {
    axes[i].input_stride = input_bytes;
    axes[i].output_stride = output_bytes;
    input_bytes *= axes[i].input;
    output_bytes *= axes[i].output;
  }
  input_batch_stride = input_bytes;
  output_batch_stride = output_bytes;
}

absl::Status PoolingSpec::Validate() const {
  if (type != ElementType::kF32) {
    return absl::UnimplementedError(absl::StrCat("A pooling of elements of type ", Name(type)));
  }
  if (kind == PoolingKind::kLp && p < 1) {
    return absl::InvalidArgumentError(absl::StrCat("The p of a pooling by a norm is below 1: ", p));
  }
  if (kind == PoolingKind::kLp && p > 2) {
    return absl::UnimplementedError(absl::StrCat("A pooling by a norm whose p is above 2: ", p));
  }
  if (batch < 0) return absl::InvalidArgumentError(absl::StrCat("The batch of a pooling is negative: ", batch));
  if (channels < 0) {
    return absl::InvalidArgumentError(absl::StrCat("The channels of a pooling are negative: ", channels));
  }
  for (size_t i = 0; i < axes.size(); ++i) BURIN_RETURN_IF_ERROR(CheckAxis(axes[i], i));
  BURIN_RETURN_IF_ERROR(CheckSpans(*this));
  return indices.has_value() ? CheckIndices(*this) : absl::OkStatus();
}

}  // namespace burin::jit
