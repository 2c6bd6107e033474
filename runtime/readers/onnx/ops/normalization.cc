// Normalisations: over batches, instances, groups, layers, norms and windows of channels.
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "ir/ops/batch_norm_inference.h"
#include "ir/ops/family/reduction.h"
#include "ir/ops/group_normalization.h"
#include "ir/ops/lrn.h"
#include "ir/ops/mvn.h"
#include "ir/ops/ops.h"
#include "runtime/readers/onnx/ops/convolution_weights.h"
#include "runtime/readers/onnx/ops/layer_norm.h"
#include "runtime/readers/onnx/translators.h"

namespace burin::onnx {
namespace {

// The default epsilon of most schemas, as the float it is.
constexpr double kEpsilon = static_cast<double>(1e-5f);

ir::Value BatchNormInference(NodeContext& node, ir::Value x, ir::Value mean, ir::Value variance) {
  auto attributes = std::make_unique<ir::BatchNormInferenceAttributes>();
  attributes->epsilon = node.FloatAttribute("epsilon", kEpsilon);
  // Parameters may have another floating-point type than the data.
  const ElementType type = node.TypeOf(x);
  return node.Add(ir::BatchNormInferenceOp(),
                  {x, node.Convert(node.Input(1), type), node.Convert(node.Input(2), type), node.Convert(mean, type),
                   node.Convert(variance, type)},
                  std::move(attributes));
}

// Training mode: statistics of the batch, and running ones moved towards them by 1 - momentum.
absl::Status TrainBatchNormalization(NodeContext& node) {
  const ir::Value x = node.Input(0);
  const int64_t rank = node.KnownRank(x);
  if (!node.ok()) return node.status();
  std::vector<int64_t> axes = AxesFrom(2, rank);
  axes.insert(axes.begin(), 0);
  const ir::Value mean = node.Mean(x, axes);
  const ir::Value deviation = node.Minus(x, mean);
  const ir::Value batch_mean = node.Reshape(mean, {-1});
  const ir::Value batch_variance = node.Reshape(node.Mean(node.Times(deviation, deviation), axes), {-1});
  const double momentum = node.FloatAttribute("momentum", static_cast<double>(0.9f));
  const auto move = [&](ir::Value running, ir::Value now) {
    const ir::Value current = node.Convert(now, node.TypeOf(running));
    return node.Plus(node.Times(running, node.ScalarLike(running, momentum)),
                     node.Times(current, node.ScalarLike(running, 1 - momentum)));
  };
  const ir::Value y = BatchNormInference(node, x, batch_mean, batch_variance);
  return node.Finish({y, move(node.Input(3), batch_mean), move(node.Input(4), batch_variance)});
}

// x / norm along an axis; 0 where the norm is 0.
ir::Value OverNorm(NodeContext& node, const ir::OpDef& norm, ir::Value x, int64_t axis) {
  auto attributes = std::make_unique<ir::ReductionAttributes>();
  attributes->keep_dims = true;
  const ir::Value length = node.Add(norm, {x, node.Ints({axis})}, std::move(attributes));
  const ir::Value is_zero = node.Add(ir::EqualOp(), {length, node.ScalarLike(x, 0)});
  return node.Over(x, node.Add(ir::SelectOp(), {is_zero, node.ScalarLike(x, 1), length}));
}

}  // namespace

absl::Status TranslateBatchNormalization(NodeContext& node) {
  if (node.since() < 9 && node.IntAttribute("spatial", 1) == 0) return node.Unsupported("statistics per element");
  if (node.since() >= 14 && node.IntAttribute("training_mode", 0) != 0) return TrainBatchNormalization(node);
  const ir::Value y = BatchNormInference(node, node.Input(0), node.Input(3), node.Input(4));
  for (int64_t i = 1; i < node.output_count(); ++i) {
    if (node.WantsOutput(i)) return node.Unsupported("statistics as outputs outside training mode");
  }
  return node.Finish({y});
}

// Scale and bias are per group before opset 21, per channel since.
absl::Status TranslateGroupNormalization(NodeContext& node) {
  const ir::Value x = node.Input(0);
  auto attributes = std::make_unique<ir::GroupNormalizationAttributes>();
  attributes->num_groups = node.IntAttribute("num_groups", 0);
  attributes->epsilon = node.FloatAttribute("epsilon", kEpsilon);
  const int64_t groups = attributes->num_groups;
  if (groups < 1) return node.Invalid("GroupNormalization needs a positive num_groups");
  ir::Value scale = node.Input(1);
  ir::Value bias = node.Input(2);
  if (node.since() < 21) {
    // [groups] -> [groups, channels / groups] -> [channels]
    const ir::Value channels = node.SizesOf(x, 1, 2);
    const ir::Value sizes = node.Concat({node.Ints({groups}), node.Over(channels, node.Ints({groups}))}, 0);
    const auto spread = [&](ir::Value vector) {
      return node.Reshape(node.Broadcast(node.Unsqueeze(vector, {1}), sizes), {-1});
    };
    scale = spread(scale);
    bias = spread(bias);
  }
  return node.Finish({node.Add(ir::GroupNormalizationOp(), {x, scale, bias}, std::move(attributes))});
}

absl::Status TranslateInstanceNormalization(NodeContext& node) {
  const ir::Value x = node.Input(0);
  const int64_t rank = node.KnownRank(x);
  if (!node.ok()) return node.status();
  if (rank < 3) return node.Invalid("InstanceNormalization needs at least three axes");
  const ir::Value normalized = NormalizeVariance(node, x, AxesFrom(2, rank), node.FloatAttribute("epsilon", kEpsilon));
  return node.Finish({node.Plus(node.Times(normalized, AlongChannels(node, node.Input(1), rank)),
                                AlongChannels(node, node.Input(2), rank))});
}

absl::Status TranslateLayerNormalization(NodeContext& node) {
  return node.Finish(LayerNormalize(node, node.Input(0), node.Input(1), node.OptionalInput(2),
                                    node.IntAttribute("axis", -1), node.FloatAttribute("epsilon", kEpsilon),
                                    node.WantsOutput(1) || node.WantsOutput(2)));
}

absl::Status TranslateLpNormalization(NodeContext& node) {
  const int64_t p = node.IntAttribute("p", 2);
  if (p != 1 && p != 2) return node.Invalid("LpNormalization knows p = 1 and p = 2");
  return node.Finish(
      {OverNorm(node, p == 1 ? ir::ReduceL1Op() : ir::ReduceL2Op(), node.Input(0), node.IntAttribute("axis", -1))});
}

absl::Status TranslateLRN(NodeContext& node) {
  auto attributes = std::make_unique<ir::LRNAttributes>();
  attributes->alpha = node.FloatAttribute("alpha", static_cast<double>(1e-4f));
  attributes->beta = node.FloatAttribute("beta", 0.75);
  attributes->bias = node.FloatAttribute("bias", 1);
  attributes->size = node.IntAttribute("size", 0);
  return node.Finish({node.Add(ir::LRNOp(), {node.Input(0), node.Ints({1})}, std::move(attributes))});
}

// (x - mean) / (sqrt(variance) + 1e-9)
absl::Status TranslateMeanVarianceNormalization(NodeContext& node) {
  auto attributes = std::make_unique<ir::MVNAttributes>();
  attributes->normalize_variance = true;
  attributes->eps = 1e-9;
  attributes->eps_mode = ir::MVNEpsMode::kOutsideSqrt;
  const ir::Value axes = node.Ints(node.IntsAttribute("axes", {0, 2, 3}));
  return node.Finish({node.Add(ir::MVNOp(), {node.Input(0), axes}, std::move(attributes))});
}

absl::Status TranslateRMSNormalization(NodeContext& node) {
  return node.Finish({RmsNormalize(node, node.Input(0), node.Input(1), node.IntAttribute("axis", -1),
                                   node.FloatAttribute("epsilon", kEpsilon))});
}

// ONNX Runtime's name for that; its second output is 1 / sqrt(mean(x^2) + epsilon).
absl::Status TranslateSimplifiedLayerNormalization(NodeContext& node) {
  if (node.WantsOutput(1)) return node.Unsupported("statistics as outputs");
  return TranslateRMSNormalization(node);
}

}  // namespace burin::onnx
