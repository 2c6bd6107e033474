// Broadcasting as ONNX had it before opset 7: only where the node asks for it, and at a given axis.
#ifndef BURIN_RUNTIME_READERS_ONNX_OPS_LEGACY_BROADCAST_H_
#define BURIN_RUNTIME_READERS_ONNX_OPS_LEGACY_BROADCAST_H_

#include "ir/model.h"
#include "runtime/readers/onnx/node_context.h"

namespace burin::onnx {

// Returns the second operand of a binary operator shaped so that NumPy's broadcasting does what the attributes
// `broadcast` and `axis` ask for: the operand's axes match those of the first from `axis` on. The operand itself where
// they ask for nothing else than NumPy's rule.
ir::Value AlignSecondOperand(NodeContext& node);

}  // namespace burin::onnx

#endif  // BURIN_RUNTIME_READERS_ONNX_OPS_LEGACY_BROADCAST_H_
