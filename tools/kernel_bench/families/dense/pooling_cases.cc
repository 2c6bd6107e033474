#include "tools/kernel_bench/families/dense/pooling_cases.h"

#include <re2/re2.h>

#include <algorithm>
#include <cstddef>
#include <iterator>

#include "absl/strings/str_cat.h"

namespace burin::kernel_bench {
namespace {

constexpr PoolingCase kUsual[] = {
    {true, 64, 112, 3, 2, 1}, {true, 64, 56, 2, 2, 0},  {true, 512, 14, 2, 2, 0},  {true, 256, 20, 5, 1, 2},
    {true, 256, 20, 9, 1, 4}, {false, 64, 56, 3, 1, 1}, {false, 2048, 7, 7, 1, 0}, {false, 100, 30, 2, 2, 0},
};

// Is a layer of a model.
struct ModelPooling {
  const char* set;
  PoolingCase layer;
};

constexpr ModelPooling kOfModels[] = {
    {"resnet50", {true, 64, 112, 3, 2, 1}}, {"resnet50", {false, 2048, 7, 7, 1, 0}},
    {"vgg19", {true, 64, 224, 2, 2, 0}},    {"vgg19", {true, 128, 112, 2, 2, 0}},
    {"vgg19", {true, 256, 56, 2, 2, 0}},    {"vgg19", {true, 512, 28, 2, 2, 0}},
    {"vgg19", {true, 512, 14, 2, 2, 0}},    {"mobilenet_v2", {false, 1280, 7, 7, 1, 0}},
    {"yolox", {true, 256, 20, 5, 1, 2}},    {"yolox", {true, 256, 20, 9, 1, 4}},
    {"yolox", {true, 256, 20, 13, 1, 6}},   {"small", {true, 16, 14, 2, 2, 0}},
    {"small", {false, 40, 14, 3, 1, 1}},
};

bool Contains(const std::vector<PoolingCase>& layers, const PoolingCase& layer) {
  return std::any_of(layers.begin(), layers.end(),
                     [&](const PoolingCase& other) { return other.Name() == layer.Name(); });
}

PoolingCase Drawn(SizeDraw& draw) {
  PoolingCase layer;
  layer.is_max = draw.Choose(2) == 0;
  layer.channels = draw.Draw(16, 1024, 16);
  layer.size = draw.Draw(7, 112);
  layer.kernel = 2 + draw.Choose(4);
  layer.stride = 1 + draw.Choose(2);
  layer.pad = draw.Choose(2) * (layer.kernel / 2);
  return layer;
}

}  // namespace

std::string PoolingCase::Name() const {
  return absl::StrCat(is_max ? "max" : "average", channels, "/", size, "/k", kernel, "s", stride, "p", pad);
}

std::optional<PoolingCase> PoolingCase::Parse(absl::string_view name) {
  static const auto* const form = new RE2("(max|average)(\\d+)/(\\d+)/k(\\d+)s(\\d+)p(\\d+)");
  PoolingCase parsed;
  std::string kind;
  if (!RE2::FullMatch(std::string(name), *form, &kind, &parsed.channels, &parsed.size, &parsed.kernel, &parsed.stride,
                      &parsed.pad)) {
    return std::nullopt;
  }
  parsed.is_max = kind == "max";
  const bool makes_sense = std::min({parsed.channels, parsed.size, parsed.kernel, parsed.stride}) >= 1 &&
                           parsed.pad < parsed.kernel && parsed.size + 2 * parsed.pad >= parsed.kernel;
  return makes_sense ? std::optional<PoolingCase>(parsed) : std::nullopt;
}

jit::PoolingSpec PoolingCase::Spec() const {
  jit::PoolingSpec spec;
  spec.kind = is_max ? jit::PoolingKind::kMax : jit::PoolingKind::kAverage;
  spec.channels = channels;
  for (const size_t i : {size_t{1}, size_t{2}}) {
    jit::PoolingAxis& axis = spec.axes[i];
    axis.input = size;
    axis.output = output_size();
    axis.kernel = kernel;
    axis.stride = stride;
    axis.pad_begin = axis.pad_end = pad;
  }
  spec.SetDenseStrides();
  return spec;
}

std::vector<PoolingCase> UsualPoolings() { return {std::begin(kUsual), std::end(kUsual)}; }

std::vector<PoolingCase> PoolingsOf(const CaseSet& set) {
  std::vector<PoolingCase> layers;
  if (set.seed.has_value()) {
    SizeDraw draw(*set.seed);
    while (layers.size() < static_cast<size_t>(CaseSet::kDrawn)) {
      const PoolingCase layer = Drawn(draw);
      if (!Contains(layers, layer)) layers.push_back(layer);
    }
    return layers;
  }
  for (const ModelPooling& of_model : kOfModels) {
    const bool wanted = set.name == "all" || set.name == of_model.set;
    if (wanted && !Contains(layers, of_model.layer)) layers.push_back(of_model.layer);
  }
  return layers;
}

}  // namespace burin::kernel_bench
