#include "ir/ops/family/direct_convolution.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "base/element_type.h"
#include "base/status_macros.h"
#include "ir/dimension.h"
#include "ir/ops/family/accumulation.h"
#include "ir/ops/family/integer_input.h"
#include "ir/partial_shape.h"
#include "ir/shape.h"
#include "ir/tensor.h"

namespace burin::ir {
namespace {

constexpr int64_t kMaxSpatialRank = 3;

std::string Label(absl::string_view op, int number) { return absl::StrCat(op, "_c", number); }

int64_t LeadingAxes(Grouping grouping) { return grouping == Grouping::kGroups ? 3 : 2; }

// Returns the number of spatial axes, as far as the shapes and attributes say: -1 where they do not.
absl::StatusOr<int64_t> SpatialRank(const InferContext& context, absl::string_view op, Grouping grouping,
                                    const WindowParameters& window) {
  const std::string label = Label(op, 2);
  const int64_t leading = LeadingAxes(grouping);
  BURIN_RETURN_IF_ERROR(context.RequireRankBetween(label, 0, 3, 2 + kMaxSpatialRank));
  BURIN_RETURN_IF_ERROR(context.RequireRankBetween(label, 1, leading + 1, leading + kMaxSpatialRank));
  const PartialShape& data = context.input_shape(0);
  const PartialShape& filters = context.input_shape(1);
  if (data.has_rank()) {
    if (filters.has_rank()) BURIN_RETURN_IF_ERROR(context.RequireRank(label, 1, data.rank() - 2 + leading));
    return data.rank() - 2;
  }
  if (filters.has_rank()) return filters.rank() - leading;
  return SpatialRankOf(window);
}

absl::Status RequireNumericType(const InferContext& context, absl::string_view op) {
  BURIN_ASSIGN_OR_RETURN(const ElementType type, context.SameType(Label(op, 1), 0, 1));
  if (IsFloat(type) || IsInteger(type)) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(Label(op, 1), ": the type is not numeric: ", Name(type)));
}

// What inference knows of batch, channels and the spatial axes.
struct InferredShapes {
  int64_t spatial_rank = 0;
  PartialShape data;     // Of known rank.
  PartialShape filters;  // Of known rank.
};

// Checks c4 and returns the groups.
absl::StatusOr<Dimension> CheckChannels(absl::string_view op, Grouping grouping, const InferredShapes& shapes,
                                        int64_t filter_input_axis) {
  const Dimension groups = grouping == Grouping::kGroups ? shapes.filters[0] : Dimension(1);
  if (groups.max() < 1) {
    return absl::InvalidArgumentError(absl::StrCat(Label(op, 4), ": there are no groups: ", groups.ToString()));
  }
  const Dimension channels = groups * shapes.filters[filter_input_axis];
  if (!channels.MayEqual(shapes.data[1])) {
    return absl::InvalidArgumentError(absl::StrCat(Label(op, 4), ": the data has other channels than the filters: ",
                                                   shapes.data.ToString(), " and ", shapes.filters.ToString()));
  }
  return groups;
}

// Does what both kinds share; returns nullopt where the rank is unknown (the output is set then).
absl::StatusOr<std::optional<InferredShapes>> InferShared(InferContext& context, absl::string_view op,
                                                          Grouping grouping, const WindowParameters& window) {
  BURIN_RETURN_IF_ERROR(RequireNumericType(context, op));
  BURIN_ASSIGN_OR_RETURN(const int64_t spatial_rank, SpatialRank(context, op, grouping, window));
  if (spatial_rank < 0) {
    context.SetOutput(0, context.input_type(0), PartialShape::DynamicRank());
    return std::optional<InferredShapes>();
  }
  if (spatial_rank < 1 || spatial_rank > kMaxSpatialRank) {
    return absl::InvalidArgumentError(absl::StrCat(Label(op, 3), ": attributes for ", spatial_rank,
                                                   " spatial axes; there are 1 to ", kMaxSpatialRank));
  }
  InferredShapes shapes;
  shapes.spatial_rank = spatial_rank;
  const PartialShape& data = context.input_shape(0);
  const PartialShape& filters = context.input_shape(1);
  shapes.data = data.has_rank() ? data : PartialShape::OfRank(2 + spatial_rank);
  shapes.filters = filters.has_rank() ? filters : PartialShape::OfRank(LeadingAxes(grouping) + spatial_rank);
  return std::optional<InferredShapes>(std::move(shapes));
}

absl::StatusOr<std::vector<int64_t>> OutputPadding(absl::string_view op, const std::vector<int64_t>& output_padding,
                                                   int64_t spatial_rank) {
  if (output_padding.empty()) return std::vector<int64_t>(static_cast<size_t>(spatial_rank), 0);
  if (static_cast<int64_t>(output_padding.size()) != spatial_rank) {
    return absl::InvalidArgumentError(absl::StrCat(
        Label(op, 7), ": the length of output_padding differs from the number of spatial axes: ", output_padding.size(),
        " and ", spatial_rank));
  }
  for (int64_t value : output_padding) {
    if (value < 0 || value > kMaxWindowParameter) {
      return absl::InvalidArgumentError(absl::StrCat(Label(op, 7), ": a number in output_padding lies outside [0,",
                                                     kMaxWindowParameter, "]: ", value));
    }
  }
  return output_padding;
}

// The size along one axis of the output of a transposed convolution without an explicit one.
absl::StatusOr<Dimension> TransposedSize(absl::string_view op, const Dimension& input, const Dimension& kernel,
                                         const WindowAxis& axis, int64_t output_padding) {
  Dimension size = kernel;
  if (!Intersect(Dimension(1, kMaxWindowParameter), &size)) {
    return absl::InvalidArgumentError(absl::StrCat(Label(op, 5), ": the kernel size lies outside [1,",
                                                   kMaxWindowParameter, "]: ", kernel.ToString()));
  }
  const Dimension extent = (size - Dimension(1)) * Dimension(axis.dilation) + Dimension(1);
  if (axis.stride == 1 && extent.is_static() && extent.value() - 1 + output_padding == axis.pad_begin + axis.pad_end &&
      input.max() > 0) {
    return input;
  }
  Dimension output = (input - Dimension(1)) * Dimension(axis.stride) + extent +
                     Dimension(output_padding - axis.pad_begin - axis.pad_end);
  if (!Intersect(Dimension(1, Dimension::kInfinite), &output)) {
    return absl::InvalidArgumentError(absl::StrCat(Label(op, 5), ": the output would have no elements along an axis: ",
                                                   output.ToString(), " for input ", input.ToString()));
  }
  return output;
}

// Returns the spatial sizes that input 2 holds, as far as known.
absl::StatusOr<PartialShape> ExplicitOutputShape(const InferContext& context, absl::string_view op,
                                                 int64_t spatial_rank) {
  const std::string label = Label(op, 6);
  BURIN_ASSIGN_OR_RETURN(const PartialShape sizes, ShapeFromInput(label, context, 2));
  if (!sizes.has_rank()) return PartialShape::OfRank(spatial_rank);
  if (sizes.rank() != spatial_rank) {
    return ConstraintError(
        label, absl::StrCat("the length of the output shape differs from the number of spatial axes: ", sizes.rank(),
                            " and ", spatial_rank));
  }
  return sizes;
}

// The static shapes of one evaluation, with the spatial axes filled up to three by ones in front.
struct Geometry {
  int64_t batch = 0;
  int64_t groups = 1;
  int64_t in_channels = 0;   // Per group.
  int64_t out_channels = 0;  // Per group.
  std::array<int64_t, kMaxSpatialRank> in = {1, 1, 1};
  std::array<int64_t, kMaxSpatialRank> out = {1, 1, 1};
  std::array<WindowAxis, kMaxSpatialRank> axes;

