// f(Reshape(x, pattern), ...) => Reshape(f(x, ...), pattern): Reshape, Squeeze and Unsqueeze move down past what is
// element-wise, so that those in a row merge and a product and its bias stand side by side.
//
// The other operands have one element, whatever their rank, as long as it is not above that of x and of what f reads
// now. Or one of them is a constant along the last dimension alone, [n] or [1, ..., 1, n]: the last dimension of x and
// of what f reads are certainly n too, so that element i of either stands in column i mod n; the constant becomes [n].
//
// Nobody else may read the Reshape, for whom it would have to stay. Constants are left to folding, decompression of
// weights stays as it is, and Converts are moved by their own rule (ConvertSinking). Each rewrite puts a Reshape below
// one more operation, and no rule moves one up.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "base/status_macros.h"
#include "ir/attributes.h"
#include "ir/dimension.h"
#include "ir/model.h"
#include "ir/op_def.h"
#include "ir/ops/fake_quantize.h"
#include "ir/ops/family/broadcast_rule.h"
#include "ir/ops/op_code.h"
#include "ir/ops/ops.h"
#include "ir/partial_shape.h"
#include "ir/rewrite.h"
#include "ir/tensor.h"
#include "transformations/cleanup/decompression.h"
#include "transformations/cleanup/elementwise_rule.h"
#include "transformations/cleanup/integer_list.h"
#include "transformations/cleanup/node_copy.h"
#include "transformations/matcher/explain.h"
#include "transformations/passes.h"

namespace burin::transformations {
namespace {

using ir::OpCode;

// Returns what gives the value to nobody but one slot by reshaping, or null.
const ir::Node* ReshapingAbove(const ir::Model& model, ir::Value value) {
  if (!value.exists()) return nullptr;
  const ir::Node& node = model.node(value.node);
  const OpCode code = node.code();
  if (code != OpCode::kReshape && code != OpCode::kSqueeze && code != OpCode::kUnsqueeze) return nullptr;
  if (IsKeptDecompression(node) || !model.HasOneUse(value)) return nullptr;
  return model.node(node.input(0).node).code() == OpCode::kConstant ? nullptr : &node;
}

// Returns whether operands of fewer dimensions stand against the last ones, as far as the node has others at all.
bool StretchesFromInnermost(const ir::Node& node) {
  if (const auto* const quantize = ir::AttributesAs<ir::FakeQuantizeAttributes>(node.attributes())) {
    return quantize->broadcast.mode == ir::AutoBroadcast::kNumpy;
  }
  const ir::BroadcastRule* const rule = BroadcastRuleOf(node);
  return rule == nullptr || rule->mode == ir::AutoBroadcast::kNumpy;
}

enum class Operand { kStays, kBecomesVector, kRefused };

bool IsVectorAlongTheLast(const ir::PartialShape& shape) {
  if (!shape.is_static() || shape.rank() == 0) return false;
  // Not a product of dimensions: one that is 0 hides others, which stretch the data still.
  return std::all_of(shape.dims().begin(), shape.dims().end() - 1,
                     [](const ir::Dimension& dim) { return dim == ir::Dimension(1); });
}

// Returns what becomes of another operand where the data are `x` instead of `reshaped`.
Operand Judge(const ir::Model& model, const ir::Node& node, ir::Value operand, const ir::PartialShape& x,
              const ir::PartialShape& reshaped) {
  const ir::PartialShape& shape = model.info(operand).shape;
  if (!shape.is_static()) return Operand::kRefused;
  if (shape.rank() > 0 && (!x.has_rank() || !reshaped.has_rank() || shape.rank() > reshaped.rank())) {
    return Operand::kRefused;
  }
  if (shape.ElementCount() == ir::Dimension(1)) {
    return shape.rank() == 0 || shape.rank() <= x.rank() ? Operand::kStays : Operand::kRefused;
  }
  if (BroadcastRuleOf(node) == nullptr || !IsVectorAlongTheLast(shape)) return Operand::kRefused;
  if (model.node(operand.node).code() != OpCode::kConstant || x.rank() == 0) return Operand::kRefused;
  const ir::Dimension& n = shape[shape.rank() - 1];
  if (!x[x.rank() - 1].MustEqual(n) || !reshaped[reshaped.rank() - 1].MustEqual(n)) return Operand::kRefused;
  return shape.rank() == 1 ? Operand::kStays : Operand::kBecomesVector;
}

// Returns the place of the data: the one input that is reshaped; nullopt where that is not so.
std::optional<int64_t> DataInput(const ir::Model& model, const ir::Node& node) {
  if (!node.op().Has(ir::kElementwise) || node.code() == OpCode::kConvert || node.code() == OpCode::kConvertLike) {
    return std::nullopt;
  }
  // What takes the shape of its first input stretches that one by none of the others.
  const int64_t count = BroadcastRuleOf(node) == nullptr ? 1 : node.input_count();
  for (int64_t i = 0; i < count; ++i) {
    if (ReshapingAbove(model, node.input(i)) != nullptr) return i;
  }
  return std::nullopt;
}

}  // namespace

absl::StatusOr<std::optional<ir::Patch>> ReshapeSinking(const ir::Model& model, ir::NodeId id,
                                                        const ir::PassContext& context) {
  const ir::Node& node = model.node(id);
  const std::optional<int64_t> data = DataInput(model, node);
  if (!data.has_value()) return Decline(context, id, "it is not element-wise on what is reshaped for it alone");
  if (IsKeptDecompression(node)) return Decline(context, id, "it belongs to the decompression of weights");
  if (!StretchesFromInnermost(node)) return Decline(context, id, "its operands stretch by another rule than NumPy's");
  const ir::Node& reshaping = *ReshapingAbove(model, node.input(*data));
  const ir::Value x = reshaping.input(0);
  ir::Patch patch(model);
  std::vector<ir::Value> inputs(node.inputs().begin(), node.inputs().end());
  for (int64_t i = 0; i < node.input_count(); ++i) {
    ir::Value& input = inputs[static_cast<size_t>(i)];
    if (i == *data || !input.exists()) continue;
    const Operand operand = Judge(model, node, input, model.info(x).shape, reshaping.output(0).shape);
    if (operand == Operand::kRefused) {
      return Decline(context, id, "an operand may stand against other elements before the reshaping");
    }
    if (operand == Operand::kBecomesVector) {
      BURIN_ASSIGN_OR_RETURN(ir::Tensor pattern, IntegerList({model.info(input).shape.ElementCount().value()}));
      input = patch.Add(ir::ReshapeOp(), {input, patch.AddConstant(std::move(pattern))});
    }
  }
  inputs[static_cast<size_t>(*data)] = x;
  const ir::NodeId above = patch.AddNode(CopyOf(node, std::move(inputs)));
  inputs.assign(reshaping.inputs().begin(), reshaping.inputs().end());
  inputs[0] = ir::Value{above, 0};
  const ir::NodeId below = patch.AddNode(CopyOf(reshaping, std::move(inputs)));
  patch.Replace(ir::Value{id, 0}, ir::Value{below, 0});
  return patch;
}

}  // namespace burin::transformations
