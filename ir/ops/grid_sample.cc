// GridSample: samples the data at positions that another input names.
//
//   y[n, c, o...] = sum over i... of  w_1(i_1) * ... * w_r(i_r) * x[n, c, i...]
//
// where w_d are the weights, by the mode, of the elements around position x_d along spatial axis d; the padding mode
// says what an index outside the data stands for. With g the grid's number for the axis, in [-1, 1] inside the data:
//
//   x_d = (g + 1) / 2 * (size - 1)     with align_corners
//   x_d = ((g + 1) * size - 1) / 2     without
//
// nearest rounds x_d to the grid's type first, to f32 for narrower ones.
//
// Inputs:  0 data [N, C, spatial...] with r >= 1 spatial axes; 1 grid [N, out..., r], whose last axis names the spatial
//          axes from the innermost outwards. A number that is NaN counts as -1.
// Output:  the data's type, [N, C, out...]; integer types cut the fraction off.
// OpenVINO's operation has two spatial axes; this one has any number, as ONNX's.
// Constraints:
//   GridSample_c1: the data is numeric or boolean.
//   GridSample_c2: the grid is of a float type.
//   GridSample_c3: data and grid have one rank, at least 3.
//   GridSample_c4: the grid's last axis has one number per spatial axis.
//   GridSample_c5: data and grid have the same batch.
//   GridSample_c6: there are elements to take samples from.
#include "ir/ops/grid_sample.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/element_access.h"
#include "base/element_type.h"
#include "base/status_macros.h"
#include "ir/dimension.h"
#include "ir/infer_context.h"
#include "ir/op_def.h"
#include "ir/ops/family/index_space.h"
#include "ir/ops/family/integer_input.h"
#include "ir/ops/family/interpolation_taps.h"
#include "ir/ops/ops.h"
#include "ir/partial_shape.h"
#include "ir/reference_context.h"
#include "ir/shape.h"
#include "ir/tensor.h"

namespace burin::ir {
namespace {

constexpr int64_t kMaxTapsPerAxis = 4;

absl::Status CheckTypesAndRanks(const InferContext& context) {
  const ElementType type = context.input_type(0);
  if (!IsFloat(type) && !IsInteger(type) && type != ElementType::kBoolean) {
    return ConstraintError("GridSample_c1", absl::StrCat("the type is not numeric or boolean: ", Name(type)));
  }
  BURIN_RETURN_IF_ERROR(context.RequireFloatType("GridSample_c2", 1));
  BURIN_RETURN_IF_ERROR(context.RequireRankBetween("GridSample_c3", 0, 3, kMaxRank));
  BURIN_RETURN_IF_ERROR(context.RequireRankBetween("GridSample_c3", 1, 3, kMaxRank));
  const PartialShape& data = context.input_shape(0);
  return data.has_rank() ? context.RequireRank("GridSample_c3", 1, data.rank()) : absl::OkStatus();
}

absl::Status Infer(InferContext& context) {
  BURIN_RETURN_IF_ERROR(CheckTypesAndRanks(context));
  const PartialShape& known_data = context.input_shape(0);
  const PartialShape& known_grid = context.input_shape(1);
  if (!known_data.has_rank() && !known_grid.has_rank()) {
    context.SetOutput(0, context.input_type(0), PartialShape::DynamicRank());
    return absl::OkStatus();
  }
  const int64_t rank = known_data.has_rank() ? known_data.rank() : known_grid.rank();
  const PartialShape data = known_data.has_rank() ? known_data : PartialShape::OfRank(rank);
  const PartialShape grid = known_grid.has_rank() ? known_grid : PartialShape::OfRank(rank);
  if (!grid[rank - 1].Contains(rank - 2)) {
    return ConstraintError("GridSample_c4", absl::StrCat("the grid's last axis must have one number per spatial axis: ",
                                                         grid.ToString(), ", spatial axes ", rank - 2));
  }
  Dimension batch = data[0];
  if (!Intersect(grid[0], &batch)) {
    return ConstraintError("GridSample_c5", absl::StrCat("data and grid have different batches: ", data.ToString(),
                                                         " and ", grid.ToString()));
  }
  PartialShape output({std::move(batch), data[1]});
  bool is_empty = false;
  for (int64_t axis = 2; axis < rank; ++axis) {
    is_empty = is_empty || data[axis].max() == 0;
    output.Append(grid[axis - 1]);
  }
  if (is_empty && output.ElementCount().min() > 0) {
    return ConstraintError("GridSample_c6", absl::StrCat("a spatial axis has no elements: ", data.ToString()));
  }
  context.SetOutput(0, context.input_type(0), std::move(output));
  return absl::OkStatus();
}

struct Tap {
  int64_t position = 0;
  double weight = 0;
};

// The elements of one axis that a sample is made of; different ones.
class AxisTaps {
 public:
  // `g` is a number of a grid of type `type`.
  AxisTaps(const GridSampleAttributes& attributes, ElementType type, double g, int64_t size)
      : attributes_(attributes), size_(size) {
    const double x = Position(std::isnan(g) ? -1 : g);
    const double base = std::floor(x);
    const double t = x - base;
    const int64_t first = static_cast<int64_t>(base);
    switch (attributes.mode) {
      case GridSampleMode::kNearest:
        Add(static_cast<int64_t>(std::nearbyint(type == ElementType::kF64 ? x : static_cast<float>(x))), 1);
        break;
      case GridSampleMode::kBilinear:
        Add(first, 1 - t);
        Add(first + 1, t);
        break;
      case GridSampleMode::kBicubic:
        for (int i = -1; i <= 2; ++i) Add(first + i, CubicWeight(t - i, kCubeCoefficient));
        break;
    }
  }

