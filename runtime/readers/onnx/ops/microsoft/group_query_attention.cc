// GroupQueryAttention of ONNX Runtime: causal attention over a cache of keys and values.
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "base/element_type.h"
#include "ir/ops/ops.h"
#include "ir/ops/pad.h"
#include "ir/ops/scatter_elements_update.h"
#include "runtime/readers/onnx/ops/rotary.h"
#include "runtime/readers/onnx/ops/scaled_attention.h"
#include "runtime/readers/onnx/translators.h"

namespace burin::onnx {
namespace {

// What an input says that is refused.
absl::Status CheckSupported(NodeContext& node) {
  for (const int64_t input : {12, 13, 14, 15}) {
    if (node.HasInput(input)) return node.Unsupported("a quantized cache, or normalised queries and keys");
  }
  if (node.IntAttribute("sliding_window_cache", 0) != 0) return node.Unsupported("a cache of the window's size");
  if (node.IntAttribute("qk_output", 0) != 0) return node.Unsupported("the products of queries and keys as an output");
  if (node.HasInput(1) != node.HasInput(2))
    return node.Invalid("A GroupQueryAttention has keys and values, or neither");
  if (node.HasInput(3) != node.HasInput(4)) return node.Invalid("A GroupQueryAttention has a past of both, or of none");
  return node.status();
}

// Returns the cache with `added`, [batch, heads, tokens, size], from the places [batch, tokens] on; it has as many
// tokens as it had, or as there are in all.
ir::Value Extend(NodeContext& node, ir::Value past, ir::Value added, ir::Value places, ir::Value total) {
  const ir::Value length = node.SizesOf(past, 2, 3);
  const ir::Value missing = node.Add(ir::MaximumOp(), {node.Minus(node.Unsqueeze(total, {0}), length), node.Ints({0})});
  const ir::Value after = node.Concat({node.Ints({0, 0}), missing, node.Ints({0})}, 0);
  const ir::Value cache = node.Add(ir::PadOp(), {past, node.Ints({0, 0, 0, 0}), after, node.ScalarLike(past, 0)},
                                   std::make_unique<ir::PadAttributes>());
  const ir::Value indices = node.Broadcast(node.Unsqueeze(places, {1, 3}), node.SizesOf(added));
  return node.Add(ir::ScatterElementsUpdateOp(), {cache, indices, added, node.Int(2)},
                  std::make_unique<ir::ScatterElementsUpdateAttributes>());
}

}  // namespace

// The tokens of element b of the batch come after seqlens_k[b] + 1 - tokens of the past; where that is negative the
// sequence is filled up behind its end, and there is no past. A query sees the keys up to its own place, or the last
// local_window_size of them.
absl::Status TranslateGroupQueryAttention(NodeContext& node) {
  const absl::Status supported = CheckSupported(node);
  if (!supported.ok()) return supported;
  const int64_t heads = node.IntAttribute("num_heads", 0);
  const int64_t key_heads = node.IntAttribute("kv_num_heads", 0);
  if (!node.ok()) return node.status();
  if (heads < 1 || key_heads < 1 || heads % key_heads != 0) {
    return node.Invalid("A GroupQueryAttention has a multiple of kv_num_heads for queries");
  }

  AttentionInputs attention;
  ir::Value key;
  ir::Value value;
  if (node.HasInput(1)) {
    attention.query = SplitHeads(node, node.Input(0), heads);
    key = SplitHeads(node, node.Input(1), key_heads);
    value = SplitHeads(node, node.Input(2), key_heads);
  } else {
    const ir::Value all = SplitHeads(node, node.Input(0), heads + 2 * key_heads);
    attention.query = node.Slice(all, 1, 0, heads);
    key = node.Slice(all, 1, heads, heads + key_heads);
    value = node.Slice(all, 1, heads + key_heads, heads + 2 * key_heads);
  }

  const ir::Value tokens = node.SizeOf(attention.query, 2);
  const ir::Value lengths = node.Plus(node.Convert(node.Reshape(node.Input(5), {-1}), ElementType::kI64), node.Int(1));
  const ir::Value past = node.Add(ir::MaximumOp(), {node.Minus(lengths, tokens), node.Int(0)});
  // [batch, tokens]
  const ir::Value places = node.Plus(node.Unsqueeze(past, {1}), node.Range(node.Int(0), tokens));
  if (node.IntAttribute("do_rotary", 0) != 0) {
    const bool interleaved = node.IntAttribute("rotary_interleaved", 0) != 0;
    const ir::Value positions = node.HasInput(9) ? node.Input(9) : places;
    const ir::Value cosine = AnglesAt(node, node.Input(7), positions, /*heads_axis=*/1);
    const ir::Value sine = AnglesAt(node, node.Input(8), positions, /*heads_axis=*/1);
    attention.query = RotatePairs(node, attention.query, cosine, sine, 0, interleaved);
    key = RotatePairs(node, key, cosine, sine, 0, interleaved);
  }

  attention.key = key;
  attention.value = value;
  if (node.HasInput(3)) {
    const ir::Value total = node.Convert(node.ToScalar(node.Input(6)), ElementType::kI64);
    attention.key = Extend(node, node.Input(3), key, places, total);
    attention.value = Extend(node, node.Input(4), value, places, total);
  }

  const ir::Value keys = node.SizeOf(attention.key, 2);
  const ir::Value key_places = node.Range(node.Int(0), keys);
  const ir::Value rows = node.Unsqueeze(places, {1, 3});
  if (node.IntAttribute("causal", 1) != 0) {
    attention.keep = node.Add(ir::LessEqualOp(), {key_places, rows});
    const int64_t window = node.IntAttribute("local_window_size", -1);
    if (window > 0) {
      const ir::Value begin = node.Minus(rows, node.Int(window));
      attention.keep = BothMasks(node, attention.keep, node.Add(ir::GreaterOp(), {key_places, begin}));
    }
  } else {
    attention.keep = KeysBefore(node, lengths, keys);
  }
  if (node.HasInput(10)) attention.bias = PadMask(node, node.Input(10), keys, 0);
  if (node.HasInput(11)) {
    attention.sink = node.Input(11);
  } else if (node.IntAttribute("smooth_softmax", 0) != 0) {
    attention.sink = node.Broadcast(node.ScalarLike(attention.query, 0), node.Ints({heads}));
  }
  attention.softcap = node.FloatAttribute("softcap", 0);
  const double scale = node.FloatAttribute("scale", 0);
  if (scale != 0) attention.scale = scale;
  if (!node.ok()) return node.status();
  const AttentionValues values = ScaledAttention(node, attention);
  return node.Finish({JoinHeads(node, values.output), attention.key, attention.value});
}

}  // namespace burin::onnx
