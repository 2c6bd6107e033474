#include "snippets/decompose/channel_groups.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "ir/dimension.h"
#include "ir/ops/op_code.h"
#include "ir/ops/ops.h"
#include "ir/ops/reshape.h"
#include "ir/partial_shape.h"
#include "snippets/decompose/constant_input.h"

namespace burin::snippets {
namespace {

// Returns the pattern for a shape of one more dimension than `groups.rank` that sets two dimensions and copies the
// rest.
std::vector<int64_t> PatternOf(const ChannelGroups& groups, int64_t first, int64_t second) {
  std::vector<int64_t> pattern(static_cast<size_t>(groups.rank + 1), 0);
  pattern[static_cast<size_t>(groups.axis)] = first;
  pattern[static_cast<size_t>(groups.axis + 1)] = second;
  return pattern;
}

ir::Value Reshaped(Formula& formula, ir::Value value, const std::vector<int64_t>& pattern) {
  auto attributes = std::make_unique<ir::ReshapeAttributes>();
  attributes->special_zero = true;
  return formula.Apply(ir::ReshapeOp(), {value, formula.Integers(pattern)}, std::move(attributes));
}

// Is a Reshape that sets two neighbouring dimensions and copies the others.
struct PairReshape {
  int64_t rank = 0;  // Of what it reads, less one.
  int64_t axis = 0;
  int64_t first = 0;
  int64_t second = 0;
};

std::optional<PairReshape> FindPairReshape(const ir::Model& model, const ir::Node& node) {
  if (node.code() != ir::OpCode::kReshape || !node.attributes_as<ir::ReshapeAttributes>().special_zero) {
    return std::nullopt;
  }
  const std::optional<std::vector<int64_t>> pattern = ConstantIntegers(model, node, 1);
  const ir::PartialShape& from = model.info(node.input(0)).shape;
  if (!pattern.has_value() || !from.has_rank() || from.rank() != static_cast<int64_t>(pattern->size())) {
    return std::nullopt;
  }
  const auto first = std::find_if(pattern->begin(), pattern->end(), [](int64_t size) { return size != 0; });
  if (pattern->end() - first < 2 || *first < 1 || *(first + 1) < 1) return std::nullopt;
  if (!std::all_of(first + 2, pattern->end(), [](int64_t size) { return size == 0; })) return std::nullopt;
  return PairReshape{from.rank() - 1, first - pattern->begin(), *first, *(first + 1)};
}

bool NamesAxis(const ir::Model& model, const ir::Node& node, int64_t axis) {
  return node.input_count() > 1 && ConstantIntegers(model, node, 1) == std::vector<int64_t>{axis};
}

}  // namespace

ir::Value ChannelGroups::Split(Formula& formula, ir::Value value) const {
  return Reshaped(formula, formula.Unsqueeze(value, {axis}), PatternOf(*this, groups, channels / groups));
}

ir::Value ChannelGroups::Merge(Formula& formula, ir::Value value) const {
  return formula.Squeeze(Reshaped(formula, value, PatternOf(*this, 1, channels)), {axis});
}

SplitOperand SplitOperandOf(const ir::Model& model, ir::Value operand, const ChannelGroups& output) {
  const ir::PartialShape& shape = model.info(operand).shape;
  if (!shape.has_rank()) return {OperandSplit::kUnknown, {}};
  const int64_t axis = shape.rank() - output.rank + output.axis;
  if (axis < 0) return {OperandSplit::kKeep, {}};
  const ChannelGroups groups{shape.rank(), axis, output.channels, output.groups};
  if (shape[axis] == ir::Dimension(output.channels)) return {OperandSplit::kSplit, groups};
  return {shape[axis] == ir::Dimension(1) ? OperandSplit::kUnsqueeze : OperandSplit::kUnknown, groups};
}

std::optional<GroupedView> FindSplit(const ir::Model& model, const ir::Node& node) {
  const std::optional<PairReshape> reshape = FindPairReshape(model, node);
  if (!reshape.has_value()) return std::nullopt;
  const ir::Node& unsqueeze = model.node(node.input(0).node);
  if (unsqueeze.code() != ir::OpCode::kUnsqueeze || !NamesAxis(model, unsqueeze, reshape->axis)) return std::nullopt;
  const ChannelGroups groups{reshape->rank, reshape->axis, reshape->first * reshape->second, reshape->first};
  // The pattern says how many there are; that all of them are split, the shape does.
  const ir::PartialShape& from = model.info(unsqueeze.input(0)).shape;
  if (!(from[groups.axis] == ir::Dimension(groups.channels))) return std::nullopt;
  return GroupedView{groups, unsqueeze.input(0)};
}

std::optional<GroupedView> FindMerge(const ir::Model& model, const ir::Node& node) {
  if (node.code() != ir::OpCode::kSqueeze) return std::nullopt;
  const ir::Node& reshape = model.node(node.input(0).node);
  const std::optional<PairReshape> pair = FindPairReshape(model, reshape);
  if (!pair.has_value() || pair->first != 1 || !NamesAxis(model, node, pair->axis)) return std::nullopt;
  const ir::Dimension& groups = model.info(reshape.input(0)).shape[pair->axis];
  if (!groups.is_static() || groups.value() < 1 || pair->second % groups.value() != 0) return std::nullopt;
  return GroupedView{{pair->rank, pair->axis, pair->second, groups.value()}, reshape.input(0)};
}

}  // namespace burin::snippets
