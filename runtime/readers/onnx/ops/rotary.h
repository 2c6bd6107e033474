// The rotary embedding of positions, as the standard operators and other runtimes' extensions share it.
#ifndef BURIN_RUNTIME_READERS_ONNX_OPS_ROTARY_H_
#define BURIN_RUNTIME_READERS_ONNX_OPS_ROTARY_H_

#include <cstdint>

#include "ir/model.h"
#include "runtime/readers/onnx/node_context.h"

namespace burin::onnx {

// Turns pairs (x1, x2) of the first `rotated` elements (an even number; 0: of all) of the last of four axes to
// (cos * x1 - sin * x2, sin * x1 + cos * x2). Elements of a pair lie side by side, or half of what is turned apart.
// Cosine and sine have as many elements as there are pairs, and broadcast over the other axes.
ir::Value RotatePairs(NodeContext& node, ir::Value x, ir::Value cosine, ir::Value sine, int64_t rotated,
                      bool interleaved);

// Returns the rows of a cache, [places, pairs], for the positions [batch, sequence], with an axis for heads put in at
// `heads_axis`: a cosine or sine that RotatePairs() takes.
ir::Value AnglesAt(NodeContext& node, ir::Value cache, ir::Value positions, int64_t heads_axis);

}  // namespace burin::onnx

#endif  // BURIN_RUNTIME_READERS_ONNX_OPS_ROTARY_H_
