// Broadcast: repeats a tensor along dimensions of size 1 (or missing ones) until it has the target's shape.
//
// Inputs: data; target_shape (a list of integers); axes_mapping (mode explicit only: increasing target axes, one per
// dimension of data). Output: the target shape; in mode bidirectional the shape to which data's and the target
// broadcast. Constraints:
//   Broadcast_c1: target_shape is a list of non-negative integers.
//   Broadcast_c2: axes_mapping is given in mode explicit and in no other.
//   Broadcast_c3: each dimension of data is 1 or equal to the target's (bidirectional: or the target's is 1).
//   Broadcast_c4: data has no more dimensions than the target (numpy, explicit).
//   Broadcast_c5: axes_mapping increases, lies inside the target's rank and has one entry per dimension of data.
#include "ir/ops/broadcast.h"

#include <optional>
#include <utility>
#include <vector>

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

// Returns the target axis of each dimension of data: `mapping`, or the innermost axes.
std::vector<int64_t> TargetAxes(const std::optional<std::vector<int64_t>>& mapping, int64_t data_rank,
                                int64_t target_rank) {
  if (mapping.has_value()) return *mapping;
  std::vector<int64_t> axes;
  for (int64_t d = 0; d < data_rank; ++d) axes.push_back(target_rank - data_rank + d);
  return axes;
}

absl::Status CheckMapping(const std::vector<int64_t>& mapping, int64_t data_rank, int64_t target_rank) {
  bool valid = static_cast<int64_t>(mapping.size()) == data_rank;
  for (size_t i = 0; i < mapping.size(); ++i) {
    valid = valid && mapping[i] >= 0 && mapping[i] < target_rank && (i == 0 || mapping[i] > mapping[i - 1]);
  }
  return valid ? absl::OkStatus() : ConstraintError("Broadcast_c5", "axes_mapping does not fit data and target");
}

// Returns the output of the one-directional modes.
absl::StatusOr<PartialShape> StretchTo(const PartialShape& data, const PartialShape& target,
                                       const std::optional<std::vector<int64_t>>& mapping) {
  if (data.rank() > target.rank()) {
    return ConstraintError("Broadcast_c4", absl::StrCat("data has more dimensions than the target; data ",
                                                        data.ToString(), ", target ", target.ToString()));
  }
  if (mapping.has_value()) BURIN_RETURN_IF_ERROR(CheckMapping(*mapping, data.rank(), target.rank()));
  const std::vector<int64_t> axes = TargetAxes(mapping, data.rank(), target.rank());
  PartialShape output = target;
  for (int64_t d = 0; d < data.rank(); ++d) {
    Dimension& wanted = output[axes[static_cast<size_t>(d)]];
    if (data[d].Contains(1)) continue;
    if (!Intersect(data[d], &wanted)) {
      return ConstraintError("Broadcast_c3", absl::StrCat("data does not stretch to the target; data ", data.ToString(),
                                                          ", target ", target.ToString()));
    }
  }
  return output;
}

absl::StatusOr<std::optional<std::vector<int64_t>>> Mapping(const InferContext& context, BroadcastMode mode) {
  std::optional<std::vector<int64_t>> mapping;
  const bool is_explicit = mode == BroadcastMode::kExplicit;
  if (context.has_input(2) != is_explicit) {
    return ConstraintError("Broadcast_c2", is_explicit ? "mode explicit without axes_mapping"
                                                       : "axes_mapping in a mode other than explicit");
  }
  if (is_explicit) {
    BURIN_ASSIGN_OR_RETURN(mapping, ExactIntegerList("Broadcast_c5", context, 2));
  }
  return mapping;
}

void PropagateBroadcast(InferContext& context) {
  const std::optional<PartialValue> content = TravellingContent(context, 0);
  const PartialShape& output = context.output(0).shape;
  if (!content.has_value() || !output.is_static() || output.rank() > 1) return;
  const int64_t count = output.ElementCount().value();
  if (count > kMaxPropagatedElements) return;
  if (content->size() == 1) {
    PropagateContent(context, 0, PartialValue(static_cast<size_t>(count), content->front()));
  } else if (static_cast<int64_t>(content->size()) == count) {
    PropagateContent(context, 0, *content);
  }
}

absl::Status InferBroadcast(InferContext& context) {
  const BroadcastMode mode = context.attributes<BroadcastOpAttributes>().mode;
  BURIN_RETURN_IF_ERROR(context.RequireRank("Broadcast_c1", 1, 1));
  BURIN_ASSIGN_OR_RETURN(const PartialShape target, ShapeFromInput("Broadcast_c1", context, 1));
  BURIN_ASSIGN_OR_RETURN(const std::optional<std::vector<int64_t>> mapping, Mapping(context, mode));
  const PartialShape& data = context.input_shape(0);
  PartialShape output = target;
  if (mode == BroadcastMode::kBidirectional) {
    absl::StatusOr<PartialShape> both = Broadcast(data, target);
    if (!both.ok()) return ConstraintError("Broadcast_c3", both.status().message());
    output = *std::move(both);
  } else if (data.has_rank() && target.has_rank() && (mode == BroadcastMode::kNumpy || mapping.has_value())) {
    BURIN_ASSIGN_OR_RETURN(output, StretchTo(data, target, mapping));
  }
  BURIN_RETURN_IF_ERROR(RequireRepresentable("Broadcast_c1", output));
  context.SetOutput(0, context.input_type(0), std::move(output));
  PropagateBroadcast(context);
  return absl::OkStatus();
}

absl::Status ReferenceBroadcast(ReferenceContext& context) {
  const Tensor& data = context.input(0);
  const Tensor& output = context.output(0);
  std::optional<std::vector<int64_t>> mapping;
  if (context.has_input(2)) mapping = context.InputAsInts(2);
  const int64_t rank = static_cast<int64_t>(output.shape().size());
  const std::vector<int64_t> axes = TargetAxes(mapping, static_cast<int64_t>(data.shape().size()), rank);
  const std::vector<int64_t> strides = RowMajorStrides(data.shape());
  StridedView source;
  source.strides.assign(static_cast<size_t>(rank), 0);
  for (size_t d = 0; d < axes.size(); ++d) {
    if (data.shape()[d] != 1) source.strides[static_cast<size_t>(axes[d])] = strides[d];
  }
  return CopyBox(context, output.shape(), data, source, output, DenseView(output.shape()));
}

}  // namespace

const OpDef& BroadcastOp() {
  static const OpDef op = [] {
    OpDef d(OpCode::kBroadcast, "Broadcast", "opset3");
    d.min_inputs = 2;
    d.max_inputs = 3;
    d.traits = kMovesData;
    d.make_attributes = &MakeAttributes<BroadcastOpAttributes>;
    d.infer = &InferBroadcast;
    d.reference = &ReferenceBroadcast;
    d.cost = &MovementCost;
    return d;
  }();
  return op;
}

}  // namespace burin::ir
