#include "ir/ops/family/interpolation_taps.h"

#include <cstdint>
#include <vector>

#include "gtest/gtest.h"

namespace burin::ir {
namespace {

using Taps = std::vector<ResamplingTap>;

ResamplingParameters Mode(InterpolateMode mode, CoordinateTransformationMode coordinates) {
  ResamplingParameters parameters;
  parameters.mode = mode;
  parameters.coordinate_transformation_mode = coordinates;
  return parameters;
}

std::vector<int64_t> NearestIndices(NearestMode nearest, CoordinateTransformationMode coordinates, int64_t input,
                                    int64_t output) {
  ResamplingParameters parameters = Mode(InterpolateMode::kNearest, coordinates);
  parameters.nearest_mode = nearest;
  std::vector<int64_t> indices;
  const double scale = static_cast<double>(output) / static_cast<double>(input);
  for (const Taps& taps : ResamplingTaps(parameters, {input, output, scale})) {
    EXPECT_EQ(taps.size(), 1u);
    EXPECT_EQ(taps.front().weight, 1);
    indices.push_back(taps.front().index);
  }
  return indices;
}

using Indices = std::vector<int64_t>;
constexpr CoordinateTransformationMode kHalfPixel = CoordinateTransformationMode::kHalfPixel;
constexpr CoordinateTransformationMode kAsymmetric = CoordinateTransformationMode::kAsymmetric;

TEST(InterpolationTapsTest, NearestRoundsAsAsked) {
  // Positions 0, 0.5, 1, 1.5.
  EXPECT_EQ(NearestIndices(NearestMode::kRoundPreferFloor, kAsymmetric, 2, 4), (Indices{0, 0, 1, 1}));
  EXPECT_EQ(NearestIndices(NearestMode::kRoundPreferCeil, kAsymmetric, 2, 4), (Indices{0, 1, 1, 1}));
  EXPECT_EQ(NearestIndices(NearestMode::kFloor, kAsymmetric, 2, 4), (Indices{0, 0, 1, 1}));
  EXPECT_EQ(NearestIndices(NearestMode::kCeil, kAsymmetric, 2, 4), (Indices{0, 1, 1, 1}));
  EXPECT_EQ(NearestIndices(NearestMode::kSimple, kAsymmetric, 2, 4), (Indices{0, 0, 1, 1}));
  // Positions 0, 1.5, 3 of a shrinking axis: simple goes up.
  EXPECT_EQ(NearestIndices(NearestMode::kSimple, kAsymmetric, 6, 4), (Indices{0, 2, 3, 5}));
  EXPECT_EQ(NearestIndices(NearestMode::kFloor, kAsymmetric, 6, 4), (Indices{0, 1, 3, 4}));
}

TEST(InterpolationTapsTest, TransformsCoordinates) {
  // From 4 to 2 elements: half_pixel gives 0.5, 2.5; tf_half_pixel_for_nn 1, 3; align_corners 0, 3; asymmetric 0, 2.
  EXPECT_EQ(NearestIndices(NearestMode::kCeil, kHalfPixel, 4, 2), (Indices{1, 3}));
  EXPECT_EQ(NearestIndices(NearestMode::kFloor, kHalfPixel, 4, 2), (Indices{0, 2}));
  EXPECT_EQ(NearestIndices(NearestMode::kFloor, CoordinateTransformationMode::kTfHalfPixelForNn, 4, 2),
            (Indices{1, 3}));
  EXPECT_EQ(NearestIndices(NearestMode::kFloor, CoordinateTransformationMode::kAlignCorners, 4, 2), (Indices{0, 3}));
  EXPECT_EQ(NearestIndices(NearestMode::kFloor, kAsymmetric, 4, 2), (Indices{0, 2}));
  // One output element: half_pixel gives 1.5, pytorch_half_pixel and align_corners 0.
  EXPECT_EQ(NearestIndices(NearestMode::kFloor, kHalfPixel, 4, 1), (Indices{1}));
  EXPECT_EQ(NearestIndices(NearestMode::kFloor, CoordinateTransformationMode::kPytorchHalfPixel, 4, 1), (Indices{0}));
  EXPECT_EQ(NearestIndices(NearestMode::kFloor, CoordinateTransformationMode::kAlignCorners, 4, 1), (Indices{0}));
}

TEST(InterpolationTapsTest, UnroundedLengths) {
  // 4 * 0.6 is 2.4, rounded down to 2: element 1 stands at 1 * 3 / 1.4.
  const std::vector<Taps> corners = ResamplingTaps(
      Mode(InterpolateMode::kLinearOnnx, CoordinateTransformationMode::kAlignCornersUnrounded), {4, 2, 0.6});
  ASSERT_EQ(corners.size(), 2u);
  ASSERT_EQ(corners[1].size(), 2u);
  EXPECT_EQ(corners[1][0].index, 2);
  EXPECT_NEAR(corners[1][1].weight, 3 / 1.4 - 2, 1e-12);
  // Symmetric: elements 0 and 1 stand as far from the ends as each other, at 0.5 / 0.6 - 0.5 + 2 * (1 - 2 / 2.4).
  const std::vector<Taps> symmetric = ResamplingTaps(
      Mode(InterpolateMode::kLinearOnnx, CoordinateTransformationMode::kHalfPixelSymmetric), {4, 2, 0.6});
  ASSERT_EQ(symmetric[0].size(), 2u);
  EXPECT_NEAR(symmetric[0][1].weight, 2.0 / 3, 1e-12);
  EXPECT_NEAR(symmetric[1][1].weight, 1.0 / 3, 1e-12);
  EXPECT_EQ(symmetric[1][0].index, 2);
}

TEST(InterpolationTapsTest, LinearOnnxClampsPositions) {
  const std::vector<Taps> taps = ResamplingTaps(Mode(InterpolateMode::kLinearOnnx, kHalfPixel), {2, 4, 2});
  ASSERT_EQ(taps.size(), 4u);
  ASSERT_EQ(taps[0].size(), 1u);  // -0.25 becomes 0.
  EXPECT_EQ(taps[0][0].index, 0);
  ASSERT_EQ(taps[1].size(), 2u);  // 0.25.
  EXPECT_EQ(taps[1][0].weight, 0.75);
  EXPECT_EQ(taps[1][1].weight, 0.25);
  ASSERT_EQ(taps[3].size(), 1u);  // 1.25 becomes 1.
  EXPECT_EQ(taps[3][0].index, 1);
}

TEST(InterpolationTapsTest, LinearWithAntialiasWidensWithTheScale) {
  ResamplingParameters parameters = Mode(InterpolateMode::kLinear, kHalfPixel);
  // At scale 1/2 the triangle reaches 2 elements to each side.
  parameters.antialias = true;
  std::vector<Taps> taps = ResamplingTaps(parameters, {8, 4, 0.5});
  ASSERT_EQ(taps[1].size(), 4u);  // Position 2.5: distances 1.5, 0.5, 0.5, 1.5.
  EXPECT_EQ(taps[1][0].index, 1);
  EXPECT_DOUBLE_EQ(taps[1][0].weight, 0.125);
  EXPECT_DOUBLE_EQ(taps[1][1].weight, 0.375);
  parameters.antialias = false;
  taps = ResamplingTaps(parameters, {8, 4, 0.5});
  ASSERT_EQ(taps[1].size(), 2u);
  EXPECT_EQ(taps[1][0].weight, 0.5);
}

TEST(InterpolationTapsTest, CubicWeightsAreKeys) {
  // Halfway between two elements with a = -0.75: -3/32, 19/32, 19/32, -3/32.
  const std::vector<Taps> taps = ResamplingTaps(Mode(InterpolateMode::kCubic, kHalfPixel), {8, 4, 0.5});
  ASSERT_EQ(taps[1].size(), 4u);
  EXPECT_EQ(taps[1][0].index, 1);
  EXPECT_DOUBLE_EQ(taps[1][0].weight, -3.0 / 32);
  EXPECT_DOUBLE_EQ(taps[1][1].weight, 19.0 / 32);
  // At the border the outer element stands for those outside.
  EXPECT_EQ(taps[0][0].index, 0);
  EXPECT_EQ(taps[0][1].index, 0);
}

TEST(InterpolationTapsTest, PillowFiltersCutAndNormalise) {
  const std::vector<Taps> taps = ResamplingTaps(Mode(InterpolateMode::kBilinearPillow, kAsymmetric), {4, 2, 0.5});
  // Centre 1 in element edges: elements at distances 0.5, 0.5, 1.5 of reach 2 weigh 3/4, 3/4, 1/4.
  ASSERT_EQ(taps[0].size(), 3u);
  EXPECT_DOUBLE_EQ(taps[0][0].weight, 3.0 / 7);
  EXPECT_DOUBLE_EQ(taps[0][2].weight, 1.0 / 7);
  ResamplingParameters bicubic = Mode(InterpolateMode::kBicubicPillow, kAsymmetric);
  bicubic.cube_coeff = -0.5;
  for (const Taps& element : ResamplingTaps(bicubic, {7, 3, 3.0 / 7})) {
    double sum = 0;
    for (const ResamplingTap& tap : element) sum += tap.weight;
    EXPECT_NEAR(sum, 1, 1e-12);
  }
}

TEST(InterpolationTapsTest, PartsHaveNoTapsOutside) {
  ResampledAxis axis = {4, 3, 0.75, 0.5, 2};
  // Positions 1.5, 3.75 and 6 among elements 0 to 3.
  const std::vector<Taps> taps =
      ResamplingTaps(Mode(InterpolateMode::kLinearOnnx, CoordinateTransformationMode::kTfCropAndResize), axis);
  ASSERT_EQ(taps.size(), 3u);
  ASSERT_EQ(taps[0].size(), 2u);
  EXPECT_EQ(taps[0][0].index, 1);
  EXPECT_EQ(taps[0][0].weight, 0.5);
  EXPECT_TRUE(taps[1].empty());
  EXPECT_TRUE(taps[2].empty());
}

TEST(InterpolationTapsTest, StretchedFiltersSumToOne) {
  for (const InterpolateMode mode : {InterpolateMode::kLinearOnnx, InterpolateMode::kCubic}) {
    for (const bool exclude : {false, true}) {
      for (int64_t input = 1; input < 12; ++input) {
        for (int64_t output = 1; output < input; ++output) {
          ResamplingParameters parameters = Mode(mode, kHalfPixel);
          parameters.antialias = true;
          parameters.exclude_outside = exclude;
          const double scale = static_cast<double>(output) / static_cast<double>(input);
          for (const Taps& taps : ResamplingTaps(parameters, {input, output, scale})) {
            double sum = 0;
            for (const ResamplingTap& tap : taps) {
              EXPECT_GE(tap.index, 0);
              EXPECT_LT(tap.index, input);
              sum += tap.weight;
            }
            EXPECT_NEAR(sum, 1, 1e-12) << static_cast<int>(mode) << " " << input << " " << output;
          }
        }
      }
    }
  }
}

// Weights of every mode sum to 1, and indices stay inside.
TEST(InterpolationTapsTest, TapsStayInsideAndSumToOne) {
  for (InterpolateMode mode :
       {InterpolateMode::kNearest, InterpolateMode::kLinear, InterpolateMode::kLinearOnnx, InterpolateMode::kCubic,
        InterpolateMode::kBilinearPillow, InterpolateMode::kBicubicPillow}) {
    for (int64_t input = 1; input < 9; ++input) {
      for (int64_t output = 1; output < 9; ++output) {
        const double scale = static_cast<double>(output) / static_cast<double>(input);
        for (const Taps& taps : ResamplingTaps(Mode(mode, kHalfPixel), {input, output, scale})) {
          double sum = 0;
          for (const ResamplingTap& tap : taps) {
            EXPECT_GE(tap.index, 0);
            EXPECT_LT(tap.index, input);
            sum += tap.weight;
          }
          EXPECT_NEAR(sum, 1, 1e-12) << static_cast<int>(mode) << " " << input << " " << output;
        }
      }
    }
  }
}

}  // namespace
}  // namespace burin::ir
