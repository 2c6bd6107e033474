#include "ir/ops/family/integer_input.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/check.h"
#include "base/element_type.h"
#include "base/status_macros.h"
#include "ir/shape.h"

namespace burin::ir {

absl::Status ConstraintError(absl::string_view label, absl::string_view text) {
  return absl::InvalidArgumentError(absl::StrCat(label, ": ", text));
}

absl::StatusOr<int64_t> WrapAxis(absl::string_view label, int64_t axis, int64_t rank) {
  if (axis < -rank || axis >= rank) {
    return ConstraintError(label, absl::StrCat("axis outside the rank; rank ", rank, ", axis ", axis));
  }
  return axis < 0 ? axis + rank : axis;
}

absl::StatusOr<std::vector<int64_t>> WrapUniqueAxes(absl::string_view label, absl::Span<const int64_t> axes,
                                                    int64_t rank) {
  std::vector<int64_t> wrapped;
  for (const int64_t axis : axes) {
    BURIN_ASSIGN_OR_RETURN(const int64_t one, WrapAxis(label, axis, rank));
    if (std::find(wrapped.begin(), wrapped.end(), one) != wrapped.end()) {
      return ConstraintError(label, absl::StrCat("axis named twice; axis ", one));
    }
    wrapped.push_back(one);
  }
  return wrapped;
}

absl::StatusOr<int64_t> WrapIndex(absl::string_view label, int64_t index, int64_t size) {
  if (index < -size || index >= size) {
    return ConstraintError(label, absl::StrCat("index outside the dimension; size ", size, ", index ", index));
  }
  return index < 0 ? index + size : index;
}

absl::StatusOr<Dimension> IntegerScalar(absl::string_view label, const InferContext& context, int64_t i) {
  BURIN_RETURN_IF_ERROR(context.RequireIntegerType(label, i));
  BURIN_RETURN_IF_ERROR(context.RequireRankBetween(label, i, 0, 1));
  if (!context.input_shape(i).ElementCount().Contains(1)) {
    return ConstraintError(
        label, absl::StrCat("input ", i, " must have one element; shape ", context.input_shape(i).ToString()));
  }
  const std::optional<PartialValue> content = context.Content(i);
  if (!content.has_value() || content->size() != 1) return Dimension::AnyValue();
  return content->front();
}

absl::StatusOr<std::optional<int64_t>> ExactIntegerScalar(absl::string_view label, const InferContext& context,
                                                          int64_t i) {
  BURIN_ASSIGN_OR_RETURN(const Dimension value, IntegerScalar(label, context, i));
  if (!value.is_static()) return std::optional<int64_t>();
  return std::optional<int64_t>(value.value());
}

absl::StatusOr<std::optional<std::vector<int64_t>>> ExactIntegerList(absl::string_view label,
                                                                     const InferContext& context, int64_t i) {
  BURIN_RETURN_IF_ERROR(context.RequireIntegerType(label, i));
  BURIN_RETURN_IF_ERROR(context.RequireRankBetween(label, i, 0, 1));
  return context.ConstantInts(i);
}

absl::StatusOr<std::optional<PartialValue>> IntegerList(absl::string_view label, const InferContext& context,
                                                        int64_t i) {
  BURIN_RETURN_IF_ERROR(context.RequireIntegerType(label, i));
  BURIN_RETURN_IF_ERROR(context.RequireRankBetween(label, i, 0, 1));
  std::optional<PartialValue> content = context.Content(i);
  if (!content.has_value()) {
    // A list too long to travel may still be a constant.
    const std::optional<std::vector<int64_t>> exact = context.ConstantInts(i);
    if (exact.has_value()) content.emplace(exact->begin(), exact->end());
  }
  return content;
}

absl::StatusOr<PartialShape> ShapeFromInput(absl::string_view label, const InferContext& context, int64_t i) {
  BURIN_RETURN_IF_ERROR(context.RequireIntegerType(label, i));
  BURIN_RETURN_IF_ERROR(context.RequireRankBetween(label, i, 0, 1));
  const Dimension count = context.input_shape(i).ElementCount();
  if (count.min() > kMaxRank) {
    return ConstraintError(label, absl::StrCat("too many dimensions; at most ", kMaxRank, ", got ", count.min()));
  }
  const std::optional<PartialValue> content = context.Content(i);
  if (!content.has_value()) {
    return count.is_static() ? PartialShape::OfRank(count.value()) : PartialShape::DynamicRank();
  }
  PartialShape shape;
  for (const Dimension& value : *content) {
    BURIN_ASSIGN_OR_RETURN(Dimension dimension, ToDimension(label, value));
    shape.Append(std::move(dimension));
  }
  BURIN_RETURN_IF_ERROR(RequireRepresentable(label, shape));
  return shape;
}

absl::StatusOr<Dimension> ToDimension(absl::string_view label, const Dimension& value) {
  if (value.max() < 0) {
    return ConstraintError(label, absl::StrCat("negative size; got ", value.max()));
  }
  if (value.min() >= 0) return value;
  return Dimension(0, value.max(), value.symbol());
}

absl::Status RequireRepresentable(absl::string_view label, const PartialShape& shape) {
  if (!shape.has_rank()) return absl::OkStatus();
  if (shape.rank() > kMaxRank) {
    return ConstraintError(label, absl::StrCat("too many dimensions; at most ", kMaxRank, ", got ", shape.rank()));
  }
  for (const Dimension& dimension : shape.dims()) {
    // Arithmetic whose result no int64_t holds says "any value", negative ones included.
    if (dimension.min() == Dimension::kInfinite || dimension.min() < 0) {
      return ConstraintError(label, absl::StrCat("a dimension is too large; shape ", shape.ToString()));
    }
  }
  return absl::OkStatus();
}

std::optional<PartialValue> TravellingContent(const InferContext& context, int64_t i) {
  const ValueInfo& info = context.input(i);
  if (!IsInteger(info.type) || !info.shape.has_rank() || info.shape.rank() > 1) return std::nullopt;
  return context.Content(i);
}

void PropagateContent(InferContext& context, int64_t i, PartialValue content) {
  const ValueInfo& output = context.output(i);
  if (!IsInteger(output.type) || !output.shape.has_rank() || output.shape.rank() > 1) return;
  if (static_cast<int64_t>(content.size()) > kMaxPropagatedElements) return;
  BURIN_CHECK(output.shape.ElementCount().Contains(static_cast<int64_t>(content.size())));
  context.SetContent(i, std::move(content));
}

}  // namespace burin::ir