  const Tap* begin() const { return taps_.data(); }
  const Tap* end() const { return taps_.data() + count_; }

 private:
  static constexpr double kCubeCoefficient = -0.75;

  // The distance after which mirrored data repeats.
  int64_t Period() const { return 2 * (attributes_.align_corners ? size_ - 1 : size_); }

  // Returns the position in elements, moved near the data to where the padding is the same.
  double Position(double g) const {
    const double size = static_cast<double>(size_);
    const double x = attributes_.align_corners ? (g + 1) / 2 * (size - 1) : ((g + 1) * size - 1) / 2;
    if (attributes_.padding_mode != GridSamplePadding::kReflection) {
      constexpr double kReach = kMaxTapsPerAxis;
      return std::clamp(x, -kReach, size - 1 + kReach);
    }
    if (Period() == 0 || !std::isfinite(x)) return 0;
    return std::fmod(x, static_cast<double>(Period()));
  }

  // Returns the element that an index stands for, or nullopt for a zero.
  std::optional<int64_t> Resolve(int64_t index) const {
    if (index >= 0 && index < size_) return index;
    switch (attributes_.padding_mode) {
      case GridSamplePadding::kZeros:
        return std::nullopt;
      case GridSamplePadding::kBorder:
        return std::clamp<int64_t>(index, 0, size_ - 1);
      case GridSamplePadding::kReflection:
        break;
    }
    const int64_t period = Period();
    if (period == 0) return 0;
    const int64_t within = (index % period + period) % period;
    if (within < size_) return within;
    return attributes_.align_corners ? period - within : period - 1 - within;
  }

  void Add(int64_t index, double weight) {
    const std::optional<int64_t> element = Resolve(index);
    if (!element.has_value() || weight == 0) return;
    for (size_t i = 0; i < count_; ++i) {
      if (taps_[i].position != *element) continue;
      taps_[i].weight += weight;
      return;
    }
    taps_[count_++] = {*element, weight};
  }

