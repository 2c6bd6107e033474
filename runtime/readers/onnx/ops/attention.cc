// Attention and the rotary embedding of positions.
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include "base/element_type.h"
#include "ir/ops/ops.h"
#include "runtime/readers/onnx/ops/rotary.h"
#include "runtime/readers/onnx/ops/scaled_attention.h"
#include "runtime/readers/onnx/translators.h"

namespace burin::onnx {
namespace {

// Returns the type in which the node asks for softmax.
std::optional<ElementType> SoftmaxType(NodeContext& node) {
  if (node.IntAttribute("softmax_precision", 0) == 0) return std::nullopt;
  return node.ElementTypeAttribute("softmax_precision", ElementType::kF32);
}

// Returns x where heads are apart, as [batch, heads, sequence, head size].
ir::Value WithHeads(NodeContext& node, ir::Value x, const char* heads_attribute) {
  const int64_t rank = node.KnownRank(x);
  if (!node.ok() || rank == 4) return x;
  const int64_t heads = node.IntAttribute(heads_attribute, 0);
  if (rank != 3) node.Fail(absl::InvalidArgumentError("Attention is of tensors with three or four axes"));
  if (heads < 1) node.Fail(absl::InvalidArgumentError("Attention of three axes needs the numbers of heads"));
  return node.ok() ? SplitHeads(node, x, heads) : x;
}

}  // namespace

// softmax(softcap(Q * K' * scale) + mask) * V, keys and values after those of the past.
absl::Status TranslateAttention(NodeContext& node) {
  if (node.HasInput(4) != node.HasInput(5)) return node.Invalid("Attention takes past keys and values, or neither");
  AttentionInputs attention;
  attention.query = WithHeads(node, node.Input(0), "q_num_heads");
  attention.key = WithHeads(node, node.Input(1), "kv_num_heads");
  attention.value = WithHeads(node, node.Input(2), "kv_num_heads");
  if (!node.ok()) return node.status();

  ir::Value past = node.Int(0);
  if (node.HasInput(4)) {
    past = node.SizeOf(node.Input(4), 2);
    attention.key = node.Concat({node.Input(4), attention.key}, 2);
    attention.value = node.Concat({node.Input(5), attention.value}, 2);
  }
  if (node.HasInput(3)) {
    const bool is_boolean = node.TypeOf(node.Input(3)) == ElementType::kBoolean;
    const double outside = is_boolean ? 0 : -std::numeric_limits<double>::infinity();
    (is_boolean ? attention.keep : attention.bias) =
        PadMask(node, node.Input(3), node.SizeOf(attention.key, 2), outside);
  }
  if (node.IntAttribute("is_causal", 0) != 0) {
    const ir::Value causal = CausalMask(node, past, node.SizeOf(attention.query, 2), node.SizeOf(attention.key, 2));
    attention.keep = BothMasks(node, attention.keep, causal);
  }
  if (node.HasInput(6)) {
    attention.keep = BothMasks(node, attention.keep, KeysBefore(node, node.Input(6), node.SizeOf(attention.key, 2)));
  }
  if (node.HasAttribute("scale")) attention.scale = node.FloatAttribute("scale", 1);
  attention.softcap = node.FloatAttribute("softcap", 0);
  attention.softmax_type = SoftmaxType(node);
  if (attention.softcap < 0) return node.Invalid("The softcap of an Attention is not negative");

  const AttentionValues values = ScaledAttention(node, attention);
  const int64_t mode = node.IntAttribute("qk_matmul_output_mode", 0);
  if (mode < 0 || mode > 3) return node.Invalid("The qk_matmul_output_mode of an Attention lies in [0, 3]");
  const ir::Value chosen[] = {values.products, values.capped, values.masked, values.weights};
  const ir::Value product = node.Convert(chosen[mode], node.TypeOf(attention.query));
  const bool is_flat = node.RankOf(node.Input(0)) == 3;
  return node.Finish(
      {is_flat ? JoinHeads(node, values.output) : values.output, attention.key, attention.value, product});
}

// Rotates pairs of elements of each head by the angles of its position.
absl::Status TranslateRotaryEmbedding(NodeContext& node) {
  ir::Value x = node.Input(0);
  const int64_t rank = node.KnownRank(x);
  if (!node.ok()) return node.status();
  if (rank != 3 && rank != 4) return node.Invalid("RotaryEmbedding is of tensors with three or four axes");
  const ir::Value sizes = node.SizesOf(x);
  // The axis of heads: [batch, heads, sequence, size], or from [batch, sequence, heads * size].
  const int64_t heads_axis = rank == 4 ? 1 : 2;
  if (rank == 3) {
    const int64_t heads = node.IntAttribute("num_heads", 0);
    if (heads < 1) return node.Invalid("RotaryEmbedding of three axes needs num_heads");
    x = node.Reshape(x, node.Concat({node.SizesOf(x, 0, 2), node.Ints({heads, -1})}, 0));
  }
  const int64_t rotated = node.IntAttribute("rotary_embedding_dim", 0);
  if (rotated < 0 || rotated % 2 != 0) return node.Invalid("The rotary_embedding_dim is even and not negative");
  const auto angles = [&](int64_t input) {
    const ir::Value cache = node.Input(input);
    return node.HasInput(3) ? AnglesAt(node, cache, node.Input(3), heads_axis) : node.Unsqueeze(cache, {heads_axis});
  };
  const ir::Value y = RotatePairs(node, x, angles(1), angles(2), rotated, node.IntAttribute("interleaved", 0) != 0);
  return node.Finish({rank == 3 ? node.Reshape(y, sizes) : y});
}

}  // namespace burin::onnx
