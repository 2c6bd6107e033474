// For operators whose tensors may have their channels behind the spatial axes.
#ifndef BURIN_RUNTIME_READERS_ONNX_OPS_CHANNELS_LAST_H_
#define BURIN_RUNTIME_READERS_ONNX_OPS_CHANNELS_LAST_H_

#include "ir/model.h"
#include "runtime/readers/onnx/node_context.h"

namespace burin::onnx {

// Return x as [N, C, spatial...], or as [N, spatial..., C] again, where the node's attribute `channels_last` is set;
// else x as it is. Fail with InvalidArgument where x has less than three axes.
ir::Value ToChannelsFirst(NodeContext& node, ir::Value x);
ir::Value FromChannelsFirst(NodeContext& node, ir::Value x);

}  // namespace burin::onnx

#endif  // BURIN_RUNTIME_READERS_ONNX_OPS_CHANNELS_LAST_H_
