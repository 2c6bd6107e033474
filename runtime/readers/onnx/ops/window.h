// Reads the attributes that ONNX's sliding-window operators share: strides, dilations, pads and auto_pad.
#ifndef BURIN_RUNTIME_READERS_ONNX_OPS_WINDOW_H_
#define BURIN_RUNTIME_READERS_ONNX_OPS_WINDOW_H_

#include <cstdint>

#include "ir/ops/family/window.h"
#include "runtime/readers/onnx/node_context.h"

namespace burin::onnx {

// Fills in the window's parameters for `spatial_rank` axes. Fails the node where a list has another length or auto_pad
// is no known word.
void ReadWindow(NodeContext& node, int64_t spatial_rank, ir::WindowParameters* window);

}  // namespace burin::onnx

#endif  // BURIN_RUNTIME_READERS_ONNX_OPS_WINDOW_H_
