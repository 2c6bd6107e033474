// Random numbers: draws from distributions, and dropout in training.
//
// All draws are those of the operation RandomUniform, functions of a stream and a position: each run of a model gives
// the same numbers, on every device, and so does each iteration of a loop. The stream follows from the node's seed, or
// from its name where it has none, so that nodes differ unless they ask for the same seed.
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "base/element_type.h"
#include "base/hash.h"
#include "ir/model.h"
#include "ir/ops/ops.h"
#include "ir/ops/random_uniform.h"
#include "ir/ops/softmax.h"
#include "runtime/readers/onnx/ops/wide_type.h"
#include "runtime/readers/onnx/translators.h"

namespace burin::onnx {
namespace {

const double kPi = std::acos(-1.0);

// Returns what names the node's stream: its seed, a number of either kind, or its place in the model.
Hasher StreamOf(NodeContext& node) {
  Hasher hasher;
  const bool has_seed = node.HasAttribute("seed");
  hasher.UpdateInt(has_seed);
  if (!has_seed) {
    hasher.UpdateString(node.model().name());
    hasher.UpdateString(node.name());
  } else if (node.op_type() == "Dropout") {
    hasher.UpdateInt(node.IntAttribute("seed", 0));
  } else {
    hasher.UpdateDouble(node.FloatAttribute("seed", 0));
  }
  return hasher;
}

// Adds numbers in [0, 1); `draw` tells those of one node apart.
ir::Value Uniform(NodeContext& node, ir::Value sizes, ElementType type, int64_t draw = 0) {
  Hasher stream = StreamOf(node);
  stream.UpdateInt(draw);
  auto attributes = std::make_unique<ir::RandomUniformAttributes>();
  attributes->output_type = type;
  attributes->seed = static_cast<int64_t>(stream.Finish().low);
  return node.Add(ir::RandomUniformOp(), {sizes}, std::move(attributes));
}

// x * scale + shift
ir::Value Affine(NodeContext& node, ir::Value x, double scale, double shift) {
  return node.Plus(node.Times(x, node.ScalarLike(x, scale)), node.ScalarLike(x, shift));
}

absl::Status FinishUniform(NodeContext& node, ir::Value sizes, ElementType type) {
  const double low = node.FloatAttribute("low", 0);
  const double high = node.FloatAttribute("high", 1);
  // Drawn in the output's own type, which [0, 1) without its end needs.
  const ir::Value u = Uniform(node, sizes, type);
  if (low == 0 && high == 1) return node.Finish({u});
  return node.Finish({node.Convert(Affine(node, node.Convert(u, WideType(type)), high - low, low), type)});
}

// mean + scale * sqrt(-2 log(1 - u)) * cos(2 pi v), by Box and Muller, with u and v in [0, 1). As the logarithm is
// finite, a scale of 0 gives the mean itself.
absl::Status FinishNormal(NodeContext& node, ir::Value sizes, ElementType type) {
  const ElementType wide = WideType(type);
  const ir::Value u = Uniform(node, sizes, wide, 0);
  const ir::Value v = Uniform(node, sizes, wide, 1);
  const ir::Value log = node.Add(ir::LogOp(), {node.Minus(node.Scalar(wide, 1), u)});
  const ir::Value radius = node.Add(ir::SqrtOp(), {node.Times(log, node.Scalar(wide, -2))});
  const ir::Value cosine = node.Add(ir::CosOp(), {node.Times(v, node.Scalar(wide, 2 * kPi))});
  const ir::Value normal = node.Times(radius, cosine);
  const ir::Value y = Affine(node, normal, node.FloatAttribute("scale", 1), node.FloatAttribute("mean", 0));
  return node.Finish({node.Convert(y, type)});
}

ir::Value SizesFromAttribute(NodeContext& node) {
  if (!node.HasAttribute("shape")) node.Fail(absl::InvalidArgumentError("The attribute shape is missing"));
  return node.Ints(node.IntsAttribute("shape"));
}

ElementType TypeLikeInput(NodeContext& node) { return node.ElementTypeAttribute("dtype", node.TypeOf(node.Input(0))); }

}  // namespace

absl::Status TranslateRandomUniform(NodeContext& node) {
  return FinishUniform(node, SizesFromAttribute(node), node.ElementTypeAttribute("dtype", ElementType::kF32));
}

absl::Status TranslateRandomUniformLike(NodeContext& node) {
  return FinishUniform(node, node.SizesOf(node.Input(0)), TypeLikeInput(node));
}

absl::Status TranslateRandomNormal(NodeContext& node) {
  return FinishNormal(node, SizesFromAttribute(node), node.ElementTypeAttribute("dtype", ElementType::kF32));
}

absl::Status TranslateRandomNormalLike(NodeContext& node) {
  return FinishNormal(node, node.SizesOf(node.Input(0)), TypeLikeInput(node));
}

// u < p: never for 0, always for 1.
absl::Status TranslateBernoulli(NodeContext& node) {
  const ir::Value x = node.Input(0);
  const ElementType wide = WideType(node.TypeOf(x));
  const ir::Value u = Uniform(node, node.SizesOf(x), wide);
  const ir::Value is_one = node.Add(ir::LessOp(), {u, node.Convert(x, wide)});
  return node.Finish({node.Convert(is_one, TypeLikeInput(node))});
}

// The input is [batch, classes], the logarithms of probabilities but for a factor. A sample is the number of classes
// that end, on the scale of summed probabilities, at or below u * their sum; as u < 1, the last one never does.
absl::Status TranslateMultinomial(NodeContext& node) {
  const ElementType type = node.ElementTypeAttribute("dtype", ElementType::kI32);
  const ir::Value x = node.Input(0);
  const ElementType wide = WideType(node.TypeOf(x));
  if (node.KnownRank(x) != 2) return node.ok() ? node.Invalid("Multinomial is of a matrix") : node.status();
  auto attributes = std::make_unique<ir::SoftmaxAttributes>();
  attributes->axis = 1;
  const ir::Value probabilities = node.Add(ir::SoftmaxOp(), {node.Convert(x, wide)}, std::move(attributes));
  const ir::Value ends = node.Add(ir::CumSumOp(), {probabilities, node.Int(1)});
  const ir::Value sum = node.Slice(ends, 1, -1, std::numeric_limits<int64_t>::max());
  const ir::Value sizes = node.Concat({node.SizesOf(x, 0, 1), node.Ints({node.IntAttribute("sample_size", 1)})}, 0);
  const ir::Value places = node.Times(Uniform(node, sizes, wide), sum);
  const ir::Value is_below = node.Add(ir::LessEqualOp(), {node.Unsqueeze(ends, {1}), node.Unsqueeze(places, {2})});
  const ir::Value count = node.Squeeze(node.Sum(node.Convert(is_below, ElementType::kI32), {2}), {2});
  return node.Finish({node.Convert(count, type)});
}

// In training y = (u >= ratio ? x / (1 - ratio) : 0), and the mask tells which elements are kept; else, and with a
// ratio of zero, all are kept as they are. Before opset 12 models are read for inference.
absl::Status TranslateDropout(NodeContext& node) {
  const ir::Value x = node.Input(0);
  const bool has_mode = node.since() >= 12 && node.HasInput(2);
  const std::optional<double> training = has_mode ? node.NumberOf(node.Input(2)) : 0.0;
  const std::optional<double> known_ratio = node.HasInput(1) ? node.NumberOf(node.Input(1)) : 0.5;
  if (training == 0.0 || known_ratio == 0.0) {
    if (!node.WantsOutput(1)) return node.Finish({x});
    const ElementType mask_type = node.since() >= 10 ? ElementType::kBoolean : node.TypeOf(x);
    return node.Finish({x, node.Broadcast(node.Scalar(mask_type, 1), node.SizesOf(x))});
  }
  const ElementType wide = WideType(node.TypeOf(x));
  const ir::Value zero = node.Scalar(wide, 0);
  const ir::Value one = node.Scalar(wide, 1);
  const auto select = [&](ir::Value condition, ir::Value a, ir::Value b) {
    return node.Add(ir::SelectOp(), {condition, a, b});
  };
  ir::Value ratio = node.Scalar(wide, 0.5);
  if (node.HasInput(1)) ratio = node.Convert(node.ToScalar(node.Input(1)), wide);
  ratio = select(node.ToScalar(node.Input(2)), ratio, zero);
  const ir::Value is_kept = node.Add(ir::GreaterEqualOp(), {Uniform(node, node.SizesOf(x), wide), ratio});
  const ir::Value scaled = node.Times(node.Convert(x, wide), node.Over(one, node.Minus(one, ratio)));
  return node.Finish({node.Convert(select(is_kept, scaled, zero), node.TypeOf(x)), is_kept});
}

}  // namespace burin::onnx
