// Classification losses.
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "ir/ops/family/reduction.h"
#include "ir/ops/gather_elements.h"
#include "ir/ops/log_softmax.h"
#include "ir/ops/ops.h"
#include "runtime/readers/onnx/translators.h"

namespace burin::onnx {
namespace {

ir::Value SumAll(NodeContext& node, ir::Value x) {
  auto attributes = std::make_unique<ir::ReductionAttributes>();
  attributes->keep_dims = false;
  return node.Add(ir::ReduceSumOp(), {node.Reshape(x, {-1}), node.Ints({0})}, std::move(attributes));
}

// loss[n, d...] = -weight[c] * log_probability[n, c, d...] with c = target[n, d...]; elements whose target is
// ignore_index weigh nothing. The mean is over the weights.
ir::Value LikelihoodLoss(NodeContext& node, ir::Value log_probability, ir::Value target, ir::Value weight) {
  const ir::Value classes = node.Convert(target, ElementType::kI64);
  const bool has_ignored = node.HasAttribute("ignore_index");
  const ir::Value ignored = has_ignored
                                ? node.Add(ir::EqualOp(), {classes, node.Int(node.IntAttribute("ignore_index", 0))})
                                : ir::Value::None();
  // An ignored target need not be a class: read class 0 in its place.
  const ir::Value safe = has_ignored ? node.Add(ir::SelectOp(), {ignored, node.Int(0), classes}) : classes;
  auto along_classes = std::make_unique<ir::GatherElementsAttributes>();
  along_classes->axis = 1;
  const ir::Value picked = node.Squeeze(
      node.Add(ir::GatherElementsOp(), {log_probability, node.Unsqueeze(safe, {1})}, std::move(along_classes)), {1});
  const ir::Value one = node.ScalarLike(log_probability, 1);
  ir::Value weights =
      weight.exists() ? node.Add(ir::GatherOp(), {weight, safe, node.Int(0)}) : node.Broadcast(one, node.SizesOf(safe));
  if (has_ignored) {
    weights = node.Add(ir::SelectOp(), {ignored, node.ScalarLike(log_probability, 0), weights});
  }
  const ir::Value loss = node.Add(ir::NegativeOp(), {node.Times(picked, weights)});
  const std::string reduction = node.StringAttribute("reduction", "mean");
  if (reduction == "none") return loss;
  if (reduction == "sum") return SumAll(node, loss);
  if (reduction == "mean") return node.Over(SumAll(node, loss), SumAll(node, weights));
  node.Fail(absl::InvalidArgumentError("Unknown reduction of a loss"));
  return loss;
}

}  // namespace

absl::Status TranslateNegativeLogLikelihoodLoss(NodeContext& node) {
  return node.Finish({LikelihoodLoss(node, node.Input(0), node.Input(1), node.OptionalInput(2))});
}

absl::Status TranslateSoftmaxCrossEntropyLoss(NodeContext& node) {
  auto attributes = std::make_unique<ir::LogSoftmaxAttributes>();
  attributes->axis = 1;
  const ir::Value log_probability = node.Add(ir::LogSoftmaxOp(), {node.Input(0)}, std::move(attributes));
  return node.Finish({LikelihoodLoss(node, log_probability, node.Input(1), node.OptionalInput(2)), log_probability});
}

}  // namespace burin::onnx
