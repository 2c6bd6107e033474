// Add(anchor, c) or Add(c, anchor), c a Constant per channel => Add(anchor, c of the canonical shape).
//
// The canonical shape has the rank of the anchor's output and 1 everywhere but at the channels: [1, C, 1, 1] below a
// convolution of two spatial axes, [1, ..., 1, N] below a MatMul; so kernels find the bias of an anchor in one form. A
// constant of one element is left in its shape: it is no list of channels, and every reader stretches it alike. The
// broadcast rule becomes NumPy's. Below a MatMul whose rank is not known, nothing is canonical.
//
// Guards: c certainly leaves the shape of the anchor's output as it is, and differs from 1 at the channels alone. Other
// readers of the anchor or of c are not touched.
//
// The number of Adds below anchors that are not in this form decreases.
#include <cstdint>
#include <optional>

#include "absl/status/statusor.h"
#include "base/status_macros.h"
#include "ir/model.h"
#include "ir/op_def.h"
#include "ir/ops/family/broadcast_rule.h"
#include "ir/ops/op_code.h"
#include "ir/ops/ops.h"
#include "ir/rewrite.h"
#include "ir/shape.h"
#include "ir/tensor.h"
#include "transformations/cleanup/elementwise_rule.h"
#include "transformations/folding/channel_constant.h"
#include "transformations/matcher/explain.h"
#include "transformations/matcher/facts.h"
#include "transformations/passes.h"

namespace burin::transformations {

absl::StatusOr<std::optional<ir::Patch>> BiasForm(const ir::Model& model, ir::NodeId id,
                                                  const ir::PassContext& context) {
  const ir::Node& node = model.node(id);
  if (node.code() != ir::OpCode::kAdd) return std::nullopt;
  const int64_t side = ConstantOf(model, node.input(1)) != nullptr ? 1 : 0;
  const ir::Tensor* const bias = ConstantOf(model, node.input(side));
  const ir::Node& anchor = model.node(node.input(1 - side).node);
  if (bias == nullptr || !IsAnchor(anchor.code())) return Decline(context, id, "is no anchor plus a Constant");
  const std::optional<int64_t> axis = ChannelAxis(model, anchor);
  if (!axis.has_value()) return Decline(context, id, "the rank of the anchor is not known");
  const ir::BroadcastRule& rule = *BroadcastRuleOf(node);
  const std::optional<ir::Shape> shape = PerChannelShape(rule, bias->shape(), anchor.output(0).shape, *axis);
  if (!shape.has_value()) return Decline(context, id, "the Constant is not one number per channel");
  const bool reshapes = bias->element_count() != 1 && *shape != bias->shape();
  if (side == 1 && !reshapes && rule.mode == ir::AutoBroadcast::kNumpy) {
    return Decline(context, id, "the bias has its form already");
  }
  ir::Patch patch(model);
  ir::Value value = node.input(side);
  if (reshapes) {
    BURIN_ASSIGN_OR_RETURN(value, AddReshape(patch, value, *shape));
  }
  patch.Replace(ir::Value{id, 0}, patch.Add(ir::AddOp(), {node.input(1 - side), value}));
  return patch;
}

}  // namespace burin::transformations
