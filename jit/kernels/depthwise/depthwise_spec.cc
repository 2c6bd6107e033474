#include "jit/kernels/depthwise/depthwise_spec.h"

#include <array>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/status_macros.h"

namespace burin::jit {
namespace {

constexpr int64_t kMostChannels = int64_t{1} << 31;

absl::Status CheckCount(int64_t value, int64_t least, int64_t most, absl::string_view field) {
  if (value >= least && value <= most) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat("Out of range in a depthwise convolution: ", field, " is ", value));
}

absl::Status CheckType(ElementType type, absl::string_view field) {
  if (type == ElementType::kF32) return absl::OkStatus();
  return absl::UnimplementedError(
      absl::StrCat("A depthwise convolution of other types than f32: ", field, " is ", Name(type)));
}

}  // namespace

double DepthwiseSpec::multiply_adds() const {
  return static_cast<double>(images) * static_cast<double>(depth.output) * static_cast<double>(height.output) *
         static_cast<double>(width.output) * static_cast<double>(output_channels()) * static_cast<double>(taps());
}

absl::Status DepthwiseSpec::Check() const {
  BURIN_RETURN_IF_ERROR(CheckType(input_type, "input_type"));
  BURIN_RETURN_IF_ERROR(CheckType(weights_type, "weights_type"));
  BURIN_RETURN_IF_ERROR(CheckType(output_type, "output_type"));
  BURIN_RETURN_IF_ERROR(CheckCount(images, 0, kMostChannels, "images"));
  BURIN_RETURN_IF_ERROR(CheckCount(channels, 0, kMostChannels, "channels"));
  BURIN_RETURN_IF_ERROR(CheckCount(multiplier, 1, kMostChannels, "multiplier"));
  BURIN_RETURN_IF_ERROR(CheckCount(output_channels(), 0, kMostChannels, "channels of the output"));
  BURIN_RETURN_IF_ERROR(depth.Check("depth"));
  BURIN_RETURN_IF_ERROR(height.Check("height"));
  BURIN_RETURN_IF_ERROR(width.Check("width"));
  const std::array<int64_t, 4> inputs = {images, depth.input, height.input, width.input};
  const std::array<int64_t, 4> outputs = {images, depth.output, height.output, width.output};
  BURIN_RETURN_IF_ERROR(input.Check(inputs, channels, "input"));
  BURIN_RETURN_IF_ERROR(output.Check(outputs, output_channels(), "output"));
  int64_t pixels = 1;
  for (const int64_t extent : outputs) {
    if (__builtin_mul_overflow(pixels, extent, &pixels)) {
      return absl::InvalidArgumentError("A depthwise convolution has more outputs than 64 bits count");
    }
  }
  int64_t rest = kMostTaps;
  for (const int64_t kernel : {depth.kernel, height.kernel, width.kernel}) rest /= kernel;
  if (rest == 0) {
    return absl::UnimplementedError(absl::StrCat("A depthwise convolution of more than ", kMostTaps,
                                                 " taps: ", depth.kernel, " x ", height.kernel, " x ", width.kernel));
  }
  return absl::OkStatus();
}

}  // namespace burin::jit
