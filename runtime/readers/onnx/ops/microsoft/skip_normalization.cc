// Layer normalisations of sums, as ONNX Runtime's extensions have them.
#include <cstdint>
#include <memory>
#include <vector>

#include "base/element_type.h"
#include "ir/ops/gather.h"
#include "ir/ops/ops.h"
#include "runtime/readers/onnx/ops/layer_norm.h"
#include "runtime/readers/onnx/translators.h"

namespace burin::onnx {
namespace {

// The default epsilon of these operators, as the float it is.
constexpr double kEpsilon = static_cast<double>(1e-12f);

ir::Value Embedding(NodeContext& node, int64_t table, ir::Value indices) {
  return node.Add(ir::GatherOp(), {node.Input(table), indices, node.Int(0)}, std::make_unique<ir::GatherAttributes>());
}

}  // namespace

// The outputs are the normalised sum, its statistics, and the sum itself.
absl::Status TranslateSkipLayerNormalization(NodeContext& node) {
  ir::Value sum = node.Plus(node.Input(0), node.Input(1));
  if (node.HasInput(4)) sum = node.Plus(sum, node.Input(4));
  std::vector<ir::Value> outputs =
      LayerNormalize(node, sum, node.Input(2), node.OptionalInput(3), -1, node.FloatAttribute("epsilon", kEpsilon),
                     node.WantsOutput(1) || node.WantsOutput(2));
  if (!node.ok()) return node.status();
  outputs.push_back(sum);
  return node.Finish(outputs);
}

absl::Status TranslateSkipSimplifiedLayerNormalization(NodeContext& node) {
  if (node.WantsOutput(1) || node.WantsOutput(2)) return node.Unsupported("statistics as outputs");
  ir::Value sum = node.Plus(node.Input(0), node.Input(1));
  if (node.HasInput(3)) sum = node.Plus(sum, node.Input(3));
  const ir::Value y = RmsNormalize(node, sum, node.Input(2), -1, node.FloatAttribute("epsilon", kEpsilon));
  return node.Finish({y, ir::Value::None(), ir::Value::None(), sum});
}

// The sum of the embeddings of words, positions and segments, normalised.
absl::Status TranslateEmbedLayerNormalization(NodeContext& node) {
  const ir::Value words = node.Input(0);
  const ir::Value positions =
      node.HasInput(8) ? node.Input(8) : node.Unsqueeze(node.Range(node.Int(0), node.SizeOf(words, 1)), {0});
  ir::Value sum = node.Plus(Embedding(node, 2, words), Embedding(node, 3, positions));
  if (node.HasInput(1)) sum = node.Plus(sum, Embedding(node, 4, node.Input(1)));
  const std::vector<ir::Value> normalized =
      LayerNormalize(node, sum, node.Input(5), node.Input(6), -1, node.FloatAttribute("epsilon", kEpsilon),
                     /*wants_statistics=*/false);
  if (!node.ok()) return node.status();
  ir::Value lengths;
  if (node.WantsOutput(1)) {
    // How many words a mask has, or none.
    const ElementType type = node.TypeOf(words);
    const ir::Value mask = node.HasInput(7) ? node.Input(7) : node.Times(words, node.Scalar(type, 0));
    lengths = node.Convert(node.Reshape(node.Sum(mask, {1}), {-1}), ElementType::kI32);
  }
  return node.Finish({normalized.front(), lengths, sum});
}

}  // namespace burin::onnx