  int64_t InPlane() const { return in[0] * in[1] * in[2]; }
  int64_t OutPlane() const { return out[0] * out[1] * out[2]; }
  int64_t KernelPlane() const { return axes[0].kernel * axes[1].kernel * axes[2].kernel; }
};

Geometry MakeGeometry(const ReferenceContext& context, Grouping grouping, const std::vector<WindowAxis>& axes,
                      bool transposed) {
  const Shape& data = context.input(0).shape();
  const Shape& filters = context.input(1).shape();
  const Shape& output = context.output(0).shape();
  const size_t leading = static_cast<size_t>(LeadingAxes(grouping));
  Geometry g;
  g.batch = data[0];
  g.groups = grouping == Grouping::kGroups ? filters[0] : 1;
  g.out_channels = filters[leading - (transposed ? 1 : 2)];
  g.in_channels = filters[leading - (transposed ? 2 : 1)];
  const size_t missing = static_cast<size_t>(kMaxSpatialRank) - axes.size();
  for (size_t i = 0; i < axes.size(); ++i) {
    g.in[missing + i] = data[2 + i];
    g.out[missing + i] = output[2 + i];
    g.axes[missing + i] = axes[i];
    g.axes[missing + i].kernel = filters[leading + i];
  }
  return g;
}

// Treats an axis-aligned 1x1x1 window of stride 1 without padding as one long row: the same sums over longer loops. The
// output of a transposed convolution may be larger than its input; then rows stay apart.
void Flatten(Geometry* g) {
  if (g->in != g->out) return;
  for (const WindowAxis& axis : g->axes) {
    if (axis.kernel != 1 || axis.stride != 1 || axis.pad_begin != 0 || axis.pad_end != 0) return;
  }
  g->in = {1, 1, g->InPlane()};
  g->out = {1, 1, g->OutPlane()};
}

// Adds to (or, transposed, scatters into) one output plane what one input plane contributes through one filter.
// `small` is the plane with one element per window: the output of a convolution, the input of a transposed one.
template <class T>
void AccumulatePlane(const Geometry& g, const T* filter, const T* in, T* out, bool transposed) {
  const std::array<int64_t, kMaxSpatialRank>& windows = transposed ? g.in : g.out;
  const std::array<int64_t, kMaxSpatialRank>& area = transposed ? g.out : g.in;
  for (int64_t kz = 0; kz < g.axes[0].kernel; ++kz) {
    const TapRange z = OutputsOfTap(g.axes[0], kz, area[0], windows[0]);
    for (int64_t ky = 0; ky < g.axes[1].kernel; ++ky) {
      const TapRange y = OutputsOfTap(g.axes[1], ky, area[1], windows[1]);
      for (int64_t kx = 0; kx < g.axes[2].kernel; ++kx) {
        const TapRange x = OutputsOfTap(g.axes[2], kx, area[2], windows[2]);
        const T weight = *filter++;
        if (x.first == x.last) continue;
        const int64_t column = x.first * g.axes[2].stride + kx * g.axes[2].dilation - g.axes[2].pad_begin;
        for (int64_t wz = z.first; wz < z.last; ++wz) {
          const int64_t plane = wz * g.axes[0].stride + kz * g.axes[0].dilation - g.axes[0].pad_begin;
          for (int64_t wy = y.first; wy < y.last; ++wy) {
            const int64_t row = wy * g.axes[1].stride + ky * g.axes[1].dilation - g.axes[1].pad_begin;
            const int64_t at_window = (wz * windows[1] + wy) * windows[2] + x.first;
            const int64_t at_area = (plane * area[1] + row) * area[2] + column;
            if (transposed) {
              AddScaled(weight, in + at_window, 1, out + at_area, g.axes[2].stride, x.last - x.first);
            } else {
              AddScaled(weight, in + at_area, g.axes[2].stride, out + at_window, 1, x.last - x.first);
            }
          }
        }
      }
    }
  }
}

template <class T>
absl::Status Evaluate(ReferenceContext& context, const Geometry& g, bool transposed) {
  const std::vector<T> data = LoadInput<T>(context, 0);
  const std::vector<T> filters = LoadInput<T>(context, 1);
  const int64_t out_plane = g.OutPlane();
  if (out_plane == 0) return absl::OkStatus();
  BURIN_ASSIGN_OR_RETURN(void* const memory, context.scratch().Lend(static_cast<size_t>(out_plane) * sizeof(T)));
  T* const sums = static_cast<T*>(memory);
  for (int64_t n = 0; n < g.batch; ++n) {
    for (int64_t group = 0; group < g.groups; ++group) {
      const T* const group_data = data.data() + (n * g.groups + group) * g.in_channels * g.InPlane();
      const T* const group_filters = filters.data() + group * g.in_channels * g.out_channels * g.KernelPlane();
      for (int64_t oc = 0; oc < g.out_channels; ++oc) {
        BURIN_RETURN_IF_ERROR(context.CheckCancelled());
        std::fill(sums, sums + out_plane, T{0});
        for (int64_t ic = 0; ic < g.in_channels; ++ic) {
          const int64_t filter = transposed ? ic * g.out_channels + oc : oc * g.in_channels + ic;
          AccumulatePlane(g, group_filters + filter * g.KernelPlane(), group_data + ic * g.InPlane(), sums, transposed);
        }
        const int64_t plane = (n * g.groups + group) * g.out_channels + oc;
        StoreRange(context.output(0), plane * out_plane, out_plane, sums);
      }
    }
  }
  return absl::OkStatus();
}

absl::Status Evaluate(ReferenceContext& context, Geometry g, bool transposed) {
  Flatten(&g);
  return DispatchAccumulator(context.output_type(0),
                             [&](auto zero) { return Evaluate<decltype(zero)>(context, g, transposed); });
}

}  // namespace