  const GridSampleAttributes& attributes_;
  const int64_t size_;
  std::array<Tap, kMaxTapsPerAxis> taps_;
  size_t count_ = 0;
};

// Sets `taps` to the elements of one channel, by position, that the sample at a point of the grid is made of: no more
// than the channel has.
void FindTaps(const ReferenceContext& context, const std::vector<int64_t>& strides, const double* point,
              std::vector<Tap>* taps) {
  const auto& attributes = context.attributes<GridSampleAttributes>();
  const ElementType type = context.input(1).element_type();
  const Shape& data = context.input(0).shape();
  taps->assign({{0, 1}});
  std::vector<Tap> wider;
  for (size_t axis = 2; axis < data.size(); ++axis) {
    const AxisTaps along(attributes, type, point[data.size() - 1 - axis], data[axis]);
    wider.clear();
    for (const Tap& tap : *taps) {
      for (const Tap& one : along) {
        wider.push_back({tap.position + one.position * strides[axis], tap.weight * one.weight});
      }
    }
    taps->swap(wider);
  }
}

absl::Status Reference(ReferenceContext& context) {
  const auto& attributes = context.attributes<GridSampleAttributes>();
  const Tensor& data = context.input(0);
  const Tensor& output = context.output(0);
  if (output.element_count() == 0) return absl::OkStatus();
  const Shape& shape = data.shape();
  const int64_t rank = static_cast<int64_t>(shape.size());
  const std::vector<int64_t> strides = RowMajorStrides(shape);
  const int64_t points = ProductOf(output.shape(), 2, rank);
  const std::vector<double> grid = context.InputAsDoubles(1);
  // Elements that are only moved keep their bits.
  const bool moves = attributes.mode == GridSampleMode::kNearest;
  std::vector<double> values;
  std::vector<double> results;
  if (!moves) {
    values = context.InputAsDoubles(0);
    results.resize(static_cast<size_t>(output.element_count()));
  }
  std::vector<Tap> taps;
  for (int64_t i = 0; i < shape[0] * points; ++i) {
    constexpr int64_t kPointsBetweenChecks = 4096;
    if (i % kPointsBetweenChecks == 0) BURIN_RETURN_IF_ERROR(context.CheckCancelled());
    FindTaps(context, strides, grid.data() + i * (rank - 2), &taps);
    for (int64_t c = 0; c < shape[1]; ++c) {
      const int64_t channel = i / points * shape[1] + c;
      const int64_t to = channel * points + i % points;
      if (!moves) {
        double sum = 0;
        for (const Tap& tap : taps) {
          sum += tap.weight * values[static_cast<size_t>(channel * strides[1] + tap.position)];
        }
        results[static_cast<size_t>(to)] = sum;
      } else if (taps.empty()) {
        StoreFromInt64(data.element_type(), output.mutable_data(), to, 0);
      } else {
        CopyElements(data.element_type(), data.data(), channel * strides[1] + taps.front().position,
                     output.mutable_data(), to, 1);
      }
    }
  }
  if (!moves) context.StoreDoubles(0, results);
  return absl::OkStatus();
}

// Two flops per tap; nearest only moves data.
Cost GridSampleCost(const CostContext& context) {
  const double axes = static_cast<double>(context.output(0).shape.rank() - 2);
  Cost cost = ElementwiseCost(context);
  switch (context.attributes<GridSampleAttributes>().mode) {
    case GridSampleMode::kNearest:
      cost.flops = 0;
      break;
    case GridSampleMode::kBilinear:
      cost.flops = 2 * std::pow(2, axes) * context.OutputElements(0);
      break;
    case GridSampleMode::kBicubic:
      cost.flops = 2 * std::pow(4, axes) * context.OutputElements(0);
      break;
  }
  return cost;
}

}  // namespace

const OpDef& GridSampleOp() {
  static const OpDef op = [] {
    OpDef d(OpCode::kGridSample, "GridSample", "opset9");
    d.min_inputs = 2;
    d.max_inputs = 2;
    d.make_attributes = &MakeAttributes<GridSampleAttributes>;
    d.infer = &Infer;
    d.reference = &Reference;
    d.cost = &GridSampleCost;
    d.tolerance = ToleranceClass::kAccumulated;
    return d;
  }();
  return op;
}

}  // namespace burin::ir
