// ROIAlign: pools each of many regions of images to a map of one size.
//
// A region [x1, y1, x2, y2] covers along x, and likewise along y, `length` elements from position `begin` on:
//
//   asymmetric         begin = x1 * scale                      length = max((x2 - x1) * scale, 1)
//   half_pixel_for_nn  begin = x1 * scale - 0.5                length = (x2 - x1) * scale
//   half_pixel         begin = (x1 + 0.5) * scale - 0.5        length = (x2 - x1) * scale
//
// It is cut into pooled_h x pooled_w equal bins, each of which has n samples along an axis, in the middles of n equal
// parts: n = sampling_ratio, or where that is 0 the bin's length rounded up (the length itself rounded to the data's
// type first, to f32 for narrower ones), none for a negative length. The sample at (y, x) is made of the four elements
// around by bilinear weights, with y and x clamped to the data; one beyond [-1, size] is 0.
//
//   avg:  y[r, c, bin] = mean of the samples
//   max:  y[r, c, bin] = max over samples and their four elements of weight * element, as ONNX defines it
//
// A bin without samples is 0. In mode max_of_elements, which has no use for sampling_ratio and aligned_mode, the region
// covers elements round(x1 * scale) to round(x2 * scale), at least one, and bin b of n those from floor(b * length / n)
// to, but not including, ceil((b + 1) * length / n); what lies outside the data does not count, and an empty bin is 0.
// OpenVINO has this mode in another operation, ROIPooling.
//
// A region with a number that is not below 2^31 in magnitude after scaling is 0.
//
// Inputs:  0 data [N, C, H, W]; 1 regions [R, 4]; 2 for each region the number of its image, [R].
// Output:  [R, C, pooled_h, pooled_w] of the data's type.
// Constraints:
//   ROIAlign_c1: data and regions have one float type.
//   ROIAlign_c2: the data has rank 4, the regions are [R, 4], the images' numbers [R].
//   ROIAlign_c3: the images' numbers are integers in [0, N).
//   ROIAlign_c4: pooled_h and pooled_w lie in [1, kMaxWindowParameter], sampling_ratio in [0, 1024]; spatial_scale is
//                finite and positive.
#include "ir/ops/roi_align.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/element_type.h"
#include "base/status_macros.h"
#include "ir/dimension.h"
#include "ir/infer_context.h"
#include "ir/op_def.h"
#include "ir/ops/family/integer_input.h"
#include "ir/ops/family/window.h"
#include "ir/ops/ops.h"
#include "ir/partial_shape.h"
#include "ir/reference_context.h"
#include "ir/shape.h"

