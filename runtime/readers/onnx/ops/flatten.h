// Flattening to a matrix, as Flatten and the operators with its semantics (softmax before opset 13) share it.
#ifndef BURIN_RUNTIME_READERS_ONNX_OPS_FLATTEN_H_
#define BURIN_RUNTIME_READERS_ONNX_OPS_FLATTEN_H_

#include <cstdint>

#include "ir/model.h"
#include "runtime/readers/onnx/node_context.h"

namespace burin::onnx {

// Reshapes to two axes: the product of the sizes before `axis`, and that of the rest. `axis` is in [0, rank].
ir::Value FlattenToMatrix(NodeContext& node, ir::Value x, int64_t axis);

}  // namespace burin::onnx

#endif  // BURIN_RUNTIME_READERS_ONNX_OPS_FLATTEN_H_
