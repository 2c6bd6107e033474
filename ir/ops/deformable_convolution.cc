// DeformableConvolution: a convolution that reads each tap from a place moved by an offset, and scaled by a mask.
//
//   y[n, oc, o] = sum over ic, k of  w[oc, ic, k] * mask[n, d, k, o] * x(n, g, ic; o * stride - pad + k * dilation
//                                                                                  + offset[n, d, k, :, o])
//
// where output channel oc lies in group g, channel (g, ic) of the data in deformable group d, and x(position) is made
// of the elements around by multilinear weights. A position that is at least one element outside the data, along any
// axis, gives 0; one less far outside is moved to the data's edge, or with bilinear_interpolation_pad made of the data
// and zeros.
//
// Inputs:  0 data [N, C_in, spatial...] with 1 to 3 spatial axes; 1 offsets [N, deformable groups * K * axes, out...]
//          where K is the number of taps of the kernel: for each group and tap one number per spatial axis, outermost
//          first; 2 filters [C_out, C_in / groups, kernel...]; 3 (optional) mask [N, deformable groups * K, out...],
//          ones where absent.
// Output:  [N, C_out, out...], with WindowCount (ir/ops/family/window.h) windows per axis.
// OpenVINO's operation has two spatial axes; this one has those of Convolution.
// Constraints:
//   DeformableConvolution_c1: all inputs have one numeric type.
//   DeformableConvolution_c2: all inputs have one rank, 3 to 5.
//   DeformableConvolution_c3: the window's attributes are as MakeWindowAxes asks.
//   DeformableConvolution_c4: there are groups and deformable groups; the data has as many channels as the filters in
//                             all groups, and they divide into deformable groups; the filters divide into groups.
//   DeformableConvolution_c5: the window fits into the padded data.
//   DeformableConvolution_c6: offsets and mask have the sizes above.
#include "ir/ops/deformable_convolution.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "base/element_type.h"
#include "base/status_macros.h"
#include "ir/dimension.h"
#include "ir/infer_context.h"
#include "ir/op_def.h"
#include "ir/ops/family/accumulation.h"
#include "ir/ops/family/index_space.h"
#include "ir/ops/family/integer_input.h"
#include "ir/ops/family/window.h"
#include "ir/ops/family/wrapping_arithmetic.h"
#include "ir/ops/ops.h"
#include "ir/partial_shape.h"
#include "ir/reference_context.h"
#include "ir/shape.h"