namespace burin::ir {
namespace {

// Far above what any model has; it keeps the samples of a bin few enough to list.
constexpr int64_t kMaxSamplingRatio = 1024;

absl::Status CheckAttributes(const ROIAlignAttributes& attributes) {
  for (int64_t bins : {attributes.pooled_h, attributes.pooled_w}) {
    if (bins >= 1 && bins <= kMaxWindowParameter) continue;
    return ConstraintError("ROIAlign_c4",
                           absl::StrCat("a pooled size lies outside [1,", kMaxWindowParameter, "]: ", bins));
  }
  if (attributes.sampling_ratio < 0 || attributes.sampling_ratio > kMaxSamplingRatio) {
    return ConstraintError("ROIAlign_c4", absl::StrCat("sampling_ratio lies outside [0,", kMaxSamplingRatio,
                                                       "]: ", attributes.sampling_ratio));
  }
  if (!std::isfinite(attributes.spatial_scale) || attributes.spatial_scale <= 0) {
    return ConstraintError("ROIAlign_c4",
                           absl::StrCat("spatial_scale is not a positive number: ", attributes.spatial_scale));
  }
  return absl::OkStatus();
}

absl::Status Infer(InferContext& context) {
  const auto& attributes = context.attributes<ROIAlignAttributes>();
  BURIN_RETURN_IF_ERROR(CheckAttributes(attributes));
  BURIN_RETURN_IF_ERROR(context.SameType("ROIAlign_c1", 0, 1).status());
  BURIN_RETURN_IF_ERROR(context.RequireFloatType("ROIAlign_c1", 0));
  BURIN_RETURN_IF_ERROR(context.RequireRank("ROIAlign_c2", 0, 4));
  BURIN_RETURN_IF_ERROR(context.RequireRank("ROIAlign_c2", 1, 2));
  BURIN_RETURN_IF_ERROR(context.RequireRank("ROIAlign_c2", 2, 1));
  BURIN_RETURN_IF_ERROR(context.RequireIntegerType("ROIAlign_c3", 2));
  const PartialShape& data = context.input_shape(0);
  const PartialShape& regions = context.input_shape(1);
  const PartialShape& images = context.input_shape(2);
  if (regions.has_rank() && !regions[1].Contains(4)) {
    return ConstraintError("ROIAlign_c2", absl::StrCat("a region is not of four numbers: ", regions.ToString()));
  }
  Dimension count = regions.has_rank() ? regions[0] : Dimension();
  if (images.has_rank() && !Intersect(images[0], &count)) {
    return ConstraintError("ROIAlign_c2", absl::StrCat("there are not as many images' numbers as regions: ",
                                                       images.ToString(), " and ", regions.ToString()));
  }
  context.SetOutput(0, context.input_type(0),
                    PartialShape({std::move(count), data.has_rank() ? data[1] : Dimension(),
                                  Dimension(attributes.pooled_h), Dimension(attributes.pooled_w)}));
  return absl::OkStatus();
}

// A region along one axis.
struct RegionAxis {
  double begin = 0;
  double length = 0;
};

// A sample along one axis: of element `low` and the next one, or of `low` alone.
struct Sample {
  int64_t low = 0;
  int64_t high = 0;
  double low_weight = 0;
  double high_weight = 0;
};

// Maps regions to bins and samples along an axis.
class RegionMap {
 public:
  RegionMap(const ROIAlignAttributes& attributes, ElementType type) : attributes_(attributes), type_(type) {}

  // Returns whether the region is one that can hold anything.
  bool IsSane(const double* region) const {
    constexpr double kFar = 2147483648.0;  // 2^31
    return std::all_of(region, region + 4, [this](double number) {
      return std::abs(number) < kFar && std::abs(number * attributes_.spatial_scale) < kFar;
    });
  }

  // Maps the two ends of a region along an axis.
  RegionAxis Map(double first, double last) const {
    const double scale = attributes_.spatial_scale;
    const double length = (last - first) * scale;
    switch (attributes_.aligned_mode) {
      case ROIAlignedMode::kAsymmetric:
        break;
      case ROIAlignedMode::kHalfPixelForNn:
        return {first * scale - 0.5, length};
      case ROIAlignedMode::kHalfPixel:
        return {(first + 0.5) * scale - 0.5, length};
    }
    return {first * scale, std::max(length, 1.0)};
  }

  // Lists the samples that lie inside an axis of `size` elements, of bin `bin` among `bins`; returns how many there are
  // in all.
  int64_t FindSamples(const RegionAxis& axis, int64_t bin, int64_t bins, int64_t size,
                      std::vector<Sample>* samples) const {
    samples->clear();
    const double length = axis.length / static_cast<double>(bins);
    const double begin = axis.begin + static_cast<double>(bin) * length;
    int64_t count = attributes_.sampling_ratio;
    if (count == 0) {
      const double rounded = type_ == ElementType::kF64 ? length : static_cast<double>(static_cast<float>(length));
      count = std::max<int64_t>(0, static_cast<int64_t>(std::ceil(rounded)));
    }
    const double step = length / static_cast<double>(count);
    int64_t first = 0;
    int64_t last = count;
    if (attributes_.sampling_ratio == 0 && count > 0) {
      // A region may reach far outside: only samples near the data are visited.
      const double most = static_cast<double>(count);
      first = static_cast<int64_t>(std::clamp((-1 - begin) / step - 2, 0.0, most));
      last = static_cast<int64_t>(std::clamp((static_cast<double>(size) - begin) / step + 2, 0.0, most));
    }
    for (int64_t i = first; i < last; ++i) AddSample(begin + (static_cast<double>(i) + 0.5) * step, size, samples);
    return count;
  }

