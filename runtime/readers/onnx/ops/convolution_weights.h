// Convolution with ONNX's operands, as the float and the integer operators share it.
#ifndef BURIN_RUNTIME_READERS_ONNX_OPS_CONVOLUTION_WEIGHTS_H_
#define BURIN_RUNTIME_READERS_ONNX_OPS_CONVOLUTION_WEIGHTS_H_

#include "ir/model.h"
#include "runtime/readers/onnx/node_context.h"

namespace burin::onnx {

// Convolves x [N, C, spatial...] with weights [M, C / group, kernel...] as the node's attributes say; no bias.
ir::Value Convolve(NodeContext& node, ir::Value x, ir::Value weights);

// Shapes a vector of one element per channel so that it broadcasts over [N, C, spatial...] of the given rank.
ir::Value AlongChannels(NodeContext& node, ir::Value vector, int64_t rank);

// Splits the first axis of weights [A, B, kernel...] into `group` equal parts: [group, A / group, B, kernel...].
ir::Value SplitGroups(NodeContext& node, ir::Value weights, int64_t group);

}  // namespace burin::onnx

#endif  // BURIN_RUNTIME_READERS_ONNX_OPS_CONVOLUTION_WEIGHTS_H_
