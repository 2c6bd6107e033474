// ShuffleChannels: interleaves groups of channels.
//
//   output[..., i * group + g, ...] = data[..., g * (C / group) + i, ...]    g < group, i < C / group, at `axis`
//
// Input: data. Output: of the same shape.
// Constraints:
//   ShuffleChannels_c1: the axis lies in [-rank, rank).
//   ShuffleChannels_c2: group is positive and divides the dimension at the axis.
#include "ir/ops/shuffle_channels.h"

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "ir/dimension.h"
#include "ir/infer_context.h"
#include "ir/op_def.h"
#include "ir/ops/family/index_space.h"
#include "ir/ops/family/integer_input.h"
#include "ir/ops/ops.h"
#include "ir/partial_shape.h"
#include "ir/reference_context.h"

namespace burin::ir {
namespace {

absl::Status InferShuffleChannels(InferContext& context) {
  const ShuffleChannelsAttributes& attributes = context.attributes<ShuffleChannelsAttributes>();
  const PartialShape& data = context.input_shape(0);
  if (attributes.group < 1) {
    return ConstraintError("ShuffleChannels_c2", absl::StrCat("group must be positive; got ", attributes.group));
  }
  if (data.has_rank()) {
    BURIN_ASSIGN_OR_RETURN(const int64_t axis, WrapAxis("ShuffleChannels_c1", attributes.axis, data.rank()));
    const Dimension& channels = data[axis];
    if (CeilDiv(channels, attributes.group).min() > FloorDiv(channels, attributes.group).max()) {
      return ConstraintError("ShuffleChannels_c2", absl::StrCat("group must divide the channels; group ",
                                                                attributes.group, ", channels ", channels.ToString()));
    }
  }
  context.SetOutput(0, context.input_type(0), data);
  return absl::OkStatus();
}

absl::Status ReferenceShuffleChannels(ReferenceContext& context) {
  const ShuffleChannelsAttributes& attributes = context.attributes<ShuffleChannelsAttributes>();
  const Tensor& data = context.input(0);
  if (data.element_count() == 0) return absl::OkStatus();
  BURIN_ASSIGN_OR_RETURN(const int64_t axis,
                         WrapAxis("ShuffleChannels_c1", attributes.axis, static_cast<int64_t>(data.shape().size())));
  const AxisSplit split = SplitAtAxis(data.shape(), axis);
  const int64_t per_group = split.length / attributes.group;
  const Shape box = {split.outer, per_group, attributes.group, split.inner};
  const StridedView source = {0, {split.length * split.inner, split.inner, per_group * split.inner, 1}};
  return CopyBox(context, box, data, source, context.output(0), DenseView(box));
}

}  // namespace

const OpDef& ShuffleChannelsOp() {
  static const OpDef op = [] {
    OpDef d(OpCode::kShuffleChannels, "ShuffleChannels", "opset3");
    d.traits = kMovesData;
    d.make_attributes = &MakeAttributes<ShuffleChannelsAttributes>;
    d.infer = &InferShuffleChannels;
    d.reference = &ReferenceShuffleChannels;
    d.cost = &MovementCost;
    return d;
  }();
  return op;
}

}  // namespace burin::ir