absl::Status InferConvolution(InferContext& context, absl::string_view op, Grouping grouping,
                              const WindowParameters& window) {
  BURIN_ASSIGN_OR_RETURN(const std::optional<InferredShapes> shapes, InferShared(context, op, grouping, window));
  if (!shapes.has_value()) return absl::OkStatus();
  BURIN_ASSIGN_OR_RETURN(const std::vector<WindowAxis> axes,
                         MakeWindowAxes(Label(op, 3), window, shapes->spatial_rank));
  const int64_t leading = LeadingAxes(grouping);
  BURIN_ASSIGN_OR_RETURN(const Dimension groups, CheckChannels(op, grouping, *shapes, leading - 1));
  PartialShape output({shapes->data[0], groups * shapes->filters[leading - 2]});
  for (int64_t i = 0; i < shapes->spatial_rank; ++i) {
    BURIN_ASSIGN_OR_RETURN(Dimension size,
                           WindowCount(Label(op, 5), shapes->data[2 + i], shapes->filters[leading + i],
                                       axes[static_cast<size_t>(i)], window.auto_pad, RoundingType::kFloor));
    output.Append(std::move(size));
  }
  BURIN_RETURN_IF_ERROR(RequireRepresentable(Label(op, 4), output));
  context.SetOutput(0, context.input_type(0), std::move(output));
  return absl::OkStatus();
}