namespace burin::ir {
namespace {

constexpr int64_t kMaxSpatialRank = 3;
constexpr int64_t kOffsets = 1;
constexpr int64_t kFilters = 2;
constexpr int64_t kMask = 3;

// Checks c1 and c2, and returns the rank of all inputs; -1 where it is not known.
absl::StatusOr<int64_t> CheckTypesAndRanks(const InferContext& context) {
  BURIN_ASSIGN_OR_RETURN(const ElementType type, context.SameType("DeformableConvolution_c1", 0, kMask));
  if (!IsFloat(type) && !IsInteger(type)) {
    return ConstraintError("DeformableConvolution_c1", absl::StrCat("the type is not numeric: ", Name(type)));
  }
  int64_t rank = SpatialRankOf(context.attributes<DeformableConvolutionAttributes>());
  if (rank >= 0) rank += 2;
  for (int64_t i = 0; i <= kMask; ++i) {
    if (!context.has_input(i)) continue;
    BURIN_RETURN_IF_ERROR(context.RequireRankBetween("DeformableConvolution_c2", i, 3, 2 + kMaxSpatialRank));
    if (context.input_shape(i).has_rank()) rank = context.input_shape(i).rank();
  }
  for (int64_t i = 0; i <= kMask; ++i) {
    if (context.has_input(i)) BURIN_RETURN_IF_ERROR(context.RequireRank("DeformableConvolution_c2", i, rank));
  }
  if (rank >= 0 && (rank < 3 || rank > 2 + kMaxSpatialRank)) {
    return ConstraintError("DeformableConvolution_c3",
                           absl::StrCat("attributes for other than 1 to 3 spatial axes: ", rank - 2));
  }
  return rank;
}

PartialShape ShapeOfRank(const InferContext& context, int64_t input, int64_t rank) {
  const bool known = context.has_input(input) && context.input_shape(input).has_rank();
  return known ? context.input_shape(input) : PartialShape::OfRank(rank);
}

bool MayDivide(const Dimension& dim, int64_t divisor) { return !dim.is_static() || dim.value() % divisor == 0; }

absl::Status CheckChannels(const DeformableConvolutionAttributes& attributes, const PartialShape& data,
                           const PartialShape& filters) {
  for (int64_t groups : {attributes.group, attributes.deformable_group}) {
    if (groups >= 1 && groups <= kMaxWindowParameter) continue;
    return ConstraintError("DeformableConvolution_c4",
                           absl::StrCat("a number of groups lies outside [1,", kMaxWindowParameter, "]: ", groups));
  }
  const bool fits = (Dimension(attributes.group) * filters[1]).MayEqual(data[1]) &&
                    MayDivide(filters[0], attributes.group) && MayDivide(data[1], attributes.group) &&
                    MayDivide(data[1], attributes.deformable_group);
  if (fits) return absl::OkStatus();
  return ConstraintError(
      "DeformableConvolution_c4",
      absl::StrCat("the channels do not agree: data ", data.ToString(), ", filters ", filters.ToString(), ", groups ",
                   attributes.group, ", deformable groups ", attributes.deformable_group));
}

// Narrows the output by offsets or a mask of `channels` channels.
absl::Status Narrow(const PartialShape& input, const Dimension& channels, PartialShape* output) {
  bool fits = input[1].MayEqual(channels);
  for (int64_t axis = 0; axis < output->rank(); ++axis) {
    if (axis != 1) fits = fits && Intersect(input[axis], &(*output)[axis]);
  }
  if (fits) return absl::OkStatus();
  return ConstraintError("DeformableConvolution_c6",
                         absl::StrCat("offsets or a mask do not fit the output; they are ", input.ToString(), " with ",
                                      channels.ToString(), " channels expected, it is ", output->ToString()));
}

absl::Status Infer(InferContext& context) {
  const auto& attributes = context.attributes<DeformableConvolutionAttributes>();
  BURIN_ASSIGN_OR_RETURN(const int64_t rank, CheckTypesAndRanks(context));
  if (rank < 0) {
    context.SetOutput(0, context.input_type(0), PartialShape::DynamicRank());
    return absl::OkStatus();
  }
  const PartialShape data = ShapeOfRank(context, 0, rank);
  const PartialShape filters = ShapeOfRank(context, kFilters, rank);
  BURIN_RETURN_IF_ERROR(CheckChannels(attributes, data, filters));
  BURIN_ASSIGN_OR_RETURN(const std::vector<WindowAxis> axes,
                         MakeWindowAxes("DeformableConvolution_c3", attributes, rank - 2));
  PartialShape output({data[0], filters[0]});
  Dimension mask_channels(attributes.deformable_group);
  for (int64_t axis = 2; axis < rank; ++axis) {
    BURIN_ASSIGN_OR_RETURN(Dimension count,
                           WindowCount("DeformableConvolution_c5", data[axis], filters[axis],
                                       axes[static_cast<size_t>(axis - 2)], attributes.auto_pad, RoundingType::kFloor));
    output.Append(std::move(count));
    mask_channels = mask_channels * filters[axis];
  }
  BURIN_RETURN_IF_ERROR(Narrow(ShapeOfRank(context, kOffsets, rank), mask_channels * Dimension(rank - 2), &output));
  BURIN_RETURN_IF_ERROR(Narrow(ShapeOfRank(context, kMask, rank), mask_channels, &output));
  BURIN_RETURN_IF_ERROR(RequireRepresentable("DeformableConvolution_c4", output));
  context.SetOutput(0, context.input_type(0), std::move(output));
  return absl::OkStatus();
}

// The static shapes of one evaluation.
struct Geometry {
  int64_t batch = 0;
  int64_t in_channels = 0;
  int64_t out_channels = 0;
  int64_t groups = 1;
  int64_t deformable_groups = 1;
  int64_t taps = 1;  // Of the kernel.
  int64_t in_plane = 1;
  int64_t out_plane = 1;
  std::vector<int64_t> in;
  std::vector<int64_t> out;
  std::vector<WindowAxis> axes;

