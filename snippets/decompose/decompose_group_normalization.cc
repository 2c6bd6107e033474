// GroupNormalization(x, scale, bias) => Merge(Split(x) normalised over its group * Split(scale) + Split(bias))
//
// Split and Merge are views of memory (channel_groups.h): [N, C, ...] as [N, G, C / G, ...], and back. In between a
// group is what dimensions 2 and further hold, so that it is normalised as MVN does. Where anything stands between them
// and the body's parameters and results, LiftSplit and SinkMerge move them there.
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "base/status_macros.h"
#include "ir/dimension.h"
#include "ir/model.h"
#include "ir/ops/group_normalization.h"
#include "ir/ops/op_code.h"
#include "ir/ops/ops.h"
#include "ir/partial_shape.h"
#include "ir/rewrite.h"
#include "snippets/decompose/channel_groups.h"
#include "snippets/decompose/constant_input.h"
#include "snippets/decompose/formula.h"
#include "snippets/decompose/moments.h"
#include "snippets/decompose/rules.h"

namespace burin::snippets {

absl::StatusOr<std::optional<ir::Patch>> DecomposeGroupNormalization(const ir::Model& model, ir::NodeId id,
                                                                     const ir::PassContext&) {
  const ir::Node& node = model.node(id);
  if (node.code() != ir::OpCode::kGroupNormalization) return std::nullopt;
  BURIN_ASSIGN_OR_RETURN(const int64_t rank, KnownRank(model, node.input(0), node));
  const ir::Dimension& channels = node.output(0).shape[1];
  if (!channels.is_static() || channels == ir::Dimension(0)) {
    return CannotDecompose("The number of channels is not known, or 0", node);
  }
  const auto& attributes = node.attributes_as<ir::GroupNormalizationAttributes>();
  const ChannelGroups groups{rank, 1, channels.value(), attributes.num_groups};
  std::vector<int64_t> inner;
  std::vector<int64_t> within_group = {2};
  for (int64_t axis = 2; axis < rank; ++axis) {
    inner.push_back(axis - 1);
    within_group.push_back(axis + 1);
  }
  Formula f(model, node);
  // [C] becomes [C, 1, ...], and that [G, C / G, 1, ...].
  const ChannelGroups list{rank - 1, 0, channels.value(), attributes.num_groups};
  const auto per_channel = [&](int64_t input) { return f.Widen(list.Split(f, f.Unsqueeze(node.input(input), inner))); };
  const ir::Value scale = per_channel(1);
  const ir::Value bias = per_channel(2);
  const ir::Value centred = Centred(f, f.Widen(groups.Split(f, node.input(0))), within_group);
  const ir::Value kept = f.Apply(ir::AddOp(), {Variance(f, centred, within_group), f.Epsilon(attributes.epsilon)});
  const ir::Value reciprocal = f.Apply(ir::DivideOp(), {f.Number(1), f.Apply(ir::SqrtOp(), {kept})});
  const ir::Value normal = f.Apply(ir::MultiplyOp(), {centred, reciprocal});
  const ir::Value scaled = f.Apply(ir::AddOp(), {f.Apply(ir::MultiplyOp(), {normal, scale}), bias});
  return std::move(f).ReplaceWithFinished(groups.Merge(f, f.Narrow(scaled)));
}

}  // namespace burin::snippets
