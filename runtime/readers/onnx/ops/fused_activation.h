// Activations that ONNX Runtime's fused operators name in an attribute.
#ifndef BURIN_RUNTIME_READERS_ONNX_OPS_FUSED_ACTIVATION_H_
#define BURIN_RUNTIME_READERS_ONNX_OPS_FUSED_ACTIVATION_H_

#include <string>
#include <vector>

#include "ir/model.h"
#include "runtime/readers/onnx/node_context.h"

namespace burin::onnx {

// Applies "Relu", "Tanh", "Sigmoid", "LeakyRelu" (slope), "Clip" (low, high), "HardSigmoid" (alpha, beta) or "" (x as
// it is). Fails with Unimplemented for others, InvalidArgument where there are fewer parameters than the name needs.
ir::Value Activate(NodeContext& node, ir::Value x, const std::string& name, const std::vector<double>& parameters);

}  // namespace burin::onnx

#endif  // BURIN_RUNTIME_READERS_ONNX_OPS_FUSED_ACTIVATION_H_
