// StridedSlice: takes begin:end:stride of the dimensions, with masks that insert, remove and skip dimensions.
//
// Inputs: data; begin, end and optional stride (default 1): lists of integers of one length, one per slicing step.
// Steps and dimensions are walked together. A plain step slices one dimension as Python does (negative bounds count
// from the end, both are clamped, a masked bound is the whole way); new_axis inserts a 1; shrink_axis takes the one
// element at begin; the ellipsis covers the dimensions that no other step does; dimensions after the last step are
// whole. Where more than one mask is set for a step, ellipsis goes before new_axis and new_axis before shrink_axis.
// Constraints:
//   StridedSlice_c1: begin, end and stride are lists of integers of one length.
//   StridedSlice_c2: no stride is 0.
//   StridedSlice_c3: at most one ellipsis, and the steps do not need more dimensions than data has.
//   StridedSlice_c4: the begin of a shrink_axis step lies in [-size, size).
#include "ir/ops/strided_slice.h"

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
#include "ir/ops/family/slicing.h"
#include "ir/ops/ops.h"
#include "ir/partial_shape.h"
#include "ir/reference_context.h"

namespace burin::ir {
namespace {

enum class StepKind { kSlice, kNewAxis, kShrink };

// What one output or removed dimension is made of.
struct Step {
  StepKind kind = StepKind::kSlice;
  int64_t dimension = 0;  // Of data; unused for kNewAxis.
  int64_t place = -1;     // Of begin, end and stride; -1: the whole dimension.
};

bool IsSet(const std::vector<int64_t>& mask, int64_t i) {
  return i < static_cast<int64_t>(mask.size()) && mask[static_cast<size_t>(i)] != 0;
}

// Lays the slicing steps out over `rank` dimensions.
absl::StatusOr<std::vector<Step>> PlanSteps(const StridedSliceAttributes& attributes, int64_t steps, int64_t rank) {
  int64_t covered = 0;
  int64_t ellipses = 0;
  for (int64_t i = 0; i < steps; ++i) {
    if (IsSet(attributes.ellipsis_mask, i)) {
      ++ellipses;
    } else if (!IsSet(attributes.new_axis_mask, i)) {
      ++covered;
    }
  }
  if (ellipses > 1) return ConstraintError("StridedSlice_c3", "more than one ellipsis");
  if (covered > rank) {
    return ConstraintError("StridedSlice_c3",
                           absl::StrCat("more steps than dimensions; rank ", rank, ", steps ", covered));
  }
  std::vector<Step> plan;
  int64_t next = 0;
  for (int64_t i = 0; i < steps; ++i) {
    if (IsSet(attributes.ellipsis_mask, i)) {
      for (int64_t d = 0; d < rank - covered; ++d) plan.push_back({StepKind::kSlice, next++, -1});
    } else if (IsSet(attributes.new_axis_mask, i)) {
      plan.push_back({StepKind::kNewAxis, 0, i});
    } else {
      const bool shrinks = IsSet(attributes.shrink_axis_mask, i);
      plan.push_back({shrinks ? StepKind::kShrink : StepKind::kSlice, next++, i});
    }
  }
  while (next < rank) plan.push_back({StepKind::kSlice, next++, -1});
  return plan;
}

// The bounds of slicing step `i` under the masks.
struct Bounds {
  Dimension begin = 0;
  Dimension end = Dimension::kInfinite;
  Dimension stride = 1;
};

Bounds BoundsOf(const StridedSliceAttributes& attributes, int64_t i, const PartialValue& begin, const PartialValue& end,
                const PartialValue& stride) {
  const size_t at = static_cast<size_t>(i);
  Bounds bounds;
  bounds.stride = stride[at];
  const bool backwards = bounds.stride.max() < 0;
  bounds.begin = IsSet(attributes.begin_mask, i) ? Dimension(backwards ? -1 : 0) : begin[at];
  const int64_t whole_way = backwards ? -Dimension::kInfinite : Dimension::kInfinite;
  bounds.end = IsSet(attributes.end_mask, i) ? Dimension(whole_way) : end[at];
  return bounds;
}

// The slicing lists: AnyValue() where an element is not known; nullopt where their length is not.
struct Lists {
  PartialValue begin;
  PartialValue end;
  PartialValue stride;
};

absl::StatusOr<std::optional<Lists>> ReadLists(const InferContext& context) {
  Dimension count;
  for (int64_t i = 1; i < context.input_count(); ++i) {
    if (!context.has_input(i)) continue;
    BURIN_RETURN_IF_ERROR(context.RequireIntegerType("StridedSlice_c1", i));
    BURIN_RETURN_IF_ERROR(context.RequireRank("StridedSlice_c1", i, 1));
    if (!Intersect(context.input_shape(i).ElementCount(), &count)) {
      return ConstraintError("StridedSlice_c1", "begin, end and stride differ in length");
    }
  }
  if (count.min() > 2 * kMaxRank) return ConstraintError("StridedSlice_c3", "more slicing steps than can be");
  if (!count.is_static()) return std::optional<Lists>();
  const size_t length = static_cast<size_t>(count.value());
  const PartialValue unknown(length, Dimension::AnyValue());
  Lists lists;
  lists.begin = context.Content(1).value_or(unknown);
  lists.end = context.Content(2).value_or(unknown);
  lists.stride = context.has_input(3) ? context.Content(3).value_or(unknown) : PartialValue(length, Dimension(1));
  return std::optional<Lists>(std::move(lists));
}

absl::StatusOr<PartialShape> OutputShape(const StridedSliceAttributes& attributes, const PartialShape& data,
                                         const Lists& lists) {
  BURIN_ASSIGN_OR_RETURN(const std::vector<Step> plan,
                         PlanSteps(attributes, static_cast<int64_t>(lists.begin.size()), data.rank()));
  PartialShape output;
  for (const Step& step : plan) {
    if (step.kind == StepKind::kNewAxis) {
      output.Append(Dimension(1));
    } else if (step.place < 0) {
      output.Append(data[step.dimension]);
    } else if (step.kind == StepKind::kShrink) {
      const Dimension& begin = lists.begin[static_cast<size_t>(step.place)];
      const Dimension& size = data[step.dimension];
      if (begin.is_static() && size.max() != Dimension::kInfinite) {
        BURIN_RETURN_IF_ERROR(WrapIndex("StridedSlice_c4", begin.value(), size.max()).status());
      }
    } else {
      const Bounds bounds = BoundsOf(attributes, step.place, lists.begin, lists.end, lists.stride);
      if (bounds.stride == Dimension(0)) return ConstraintError("StridedSlice_c2", "a stride is 0");
      const bool direction_known = bounds.stride.min() > 0 || bounds.stride.max() < 0;
      const Dimension& size = data[step.dimension];
      output.Append(direction_known ? SliceDimension(size, bounds.begin, bounds.end, bounds.stride)
                                    : Dimension(0, size.max()));
    }
  }
  BURIN_RETURN_IF_ERROR(RequireRepresentable("StridedSlice_c3", output));
  return output;
}

// Returns the positions in data that the slice takes: the view under which the output's indices reach them.
absl::StatusOr<StridedView> SliceView(const StridedSliceAttributes& attributes, const Shape& shape,
                                      const Lists& lists) {
  BURIN_ASSIGN_OR_RETURN(const std::vector<Step> plan, PlanSteps(attributes, static_cast<int64_t>(lists.begin.size()),
                                                                 static_cast<int64_t>(shape.size())));
  const std::vector<int64_t> strides = RowMajorStrides(shape);
  StridedView view;
  for (const Step& step : plan) {
    const size_t d = static_cast<size_t>(step.dimension);
    if (step.kind == StepKind::kNewAxis) {
      view.strides.push_back(0);
    } else if (step.place < 0) {
      view.strides.push_back(strides[d]);
    } else if (step.kind == StepKind::kShrink) {
      BURIN_ASSIGN_OR_RETURN(
          const int64_t index,
          WrapIndex("StridedSlice_c4", lists.begin[static_cast<size_t>(step.place)].value(), shape[d]));
      view.offset += index * strides[d];
    } else {
      const Bounds bounds = BoundsOf(attributes, step.place, lists.begin, lists.end, lists.stride);
      const SliceRange range = ResolveSlice(bounds.begin.value(), bounds.end.value(), bounds.stride.value(), shape[d]);
      if (range.count > 0) view.offset += range.first * strides[d];
      // With one element the step is never taken, and its product with the stride might overflow.
      view.strides.push_back(range.count > 1 ? strides[d] * range.step : 0);
    }
  }
  return view;
}

bool IsExact(const PartialValue& values) {
  for (const Dimension& value : values) {
    if (!value.is_static()) return false;
  }
  return true;
}

absl::Status PropagateSlice(InferContext& context, const Lists& lists) {
  const std::optional<PartialValue> content = TravellingContent(context, 0);
  const PartialShape& output = context.output(0).shape;
  if (!content.has_value() || !context.input_shape(0).is_static() || !output.is_static()) return absl::OkStatus();
  if (output.rank() > 1 || !IsExact(lists.begin) || !IsExact(lists.end) || !IsExact(lists.stride)) {
    return absl::OkStatus();
  }
  BURIN_ASSIGN_OR_RETURN(const StridedView view, SliceView(context.attributes<StridedSliceAttributes>(),
                                                           context.input_shape(0).ToShape(), lists));
  PartialValue taken;
  for (BoxWalker walker(output.ToShape(), {view}); !walker.done(); walker.Next()) {
    taken.push_back((*content)[static_cast<size_t>(walker.position(0))]);
  }
  PropagateContent(context, 0, std::move(taken));
  return absl::OkStatus();
}

absl::Status InferStridedSlice(InferContext& context) {
  BURIN_ASSIGN_OR_RETURN(const std::optional<Lists> lists, ReadLists(context));
  const PartialShape& data = context.input_shape(0);
  PartialShape output = PartialShape::DynamicRank();
  if (data.has_rank() && lists.has_value()) {
    BURIN_ASSIGN_OR_RETURN(output, OutputShape(context.attributes<StridedSliceAttributes>(), data, *lists));
  }
  context.SetOutput(0, context.input_type(0), std::move(output));
  if (lists.has_value()) BURIN_RETURN_IF_ERROR(PropagateSlice(context, *lists));
  return absl::OkStatus();
}

absl::Status ReferenceStridedSlice(ReferenceContext& context) {
  const Tensor& data = context.input(0);
  const Tensor& output = context.output(0);
  const std::vector<int64_t> begin = context.InputAsInts(1);
  std::vector<int64_t> stride(begin.size(), 1);
  if (context.has_input(3)) stride = context.InputAsInts(3);
  BURIN_ASSIGN_OR_RETURN(const StridedView view, StridedSliceView(context.attributes<StridedSliceAttributes>(),
                                                                  data.shape(), begin, context.InputAsInts(2), stride));
  return CopyBox(context, output.shape(), data, view, output, DenseView(output.shape()));
}

}  // namespace

absl::StatusOr<StridedView> StridedSliceView(const StridedSliceAttributes& attributes, const Shape& shape,
                                             const std::vector<int64_t>& begin, const std::vector<int64_t>& end,
                                             const std::vector<int64_t>& stride) {
  Lists lists;
  lists.begin.assign(begin.begin(), begin.end());
  lists.end.assign(end.begin(), end.end());
  lists.stride.assign(stride.begin(), stride.end());
  return SliceView(attributes, shape, lists);
}

const OpDef& StridedSliceOp() {
  static const OpDef op = [] {
    OpDef d(OpCode::kStridedSlice, "StridedSlice", "opset1");
    d.min_inputs = 3;
    d.max_inputs = 4;
    d.traits = kMovesData;
    d.make_attributes = &MakeAttributes<StridedSliceAttributes>;
    d.infer = &InferStridedSlice;
    d.reference = &ReferenceStridedSlice;
    d.cost = &MovementCost;
    return d;
  }();
  return op;
}

}  // namespace burin::ir
