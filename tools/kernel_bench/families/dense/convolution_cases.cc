#include "tools/kernel_bench/families/dense/convolution_cases.h"

#include <re2/re2.h>

#include <algorithm>
#include <cstddef>
#include <iterator>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "jit/kernels/convolution/activation_strides.h"

namespace burin::kernel_bench {
namespace {

constexpr ConvolutionCase Depthwise(int64_t channels, int64_t size, int64_t stride) {
  return {channels, channels, size, 3, stride, true};
}

constexpr ConvolutionCase kUsual[] = {
    // From few channels.
    {3, 64, 224, 7, 2},
    {3, 32, 224, 3, 2},
    // Windows of one pixel: wide, narrow, with stride, with ends.
    {64, 256, 56, 1, 1},
    {512, 128, 28, 1, 1},
    {2048, 512, 7, 1, 1},
    {256, 512, 56, 1, 2},
    {96, 24, 56, 1, 1},
    {32, 16, 112, 1, 1},
    // Of 3 x 3.
    {64, 64, 56, 3, 1},
    {128, 128, 28, 3, 1},
    {256, 256, 14, 3, 1},
    {512, 512, 7, 3, 1},
    {128, 128, 56, 3, 2},
    {32, 32, 160, 3, 1},
    {100, 100, 30, 3, 1},
    {64, 64, 28, 5, 1},
    Depthwise(32, 112, 1),
    Depthwise(96, 112, 2),
    Depthwise(144, 56, 1),
    Depthwise(192, 28, 2),
    Depthwise(384, 14, 1),
    Depthwise(960, 7, 1),
};

// Is a layer of a model.
struct ModelConvolution {
  const char* set;
  ConvolutionCase layer;
};

constexpr ModelConvolution kOfModels[] = {
    {"resnet50", {3, 64, 224, 7, 2}},
    {"resnet50", {64, 64, 56, 1, 1}},
    {"resnet50", {64, 64, 56, 3, 1}},
    {"resnet50", {64, 256, 56, 1, 1}},
    {"resnet50", {256, 64, 56, 1, 1}},
    {"resnet50", {256, 128, 56, 1, 1}},
    {"resnet50", {128, 128, 56, 3, 2}},
    {"resnet50", {128, 512, 28, 1, 1}},
    {"resnet50", {256, 512, 56, 1, 2}},
    {"resnet50", {512, 128, 28, 1, 1}},
    {"resnet50", {128, 128, 28, 3, 1}},
    {"resnet50", {512, 256, 28, 1, 1}},
    {"resnet50", {256, 256, 28, 3, 2}},
    {"resnet50", {256, 1024, 14, 1, 1}},
    {"resnet50", {512, 1024, 28, 1, 2}},
    {"resnet50", {1024, 256, 14, 1, 1}},
    {"resnet50", {256, 256, 14, 3, 1}},
    {"resnet50", {1024, 512, 14, 1, 1}},
    {"resnet50", {512, 512, 14, 3, 2}},
    {"resnet50", {512, 2048, 7, 1, 1}},
    {"resnet50", {1024, 2048, 14, 1, 2}},
    {"resnet50", {2048, 512, 7, 1, 1}},
    {"resnet50", {512, 512, 7, 3, 1}},
    {"vgg19", {3, 64, 224, 3, 1}},
    {"vgg19", {64, 64, 224, 3, 1}},
    {"vgg19", {64, 128, 112, 3, 1}},
    {"vgg19", {128, 128, 112, 3, 1}},
    {"vgg19", {128, 256, 56, 3, 1}},
    {"vgg19", {256, 256, 56, 3, 1}},
    {"vgg19", {256, 512, 28, 3, 1}},
    {"vgg19", {512, 512, 28, 3, 1}},
    {"vgg19", {512, 512, 14, 3, 1}},
    {"mobilenet_v2", {3, 32, 224, 3, 2}},
    {"mobilenet_v2", Depthwise(32, 112, 1)},
    {"mobilenet_v2", {32, 16, 112, 1, 1}},
    {"mobilenet_v2", {16, 96, 112, 1, 1}},
    {"mobilenet_v2", Depthwise(96, 112, 2)},
    {"mobilenet_v2", {96, 24, 56, 1, 1}},
    {"mobilenet_v2", {24, 144, 56, 1, 1}},
    {"mobilenet_v2", Depthwise(144, 56, 1)},
    {"mobilenet_v2", {144, 24, 56, 1, 1}},
    {"mobilenet_v2", Depthwise(144, 56, 2)},
    {"mobilenet_v2", {144, 32, 28, 1, 1}},
    {"mobilenet_v2", {32, 192, 28, 1, 1}},
    {"mobilenet_v2", Depthwise(192, 28, 1)},
    {"mobilenet_v2", {192, 32, 28, 1, 1}},
    {"mobilenet_v2", Depthwise(192, 28, 2)},
    {"mobilenet_v2", {192, 64, 14, 1, 1}},
    {"mobilenet_v2", {64, 384, 14, 1, 1}},
    {"mobilenet_v2", Depthwise(384, 14, 1)},
    {"mobilenet_v2", {384, 64, 14, 1, 1}},
    {"mobilenet_v2", {384, 96, 14, 1, 1}},
    {"mobilenet_v2", {96, 576, 14, 1, 1}},
    {"mobilenet_v2", Depthwise(576, 14, 1)},
    {"mobilenet_v2", {576, 96, 14, 1, 1}},
    {"mobilenet_v2", Depthwise(576, 14, 2)},
    {"mobilenet_v2", {576, 160, 7, 1, 1}},
    {"mobilenet_v2", {160, 960, 7, 1, 1}},
    {"mobilenet_v2", Depthwise(960, 7, 1)},
    {"mobilenet_v2", {960, 160, 7, 1, 1}},
    {"mobilenet_v2", {960, 320, 7, 1, 1}},
    {"mobilenet_v2", {320, 1280, 7, 1, 1}},
    // Its small version, on images of 640 x 640.
    {"yolox", {12, 32, 320, 3, 1}},
    {"yolox", {32, 64, 320, 3, 2}},
    {"yolox", {64, 32, 160, 1, 1}},
    {"yolox", {32, 32, 160, 1, 1}},
    {"yolox", {32, 32, 160, 3, 1}},
    {"yolox", {64, 64, 160, 1, 1}},
    {"yolox", {64, 128, 160, 3, 2}},
    {"yolox", {128, 64, 80, 1, 1}},
    {"yolox", {64, 64, 80, 1, 1}},
    {"yolox", {64, 64, 80, 3, 1}},
    {"yolox", {128, 128, 80, 1, 1}},
    {"yolox", {128, 128, 80, 3, 1}},
    {"yolox", {256, 64, 80, 1, 1}},
    {"yolox", {128, 256, 80, 3, 2}},
    {"yolox", {128, 128, 80, 3, 2}},
    {"yolox", {256, 128, 40, 1, 1}},
    {"yolox", {128, 128, 40, 1, 1}},
    {"yolox", {128, 128, 40, 3, 1}},
    {"yolox", {256, 256, 40, 1, 1}},
    {"yolox", {512, 128, 40, 1, 1}},
    {"yolox", {256, 512, 40, 3, 2}},
    {"yolox", {256, 256, 40, 3, 2}},
    {"yolox", {512, 256, 20, 1, 1}},
    {"yolox", {1024, 512, 20, 1, 1}},
    {"yolox", {256, 256, 20, 1, 1}},
    {"yolox", {256, 256, 20, 3, 1}},
    {"yolox", {512, 512, 20, 1, 1}},
    {"yolox", {512, 128, 20, 1, 1}},
    {"yolox", {128, 128, 20, 3, 1}},
    {"small", {16, 16, 14, 1, 1}},
    {"small", {16, 16, 14, 3, 1}},
    {"small", {32, 32, 7, 3, 1}},
    {"small", {8, 24, 28, 3, 2}},
    {"small", {24, 40, 14, 1, 1}},
    {"small", Depthwise(16, 14, 1)},
    {"small", Depthwise(40, 14, 2)},
};

bool Contains(const std::vector<ConvolutionCase>& layers, const ConvolutionCase& layer) {
  return std::any_of(layers.begin(), layers.end(),
                     [&](const ConvolutionCase& other) { return other.Name() == layer.Name(); });
}

ConvolutionCase Drawn(SizeDraw& draw) {
  constexpr int64_t kKernels[] = {1, 3, 3, 5};
  ConvolutionCase layer;
  layer.input_channels = draw.Draw(16, 1024, 16);
  layer.output_channels = draw.Draw(16, 1024, 16);
  layer.size = draw.Draw(7, 112);
  layer.kernel = kKernels[draw.Choose(4)];
  layer.stride = 1 + draw.Choose(4) / 3;
  layer.depthwise = draw.Choose(8) == 0;
  if (!layer.depthwise) return layer;
  layer.output_channels = layer.input_channels;
  layer.kernel = std::max<int64_t>(layer.kernel, 3);
  return layer;
}

}  // namespace

std::string ConvolutionCase::Name() const {
  const std::string channels =
      depthwise ? absl::StrCat("dw", input_channels) : absl::StrCat(input_channels, "x", output_channels);
  return absl::StrCat(channels, "/", size, "/k", kernel, "s", stride);
}

std::optional<ConvolutionCase> ConvolutionCase::Parse(absl::string_view name) {
  static const auto* const dense_form = new RE2("(\\d+)x(\\d+)/(\\d+)/k(\\d+)s(\\d+)");
  static const auto* const depthwise_form = new RE2("dw(\\d+)/(\\d+)/k(\\d+)s(\\d+)");
  ConvolutionCase parsed;
  const std::string text(name);
  if (RE2::FullMatch(text, *depthwise_form, &parsed.input_channels, &parsed.size, &parsed.kernel, &parsed.stride)) {
    parsed.output_channels = parsed.input_channels;
    parsed.depthwise = true;
  } else if (!RE2::FullMatch(text, *dense_form, &parsed.input_channels, &parsed.output_channels, &parsed.size,
                             &parsed.kernel, &parsed.stride)) {
    return std::nullopt;
  }
  const int64_t least =
      std::min({parsed.input_channels, parsed.output_channels, parsed.size, parsed.kernel, parsed.stride});
  if (least < 1 || parsed.kernel % 2 == 0) return std::nullopt;
  return parsed;
}

jit::WindowAxis ConvolutionCase::Axis() const { return {size, output_size(), kernel, stride, 1, kernel / 2}; }

absl::StatusOr<jit::ConvolutionSpec> ConvolutionCase::Direct() const {
  jit::ConvolutionSpec spec;
  spec.input_channels = input_channels;
  spec.output_channels = output_channels;
  spec.height = spec.width = Axis();
  BURIN_ASSIGN_OR_RETURN(spec.input, jit::ActivationStrides::Dense(1, size, size, input_channels));
  BURIN_ASSIGN_OR_RETURN(spec.output, jit::ActivationStrides::Dense(1, output_size(), output_size(), output_channels));
  return spec;
}

absl::StatusOr<jit::DepthwiseSpec> ConvolutionCase::Depthwise() const {
  jit::DepthwiseSpec spec;
  spec.channels = input_channels;
  spec.height = spec.width = Axis();
  BURIN_ASSIGN_OR_RETURN(spec.input, jit::ActivationStrides::Dense(1, size, size, input_channels));
  BURIN_ASSIGN_OR_RETURN(spec.output, jit::ActivationStrides::Dense(1, output_size(), output_size(), output_channels));
  return spec;
}

std::vector<ConvolutionCase> UsualConvolutions() { return {std::begin(kUsual), std::end(kUsual)}; }

std::vector<ConvolutionCase> ConvolutionsOf(const CaseSet& set) {
  std::vector<ConvolutionCase> layers;
  if (set.seed.has_value()) {
    SizeDraw draw(*set.seed);
    while (layers.size() < static_cast<size_t>(CaseSet::kDrawn)) {
      const ConvolutionCase layer = Drawn(draw);
      const int64_t units = layer.output_pixels() * layer.output_channels * layer.products();
      if (units <= CaseSet::kMostDrawn && !Contains(layers, layer)) layers.push_back(layer);
    }
    return layers;
  }
  for (const ModelConvolution& of_model : kOfModels) {
    const bool wanted = set.name == "all" || set.name == of_model.set;
    if (wanted && !Contains(layers, of_model.layer)) layers.push_back(of_model.layer);
  }
  return layers;
}

}  // namespace burin::kernel_bench
