// Split(f(x, y)) => f(Split(x), Split(y)), up to Parameters and Constants; Split(Merge(x)) => x
//
// f is element-wise, or a reduction over other dimensions than the channels. One edit goes all the way, so that a value
// that is read twice is split once. Where f has other readers it is computed twice. Where one of the values on the way
// cannot be split, there is no edit.
//
// Lessens the Splits of what is not memory.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/status/statusor.h"
#include "base/status_macros.h"
#include "ir/model.h"
#include "ir/op_def.h"
#include "ir/ops/family/broadcast_rule.h"
#include "ir/ops/family/reduction.h"
#include "ir/ops/op_code.h"
#include "ir/rewrite.h"
#include "snippets/decompose/broadcast_attribute.h"
#include "snippets/decompose/channel_groups.h"
#include "snippets/decompose/constant_input.h"
#include "snippets/decompose/formula.h"
#include "snippets/decompose/primitive.h"
#include "snippets/decompose/rules.h"

namespace burin::snippets {
namespace {

// Splits values within one edit.
class Lifter {
 public:
  Lifter(const ir::Model& model, const ir::Node& split) : model_(model), formula_(model, split) {}

  // Finds all values to be split for `source` to be. Returns false where one cannot.
  bool Collect(ir::Value source, const ChannelGroups& groups) {
    std::vector<ir::Value> open;
    const auto need = [&](ir::Value value, const ChannelGroups& own) {
      if (needed_.emplace(value, own).second) open.push_back(value);
    };
    need(source, groups);
    while (!open.empty()) {
      const ir::Value value = open.back();
      open.pop_back();
      const ChannelGroups own = needed_.at(value);
      if (IsLeaf(value, own)) continue;
      const ir::Node& node = model_.node(value.node);
      if (!CanSplit(node, own)) return false;
      for (int64_t i = 0; i < OperandCount(node); ++i) {
        if (!node.input(i).exists()) continue;
        const SplitOperand operand = OperandOf(node, node.input(i), own);
        if (operand.how == OperandSplit::kUnknown) return false;
        if (operand.how == OperandSplit::kSplit) need(node.input(i), operand.groups);
      }
    }
    return true;
  }

  // Adds what splits them, and returns the edit that puts it in place of the Split.
  absl::StatusOr<ir::Patch> Lift(ir::Value source) && {
    BURIN_ASSIGN_OR_RETURN(const std::vector<ir::NodeId> order, model_.TopologicalOrder());
    for (const ir::NodeId id : order) {
      const auto it = needed_.find(ir::Value{id, 0});
      if (it != needed_.end()) split_[it->first] = SplitOf(it->first, it->second);
    }
    return std::move(formula_).ReplaceWithFinished(split_.at(source));
  }

 private:
  bool IsMergeOfSame(ir::Value value, const ChannelGroups& groups) const {
    const std::optional<GroupedView> merge = FindMerge(model_, model_.node(value.node));
    return merge.has_value() && merge->groups == groups;
  }

  bool IsMemory(ir::Value value) const {
    return model_.node(value.node).code() == ir::OpCode::kConstant || ViewsParameter(model_, value);
  }

  bool IsLeaf(ir::Value value, const ChannelGroups& groups) const {
    return IsMemory(value) || IsMergeOfSame(value, groups);
  }

  bool CanSplit(const ir::Node& node, const ChannelGroups& groups) const {
    if (IsPrimitiveReduction(node.code())) {
      const absl::StatusOr<std::vector<int64_t>> axes = ConstantAxes(model_, node);
      return node.attributes_as<ir::ReductionAttributes>().keep_dims && axes.ok() &&
             std::find(axes->begin(), axes->end(), groups.axis) == axes->end();
    }
    return node.op().Has(ir::kElementwise) && BroadcastRuleOf(node).mode != ir::AutoBroadcast::kPdpd;
  }

  // Of a reduction, the axes are no operand.
  static int64_t OperandCount(const ir::Node& node) {
    return IsPrimitiveReduction(node.code()) ? 1 : node.input_count();
  }

  SplitOperand OperandOf(const ir::Node& node, ir::Value operand, const ChannelGroups& groups) const {
    if (IsPrimitiveReduction(node.code())) return {OperandSplit::kSplit, groups};
    return SplitOperandOf(model_, operand, groups);
  }

  ir::Value SplitOf(ir::Value value, const ChannelGroups& groups) {
    const ir::Node& node = model_.node(value.node);
    if (IsMergeOfSame(value, groups)) return FindMerge(model_, node)->source;
    if (IsMemory(value)) return groups.Split(formula_, value);
    std::vector<ir::Value> inputs;
    for (const ir::Value& input : node.inputs()) inputs.push_back(input);
    for (int64_t i = 0; i < OperandCount(node); ++i) {
      ir::Value& input = inputs[static_cast<size_t>(i)];
      if (!input.exists()) continue;
      const SplitOperand operand = OperandOf(node, input, groups);
      if (operand.how == OperandSplit::kSplit) {
        input = split_.at(input);
      } else if (operand.how == OperandSplit::kUnsqueeze) {
        input = formula_.Unsqueeze(input, {operand.groups.axis});
      }
    }
    if (IsPrimitiveReduction(node.code())) inputs[1] = formula_.Integers(ShiftedAxes(node, groups));
    return formula_.Apply(node.op(), std::move(inputs), node.attributes().Clone());
  }

  std::vector<int64_t> ShiftedAxes(const ir::Node& node, const ChannelGroups& groups) const {
    std::vector<int64_t> axes = *ConstantAxes(model_, node);
    for (int64_t& axis : axes) {
      if (axis > groups.axis) ++axis;
    }
    return axes;
  }

  const ir::Model& model_;
  Formula formula_;
  absl::flat_hash_map<ir::Value, ChannelGroups> needed_;
  absl::flat_hash_map<ir::Value, ir::Value> split_;
};

}  // namespace

absl::StatusOr<std::optional<ir::Patch>> LiftSplit(const ir::Model& model, ir::NodeId id, const ir::PassContext&) {
  const ir::Node& node = model.node(id);
  const std::optional<GroupedView> split = FindSplit(model, node);
  if (!split.has_value()) return std::nullopt;
  const bool is_memory =
      model.node(split->source.node).code() == ir::OpCode::kConstant || ViewsParameter(model, split->source);
  if (is_memory) return std::nullopt;
  Lifter lifter(model, node);
  if (!lifter.Collect(split->source, split->groups)) return std::nullopt;
  BURIN_ASSIGN_OR_RETURN(ir::Patch patch, std::move(lifter).Lift(split->source));
  return patch;
}

}  // namespace burin::snippets
