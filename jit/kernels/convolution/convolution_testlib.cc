#include "jit/kernels/convolution/convolution_testlib.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "absl/strings/str_cat.h"

namespace burin::jit {
namespace {

int64_t Elements(const std::array<int64_t, 4>& extents, const ActivationStrides& strides, int64_t channels) {
  if (std::count(extents.begin(), extents.end(), 0) > 0) return 0;
  return (extents[0] - 1) * strides.image + (extents[1] - 1) * strides.plane + (extents[2] - 1) * strides.row +
         (extents[3] - 1) * strides.pixel + channels;
}

bool IsInside(const WindowAxis& axis, int64_t index) { return index >= 0 && index < axis.input; }

}  // namespace

WindowAxis PaddedAxis(int64_t input, int64_t kernel, int64_t stride, int64_t dilation, int64_t pad_before,
                      int64_t pad_after) {
  WindowAxis axis = {input, 0, kernel, stride, dilation, pad_before};
  const int64_t room = input + pad_before + pad_after - (kernel - 1) * dilation - 1;
  axis.output = room < 0 ? 0 : room / stride + 1;
  return axis;
}

ConvolutionSpec MakeConvolution(int64_t images, int64_t input_channels, int64_t output_channels, int64_t groups,
                                const WindowAxis& depth, const WindowAxis& height, const WindowAxis& width,
                                int64_t gap) {
  ConvolutionSpec spec;
  spec.images = images;
  spec.input_channels = input_channels;
  spec.output_channels = output_channels;
  spec.groups = groups;
  spec.depth = depth;
  spec.height = height;
  spec.width = width;
  spec.input = ActivationStrides::Dense(depth.input, height.input, width.input, input_channels + gap).value();
  spec.output = ActivationStrides::Dense(depth.output, height.output, width.output, output_channels + gap).value();
  spec.input.row += 3 * gap;
  spec.input.plane += 3 * gap * height.input;
  spec.input.image += 3 * gap * height.input * depth.input;
  return spec;
}

int64_t InputElements(const ConvolutionSpec& spec) {
  return Elements({spec.images, spec.depth.input, spec.height.input, spec.width.input}, spec.input,
                  spec.input_channels);
}

int64_t OutputElements(const ConvolutionSpec& spec) {
  return Elements({spec.images, spec.depth.output, spec.height.output, spec.width.output}, spec.output,
                  spec.output_channels);
}

void ForEachPixel(const ConvolutionSpec& spec,
                  const std::function<void(int64_t n, int64_t d, int64_t h, int64_t w)>& visit) {
  for (int64_t n = 0; n < spec.images; ++n) {
    for (int64_t d = 0; d < spec.depth.output; ++d) {
      for (int64_t h = 0; h < spec.height.output; ++h) {
        for (int64_t w = 0; w < spec.width.output; ++w) visit(n, d, h, w);
      }
    }
  }
}

std::vector<double> ConvolveInDouble(const ConvolutionSpec& spec, const float* input,
                                     const std::vector<float>& weights) {
  std::vector<double> outputs;
  const int64_t channels = spec.input_channels_of_group();
  std::vector<double> sums(static_cast<size_t>(spec.output_channels));
  ForEachPixel(spec, [&](int64_t n, int64_t d, int64_t h, int64_t w) {
    std::fill(sums.begin(), sums.end(), 0.0);
    int64_t tap = 0;
    for (int64_t i = 0; i < spec.depth.kernel; ++i) {
      for (int64_t j = 0; j < spec.height.kernel; ++j) {
        for (int64_t k = 0; k < spec.width.kernel; ++k, ++tap) {
          const int64_t z = spec.depth.At(d, i);
          const int64_t y = spec.height.At(h, j);
          const int64_t x = spec.width.At(w, k);
          if (!IsInside(spec.depth, z) || !IsInside(spec.height, y) || !IsInside(spec.width, x)) continue;
          const float* const pixel =
              input + n * spec.input.image + z * spec.input.plane + y * spec.input.row + x * spec.input.pixel;
          for (int64_t o = 0; o < spec.output_channels; ++o) {
            const float* const from = pixel + o / spec.output_channels_of_group() * channels;
            const float* const by = weights.data() + o * spec.steps() + tap * channels;
            double sum = 0;
            for (int64_t c = 0; c < channels; ++c) sum += static_cast<double>(from[c]) * by[c];
            sums[static_cast<size_t>(o)] += sum;
          }
        }
      }
    }
    outputs.insert(outputs.end(), sums.begin(), sums.end());
  });
  return outputs;
}

std::string Describe(const ConvolutionSpec& spec) {
  const auto axis = [](const WindowAxis& a) {
    return absl::StrCat("[", a.input, " -> ", a.output, ", kernel ", a.kernel, ", stride ", a.stride, ", dilation ",
                        a.dilation, ", pad ", a.pad_before, "]");
  };
  return absl::StrCat(spec.images, " images, ", spec.input_channels, " -> ", spec.output_channels,
                      " channels in groups: ", spec.groups, ", ", axis(spec.depth), axis(spec.height), axis(spec.width),
                      ", pixels ", spec.input.pixel, " and ", spec.output.pixel);
}

}  // namespace burin::jit