  // Returns the elements [first, last) of such a bin for max_of_elements, cut to the data.
  std::pair<int64_t, int64_t> FindElements(double first, double last, int64_t bin, int64_t bins, int64_t size) const {
    const int64_t begin = static_cast<int64_t>(std::round(first * attributes_.spatial_scale));
    const int64_t end = static_cast<int64_t>(std::round(last * attributes_.spatial_scale));
    const int64_t length = std::max<int64_t>(end - begin + 1, 1);
    const int64_t from = begin + bin * length / bins;
    const int64_t to = begin + ((bin + 1) * length + bins - 1) / bins;
    return {std::clamp<int64_t>(from, 0, size), std::clamp<int64_t>(to, 0, size)};
  }

 private:
  static void AddSample(double x, int64_t size, std::vector<Sample>* samples) {
    if (size == 0 || x < -1 || x > static_cast<double>(size)) return;
    const double inside = std::clamp(x, 0.0, static_cast<double>(size - 1));
    Sample sample;
    sample.low = static_cast<int64_t>(inside);
    sample.high = std::min(sample.low + 1, size - 1);
    sample.high_weight = inside - static_cast<double>(sample.low);
    sample.low_weight = 1 - sample.high_weight;
    samples->push_back(sample);
  }

  const ROIAlignAttributes& attributes_;
  const ElementType type_;
};

// Pools the samples of one bin; `count` of them with those outside the data, which are 0.
double PoolSamples(const double* plane, int64_t width, const std::vector<Sample>& rows,
                   const std::vector<Sample>& columns, double count, bool is_max) {
  const double inside = static_cast<double>(rows.size()) * static_cast<double>(columns.size());
  double sum = 0;
  double largest = 0;
  bool is_first = inside == count;  // Otherwise a sample of 0 has been seen.
  for (const Sample& y : rows) {
    const double* const low = plane + y.low * width;
    const double* const high = plane + y.high * width;
    for (const Sample& x : columns) {
      const std::array<double, 4> parts = {
          y.low_weight * x.low_weight * low[x.low], y.low_weight * x.high_weight * low[x.high],
          y.high_weight * x.low_weight * high[x.low], y.high_weight * x.high_weight * high[x.high]};
      sum += parts[0] + parts[1] + parts[2] + parts[3];
      const double part = *std::max_element(parts.begin(), parts.end());
      largest = is_first ? part : std::max(largest, part);
      is_first = false;
    }
  }
  if (inside == 0) return 0;
  return is_max ? largest : sum / count;
}

// Returns the largest element of a box, or 0 where it is empty.
double LargestElement(const double* plane, int64_t width, const std::pair<int64_t, int64_t>& rows,
                      const std::pair<int64_t, int64_t>& columns) {
  if (rows.first >= rows.second || columns.first >= columns.second) return 0;
  double largest = plane[rows.first * width + columns.first];
  for (int64_t y = rows.first; y < rows.second; ++y) {
    for (int64_t x = columns.first; x < columns.second; ++x) largest = std::max(largest, plane[y * width + x]);
  }
  return largest;
}

// Pools a region of an image, [C, H, W], into `results`, [C, pooled_h, pooled_w].
absl::Status PoolRegion(const ReferenceContext& context, const double* region, const double* image, double* results) {
  const auto& attributes = context.attributes<ROIAlignAttributes>();
  const Shape& data = context.input(0).shape();
  const int64_t plane = data[2] * data[3];
  const int64_t bins = attributes.pooled_h * attributes.pooled_w;
  const RegionMap map(attributes, context.input(0).element_type());
  const RegionAxis along_y = map.Map(region[1], region[3]);
  const RegionAxis along_x = map.Map(region[0], region[2]);
  std::vector<Sample> rows;
  std::vector<Sample> columns;
  for (int64_t bin = 0; bin < bins; ++bin) {
    BURIN_RETURN_IF_ERROR(context.CheckCancelled());
    const int64_t bin_y = bin / attributes.pooled_w;
    const int64_t bin_x = bin % attributes.pooled_w;
    if (attributes.mode == ROIAlignMode::kMaxOfElements) {
      const auto elements_y = map.FindElements(region[1], region[3], bin_y, attributes.pooled_h, data[2]);
      const auto elements_x = map.FindElements(region[0], region[2], bin_x, attributes.pooled_w, data[3]);
      for (int64_t c = 0; c < data[1]; ++c) {
        results[c * bins + bin] = LargestElement(image + c * plane, data[3], elements_y, elements_x);
      }
      continue;
    }
    const int64_t count_y = map.FindSamples(along_y, bin_y, attributes.pooled_h, data[2], &rows);
    const int64_t count_x = map.FindSamples(along_x, bin_x, attributes.pooled_w, data[3], &columns);
    const double count = static_cast<double>(count_y) * static_cast<double>(count_x);
    const bool is_max = attributes.mode == ROIAlignMode::kMax;
    for (int64_t c = 0; c < data[1]; ++c) {
      results[c * bins + bin] = PoolSamples(image + c * plane, data[3], rows, columns, count, is_max);
    }
  }
  return absl::OkStatus();
}

absl::Status Reference(ReferenceContext& context) {
  const auto& attributes = context.attributes<ROIAlignAttributes>();
  const Shape& data = context.input(0).shape();
  const int64_t elements = context.output(0).element_count();
  if (elements == 0) return absl::OkStatus();
  const RegionMap map(attributes, context.input(0).element_type());
  const std::vector<double> images = context.InputAsDoubles(0);
  const std::vector<double> regions = context.InputAsDoubles(1);
  const std::vector<int64_t> numbers = context.InputAsInts(2);
  std::vector<double> results(static_cast<size_t>(elements), 0);
  const int64_t size = elements / static_cast<int64_t>(numbers.size());
  for (size_t r = 0; r < numbers.size(); ++r) {
    if (numbers[r] < 0 || numbers[r] >= data[0]) {
      return ConstraintError("ROIAlign_c3",
                             absl::StrCat("an image's number lies outside [0,", data[0], "): ", numbers[r]));
    }
    if (!map.IsSane(regions.data() + 4 * r)) continue;
    BURIN_RETURN_IF_ERROR(PoolRegion(context, regions.data() + 4 * r,
                                     images.data() + numbers[r] * (data[1] * data[2] * data[3]),
                                     results.data() + static_cast<int64_t>(r) * size));
  }
  context.StoreDoubles(0, results);
  return absl::OkStatus();
}

// Ten flops per sample; as if a bin had four of them where their number depends on the region.
Cost ROIAlignCost(const CostContext& context) {
  const auto& attributes = context.attributes<ROIAlignAttributes>();
  const double ratio = attributes.sampling_ratio == 0 ? 2 : static_cast<double>(attributes.sampling_ratio);
  Cost cost = ElementwiseCost(context);
  cost.flops = 10 * ratio * ratio * context.OutputElements(0);
  return cost;
}

}  // namespace

const OpDef& ROIAlignOp() {
  static const OpDef op = [] {
    OpDef d(OpCode::kROIAlign, "ROIAlign", "opset9");
    d.min_inputs = 3;
    d.max_inputs = 3;
    d.make_attributes = &MakeAttributes<ROIAlignAttributes>;
    d.infer = &Infer;
    d.reference = &Reference;
    d.cost = &ROIAlignCost;
    d.tolerance = ToleranceClass::kAccumulated;
    return d;
  }();
  return op;
}

}  // namespace burin::ir
