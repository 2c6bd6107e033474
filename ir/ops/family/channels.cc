#include "ir/ops/family/channels.h"

#include <cmath>
#include <cstdint>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "ir/dimension.h"
#include "ir/ops/family/integer_input.h"
#include "ir/shape.h"

namespace burin::ir {

absl::StatusOr<PartialShape> ShapeWithChannels(absl::string_view rank_label, absl::string_view list_label,
                                               const InferContext& context) {
  BURIN_RETURN_IF_ERROR(context.RequireRankBetween(rank_label, 0, 2, kMaxRank));
  PartialShape shape = context.input_shape(0);
  Dimension channels = shape.has_rank() ? shape[1] : Dimension();
  for (int64_t i = 1; i < context.input_count(); ++i) {
    BURIN_RETURN_IF_ERROR(context.RequireRank(list_label, i, 1));
    const PartialShape& list = context.input_shape(i);
    if (list.has_rank() && !Intersect(list[0], &channels)) {
      return ConstraintError(list_label, absl::StrCat("input ", i, " has another number of elements than there are ",
                                                      "channels: ", list[0].ToString(), " and ", channels.ToString()));
    }
  }
  if (shape.has_rank()) shape[1] = channels;
  return shape;
}

absl::Status RequireEpsilon(absl::string_view label, double epsilon) {
  if (std::isfinite(epsilon) && epsilon >= 0) return absl::OkStatus();
  return ConstraintError(label, absl::StrCat("epsilon is not a number of at least 0: ", epsilon));
}

}  // namespace burin::ir
