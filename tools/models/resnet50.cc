#include "tools/models/resnet50.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_cat.h"
#include "base/element_type.h"
#include "tools/models/layers.h"

namespace burin::models {

namespace {

constexpr int64_t kExpansion = 4;
constexpr int64_t kBlocks[] = {3, 4, 6, 3};

// A block adds its branch to what it got: a small branch keeps sixteen sums in range.
constexpr double kBranchGain = 0.1;

// The bottleneck: 1x1, 3x3 with the stride, 1x1 to four times the channels, and the shortcut.
Value Block(Layers& layers, Value x, int64_t in, int64_t channels, int64_t stride, bool project) {
  NetworkBuilder& builder = layers.builder();
  const int64_t out = channels * kExpansion;
  Value branch = builder.Unary(UnaryOp::kRelu, layers.Convolution("conv1", x, in, channels, {1, 1, 0}, 1, 2));
  branch = builder.Unary(UnaryOp::kRelu, layers.Convolution("conv2", branch, channels, channels, {3, stride, 1}, 1, 2));
  branch = layers.Convolution("conv3", branch, channels, out, {1, 1, 0}, 1, kBranchGain);
  const Value shortcut = project ? layers.Convolution("downsample", x, in, out, {1, stride, 0}, 1, 1) : x;
  return builder.Unary(UnaryOp::kRelu, builder.Binary(BinaryOp::kAdd, branch, shortcut));
}

}  // namespace

absl::Status BuildResnet50(const Resnet50Parameters& parameters, NetworkBuilder* builder) {
  Layers layers(builder, parameters.seed);
  const int64_t base = std::max<int64_t>(1, std::llround(64 * parameters.width));
  Value x = builder->Input("data", ElementType::kF32, {parameters.batch, 3, parameters.image, parameters.image});
  x = builder->Unary(UnaryOp::kRelu, layers.Convolution("conv1", x, 3, base, {7, 2, 3}, 1, 2));
  x = builder->MaxPool(x, {3, 2, 1});
  int64_t in = base;
  for (int64_t stage = 0; stage < 4; ++stage) {
    const int64_t channels = base << stage;
    for (int64_t block = 0; block < kBlocks[stage]; ++block) {
      NetworkBuilder::Scope scope(builder, absl::StrCat("layer", stage + 1, ".", block));
      x = Block(layers, x, in, channels, block == 0 && stage > 0 ? 2 : 1, block == 0);
      in = channels * kExpansion;
    }
  }
  x = builder->Reshape(builder->GlobalAveragePool(x), {0, -1});
  x = layers.Linear("fc", x, in, parameters.classes);
  builder->Output(x, "logits", ElementType::kF32, {parameters.batch, parameters.classes});
  return builder->status();
}

}  // namespace burin::models
