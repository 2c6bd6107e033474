// Scaled dot-product attention by its definition, as the standard operators and other runtimes' extensions share it.
#ifndef BURIN_RUNTIME_READERS_ONNX_OPS_SCALED_ATTENTION_H_
#define BURIN_RUNTIME_READERS_ONNX_OPS_SCALED_ATTENTION_H_

#include <cstdint>
#include <optional>

#include "base/element_type.h"
#include "ir/model.h"
#include "runtime/readers/onnx/node_context.h"

namespace burin::onnx {

// Returns [batch, sequence, heads * head size] as [batch, heads, sequence, head size], and back.
ir::Value SplitHeads(NodeContext& node, ir::Value x, int64_t heads);
ir::Value JoinHeads(NodeContext& node, ir::Value x);

// Returns which of `total` keys a query may look at that comes after `past` ones: those up to its own place, as
// booleans [queries, total]. All are i64 scalars.
ir::Value CausalMask(NodeContext& node, ir::Value past, ir::Value queries, ir::Value total);

// Returns which of `total` keys lie before the lengths [batch], as booleans [batch, 1, 1, total].
ir::Value KeysBefore(NodeContext& node, ir::Value lengths, ir::Value total);

// Returns both masks joined; either may be absent.
ir::Value BothMasks(NodeContext& node, ir::Value a, ir::Value b);

// Continues the last axis of a mask with `value` up to `total` keys; one that is as long already stays as it is.
ir::Value PadMask(NodeContext& node, ir::Value mask, ir::Value total, double value);

// What attention is of, on [batch, heads, sequence, head size]. There may be fewer heads of keys and values, each of
// which serves as many heads of queries in succession.
struct AttentionInputs {
  ir::Value query;
  ir::Value key;
  ir::Value value;
  // Of the products; 1 / sqrt(head size) where it is not given.
  std::optional<double> scale;
  // Where it is not 0, products x become softcap * tanh(x / softcap).
  double softcap = 0;
  // What is added to the products, and which of them count; may be absent. They broadcast to
  // [batch, heads, queries, keys].
  ir::Value bias;
  ir::Value keep;
  // [heads of the query]: one more score each, of a key that has no value; may be absent.
  ir::Value sink;
  // The type in which softmax is computed; that of the query where it is not given.
  std::optional<ElementType> softmax_type;
};

// What attention computes on the way to its output: [batch, heads, queries, keys] each.
struct AttentionValues {
  ir::Value products;
  ir::Value capped;
  ir::Value masked;
  ir::Value weights;
  // [batch, heads, queries, head size of the values].
  ir::Value output;
};

// Adds softmax(capped(query * key' * scale) + bias) * value, with scores of -infinity where a key is not to be kept: a
// query that keeps none gives NaN, as the definition does.
AttentionValues ScaledAttention(NodeContext& node, const AttentionInputs& inputs);

}  // namespace burin::onnx

#endif  // BURIN_RUNTIME_READERS_ONNX_OPS_SCALED_ATTENTION_H_
