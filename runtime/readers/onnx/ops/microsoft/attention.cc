// Attention as ONNX Runtime's extensions have it: with projections, biases and masks of several forms.
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "base/element_type.h"
#include "ir/dimension.h"
#include "ir/ops/ops.h"
#include "ir/partial_shape.h"
#include "runtime/readers/onnx/ops/quantization.h"
#include "runtime/readers/onnx/ops/rotary.h"
#include "runtime/readers/onnx/ops/scaled_attention.h"
#include "runtime/readers/onnx/translators.h"

namespace burin::onnx {
namespace {

// Returns what is added to scores, [batch, 1, queries or 1, keys], for a mask of one of these forms: [batch], how many
// keys there are; [batch, keys] and [batch, queries, keys], 0 for what is masked. A masked score stays finite.
ir::Value BiasOfMask(NodeContext& node, ir::Value mask, ir::Value query, ir::Value key) {
  const ElementType type = node.TypeOf(query);
  const ir::Value total = node.SizeOf(key, 2);
  const ir::Value filter = node.Scalar(type, node.FloatAttribute("mask_filter_value", -10000));
  const int64_t rank = node.KnownRank(mask);
  if (!node.ok()) return mask;
  ir::Value keep;
  if (rank == 1) {
    const ir::Dimension& count = node.ShapeOf(mask)[0];
    const ir::Dimension& batch = node.ShapeOf(query)[0];
    const bool is_known = count.is_static() && batch.is_static();
    if (is_known && count.value() == batch.value()) {
      keep = KeysBefore(node, mask, total);
    } else if (is_known && count.value() == 2 * batch.value()) {
      // Ends, then the places of the first keys.
      const ir::Value before = KeysBefore(node, node.Slice(mask, 0, batch.value(), count.value()), total);
      keep = node.Add(ir::LogicalAndOp(), {KeysBefore(node, node.Slice(mask, 0, 0, batch.value()), total),
                                           node.Add(ir::LogicalNotOp(), {before})});
    } else {
      node.Fail(
          absl::UnimplementedError("a mask of one axis that is neither ends nor ends and starts of the sequences"));
      return mask;
    }
  } else if (rank == 2 || rank == 3) {
    const ir::Value axes = rank == 2 ? node.Unsqueeze(mask, {1, 2}) : node.Unsqueeze(mask, {1});
    keep = node.Add(ir::NotEqualOp(), {axes, node.ScalarLike(mask, 0)});
  } else {
    node.Fail(absl::UnimplementedError("a mask of four axes"));
    return mask;
  }
  return node.Add(ir::SelectOp(), {keep, node.Scalar(type, 0), filter});
}

// Adds what the optional inputs of a mask and of a bias say.
void ReadMasks(NodeContext& node, int64_t mask_input, int64_t bias_input, AttentionInputs* attention) {
  if (node.HasInput(bias_input)) attention->bias = node.Input(bias_input);
  if (!node.HasInput(mask_input) || !node.ok()) return;
  const ir::Value masked = BiasOfMask(node, node.Input(mask_input), attention->query, attention->key);
  attention->bias = attention->bias.exists() ? node.Plus(attention->bias, masked) : masked;
}

void ReadScale(NodeContext& node, AttentionInputs* attention) {
  const double scale = node.FloatAttribute("scale", 0);
  if (scale != 0) attention->scale = scale;
}

// Where a query sees no key behind its own place; the past comes before all of them.
void KeepCausal(NodeContext& node, AttentionInputs* attention) {
  const ir::Value queries = node.SizeOf(attention->query, 2);
  const ir::Value total = node.SizeOf(attention->key, 2);
  attention->keep = BothMasks(node, attention->keep, CausalMask(node, node.Minus(total, queries), queries, total));
}

int64_t HeadCount(NodeContext& node) {
  const int64_t heads = node.IntAttribute("num_heads", 0);
  if (heads < 1) node.Fail(absl::InvalidArgumentError("An attention needs num_heads"));
  return heads;
}

// Returns element `i` of an axis without the axis.
ir::Value Part(NodeContext& node, ir::Value x, int64_t axis, int64_t i) {
  return node.Squeeze(node.Slice(x, axis, i, i + 1), {axis});
}

// Returns part `i` of a last axis of the sizes that `sizes` counts.
ir::Value PartOfSizes(NodeContext& node, ir::Value x, int64_t axis, const std::vector<int64_t>& sizes, size_t i) {
  int64_t begin = 0;
  for (size_t k = 0; k < i; ++k) begin += sizes[k];
  return node.Slice(x, axis, begin, begin + sizes[i]);
}

constexpr int64_t kNoInput = std::numeric_limits<int64_t>::max();

// Which inputs say what is masked, what came before, and what is added to scores.
struct AttentionPlaces {
  int64_t mask;
  int64_t past;
  int64_t bias;
};

// Attention among query, key and value that are side by side in `projected`, of the sizes that qkv_hidden_sizes gives,
// or thirds of `width`. Past and present are keys and values in one tensor [2, batch, heads, sequence, head size].
absl::Status AttentionOf(NodeContext& node, ir::Value projected, const ir::Dimension& width,
                         const AttentionPlaces& places) {
  const int64_t heads = HeadCount(node);
  if (node.IntAttribute("do_rotary", 0) != 0) return node.Unsupported("a rotary embedding");
  if (node.IntAttribute("past_present_share_buffer", 0) != 0) return node.Unsupported("a buffer of past and present");
  std::vector<int64_t> sizes = node.IntsAttribute("qkv_hidden_sizes");
  if (sizes.empty()) {
    if (!width.is_static()) return node.Unsupported("weights of which the size is not known");
    sizes.assign(3, width.value() / 3);
  }
  if (sizes.size() != 3) return node.Invalid("The qkv_hidden_sizes of an Attention are three");

  AttentionInputs attention;
  const auto part = [&](size_t i) { return SplitHeads(node, PartOfSizes(node, projected, 2, sizes, i), heads); };
  attention.query = part(0);
  attention.key = part(1);
  attention.value = part(2);
  if (node.HasInput(places.past)) {
    const ir::Value past = node.Input(places.past);
    attention.key = node.Concat({Part(node, past, 0, 0), attention.key}, 2);
    attention.value = node.Concat({Part(node, past, 0, 1), attention.value}, 2);
  }
  ReadMasks(node, places.mask, places.bias, &attention);
  if (node.IntAttribute("unidirectional", 0) != 0) KeepCausal(node, &attention);
  ReadScale(node, &attention);
  if (!node.ok()) return node.status();
  const AttentionValues values = ScaledAttention(node, attention);
  ir::Value present;
  if (node.WantsOutput(1)) {
    present = node.Concat({node.Unsqueeze(attention.key, {0}), node.Unsqueeze(attention.value, {0})}, 0);
  }
  return node.Finish({JoinHeads(node, values.output), present});
}

// Returns the columns of a matrix of weights.
ir::Dimension WidthOf(NodeContext& node, ir::Value weights) {
  if (node.KnownRank(weights) == 2) return node.ShapeOf(weights)[1];
  node.Fail(absl::InvalidArgumentError("The weights of an Attention have two axes"));
  return ir::Dimension();
}

}  // namespace

// x * weights + bias are query, key and value side by side; then attention among them.
absl::Status TranslateMicrosoftAttention(NodeContext& node) {
  const ir::Dimension width = WidthOf(node, node.Input(1));
  ir::Value projected = node.MatMul(node.Input(0), node.Input(1));
  if (node.HasInput(2)) projected = node.Plus(projected, node.Input(2));
  return AttentionOf(node, projected, width, {/*mask=*/3, /*past=*/4, /*bias=*/5});
}

// The same with a product of integers. Inputs: x, weights, bias, the scales of x and weights, a mask, the zero points
// of x and weights, the past.
absl::Status TranslateQAttention(NodeContext& node) {
  const ir::Dimension width = WidthOf(node, node.Input(1));
  const ir::Value product =
      MultiplyCentred(node, node.Input(0), node.OptionalInput(6), node.Input(1), node.OptionalInput(7));
  const ir::Value scale = node.Times(node.Input(3), node.Input(4));
  const ir::Value projected = node.Plus(node.Times(node.Convert(product, node.TypeOf(scale)), scale), node.Input(2));
  return AttentionOf(node, projected, width, {/*mask=*/5, /*past=*/8, /*bias=*/kNoInput});
}

// Query, key and value are [batch, sequence, heads * size] each, with a bias for all of them; or side by side in one or
// two tensors of five axes; or keys and values with their heads apart, as they come from elsewhere.
absl::Status TranslateMultiHeadAttention(NodeContext& node) {
  const int64_t heads = HeadCount(node);
  if (node.HasInput(8) || node.HasInput(9)) return node.Unsupported("a buffer of past and present");
  const ir::Value query = node.Input(0);
  const int64_t rank = node.KnownRank(query);
  if (!node.ok()) return node.status();
  AttentionInputs attention;
  const auto packed = [&](ir::Value x, int64_t i) { return node.Transpose(Part(node, x, 3, i), {0, 2, 1, 3}); };
  if (rank == 5) {
    attention.query = packed(query, 0);
    attention.key = packed(query, 1);
    attention.value = packed(query, 2);
  } else if (rank != 3 || !node.HasInput(1)) {
    return node.Invalid("A MultiHeadAttention needs queries of three axes and keys, or all of them in one of five");
  } else {
    // Part `i` of the bias begins where those of query and key end.
    const auto biased = [&](ir::Value x, size_t i) {
      if (!node.HasInput(3)) return x;
      const ir::Value size = node.SizesOf(query, 2, 3);
      const ir::Value begin = node.Times(size, node.Ints({static_cast<int64_t>(i)}));
      const ir::Value end = node.Plus(begin, node.SizesOf(x, 2, 3));
      const ir::Value bias = node.Slice(node.Input(3), 0, begin, end);
      return node.Plus(x, bias);
    };
    attention.query = SplitHeads(node, biased(query, 0), heads);
    const int64_t key_rank = node.KnownRank(node.Input(1));
    if (!node.ok()) return node.status();
    if (key_rank == 5) {
      attention.key = packed(node.Input(1), 0);
      attention.value = packed(node.Input(1), 1);
    } else if (key_rank == 4) {
      attention.key = node.Input(1);
      attention.value = node.Input(2);
    } else {
      attention.key = SplitHeads(node, biased(node.Input(1), 1), heads);
      attention.value = SplitHeads(node, biased(node.Input(2), 2), heads);
    }
  }
  if (node.HasInput(6)) attention.key = node.Concat({node.Input(6), attention.key}, 2);
  if (node.HasInput(7)) attention.value = node.Concat({node.Input(7), attention.value}, 2);
  ReadMasks(node, 4, 5, &attention);
  if (node.IntAttribute("unidirectional", 0) != 0) KeepCausal(node, &attention);
  ReadScale(node, &attention);
  if (!node.ok()) return node.status();
  const AttentionValues values = ScaledAttention(node, attention);
  return node.Finish({JoinHeads(node, values.output), attention.key, attention.value, values.products});
}

// As the standard's, but positions are the third input from the end, or the place of the first token alone, and heads
// may have to be found from the sizes of the caches.
absl::Status TranslateMicrosoftRotaryEmbedding(NodeContext& node) {
  if (node.IntAttribute("is_packed_batching", 0) != 0) return node.Unsupported("packed batches");
  if (node.FloatAttribute("scale", 1) != 1) return node.Unsupported("a scale");
  const ir::Value x = node.Input(0);
  const int64_t rank = node.KnownRank(x);
  const int64_t position_rank = node.KnownRank(node.Input(1));
  const int64_t rotated = node.IntAttribute("rotary_embedding_dim", 0);
  if (!node.ok()) return node.status();
  if (rank != 3 && rank != 4) return node.Invalid("RotaryEmbedding is of tensors with three or four axes");
  if (rotated < 0 || rotated % 2 != 0) return node.Invalid("The rotary_embedding_dim is even and not negative");
  ir::Value heads_apart = x;
  if (rank == 3) {
    const int64_t heads = node.IntAttribute("num_heads", 0);
    if (rotated > 0 && heads < 1) return node.Invalid("A rotary_embedding_dim needs num_heads");
    // Where nothing is said a head is as long as all pairs of the caches.
    const ir::Value size = node.Times(node.SizesOf(node.Input(2), 1, 2), node.Ints({2}));
    const ir::Value sizes = heads > 0 ? node.Ints({heads, -1}) : node.Concat({node.Ints({-1}), size}, 0);
    heads_apart = node.Transpose(node.Reshape(x, node.Concat({node.SizesOf(x, 0, 2), sizes}, 0)), {0, 2, 1, 3});
  }
  ir::Value positions = node.Input(1);
  if (position_rank < 2) {
    const ir::Value first = node.ToScalar(positions);
    positions = node.Unsqueeze(node.Range(first, node.Plus(first, node.SizeOf(heads_apart, 2))), {0});
  }
  const auto angles = [&](int64_t input) { return AnglesAt(node, node.Input(input), positions, /*heads_axis=*/1); };
  const ir::Value y =
      RotatePairs(node, heads_apart, angles(2), angles(3), rotated, node.IntAttribute("interleaved", 0) != 0);
  return node.Finish({rank == 3 ? JoinHeads(node, y) : y});
}

}  // namespace burin::onnx
