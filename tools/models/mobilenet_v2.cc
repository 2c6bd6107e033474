#include "tools/models/mobilenet_v2.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "base/element_type.h"
#include "tools/models/layers.h"

namespace burin::models {

namespace {

// A row of the paper's table 2: expansion, channels, repetitions, stride of the first.
struct Row {
  int64_t expansion;
  int64_t channels;
  int64_t repetitions;
  int64_t stride;
};
constexpr Row kRows[] = {{1, 16, 1, 1}, {6, 24, 2, 2},  {6, 32, 3, 2}, {6, 64, 4, 2},
                         {6, 96, 3, 1}, {6, 160, 3, 2}, {6, 320, 1, 1}};
constexpr int64_t kFirstChannels = 32;
constexpr int64_t kLastChannels = 1280;

// Returns the multiple of 8 nearest to channels * width, at least 8 and never less than nine tenths of it.
int64_t Scaled(int64_t channels, double width) {
  const double wanted = static_cast<double>(channels) * width;
  int64_t rounded = std::max<int64_t>(8, static_cast<int64_t>(wanted + 4) / 8 * 8);
  if (static_cast<double>(rounded) < 0.9 * wanted) rounded += 8;
  return rounded;
}

Value Relu6(NetworkBuilder& builder, Value x) { return builder.Clip(x, 0, 6); }

Value InvertedResidual(Layers& layers, Value x, int64_t in, int64_t out, int64_t expansion, int64_t stride) {
  NetworkBuilder& builder = layers.builder();
  const int64_t hidden = in * expansion;
  Value y = x;
  if (expansion > 1) y = Relu6(builder, layers.Convolution("expand", y, in, hidden, {1, 1, 0}, 1, 2));
  y = Relu6(builder, layers.Convolution("depthwise", y, hidden, hidden, {3, stride, 1}, hidden, 2));
  y = layers.Convolution("project", y, hidden, out, {1, 1, 0}, 1, 1);
  return stride == 1 && in == out ? builder.Binary(BinaryOp::kAdd, x, y) : y;
}

}  // namespace

absl::Status BuildMobilenetV2(const MobilenetV2Parameters& parameters, NetworkBuilder* builder) {
  Layers layers(builder, parameters.seed);
  int64_t in = Scaled(kFirstChannels, parameters.width);
  Value x = builder->Input("data", ElementType::kF32, {parameters.batch, 3, parameters.image, parameters.image});
  x = Relu6(*builder, layers.Convolution("first", x, 3, in, {3, 2, 1}, 1, 2));
  int64_t block = 0;
  for (const Row& row : kRows) {
    const int64_t out = Scaled(row.channels, parameters.width);
    for (int64_t i = 0; i < row.repetitions; ++i) {
      NetworkBuilder::Scope scope(builder, absl::StrCat("block", ++block));
      x = InvertedResidual(layers, x, in, out, row.expansion, i == 0 ? row.stride : 1);
      in = out;
    }
  }
  // A narrower network keeps its last layer's width.
  const int64_t last = Scaled(kLastChannels, std::max(1.0, parameters.width));
  x = Relu6(*builder, layers.Convolution("last", x, in, last, {1, 1, 0}, 1, 2));
  x = builder->Reshape(builder->GlobalAveragePool(x), {0, -1});
  x = layers.Linear("classifier", x, last, parameters.classes);
  builder->Output(x, "logits", ElementType::kF32, {parameters.batch, parameters.classes});
  return builder->status();
}

}  // namespace burin::models
