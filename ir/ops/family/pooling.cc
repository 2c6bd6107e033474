#include "ir/ops/family/pooling.h"

#include <algorithm>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/element_type.h"
#include "base/status_macros.h"
#include "ir/dimension.h"
#include "ir/ops/family/integer_input.h"

namespace burin::ir {
namespace {

int64_t CeilDivNonNegative(int64_t a, int64_t b) { return a <= 0 ? 0 : (a - 1) / b + 1; }

absl::StatusOr<int64_t> SpatialRank(const InferContext& context, const std::string& rank_label,
                                    const std::string& attribute_label, const std::vector<int64_t>& kernel) {
  BURIN_RETURN_IF_ERROR(context.RequireRankBetween(rank_label, 0, 3, 5));
  const PartialShape& data = context.input_shape(0);
  const int64_t kernel_rank = static_cast<int64_t>(kernel.size());
  const int64_t spatial_rank = data.has_rank() ? data.rank() - 2 : kernel_rank;
  if (spatial_rank < 1 || spatial_rank > 3 || kernel_rank != spatial_rank) {
    return ConstraintError(attribute_label,
                           absl::StrCat("the length of kernel differs from the number of spatial axes: ", kernel_rank,
                                        " and ", spatial_rank));
  }
  return spatial_rank;
}

}  // namespace

absl::StatusOr<PartialShape> PooledShape(const InferContext& context, absl::string_view op,
                                         const WindowParameters& window, const std::vector<int64_t>& kernel,
                                         RoundingType rounding) {
  const ElementType type = context.input_type(0);
  if (!IsFloat(type) && !IsInteger(type)) {
    return ConstraintError(absl::StrCat(op, "_c1"), absl::StrCat("the type is not numeric: ", Name(type)));
  }
  const std::string attribute_label = absl::StrCat(op, "_c3");
  BURIN_ASSIGN_OR_RETURN(const int64_t spatial_rank,
                         SpatialRank(context, absl::StrCat(op, "_c2"), attribute_label, kernel));
  BURIN_ASSIGN_OR_RETURN(const std::vector<WindowAxis> axes, MakeWindowAxes(attribute_label, window, spatial_rank));
  const PartialShape& known = context.input_shape(0);
  const PartialShape data = known.has_rank() ? known : PartialShape::OfRank(2 + spatial_rank);
  PartialShape output({data[0], data[1]});
  for (int64_t i = 0; i < spatial_rank; ++i) {
    const size_t axis = static_cast<size_t>(i);
    BURIN_ASSIGN_OR_RETURN(Dimension size, WindowCount(absl::StrCat(op, "_c4"), data[2 + i], Dimension(kernel[axis]),
                                                       axes[axis], window.auto_pad, rounding));
    output.Append(std::move(size));
  }
  return output;
}

absl::StatusOr<PoolingGeometry> MakePoolingGeometry(const Shape& data, const Shape& output,
                                                    const WindowParameters& window,
                                                    const std::vector<int64_t>& kernel) {
  BURIN_ASSIGN_OR_RETURN(const std::vector<WindowAxis> axes,
                         MakeWindowAxes("pooling", window, static_cast<int64_t>(kernel.size())));
  PoolingGeometry g;
  g.planes = data[0] * data[1];
  const size_t missing = g.axes.size() - axes.size();
  for (size_t i = 0; i < axes.size(); ++i) {
    WindowAxis axis = axes[i];
    axis.kernel = kernel[i];
    g.in[missing + i] = data[2 + i];
    g.out[missing + i] = output[2 + i];
    g.axes[missing + i] = ResolvePadding(axis, data[2 + i], window.auto_pad);
  }
  return g;
}

WindowTaps TapsInside(const WindowAxis& axis, int64_t o, int64_t begin, int64_t end) {
  WindowTaps taps;
  taps.origin = o * axis.stride - axis.pad_begin;
  taps.first = std::min(axis.kernel, CeilDivNonNegative(begin - taps.origin, axis.dilation));
  taps.last = std::min(axis.kernel, CeilDivNonNegative(end - taps.origin, axis.dilation));
  taps.last = std::max(taps.first, taps.last);
  return taps;
}

Cost PoolingCost(const CostContext& context, const std::vector<int64_t>& kernel) {
  Cost cost = ElementwiseCost(context);
  cost.flops = context.OutputElements(0);
  for (int64_t size : kernel) cost.flops *= static_cast<double>(size);
  return cost;
}

}  // namespace burin::ir
