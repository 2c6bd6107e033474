#include "runtime/readers/onnx/ops/fused_activation.h"

#include <cstddef>
#include <memory>
#include <utility>

#include "ir/ops/clamp.h"
#include "ir/ops/ops.h"

namespace burin::onnx {
namespace {

struct Activation {
  const char* name;
  size_t parameters;
  ir::Value (*add)(NodeContext& node, ir::Value x, const std::vector<double>& parameters);
};

ir::Value AddClip(NodeContext& node, ir::Value x, const std::vector<double>& parameters) {
  auto attributes = std::make_unique<ir::ClampAttributes>();
  attributes->min = parameters[0];
  attributes->max = parameters[1];
  return node.Add(ir::ClampOp(), {x}, std::move(attributes));
}

ir::Value AddHardSigmoid(NodeContext& node, ir::Value x, const std::vector<double>& parameters) {
  return node.Add(ir::HardSigmoidOp(), {x, node.ScalarLike(x, parameters[0]), node.ScalarLike(x, parameters[1])});
}

ir::Value AddLeakyRelu(NodeContext& node, ir::Value x, const std::vector<double>& parameters) {
  return node.Add(ir::PReluOp(), {x, node.Reshape(node.ScalarLike(x, parameters[0]), {1})});
}

ir::Value AddRelu(NodeContext& node, ir::Value x, const std::vector<double>&) { return node.Add(ir::ReluOp(), {x}); }

ir::Value AddSigmoid(NodeContext& node, ir::Value x, const std::vector<double>&) {
  return node.Add(ir::SigmoidOp(), {x});
}

ir::Value AddTanh(NodeContext& node, ir::Value x, const std::vector<double>&) { return node.Add(ir::TanhOp(), {x}); }

constexpr Activation kActivations[] = {
    {"Clip", 2, &AddClip}, {"HardSigmoid", 2, &AddHardSigmoid}, {"LeakyRelu", 1, &AddLeakyRelu},
    {"Relu", 0, &AddRelu}, {"Sigmoid", 0, &AddSigmoid},         {"Tanh", 0, &AddTanh},
};

}  // namespace

ir::Value Activate(NodeContext& node, ir::Value x, const std::string& name, const std::vector<double>& parameters) {
  if (name.empty()) return x;
  for (const Activation& activation : kActivations) {
    if (name != activation.name) continue;
    if (parameters.size() >= activation.parameters) return activation.add(node, x, parameters);
    node.Fail(absl::InvalidArgumentError("A fused activation needs more parameters"));
    return x;
  }
  node.Fail(absl::UnimplementedError("a fused activation of this name"));
  return x;
}

}  // namespace burin::onnx
