#include "jit/kernels/convolution/convolution_spec.h"

#include <array>
#include <limits>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/status_macros.h"

namespace burin::jit {
namespace {

constexpr int64_t kMost = std::numeric_limits<int32_t>::max();

absl::Status CheckCount(int64_t value, int64_t least, absl::string_view field) {
  if (value >= least && value <= kMost) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat("Out of range in a convolution: ", field, " is ", value));
}

absl::Status CheckType(ElementType type, absl::string_view field) {
  if (type == ElementType::kF32) return absl::OkStatus();
  return absl::UnimplementedError(absl::StrCat("A convolution of other types than f32: ", field, " is ", Name(type)));
}

// Returns whether every output along the axis sees the input at its own place.
bool SeesItself(const WindowAxis& axis) {
  return axis.kernel == 1 && axis.stride == 1 && axis.pad_before == 0 && axis.input == axis.output;
}

// Makes one axis, `inner`, of two; returns whether that is possible. `outer_stride` and `inner_stride` are those of the
// input, then of the output.
bool Merge(WindowAxis& outer, WindowAxis& inner, std::array<int64_t, 2> outer_stride,
           std::array<int64_t, 2> inner_stride) {
  if (!SeesItself(outer) || !SeesItself(inner)) return false;
  if (outer.output > 1) {
    for (size_t i = 0; i < outer_stride.size(); ++i) {
      if (outer_stride[i] != inner.output * inner_stride[i]) return false;
    }
  }
  if (outer.output > 0 && inner.output > kMost / outer.output) return false;
  inner.input = inner.output = outer.output * inner.output;
  outer = WindowAxis();
  return true;
}

}  // namespace

double ConvolutionSpec::multiply_adds() const {
  return static_cast<double>(images) * static_cast<double>(depth.output) * static_cast<double>(height.output) *
         static_cast<double>(width.output) * static_cast<double>(output_channels) * static_cast<double>(steps());
}

absl::Status ConvolutionSpec::Check() const {
  BURIN_RETURN_IF_ERROR(CheckType(input_type, "input_type"));
  BURIN_RETURN_IF_ERROR(CheckType(weights_type, "weights_type"));
  BURIN_RETURN_IF_ERROR(CheckType(output_type, "output_type"));
  BURIN_RETURN_IF_ERROR(CheckCount(images, 0, "images"));
  BURIN_RETURN_IF_ERROR(CheckCount(input_channels, 0, "input_channels"));
  BURIN_RETURN_IF_ERROR(CheckCount(output_channels, 0, "output_channels"));
  BURIN_RETURN_IF_ERROR(CheckCount(groups, 1, "groups"));
  if (input_channels % groups != 0 || output_channels % groups != 0) {
    return absl::InvalidArgumentError(absl::StrCat("Channels that are not equally many in each group: ", input_channels,
                                                   " and ", output_channels, " in groups: ", groups));
  }
  BURIN_RETURN_IF_ERROR(depth.Check("depth"));
  BURIN_RETURN_IF_ERROR(height.Check("height"));
  BURIN_RETURN_IF_ERROR(width.Check("width"));
  const std::array<int64_t, 4> inputs = {images, depth.input, height.input, width.input};
  const std::array<int64_t, 4> outputs = {images, depth.output, height.output, width.output};
  BURIN_RETURN_IF_ERROR(input.Check(inputs, input_channels, "input"));
  BURIN_RETURN_IF_ERROR(output.Check(outputs, output_channels, "output"));
  int64_t pixels = 1;
  for (const int64_t extent : outputs) {
    if (__builtin_mul_overflow(pixels, extent, &pixels)) {
      return absl::InvalidArgumentError("A convolution has more outputs than 64 bits count");
    }
  }
  int64_t rest = kMostSteps;
  for (const int64_t kernel : {depth.kernel, height.kernel, width.kernel}) rest /= kernel;
  if (rest == 0 || input_channels_of_group() > rest) {
    return absl::UnimplementedError(absl::StrCat("A convolution whose outputs sum more than ", kMostSteps,
                                                 " products: ", depth.kernel, " x ", height.kernel, " x ", width.kernel,
                                                 " taps of ", input_channels_of_group(), " channels"));
  }
  return absl::OkStatus();
}

ConvolutionSpec ConvolutionSpec::Flattened() const {
  ConvolutionSpec flat = *this;
  Merge(flat.height, flat.width, {input.row, output.row}, {input.pixel, output.pixel});
  if (flat.height.output == 1 && SeesItself(flat.height)) {
    Merge(flat.depth, flat.width, {input.plane, output.plane}, {input.pixel, output.pixel});
  } else if (Merge(flat.depth, flat.height, {input.plane, output.plane}, {input.row, output.row})) {
    flat.input.plane = flat.output.plane = 0;
  }
  const bool one_row = flat.depth.output == 1 && SeesItself(flat.depth) && flat.height.output == 1 &&
                       SeesItself(flat.height) && SeesItself(flat.width);
  WindowAxis all_images;
  all_images.input = all_images.output = images;
  if (one_row && Merge(all_images, flat.width, {input.image, output.image}, {input.pixel, output.pixel})) {
    flat.images = 1;
  }
  return flat;
}

}  // namespace burin::jit
