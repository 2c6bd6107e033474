// Activation functions with parameters.
#include <utility>
#include <vector>

#include "base/element_type.h"
#include "ir/ops/elu.h"
#include "ir/ops/gelu.h"
#include "ir/ops/ops.h"
#include "ir/ops/split.h"
#include "runtime/readers/onnx/translators.h"

namespace burin::onnx {
namespace {

// x < 0 ? slope * x : x, with NumPy's broadcasting of the slope.
ir::Value LeakyBySelect(NodeContext& node, ir::Value x, ir::Value slope) {
  return node.Add(ir::SelectOp(), {node.Add(ir::LessOp(), {x, node.ScalarLike(x, 0)}), node.Times(x, slope), x});
}

// Returns whether `slope` has one element per channel, the second axis of `x`, and nothing else.
bool IsPerChannel(const ir::PartialShape& x, const ir::PartialShape& slope) {
  if (!x.has_rank() || !slope.has_rank() || x.rank() < 2 || slope.rank() != x.rank() - 1) return false;
  for (int64_t d = 1; d < slope.rank(); ++d) {
    if (!slope[d].is_static() || slope[d].value() != 1) return false;
  }
  return slope[0].is_static() && x[1].is_static() && slope[0].value() == x[1].value();
}

ir::Value AddGelu(NodeContext& node, ir::Value x, ir::GeluApproximation approximation) {
  auto attributes = std::make_unique<ir::GeluAttributes>();
  attributes->approximation_mode = approximation;
  return node.Add(ir::GeluOp(), {x}, std::move(attributes));
}

}  // namespace

// max(0, x) + min(0, alpha * (exp(x / alpha) - 1))
absl::Status TranslateCelu(NodeContext& node) {
  const ir::Value x = node.Input(0);
  const ir::Value zero = node.ScalarLike(x, 0);
  const ir::Value alpha = node.ScalarLike(x, node.FloatAttribute("alpha", 1));
  const ir::Value decayed =
      node.Times(alpha, node.Minus(node.Add(ir::ExpOp(), {node.Over(x, alpha)}), node.ScalarLike(x, 1)));
  return node.Finish({node.Plus(node.Add(ir::MaximumOp(), {x, zero}), node.Add(ir::MinimumOp(), {decayed, zero}))});
}

absl::Status TranslateElu(NodeContext& node) {
  auto attributes = std::make_unique<ir::EluAttributes>();
  attributes->alpha = node.FloatAttribute("alpha", 1);
  return node.Finish({node.Add(ir::EluOp(), {node.Input(0)}, std::move(attributes))});
}

absl::Status TranslateGelu(NodeContext& node) {
  const std::string approximate = node.StringAttribute("approximate", "none");
  if (approximate != "none" && approximate != "tanh")
    return node.Invalid("Gelu knows approximate \"none\" and \"tanh\"");
  return node.Finish({AddGelu(node, node.Input(0),
                              approximate == "tanh" ? ir::GeluApproximation::kTanh : ir::GeluApproximation::kErf)});
}

// The standard's Gelu of x + bias: by tanh, or exactly.
absl::Status TranslateFastGelu(NodeContext& node) {
  const ir::Value x = node.HasInput(1) ? node.Plus(node.Input(0), node.Input(1)) : node.Input(0);
  return node.Finish({AddGelu(node, x, ir::GeluApproximation::kTanh)});
}

absl::Status TranslateBiasGelu(NodeContext& node) {
  return node.Finish({AddGelu(node, node.Plus(node.Input(0), node.Input(1)), ir::GeluApproximation::kErf)});
}

// a * Gelu(b), where a and b are the halves of x + bias along the last axis.
absl::Status TranslateBiasSplitGelu(NodeContext& node) {
  const ir::Value x = node.Plus(node.Input(0), node.Input(1));
  const int64_t rank = node.KnownRank(x);
  if (!node.ok()) return node.status();
  auto attributes = std::make_unique<ir::SplitAttributes>();
  attributes->num_splits = 2;
  const std::vector<ir::Value> halves = node.AddAll(ir::SplitOp(), {x, node.Int(rank - 1)}, std::move(attributes));
  if (!node.ok()) return node.status();
  return node.Finish({node.Times(halves[0], AddGelu(node, halves[1], ir::GeluApproximation::kErf))});
}

// x + bias + skip
absl::Status TranslateBiasAdd(NodeContext& node) {
  return node.Finish({node.Plus(node.Plus(node.Input(0), node.Input(1)), node.Input(2))});
}

// x * sigmoid(alpha * x)
absl::Status TranslateQuickGelu(NodeContext& node) {
  const ir::Value x = node.Input(0);
  const ir::Value alpha = node.ScalarLike(x, node.FloatAttribute("alpha", static_cast<double>(1.702f)));
  return node.Finish({node.Add(ir::SwishOp(), {x, alpha})});
}

absl::Status TranslateHardSigmoid(NodeContext& node) {
  const ir::Value x = node.Input(0);
  const ir::Value alpha = node.ScalarLike(x, node.FloatAttribute("alpha", static_cast<double>(0.2f)));
  const ir::Value beta = node.ScalarLike(x, node.FloatAttribute("beta", 0.5));
  return node.Finish({node.Add(ir::HardSigmoidOp(), {x, alpha, beta})});
}

absl::Status TranslateLeakyRelu(NodeContext& node) {
  const ir::Value x = node.Input(0);
  const ir::Value slope = node.ScalarLike(x, node.FloatAttribute("alpha", static_cast<double>(0.01f)));
  // PRelu has a slope for each channel, which a scalar does not have.
  if (node.RankOf(x).value_or(0) == 0) return node.Finish({LeakyBySelect(node, x, slope)});
  return node.Finish({node.Add(ir::PReluOp(), {x, node.Reshape(slope, {1})})});
}

absl::Status TranslatePRelu(NodeContext& node) {
  const ir::Value x = node.Input(0);
  const ir::Value slope = node.Input(1);
  // Before opset 7 a vector was one slope per channel.
  const bool is_channel_vector = node.since() < 7 && node.RankOf(slope) == 1;
  if (IsFloat(node.TypeOf(x)) && (is_channel_vector || IsPerChannel(node.ShapeOf(x), node.ShapeOf(slope)))) {
    return node.Finish({node.Add(ir::PReluOp(), {x, node.Reshape(slope, {-1})})});
  }
  return node.Finish({LeakyBySelect(node, x, slope)});
}

absl::Status TranslateSelu(NodeContext& node) {
  const ir::Value x = node.Input(0);
  // The defaults are those of each schema: the first had four digits.
  const bool is_first = node.since() < 6;
  const double alpha = node.FloatAttribute(
      "alpha", is_first ? static_cast<double>(1.6732f) : static_cast<double>(1.67326319217681884765625f));
  const double gamma = node.FloatAttribute(
      "gamma", is_first ? static_cast<double>(1.0507f) : static_cast<double>(1.05070102214813232421875f));
  return node.Finish({node.Add(ir::SeluOp(), {x, node.ScalarLike(x, alpha), node.ScalarLike(x, gamma)})});
}

// x * sigmoid(alpha * x)
absl::Status TranslateSwish(NodeContext& node) {
  const ir::Value x = node.Input(0);
  return node.Finish({node.Add(ir::SwishOp(), {x, node.ScalarLike(x, node.FloatAttribute("alpha", 1))})});
}

absl::Status TranslateThresholdedRelu(NodeContext& node) {
  const ir::Value x = node.Input(0);
  const ir::Value alpha = node.ScalarLike(x, node.FloatAttribute("alpha", 1));
  return node.Finish({node.Add(ir::SelectOp(), {node.Add(ir::GreaterOp(), {x, alpha}), x, node.ScalarLike(x, 0)})});
}

}  // namespace burin::onnx
