// Slice: takes start:stop:step of some dimensions, as Python's slices do.
//
// Inputs: data; start, stop, step (lists of integers of one length); optional axes (that many; default 0, 1, ...).
// Output: data's shape with ceil((stop - start) / step) at each axis, after negative bounds are counted from the end
// and both bounds clamped to the dimension. Constraints:
//   Slice_c1: start, stop, step and axes are lists of integers.
//   Slice_c2: their lengths agree and are at most data's rank.
//   Slice_c3: no step is 0.
//   Slice_c4: the axes lie in [-rank, rank), none is named twice.
#include "ir/ops/slice.h"

#include <numeric>
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

// Returns the number of sliced dimensions as far as the inputs' shapes tell.
absl::StatusOr<Dimension> CheckLengths(const InferContext& context) {
  Dimension count;
  for (int64_t i = 1; i < context.input_count(); ++i) {
    if (!context.has_input(i)) continue;
    BURIN_RETURN_IF_ERROR(context.RequireIntegerType("Slice_c1", i));
    BURIN_RETURN_IF_ERROR(context.RequireRank("Slice_c1", i, 1));
    if (!Intersect(context.input_shape(i).ElementCount(), &count)) {
      return ConstraintError("Slice_c2", "start, stop, step and axes differ in length");
    }
  }
  const PartialShape& data = context.input_shape(0);
  if (data.has_rank() && count.min() > data.rank()) {
    return ConstraintError("Slice_c2",
                           absl::StrCat("more slices than dimensions; rank ", data.rank(), ", slices ", count.min()));
  }
  return count;
}

// Returns the sliced axes, nullopt where they are not known.
absl::StatusOr<std::optional<std::vector<int64_t>>> SlicedAxes(const InferContext& context, const Dimension& count,
                                                               int64_t rank) {
  std::optional<std::vector<int64_t>> axes;
  if (context.has_input(4)) {
    axes = context.ConstantInts(4);
  } else if (count.is_static()) {
    axes.emplace();
    for (int64_t d = 0; d < count.value(); ++d) axes->push_back(d);
  }
  if (!axes.has_value()) return axes;
  BURIN_ASSIGN_OR_RETURN(std::vector<int64_t> wrapped, WrapUniqueAxes("Slice_c4", *axes, rank));
  return std::optional<std::vector<int64_t>>(std::move(wrapped));
}

void PropagateSlice(InferContext& context) {
  const std::optional<PartialValue> content = TravellingContent(context, 0);
  if (!content.has_value() || context.input_shape(0).rank() != 1) return;
  const std::optional<std::vector<int64_t>> start = context.ConstantInts(1);
  const std::optional<std::vector<int64_t>> stop = context.ConstantInts(2);
  const std::optional<std::vector<int64_t>> step = context.ConstantInts(3);
  if (!start.has_value() || !stop.has_value() || !step.has_value()) return;
  if (start->empty()) return PropagateContent(context, 0, *content);
  const SliceRange range =
      ResolveSlice(start->front(), stop->front(), step->front(), static_cast<int64_t>(content->size()));
  PartialValue taken;
  for (int64_t i = 0; i < range.count; ++i) {
    taken.push_back((*content)[static_cast<size_t>(range.first + i * range.step)]);
  }
  PropagateContent(context, 0, std::move(taken));
}

absl::Status InferSlice(InferContext& context) {
  BURIN_ASSIGN_OR_RETURN(const Dimension count, CheckLengths(context));
  BURIN_RETURN_IF_ERROR(context.RequireRankBetween("Slice_c2", 0, 1, kMaxRank));
  const std::optional<PartialValue> start = context.Content(1);
  const std::optional<PartialValue> stop = context.Content(2);
  const std::optional<PartialValue> step = context.Content(3);
  if (step.has_value()) {
    for (const Dimension& value : *step) {
      if (value == Dimension(0)) return ConstraintError("Slice_c3", "a step is 0");
    }
  }
  const PartialShape& data = context.input_shape(0);
  PartialShape output = data;
  if (data.has_rank()) {
    BURIN_ASSIGN_OR_RETURN(const std::optional<std::vector<int64_t>> axes, SlicedAxes(context, count, data.rank()));
    if (!axes.has_value()) {
      for (int64_t d = 0; d < data.rank(); ++d) output[d] = Dimension(0, data[d].max());
    } else {
      for (size_t i = 0; i < axes->size(); ++i) {
        const Dimension any = Dimension::AnyValue();
        const int64_t axis = (*axes)[i];
        output[axis] = SliceDimension(data[axis], start.has_value() ? (*start)[i] : any,
                                      stop.has_value() ? (*stop)[i] : any, step.has_value() ? (*step)[i] : any);
      }
    }
  }
  context.SetOutput(0, context.input_type(0), std::move(output));
  PropagateSlice(context);
  return absl::OkStatus();
}

absl::Status ReferenceSlice(ReferenceContext& context) {
  const Tensor& data = context.input(0);
  const Tensor& output = context.output(0);
  const std::vector<int64_t> start = context.InputAsInts(1);
  if (output.element_count() == 0) return absl::OkStatus();
  std::vector<int64_t> axes(start.size());
  std::iota(axes.begin(), axes.end(), 0);
  if (context.has_input(4)) axes = context.InputAsInts(4);
  BURIN_ASSIGN_OR_RETURN(const StridedView source,
                         SliceView(data.shape(), start, context.InputAsInts(2), context.InputAsInts(3), axes));
  return CopyBox(context, output.shape(), data, source, output, DenseView(output.shape()));
}

}  // namespace

absl::StatusOr<StridedView> SliceView(const Shape& shape, const std::vector<int64_t>& start,
                                      const std::vector<int64_t>& stop, const std::vector<int64_t>& step,
                                      const std::vector<int64_t>& axes) {
  StridedView view = DenseView(shape);
  for (size_t i = 0; i < start.size(); ++i) {
    BURIN_ASSIGN_OR_RETURN(const int64_t axis, WrapAxis("Slice_c4", axes[i], static_cast<int64_t>(shape.size())));
    const size_t d = static_cast<size_t>(axis);
    const SliceRange range = ResolveSlice(start[i], stop[i], step[i], shape[d]);
    if (range.count > 0) view.offset += range.first * view.strides[d];
    // With one element the step is never taken, and its product with the stride might overflow.
    view.strides[d] = range.count > 1 ? view.strides[d] * range.step : 0;
  }
  return view;
}

const OpDef& SliceOp() {
  static const OpDef op = [] {
    OpDef d(OpCode::kSlice, "Slice", "opset8");
    d.min_inputs = 4;
    d.max_inputs = 5;
    d.traits = kMovesData;
    d.infer = &InferSlice;
    d.reference = &ReferenceSlice;
    d.cost = &MovementCost;
    return d;
  }();
  return op;
}

}  // namespace burin::ir
