#include "ir/ops/family/reduction.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "ir/ops/family/accumulation.h"
#include "ir/ops/family/integer_input.h"
#include "ir/partial_shape.h"
#include "ir/tensor.h"

namespace burin::ir {
namespace {

std::string Label(absl::string_view op, int number) { return absl::StrCat(op, "_c", number); }

absl::Status CheckDataType(const InferContext& context, absl::string_view op, ReductionTypes types) {
  const ElementType type = context.input_type(0);
  if (types == ReductionTypes::kBoolean) return context.RequireType(Label(op, 1), 0, ElementType::kBoolean);
  if (IsFloat(type) || IsInteger(type)) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(Label(op, 1), ": the type is not numeric: ", Name(type)));
}

// Returns the shape after the reduction where the axes are not known: `count` of them, or -1.
PartialShape ReduceUnknownAxes(const PartialShape& data, bool keep_dims, int64_t count) {
  if (!keep_dims) {
    return count < 0 || count > data.rank() ? PartialShape::DynamicRank() : PartialShape::OfRank(data.rank() - count);
  }
  PartialShape shape;
  for (const Dimension& dim : data.dims()) {
    shape.Append(count == 0 ? dim : Dimension(std::min<int64_t>(1, dim.min()), std::max<int64_t>(1, dim.max())));
  }
  return shape;
}

PartialShape ReduceAxes(const PartialShape& data, bool keep_dims, const std::vector<int64_t>& axes) {
  PartialShape shape;
  for (int64_t i = 0; i < data.rank(); ++i) {
    if (!std::binary_search(axes.begin(), axes.end(), i)) {
      shape.Append(data[i]);
    } else if (keep_dims) {
      shape.Append(Dimension(1));
    }
  }
  return shape;
}

// Sets the output's content from that of a rank-1 input reduced along its axis.
void CombineContent(InferContext& context, Dimension (*combine)(const Dimension&, const Dimension&)) {
  const std::optional<PartialValue> content = context.Content(0);
  if (!content.has_value() || content->empty()) return;
  Dimension result = content->front();
  for (size_t i = 1; i < content->size(); ++i) result = combine(result, (*content)[i]);
  context.SetContent(0, {result});
}

// Appends to each offset the positions along an axis of `size` elements, `stride` apart.
void ExtendOffsets(int64_t size, int64_t stride, std::vector<int64_t>* offsets) {
  std::vector<int64_t> extended;
  extended.reserve(offsets->size() * static_cast<size_t>(size));
  for (int64_t offset : *offsets) {
    for (int64_t i = 0; i < size; ++i) extended.push_back(offset + i * stride);
  }
  *offsets = std::move(extended);
}

template <class T, class Reduce>
absl::Status ReduceSlices(ReferenceContext& context, const SliceSplit& split, Reduce reduce) {
  const std::vector<T> data = LoadInput<T>(context, 0);
  std::vector<T> slice(split.element_offsets.size());
  std::vector<T> results(split.slice_offsets.size());
  constexpr size_t kSlicesBetweenChecks = 4096;
  for (size_t s = 0; s < results.size(); ++s) {
    if (s % kSlicesBetweenChecks == 0) BURIN_RETURN_IF_ERROR(context.CheckCancelled());
    const int64_t base = split.slice_offsets[s];
    for (size_t r = 0; r < slice.size(); ++r) {
      slice[r] = data[static_cast<size_t>(base + split.element_offsets[r])];
    }
    results[s] = reduce(absl::MakeConstSpan(slice));
  }
  StoreRange(context.output(0), 0, static_cast<int64_t>(results.size()), results.data());
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::vector<int64_t>> SortedAxes(absl::string_view label, absl::Span<const int64_t> axes, int64_t rank) {
  BURIN_ASSIGN_OR_RETURN(std::vector<int64_t> sorted, WrapUniqueAxes(label, axes, rank));
  std::sort(sorted.begin(), sorted.end());
  return sorted;
}

absl::StatusOr<std::optional<std::vector<int64_t>>> AxesFromInput(absl::string_view label, const InferContext& context,
                                                                  int64_t input, const PartialShape& data_shape) {
  BURIN_ASSIGN_OR_RETURN(const std::optional<std::vector<int64_t>> axes, ExactIntegerList(label, context, input));
  if (!axes.has_value() || !data_shape.has_rank()) return std::optional<std::vector<int64_t>>();
  BURIN_ASSIGN_OR_RETURN(std::vector<int64_t> sorted, SortedAxes(label, *axes, data_shape.rank()));
  return std::optional<std::vector<int64_t>>(std::move(sorted));
}

SliceSplit SplitIntoSlices(const Shape& shape, const std::vector<int64_t>& axes) {
  SliceSplit split;
  split.slice_offsets = {0};
  split.element_offsets = {0};
  const std::vector<int64_t> strides = RowMajorStrides(shape);
  for (size_t i = 0; i < shape.size(); ++i) {
    const bool inside = std::find(axes.begin(), axes.end(), static_cast<int64_t>(i)) != axes.end();
    ExtendOffsets(shape[i], strides[i], inside ? &split.element_offsets : &split.slice_offsets);
  }
  return split;
}

absl::Status InferReduction(InferContext& context, absl::string_view op, ReductionTypes types,
                            Dimension (*combine)(const Dimension&, const Dimension&)) {
  BURIN_RETURN_IF_ERROR(CheckDataType(context, op, types));
  const PartialShape& data = context.input_shape(0);
  const std::string label = Label(op, 2);
  BURIN_ASSIGN_OR_RETURN(const std::optional<std::vector<int64_t>> axes, AxesFromInput(label, context, 1, data));
  const bool keep_dims = context.attributes<ReductionAttributes>().keep_dims;
  if (!data.has_rank()) {
    context.SetOutput(0, context.input_type(0), PartialShape::DynamicRank());
    return absl::OkStatus();
  }
  if (!axes.has_value()) {
    const Dimension count = context.input_shape(1).ElementCount();
    context.SetOutput(0, context.input_type(0),
                      ReduceUnknownAxes(data, keep_dims, count.is_static() ? count.value() : -1));
    return absl::OkStatus();
  }
  context.SetOutput(0, context.input_type(0), ReduceAxes(data, keep_dims, *axes));
  if (combine != nullptr && data.rank() == 1 && axes->size() == 1) CombineContent(context, combine);
  return absl::OkStatus();
}

absl::Status ReferenceReduction(ReferenceContext& context, DoubleReducer reduce_doubles, IntReducer reduce_ints) {
  const Shape& shape = context.input(0).shape();
  BURIN_ASSIGN_OR_RETURN(const std::vector<int64_t> axes,
                         SortedAxes("axes", context.InputAsInts(1), static_cast<int64_t>(shape.size())));
  const SliceSplit split = SplitIntoSlices(shape, axes);
  const ElementType type = context.input(0).element_type();
  if (IsFloat(type)) return ReduceSlices<double>(context, split, reduce_doubles);
  return ReduceSlices<int64_t>(context, split,
                               [&](absl::Span<const int64_t> values) { return reduce_ints(values, type); });
}

Cost ReductionCost(const CostContext& context) {
  Cost cost = ElementwiseCost(context);
  cost.flops = context.InputElements(0);
  return cost;
}

}  // namespace burin::ir
