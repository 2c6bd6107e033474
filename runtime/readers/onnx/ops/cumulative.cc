// Running sums and products along an axis.
#include <memory>
#include <utility>

#include "ir/op_def.h"
#include "ir/ops/family/cumulative.h"
#include "ir/ops/ops.h"
#include "runtime/readers/onnx/translators.h"

namespace burin::onnx {
namespace {

absl::Status Cumulate(NodeContext& node, const ir::OpDef& op) {
  auto attributes = std::make_unique<ir::CumulativeAttributes>();
  attributes->exclusive = node.IntAttribute("exclusive", 0) != 0;
  attributes->reverse = node.IntAttribute("reverse", 0) != 0;
  const ir::Value axis = node.ToScalar(node.Input(1));
  return node.Finish({node.Add(op, {node.Input(0), axis}, std::move(attributes))});
}

}  // namespace

absl::Status TranslateCumProd(NodeContext& node) { return Cumulate(node, ir::CumProdOp()); }

absl::Status TranslateCumSum(NodeContext& node) { return Cumulate(node, ir::CumSumOp()); }

}  // namespace burin::onnx