absl::Status InferTransposedConvolution(InferContext& context, absl::string_view op, Grouping grouping,
                                        const WindowParameters& window, const std::vector<int64_t>& output_padding) {
  BURIN_ASSIGN_OR_RETURN(const std::optional<InferredShapes> shapes, InferShared(context, op, grouping, window));
  if (!shapes.has_value()) return absl::OkStatus();
  const int64_t spatial_rank = shapes->spatial_rank;
  BURIN_ASSIGN_OR_RETURN(const std::vector<WindowAxis> axes, MakeWindowAxes(Label(op, 3), window, spatial_rank));
  BURIN_ASSIGN_OR_RETURN(const std::vector<int64_t> extra, OutputPadding(op, output_padding, spatial_rank));
  const int64_t leading = LeadingAxes(grouping);
  BURIN_ASSIGN_OR_RETURN(const Dimension groups, CheckChannels(op, grouping, *shapes, leading - 2));
  PartialShape output({shapes->data[0], groups * shapes->filters[leading - 1]});
  if (context.has_input(2)) {
    BURIN_ASSIGN_OR_RETURN(const PartialShape sizes, ExplicitOutputShape(context, op, spatial_rank));
    for (const Dimension& size : sizes.dims()) output.Append(size);
  } else {
    for (int64_t i = 0; i < spatial_rank; ++i) {
      BURIN_ASSIGN_OR_RETURN(Dimension size,
                             TransposedSize(op, shapes->data[2 + i], shapes->filters[leading + i],
                                            axes[static_cast<size_t>(i)], extra[static_cast<size_t>(i)]));
      output.Append(std::move(size));
    }
  }
  BURIN_RETURN_IF_ERROR(RequireRepresentable(Label(op, 5), output));
  context.SetOutput(0, context.input_type(0), std::move(output));
  return absl::OkStatus();
}

