// f(Merge(x), y) => Merge(f(x, Split(y))), f element-wise
// Reduce(Merge(x)) => Merge(Reduce(x)), or Squeeze(Reduce(x)) where it reduces the channels
//
// Each moves a Merge one operation towards the Results, where it is a view of memory. LiftSplit brings the Splits to
// it.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "base/status_macros.h"
#include "ir/dimension.h"
#include "ir/model.h"
#include "ir/op_def.h"
#include "ir/ops/family/broadcast_rule.h"
#include "ir/ops/family/reduction.h"
#include "ir/partial_shape.h"
#include "ir/rewrite.h"
#include "snippets/decompose/broadcast_attribute.h"
#include "snippets/decompose/channel_groups.h"
#include "snippets/decompose/constant_input.h"
#include "snippets/decompose/formula.h"
#include "snippets/decompose/primitive.h"
#include "snippets/decompose/rules.h"

namespace burin::snippets {
namespace {

// Returns the first Merge that the node reads.
std::optional<GroupedView> MergeReadBy(const ir::Model& model, const ir::Node& node) {
  for (const ir::Value& input : node.inputs()) {
    if (!input.exists()) continue;
    std::optional<GroupedView> merge = FindMerge(model, model.node(input.node));
    if (merge.has_value()) return merge;
  }
  return std::nullopt;
}

std::optional<ir::Patch> SinkBelowElementwise(const ir::Model& model, const ir::Node& node,
                                              const ChannelGroups& groups) {
  const ir::PartialShape& shape = node.output(0).shape;
  const bool keeps_channels =
      shape.has_rank() && shape.rank() == groups.rank && shape[groups.axis] == ir::Dimension(groups.channels);
  if (!keeps_channels || BroadcastRuleOf(node).mode == ir::AutoBroadcast::kPdpd) return std::nullopt;
  Formula f(model, node);
  std::vector<ir::Value> inputs;
  for (const ir::Value& input : node.inputs()) {
    inputs.push_back(input);
    if (!input.exists()) continue;
    const std::optional<GroupedView> merge = FindMerge(model, model.node(input.node));
    const SplitOperand operand = SplitOperandOf(model, input, groups);
    if (merge.has_value() && merge->groups == groups) {
      inputs.back() = merge->source;
    } else if (operand.how == OperandSplit::kSplit) {
      inputs.back() = operand.groups.Split(f, input);
    } else if (operand.how == OperandSplit::kUnsqueeze) {
      inputs.back() = f.Unsqueeze(input, {operand.groups.axis});
    } else if (operand.how == OperandSplit::kUnknown) {
      return std::nullopt;
    }
  }
  const ir::Value split = f.Apply(node.op(), std::move(inputs), node.attributes().Clone());
  return std::move(f).ReplaceWithFinished(groups.Merge(f, split));
}

absl::StatusOr<std::optional<ir::Patch>> SinkBelowReduction(const ir::Model& model, const ir::Node& node,
                                                            const GroupedView& merge) {
  BURIN_ASSIGN_OR_RETURN(const std::vector<int64_t> axes, ConstantAxes(model, node));
  // NormalizeReduction comes first.
  if (!node.attributes_as<ir::ReductionAttributes>().keep_dims || axes.empty()) return std::nullopt;
  const ChannelGroups& groups = merge.groups;
  std::vector<int64_t> shifted;
  for (const int64_t axis : axes) {
    if (axis == groups.axis) shifted.push_back(axis);
    shifted.push_back(axis < groups.axis ? axis : axis + 1);
  }
  const bool reduces_channels = std::find(axes.begin(), axes.end(), groups.axis) != axes.end();
  Formula f(model, node);
  const ir::Value reduced = f.Reduce(node.op(), merge.source, shifted);
  const ir::Value result = reduces_channels ? f.Squeeze(reduced, {groups.axis}) : groups.Merge(f, reduced);
  return std::move(f).ReplaceWithFinished(result);
}

}  // namespace

absl::StatusOr<std::optional<ir::Patch>> SinkMerge(const ir::Model& model, ir::NodeId id, const ir::PassContext&) {
  const ir::Node& node = model.node(id);
  const bool is_reduction = IsPrimitiveReduction(node.code());
  if (!is_reduction && !node.op().Has(ir::kElementwise)) return std::nullopt;
  const std::optional<GroupedView> merge = MergeReadBy(model, node);
  if (!merge.has_value()) return std::nullopt;
  if (is_reduction) return SinkBelowReduction(model, node, *merge);
  return SinkBelowElementwise(model, node, merge->groups);
}

}  // namespace burin::snippets
