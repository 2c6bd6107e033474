#include "ir/ops/family/interpolation_taps.h"

#include <algorithm>
#include <cmath>

namespace burin::ir {
namespace {

double PositionOf(CoordinateTransformationMode mode, int64_t o, const ResampledAxis& axis) {
  const double x = static_cast<double>(o);
  const double input = static_cast<double>(axis.input);
  const double output = static_cast<double>(axis.output);
  switch (mode) {
    case CoordinateTransformationMode::kHalfPixel:
      return (x + 0.5) / axis.scale - 0.5;
    case CoordinateTransformationMode::kPytorchHalfPixel:
      return axis.output > 1 ? (x + 0.5) / axis.scale - 0.5 : 0;
    case CoordinateTransformationMode::kAsymmetric:
      return x / axis.scale;
    case CoordinateTransformationMode::kTfHalfPixelForNn:
      return (x + 0.5) / axis.scale;
    case CoordinateTransformationMode::kAlignCorners:
      return axis.output == 1 ? 0 : x * (input - 1) / (output - 1);
    case CoordinateTransformationMode::kAlignCornersUnrounded:
      return axis.output == 1 ? 0 : x * (input - 1) / (input * axis.scale - 1);
    case CoordinateTransformationMode::kHalfPixelSymmetric:
      return (x + 0.5) / axis.scale - 0.5 + input / 2 * (1 - output / (input * axis.scale));
    case CoordinateTransformationMode::kTfCropAndResize:
      if (axis.output == 1) return (axis.crop_begin + axis.crop_end) / 2 * (input - 1);
      return axis.crop_begin * (input - 1) + x * (axis.crop_end - axis.crop_begin) * (input - 1) / (output - 1);
  }
  return 0;
}

double RoundPosition(NearestMode mode, double x, bool shrinks) {
  switch (mode) {
    case NearestMode::kRoundPreferFloor:
      return std::ceil(x - 0.5);
    case NearestMode::kRoundPreferCeil:
      return std::floor(x + 0.5);
    case NearestMode::kFloor:
      return std::floor(x);
    case NearestMode::kCeil:
      return std::ceil(x);
    case NearestMode::kSimple:
      return shrinks ? std::ceil(x) : std::trunc(x);
  }
  return x;
}

// Returns the index nearest to `x`, an integer or infinite, in [0, size). Positions come from scales of a file, which
// may be tiny: they are clamped before they become integers.
int64_t ClampIndex(double x, int64_t size) {
  return static_cast<int64_t>(std::min(std::max(x, 0.0), static_cast<double>(size - 1)));
}

using Taps = std::vector<ResamplingTap>;

void Normalize(Taps* taps) {
  double sum = 0;
  for (const ResamplingTap& tap : *taps) sum += tap.weight;
  for (ResamplingTap& tap : *taps) tap.weight = sum == 0 ? 0 : tap.weight / sum;
}

Taps LinearTaps(double x, double stretch, int64_t size) {
  Taps taps;
  const int64_t first = ClampIndex(std::ceil(x - 1 / stretch), size);
  const int64_t last = ClampIndex(std::floor(x + 1 / stretch), size);
  for (int64_t i = first; i <= last; ++i) {
    const double weight = 1 - std::abs(x - static_cast<double>(i)) * stretch;
    if (weight > 0) taps.push_back({i, weight});
  }
  Normalize(&taps);
  return taps;
}

Taps LinearOnnxTaps(double x, int64_t size) {
  x = std::min(std::max(x, 0.0), static_cast<double>(size - 1));
  const int64_t lower = static_cast<int64_t>(x);
  const double fraction = x - static_cast<double>(lower);
  if (fraction == 0) return {{lower, 1}};
  return {{lower, 1 - fraction}, {lower + 1, fraction}};
}

Taps CubicTaps(double x, const ResamplingParameters& parameters, int64_t size) {
  Taps taps;
  const double lower = std::floor(x);
  for (int i = -1; i <= 2; ++i) {
    const double index = lower + i;
    if (parameters.exclude_outside && (index < 0 || index >= static_cast<double>(size))) continue;
    const double weight = CubicWeight(x - index, parameters.cube_coeff);
    if (weight != 0) taps.push_back({ClampIndex(index, size), weight});
  }
  if (parameters.exclude_outside) Normalize(&taps);
  return taps;
}

// A filter of `reach` elements to each side of `x` on an axis that does not shrink, stretched to one that does. What it
// covers outside the axis is added to the ends, unless it is excluded.
template <class Filter>
Taps StretchedTaps(double x, double scale, double reach, bool exclude_outside, int64_t size, Filter filter) {
  Taps taps;
  const int64_t first = ClampIndex(std::ceil(x - reach / scale), size);
  const int64_t last = ClampIndex(std::floor(x + reach / scale), size);
  for (int64_t i = first; i <= last; ++i) taps.push_back({i, filter((static_cast<double>(i) - x) * scale)});
  if (!exclude_outside) {
    for (double i = -1; i >= x - reach / scale; --i) taps.front().weight += filter((i - x) * scale);
    for (double i = static_cast<double>(size); i <= x + reach / scale; ++i) {
      taps.back().weight += filter((i - x) * scale);
    }
  }
  Normalize(&taps);
  return taps;
}

// The filter of Pillow's resize: `support` in input elements on an axis that does not shrink.
template <class Filter>
Taps PillowTaps(int64_t o, const ResampledAxis& axis, double support, Filter filter) {
  const double stretch = std::max(1.0, 1 / axis.scale);
  const double center = (static_cast<double>(o) + 0.5) / axis.scale;
  const double radius = support * stretch;
  Taps taps;
  const int64_t first = ClampIndex(std::floor(center - radius + 0.5), axis.input);
  const int64_t end = ClampIndex(std::floor(center + radius + 0.5), axis.input + 1);
  for (int64_t i = first; i < end; ++i) {
    const double weight = filter((static_cast<double>(i) - center + 0.5) / stretch);
    if (weight != 0) taps.push_back({i, weight});
  }
  Normalize(&taps);
  return taps;
}

Taps TapsOf(const ResamplingParameters& parameters, const ResampledAxis& axis, int64_t o) {
  const double x = PositionOf(parameters.coordinate_transformation_mode, o, axis);
  if (parameters.coordinate_transformation_mode == CoordinateTransformationMode::kTfCropAndResize &&
      !(x >= 0 && x <= static_cast<double>(axis.input - 1))) {
    return {};
  }
  const double a = parameters.cube_coeff;
  const bool stretches = parameters.antialias && axis.scale < 1;
  const auto triangle = [](double d) { return std::max(0.0, 1 - std::abs(d)); };
  const auto cubic = [a](double d) { return CubicWeight(d, a); };
  switch (parameters.mode) {
    case InterpolateMode::kNearest:
      return {{ClampIndex(RoundPosition(parameters.nearest_mode, x, axis.scale < 1), axis.input), 1}};
    case InterpolateMode::kLinear:
      return LinearTaps(x, stretches ? axis.scale : 1, axis.input);
    case InterpolateMode::kLinearOnnx:
      if (stretches) return StretchedTaps(x, axis.scale, 1, parameters.exclude_outside, axis.input, triangle);
      return LinearOnnxTaps(x, axis.input);
    case InterpolateMode::kCubic:
      if (stretches) return StretchedTaps(x, axis.scale, 2, parameters.exclude_outside, axis.input, cubic);
      return CubicTaps(x, parameters, axis.input);
    case InterpolateMode::kBilinearPillow:
      return PillowTaps(o, axis, 1, triangle);
    case InterpolateMode::kBicubicPillow:
      return PillowTaps(o, axis, 2, cubic);
  }
  return {};
}

}  // namespace

double CubicWeight(double d, double a) {
  d = std::abs(d);
  if (d <= 1) return ((a + 2) * d - (a + 3)) * d * d + 1;
  if (d < 2) return (((d - 5) * d + 8) * d - 4) * a;
  return 0;
}

std::vector<std::vector<ResamplingTap>> ResamplingTaps(const ResamplingParameters& parameters,
                                                       const ResampledAxis& axis) {
  std::vector<Taps> taps;
  taps.reserve(static_cast<size_t>(axis.output));
  for (int64_t o = 0; o < axis.output; ++o) taps.push_back(TapsOf(parameters, axis, o));
  return taps;
}

}  // namespace burin::ir