absl::Status ReferenceConvolution(ReferenceContext& context, Grouping grouping, const WindowParameters& window) {
  const int64_t spatial_rank = static_cast<int64_t>(context.input(0).shape().size()) - 2;
  BURIN_ASSIGN_OR_RETURN(const std::vector<WindowAxis> axes, MakeWindowAxes("convolution", window, spatial_rank));
  Geometry g = MakeGeometry(context, grouping, axes, /*transposed=*/false);
  const size_t missing = static_cast<size_t>(kMaxSpatialRank - spatial_rank);
  for (size_t i = missing; i < g.axes.size(); ++i) g.axes[i] = ResolvePadding(g.axes[i], g.in[i], window.auto_pad);
  return Evaluate(context, g, /*transposed=*/false);
}

absl::Status ReferenceTransposedConvolution(ReferenceContext& context, Grouping grouping,
                                            const WindowParameters& window,
                                            const std::vector<int64_t>& output_padding) {
  const int64_t spatial_rank = static_cast<int64_t>(context.input(0).shape().size()) - 2;
  BURIN_ASSIGN_OR_RETURN(const std::vector<WindowAxis> axes, MakeWindowAxes("convolution", window, spatial_rank));
  Geometry g = MakeGeometry(context, grouping, axes, /*transposed=*/true);
  if (context.has_input(2)) {
    const size_t missing = static_cast<size_t>(kMaxSpatialRank - spatial_rank);
    for (size_t i = missing; i < g.axes.size(); ++i) {
      const int64_t extra = output_padding.empty() ? 0 : output_padding[i - missing];
      g.axes[i] = TransposedPadding(g.axes[i], g.in[i], g.out[i], extra, window.auto_pad);
    }
  }
  return Evaluate(context, g, /*transposed=*/true);
}

// Each position of the plane of windows meets every filter element once: positions = elements / channels.
Cost ConvolutionCost(const CostContext& context) {
  Cost cost = ElementwiseCost(context);
  const double channels = static_cast<double>(context.output(0).shape[1].value());
  cost.flops = channels == 0 ? 0 : 2 * context.OutputElements(0) / channels * context.InputElements(1);
  return cost;
}

Cost TransposedConvolutionCost(const CostContext& context) {
  Cost cost = ElementwiseCost(context);
  const double channels = static_cast<double>(context.input(0).shape[1].value());
  cost.flops = channels == 0 ? 0 : 2 * context.InputElements(0) / channels * context.InputElements(1);
  return cost;
}

}  // namespace burin::ir