  int64_t spatial_rank() const { return static_cast<int64_t>(axes.size()); }
};

absl::StatusOr<Geometry> MakeGeometry(const ReferenceContext& context) {
  const auto& attributes = context.attributes<DeformableConvolutionAttributes>();
  const Shape& data = context.input(0).shape();
  const Shape& filters = context.input(kFilters).shape();
  const Shape& output = context.output(0).shape();
  const int64_t rank = static_cast<int64_t>(data.size());
  Geometry g;
  g.batch = data[0];
  g.in_channels = data[1];
  g.out_channels = filters[0];
  g.groups = attributes.group;
  g.deformable_groups = attributes.deformable_group;
  g.taps = ProductOf(filters, 2, rank);
  g.in_plane = ProductOf(data, 2, rank);
  g.out_plane = ProductOf(output, 2, rank);
  g.in.assign(data.begin() + 2, data.end());
  g.out.assign(output.begin() + 2, output.end());
  BURIN_ASSIGN_OR_RETURN(g.axes, MakeWindowAxes("DeformableConvolution_c3", attributes, rank - 2));
  for (size_t i = 0; i < g.axes.size(); ++i) {
    g.axes[i].kernel = filters[2 + i];
    g.axes[i] = ResolvePadding(g.axes[i], g.in[i], attributes.auto_pad);
  }
  return g;
}

// Returns the indices along axes of `sizes` of element `position`.
std::array<int64_t, kMaxSpatialRank> IndexOf(int64_t position, const std::vector<int64_t>& sizes) {
  std::array<int64_t, kMaxSpatialRank> index = {};
  for (size_t axis = sizes.size(); axis-- > 0;) {
    index[axis] = position % sizes[axis];
    position /= sizes[axis];
  }
  return index;
}

struct Part {
  int64_t position = 0;
  double weight = 0;
};

// What the samples of one tap are made of, for all elements of an output plane: parts [ends[o - 1], ends[o]).
struct Samples {
  std::vector<Part> parts;
  std::vector<size_t> ends;
};

// Appends the parts of the sample at `position`, one number per axis.
void AddSample(const Geometry& g, const std::array<double, kMaxSpatialRank>& position, bool pads, Samples* samples) {
  const size_t begin = samples->parts.size();
  samples->parts.push_back({0, 1});
  for (size_t axis = 0; axis < g.axes.size(); ++axis) {
    const double size = static_cast<double>(g.in[axis]);
    double x = position[axis];
    if (!(x > -1 && x < size)) {
      samples->parts.resize(begin);
      return;
    }
    if (!pads) x = std::min(std::max(x, 0.0), size - 1);
    const int64_t low = static_cast<int64_t>(std::floor(x));
    const double weight = x - static_cast<double>(low);
    const size_t end = samples->parts.size();
    // Each part so far is split in two; those outside the data are left out.
    std::array<Part, size_t{1} << kMaxSpatialRank> split;
    size_t count = 0;
    for (size_t i = begin; i < end; ++i) {
      const Part part = samples->parts[i];
      const int64_t at = part.position * g.in[axis] + low;
      if (low >= 0) split[count++] = {at, part.weight * (1 - weight)};
      if (weight > 0 && low + 1 < g.in[axis]) split[count++] = {at + 1, part.weight * weight};
    }
    samples->parts.resize(begin);
    samples->parts.insert(samples->parts.end(), split.begin(), split.begin() + static_cast<int64_t>(count));
  }
}

// Finds where tap `tap` of a deformable group reads; `offsets` are those of the tap, [axes, out...].
void FindSamples(const Geometry& g, int64_t tap, const double* offsets, bool pads, Samples* samples) {
  std::vector<int64_t> kernel;
  for (const WindowAxis& axis : g.axes) kernel.push_back(axis.kernel);
  const std::array<int64_t, kMaxSpatialRank> tap_index = IndexOf(tap, kernel);
  samples->parts.clear();
  samples->ends.clear();
  for (int64_t o = 0; o < g.out_plane; ++o) {
    const std::array<int64_t, kMaxSpatialRank> index = IndexOf(o, g.out);
    std::array<double, kMaxSpatialRank> position = {};
    for (size_t axis = 0; axis < g.axes.size(); ++axis) {
      const WindowAxis& window = g.axes[axis];
      const int64_t regular = index[axis] * window.stride - window.pad_begin + tap_index[axis] * window.dilation;
      position[axis] = static_cast<double>(regular) + offsets[static_cast<int64_t>(axis) * g.out_plane + o];
    }
    AddSample(g, position, pads, samples);
    samples->ends.push_back(samples->parts.size());
  }
}

// Sets `plane` to a channel's samples, scaled by `mask` (null: by 1).
template <class T>
void TakeSamples(const Samples& samples, const T* channel, const T* mask, std::vector<T>* plane) {
  size_t i = 0;
  for (size_t o = 0; o < plane->size(); ++o) {
    T sum = 0;
    for (; i < samples.ends[o]; ++i) {
      const Part& part = samples.parts[i];
      // Integer offsets lead to elements, whose weight is 1.
      sum = MultiplyAdd(sum, static_cast<T>(part.weight), channel[part.position]);
    }
    (*plane)[o] = mask == nullptr ? sum : WrapMultiply(sum, mask[o]);
  }
}

template <class T>
absl::Status Evaluate(ReferenceContext& context, const Geometry& g) {
  const bool pads = context.attributes<DeformableConvolutionAttributes>().bilinear_interpolation_pad;
  const std::vector<T> data = LoadInput<T>(context, 0);
  const std::vector<double> offsets = context.InputAsDoubles(kOffsets);
  const std::vector<T> filters = LoadInput<T>(context, kFilters);
  const std::vector<T> mask = context.has_input(kMask) ? LoadInput<T>(context, kMask) : std::vector<T>();
  const int64_t channels = g.in_channels / g.groups;  // Of a group.
  const int64_t outputs = g.out_channels / g.groups;
  const int64_t deformed = g.in_channels / g.deformable_groups;
  std::vector<T> sums(static_cast<size_t>(g.out_channels * g.out_plane));
  std::vector<T> plane(static_cast<size_t>(g.out_plane));
  Samples samples;
  for (int64_t n = 0; n < g.batch; ++n) {
    sums.assign(sums.size(), T{0});
    for (int64_t i = 0; i < g.deformable_groups * g.taps; ++i) {
      BURIN_RETURN_IF_ERROR(context.CheckCancelled());
      const int64_t tap = i % g.taps;
      const int64_t at = n * g.deformable_groups * g.taps + i;
      FindSamples(g, tap, offsets.data() + at * g.spatial_rank() * g.out_plane, pads, &samples);
      const T* const scales = mask.empty() ? nullptr : mask.data() + at * g.out_plane;
      for (int64_t c = i / g.taps * deformed; c < (i / g.taps + 1) * deformed; ++c) {
        TakeSamples(samples, data.data() + (n * g.in_channels + c) * g.in_plane, scales, &plane);
        for (int64_t oc = c / channels * outputs; oc < (c / channels + 1) * outputs; ++oc) {
          const T weight = filters[static_cast<size_t>((oc * channels + c % channels) * g.taps + tap)];
          AddScaled(weight, plane.data(), 1, sums.data() + oc * g.out_plane, 1, g.out_plane);
        }
      }
    }
    const int64_t count = g.out_channels * g.out_plane;
    StoreRange(context.output(0), n * count, count, sums.data());
  }
  return absl::OkStatus();
}

absl::Status Reference(ReferenceContext& context) {
  if (context.output(0).element_count() == 0) return absl::OkStatus();
  BURIN_ASSIGN_OR_RETURN(const Geometry geometry, MakeGeometry(context));
  return DispatchAccumulator(context.output_type(0),
                             [&](auto zero) { return Evaluate<decltype(zero)>(context, geometry); });
}

// Two flops per tap as in a convolution, and for each tap of each channel of the data a sample of 2^axes elements.
Cost DeformableConvolutionCost(const CostContext& context) {
  Cost cost = ElementwiseCost(context);
  const PartialShape& output = context.output(0).shape;
  const double channels = static_cast<double>(output[1].value());
  if (channels == 0) return cost;
  const double axes = static_cast<double>(output.rank() - 2);
  const double places = context.OutputElements(0) / channels;  // In all batches.
  double taps = 1;
  for (int64_t axis = 2; axis < output.rank(); ++axis) {
    taps *= static_cast<double>(context.input(kFilters).shape[axis].value());
  }
  const double samples = places * taps * static_cast<double>(context.input(0).shape[1].value());
  cost.flops = 2 * places * context.InputElements(kFilters) + 2 * std::pow(2, axes) * samples;
  return cost;
}

}  // namespace

const OpDef& DeformableConvolutionOp() {
  static const OpDef op = [] {
    OpDef d(OpCode::kDeformableConvolution, "DeformableConvolution", "opset8");
    d.min_inputs = 3;
    d.max_inputs = 4;
    d.make_attributes = &MakeAttributes<DeformableConvolutionAttributes>;
    d.infer = &Infer;
    d.reference = &Reference;
    d.cost = &DeformableConvolutionCost;
    d.tolerance = ToleranceClass::kAccumulated;
    return d;
  }();
  return op;
}

}  // namespace burin::ir
