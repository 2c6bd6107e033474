// Matrix products.
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "ir/ops/einsum.h"
#include "ir/ops/ops.h"
#include "runtime/readers/onnx/ops/fused_activation.h"
#include "runtime/readers/onnx/translators.h"

namespace burin::onnx {
namespace {

// alpha * A' * B' + beta * C
ir::Value Gemm(NodeContext& node) {
  const bool transpose_a = node.IntAttribute("transA", 0) != 0;
  const bool transpose_b = node.IntAttribute("transB", 0) != 0;
  ir::Value y = node.MatMul(node.Input(0), node.Input(1), transpose_a, transpose_b);
  const double alpha = node.FloatAttribute("alpha", 1);
  if (alpha != 1) y = node.Times(y, node.ScalarLike(y, alpha));
  const double beta = node.FloatAttribute("beta", 1);
  if (node.HasInput(2) && beta != 0) {
    ir::Value c = node.Input(2);
    if (beta != 1) c = node.Times(c, node.ScalarLike(c, beta));
    y = node.Plus(y, c);
  }
  return y;
}

// Moves the first axis of [rows, batch..., columns] to its place behind the batch where `attribute` is set.
ir::Value BatchInFront(NodeContext& node, ir::Value x, const char* attribute) {
  if (node.IntAttribute(attribute, 0) == 0) return x;
  const int64_t rank = node.KnownRank(x);
  if (!node.ok() || rank < 3) return x;
  std::vector<int64_t> order;
  for (int64_t axis = 1; axis < rank - 1; ++axis) order.push_back(axis);
  order.push_back(0);
  order.push_back(rank - 1);
  return node.Transpose(x, std::move(order));
}

}  // namespace

absl::Status TranslateEinsum(NodeContext& node) {
  auto attributes = std::make_unique<ir::EinsumAttributes>();
  attributes->equation = node.StringAttribute("equation", "");
  return node.Finish({node.Add(ir::EinsumOp(), {node.inputs().begin(), node.inputs().end()}, std::move(attributes))});
}

absl::Status TranslateGemm(NodeContext& node) { return node.Finish({Gemm(node)}); }

// A Gemm with an activation, whose parameters are numbered.
absl::Status TranslateFusedGemm(NodeContext& node) {
  std::vector<double> parameters;
  for (const char* const name : {"activation_alpha", "activation_beta", "activation_gamma"}) {
    if (node.HasAttribute(name)) parameters.push_back(node.FloatAttribute(name, 0));
  }
  return node.Finish({Activate(node, Gemm(node), node.StringAttribute("activation", ""), parameters)});
}

// alpha * A' * B', where either operand may have its rows in front of the batch (transBatchA) and its inner axes
// swapped.
absl::Status TranslateFusedMatMul(NodeContext& node) {
  const ir::Value a = BatchInFront(node, node.Input(0), "transBatchA");
  const ir::Value b = BatchInFront(node, node.Input(1), "transBatchB");
  const ir::Value y = node.MatMul(a, b, node.IntAttribute("transA", 0) != 0, node.IntAttribute("transB", 0) != 0);
  const double alpha = node.FloatAttribute("alpha", 1);
  return node.Finish({alpha == 1 ? y : node.Times(y, node.ScalarLike(y, alpha))});
}

}  // namespace burin::onnx
