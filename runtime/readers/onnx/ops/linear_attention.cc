// Attention without softmax, as a recurrence over the tokens.
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/element_type.h"
#include "ir/infer_context.h"
#include "ir/ops/ops.h"
#include "ir/partial_shape.h"
#include "runtime/readers/onnx/ops/scan_loop.h"
#include "runtime/readers/onnx/translators.h"

namespace burin::onnx {
namespace {

// How the state forgets and what it learns.
struct UpdateRule {
  bool is_gated = false;
  bool is_delta = false;
};

// What the recurrence computes in, whatever the types of its inputs.
constexpr ElementType kStateType = ElementType::kF32;

// The tokens: [batch, sequence, ...], of which each iteration takes one.
struct Tokens {
  ir::Value query;  // [batch, sequence, key heads, query heads for each of them, key size]
  ir::Value key;    // [batch, sequence, key heads, key size, 1]
  ir::Value value;  // [batch, sequence, key heads, 1, value size]
  ir::Value decay;  // [batch, sequence, key heads, key size or 1, 1]
  ir::Value rate;   // [batch, sequence, key heads or 1, 1, 1]
};

// Returns [batch, sequence, n] as [batch, sequence, sizes...], computed in kStateType.
ir::Value Unpack(NodeContext& node, ir::Value packed, const std::vector<int64_t>& sizes) {
  const ir::Value x = node.Convert(packed, kStateType);
  return node.Reshape(x, node.Concat({node.SizesOf(x, 0, 2), node.Ints(sizes)}, 0));
}

// One token: S [batch, key heads, key size, value size] becomes
//   S * exp(decay) + key * (value - key' * S * exp(decay)) * rate
// without what the rule leaves out; then scale * query * S, [batch, key heads, query heads each, value size].
std::unique_ptr<ir::Model> Step(NodeContext& node, const UpdateRule& rule, const std::vector<ScanInput>& inputs,
                                ir::Value state_value) {
  ScanBody body(node);
  GraphBuilder& graph = body.graph();
  ir::ValueInfo state_info;
  state_info.type = kStateType;
  state_info.shape = node.ShapeOf(state_value);
  ir::Value state = body.Parameter(state_info);
  std::vector<ir::Value> tokens;
  for (const ScanInput& input : inputs) tokens.push_back(body.Parameter(InfoOfElement(node, input)));
  if (!node.ok() || !graph.ok()) return body.Take();
  size_t next = 3;
  if (rule.is_gated) state = graph.Times(state, graph.Add(ir::ExpOp(), {tokens[next++]}));
  const ir::Value key = tokens[1];
  ir::Value learned = tokens[2];
  if (rule.is_delta) {
    const ir::Value known = graph.MatMul(key, state, /*transpose_a=*/true);
    learned = graph.Times(graph.Minus(learned, known), tokens[next++]);
  }
  state = graph.Plus(state, graph.Times(key, learned));
  body.Result(state);
  body.Result(graph.MatMul(tokens[0], state));
  return body.Take();
}

}  // namespace

absl::Status TranslateLinearAttention(NodeContext& node) {
  const int64_t query_heads = node.IntAttribute("q_num_heads", 0);
  const int64_t heads = node.IntAttribute("kv_num_heads", 0);
  const std::string name = node.StringAttribute("update_rule", "gated_delta");
  UpdateRule rule;
  rule.is_gated = name == "gated" || name == "gated_delta";
  rule.is_delta = name == "delta" || name == "gated_delta";
  if (!node.ok()) return node.status();
  if (!rule.is_gated && !rule.is_delta && name != "linear") return node.Invalid("The update_rule is not known");
  if (query_heads < 1 || heads < 1 || query_heads % heads != 0) {
    return node.Invalid("A LinearAttention has a multiple of the heads of keys for queries");
  }
  if (rule.is_gated != node.HasInput(4) || rule.is_delta != node.HasInput(5)) {
    return node.Invalid("The update_rule needs a decay, a beta, both or none");
  }

  Tokens tokens;
  tokens.query = Unpack(node, node.Input(0), {heads, query_heads / heads, -1});
  tokens.key = Unpack(node, node.Input(1), {heads, -1, 1});
  tokens.value = Unpack(node, node.Input(2), {heads, 1, -1});
  std::vector<ScanInput> inputs = {{tokens.query, 1}, {tokens.key, 1}, {tokens.value, 1}};
  if (rule.is_gated) {
    tokens.decay = Unpack(node, node.Input(4), {heads, -1, 1});
    inputs.push_back({tokens.decay, 1});
  }
  if (rule.is_delta) {
    // One rate for all heads, or one for each.
    tokens.rate = Unpack(node, node.Input(5), {-1, 1, 1});
    inputs.push_back({tokens.rate, 1});
  }
  if (!node.ok()) return node.status();

  ScanPorts ports;
  ir::Value state = node.OptionalInput(3);
  if (state.exists()) {
    state = node.Convert(state, kStateType);
  } else {
    const ir::Value sizes = node.Concat({node.SizesOf(tokens.key, 0, 1), node.Ints({heads}),
                                         node.SizesOf(tokens.key, 3, 4), node.SizesOf(tokens.value, 4, 5)},
                                        0);
    state = node.Broadcast(node.Scalar(kStateType, 0), sizes);
  }
  ports.states = {state};
  ports.inputs = inputs;
  ports.outputs = {{1}};
  std::unique_ptr<ir::Model> body = Step(node, rule, inputs, state);
  if (!node.ok()) return node.status();
  const std::vector<ir::Value> results = AddScan(node, std::move(body), ports);
  if (!node.ok()) return node.status();

  double scale = node.FloatAttribute("scale", 0);
  ir::Value factor = node.Scalar(kStateType, scale);
  if (scale == 0) {
    const ir::Value size = node.Convert(node.SizeOf(tokens.key, 3), kStateType);
    factor = node.Over(node.Scalar(kStateType, 1), node.Add(ir::SqrtOp(), {size}));
  }
  const ir::Value y = node.Times(results[1], factor);
  const ir::Value flat = node.Reshape(y, node.Concat({node.SizesOf(y, 0, 2), node.Ints({-1})}, 0));
  const ElementType state_type = node.TypeOf(node.HasInput(3) ? node.Input(3) : node.Input(0));
  return node.Finish({node.Convert(flat, node.TypeOf(node.Input(0))), node.Convert(results[0], state_type)});
}

}  // namespace burin::onnx
