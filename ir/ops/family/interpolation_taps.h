// The resampling weights of Interpolate along one axis: which input elements each output element is made of.
//
// Interpolation is separable: the weights of several axes multiply, so that the op resamples axis by axis. This target
// knows positions and weights, not tensors. Stateless, thread-safe.
#ifndef BURIN_IR_OPS_FAMILY_INTERPOLATION_TAPS_H_
#define BURIN_IR_OPS_FAMILY_INTERPOLATION_TAPS_H_

#include <cstdint>
#include <vector>

#include "base/enum_names.h"

namespace burin::ir {

enum class InterpolateMode : uint8_t {
  kNearest,
  kLinear,      // A triangle filter over the neighbours inside the input, normalised.
  kLinearOnnx,  // Multilinear, with coordinates clamped to the input.
  kCubic,       // Cubic convolution over 4 neighbours per axis, indices clamped to the input.
  kBilinearPillow,
  kBicubicPillow,
};

// Maps a position in the output to one in the input (formulas at the op).
enum class CoordinateTransformationMode : uint8_t {
  kHalfPixel,
  kPytorchHalfPixel,
  kAsymmetric,
  kTfHalfPixelForNn,
  kAlignCorners,
  // Three rules of ONNX that OpenVINO has not. Two of them use the output's length before it was rounded down.
  kAlignCornersUnrounded,
  kHalfPixelSymmetric,
  kTfCropAndResize,  // Reads a part of the axis, which may reach beyond it.
};

// Rounds a position in the input to an element.
enum class NearestMode : uint8_t {
  kRoundPreferFloor,  // Halves go down.
  kRoundPreferCeil,   // Halves go up.
  kFloor,
  kCeil,
  kSimple,  // Up where the axis shrinks, else towards zero.
};

// How an axis is resampled: the attributes of Interpolate that steer it.
struct ResamplingParameters {
  InterpolateMode mode = InterpolateMode::kNearest;
  CoordinateTransformationMode coordinate_transformation_mode = CoordinateTransformationMode::kHalfPixel;
  NearestMode nearest_mode = NearestMode::kRoundPreferFloor;
  bool antialias = false;
  double cube_coeff = -0.75;  // The parameter a of cubic convolution.
  // Whether elements outside the input weigh nothing, and those inside so much more; else its ends stand for them.
  bool exclude_outside = false;
};

// One contribution: `weight` times element `index` of the axis.
struct ResamplingTap {
  int64_t index = 0;
  double weight = 0;
};

// An axis of `input` elements, padding included, that becomes one of `output` elements.
struct ResampledAxis {
  int64_t input = 1;
  int64_t output = 1;
  double scale = 1;  // As given, or output / input.
  // The part that tf_crop_and_resize reads, where 0 is the first element and 1 the last.
  double crop_begin = 0;
  double crop_end = 1;
};

// Returns the weight of an element at distance |d| in cubic convolution with the parameter `a` (R. Keys, "Cubic
// convolution interpolation for digital image processing", 1981): 0 from |d| = 2 on.
double CubicWeight(double d, double a);

// Returns the taps of each output element; indices lie in [0, input). Requires input >= 1 and scale >= 1 / (2 * input)
// where output >= 1. An element has no tap where tf_crop_and_resize places it outside the input.
//
// Position in the input of output element o (coordinate_transformation_mode):
//   half_pixel            (o + 0.5) / scale - 0.5
//   pytorch_half_pixel    the same, but 0 where output is 1
//   asymmetric            o / scale
//   tf_half_pixel_for_nn  (o + 0.5) / scale
//   align_corners         o * (input - 1) / (output - 1), or 0 where output is 1
//   align_corners_unrounded
//                         o * (input - 1) / (input * scale - 1), or 0 where output is 1
//   half_pixel_symmetric  half_pixel + input / 2 * (1 - output / (input * scale))
//   tf_crop_and_resize    (input - 1) * (crop_begin + o * (crop_end - crop_begin) / (output - 1)), or the middle of the
//                         part where output is 1
// Taps at position x (mode):
//   nearest       one, x rounded by nearest_mode and clamped
//   linear        those inside the input at distance d < 1 of x, weights proportional to 1 - d; with `antialias` on a
//                 shrinking axis the distance is d * scale
//   linear_onnx   the two neighbours of x clamped to [0, input - 1]
//   cubic         four around x by Keys' cubic convolution with a = cube_coeff, indices clamped, or cut and normalised
//                 with `exclude_outside`
//   linear_onnx and cubic with `antialias` on a shrinking axis
//                 the triangle, or Keys' cubic, stretched by 1 / scale around x and normalised; indices clamped, or cut
//                 before normalising with `exclude_outside`
//   bilinear_pillow, bicubic_pillow
//                 the triangle, or Keys' cubic, stretched by 1 / scale on a shrinking axis, around
//                 (o + 0.5) / scale - 0.5, cut at the input's ends and normalised
std::vector<std::vector<ResamplingTap>> ResamplingTaps(const ResamplingParameters& parameters,
                                                       const ResampledAxis& axis);

}  // namespace burin::ir

namespace burin {

template <>
struct EnumNames<ir::InterpolateMode> {
  static constexpr EnumEntry<ir::InterpolateMode> kEntries[] = {
      {ir::InterpolateMode::kNearest, "nearest"},
      {ir::InterpolateMode::kLinear, "linear"},
      {ir::InterpolateMode::kLinearOnnx, "linear_onnx"},
      {ir::InterpolateMode::kCubic, "cubic"},
      {ir::InterpolateMode::kBilinearPillow, "bilinear_pillow"},
      {ir::InterpolateMode::kBicubicPillow, "bicubic_pillow"},
  };
};

template <>
struct EnumNames<ir::CoordinateTransformationMode> {
  static constexpr EnumEntry<ir::CoordinateTransformationMode> kEntries[] = {
      {ir::CoordinateTransformationMode::kHalfPixel, "half_pixel"},
      {ir::CoordinateTransformationMode::kPytorchHalfPixel, "pytorch_half_pixel"},
      {ir::CoordinateTransformationMode::kAsymmetric, "asymmetric"},
      {ir::CoordinateTransformationMode::kTfHalfPixelForNn, "tf_half_pixel_for_nn"},
      {ir::CoordinateTransformationMode::kAlignCorners, "align_corners"},
      {ir::CoordinateTransformationMode::kAlignCornersUnrounded, "align_corners_unrounded"},
      {ir::CoordinateTransformationMode::kHalfPixelSymmetric, "half_pixel_symmetric"},
      {ir::CoordinateTransformationMode::kTfCropAndResize, "tf_crop_and_resize"},
  };
};

template <>
struct EnumNames<ir::NearestMode> {
  static constexpr EnumEntry<ir::NearestMode> kEntries[] = {
      {ir::NearestMode::kRoundPreferFloor, "round_prefer_floor"},
      {ir::NearestMode::kRoundPreferCeil, "round_prefer_ceil"},
      {ir::NearestMode::kFloor, "floor"},
      {ir::NearestMode::kCeil, "ceil"},
      {ir::NearestMode::kSimple, "simple"},
  };
};

}  // namespace burin

#endif  // BURIN_IR_OPS_FAMILY_INTERPOLATION_TAPS_H_
