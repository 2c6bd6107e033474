#include "ir/ops/interpolate.h"

#include <cstdint>
#include <limits>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/element_type.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/dimension.h"
#include "ir/infer_context.h"
#include "ir/ops/family/interpolation_taps.h"
#include "ir/ops/op_testlib.h"
#include "ir/ops/ops.h"
#include "ir/partial_shape.h"
#include "ir/shape.h"
#include "ir/tensor.h"
#include "testing/gtest/status_matchers.h"

namespace burin::ir {
namespace {

using ::testing::HasSubstr;

InterpolateAttributes Scales(InterpolateMode mode,
                             CoordinateTransformationMode coordinates = CoordinateTransformationMode::kHalfPixel) {
  InterpolateAttributes attributes;
  attributes.mode = mode;
  attributes.shape_calculation_mode = ShapeCalculationMode::kScales;
  attributes.coordinate_transformation_mode = coordinates;
  return attributes;
}

InterpolateAttributes Sizes(InterpolateMode mode,
                            CoordinateTransformationMode coordinates = CoordinateTransformationMode::kHalfPixel) {
  InterpolateAttributes attributes = Scales(mode, coordinates);
  attributes.shape_calculation_mode = ShapeCalculationMode::kSizes;
  return attributes;
}

Tensor Resized(const InterpolateAttributes& attributes, const Tensor& data, const Tensor& sizes_or_scales,
               const Tensor& axes = Tensor()) {
  std::vector<Tensor> inputs = {data, sizes_or_scales};
  if (axes.has_value()) inputs.push_back(axes);
  const absl::StatusOr<Tensor> result = Evaluate(InterpolateOp(), attributes, inputs);
  EXPECT_OK(result);
  return result.ok() ? *result : Tensor();
}

Tensor Image4x4() { return F32({1, 1, 4, 4}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}); }

// The examples of ONNX's Resize.
TEST(InterpolateTest, UpsamplesNearest) {
  const Tensor data = F32({1, 1, 2, 2}, {1, 2, 3, 4});
  ExpectTensorEq(Resized(Scales(InterpolateMode::kNearest), data, F32({4}, {1, 1, 2, 3})),
                 F32({1, 1, 4, 6}, {1, 1, 1, 2, 2, 2, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4, 3, 3, 3, 4, 4, 4}));
  ExpectTensorEq(
      Resized(Sizes(InterpolateMode::kNearest), data, I64({2}, {7, 8}), I64({2}, {2, 3})),
      F32({1, 1, 7, 8}, {1, 1, 1, 1, 2, 2, 2, 2, 1, 1, 1, 1, 2, 2, 2, 2, 1, 1, 1, 1, 2, 2, 2, 2, 1, 1, 1, 1,
                         2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 3, 3, 3, 3, 4, 4, 4, 4, 3, 3, 3, 3, 4, 4, 4, 4}));
}

TEST(InterpolateTest, DownsamplesNearest) {
  ExpectTensorEq(Resized(Scales(InterpolateMode::kNearest), F32({1, 1, 2, 4}, {1, 2, 3, 4, 5, 6, 7, 8}),
                         F32({4}, {1, 1, 0.6, 0.6})),
                 F32({1, 1, 1, 2}, {1, 3}));
}

TEST(InterpolateTest, UpsamplesLinearOnnx) {
  const Tensor data = F32({1, 1, 2, 2}, {1, 2, 3, 4});
  ExpectTensorEq(Resized(Scales(InterpolateMode::kLinearOnnx), data, F32({2}, {2, 2}), I32({2}, {2, 3})),
                 F32({1, 1, 4, 4}, {1, 1.25, 1.75, 2, 1.5, 1.75, 2.25, 2.5, 2.5, 2.75, 3.25, 3.5, 3, 3.25, 3.75, 4}));
  ExpectTensorNear(Resized(Scales(InterpolateMode::kLinearOnnx, CoordinateTransformationMode::kAlignCorners), data,
                           F32({2}, {2, 2}), I64({2}, {2, 3})),
                   F32({1, 1, 4, 4}, {1, 1.33333333, 1.66666667, 2, 1.66666667, 2, 2.33333333, 2.66666667, 2.33333333,
                                      2.66666667, 3, 3.33333333, 3, 3.33333333, 3.66666667, 4}),
                   1e-6);
}

TEST(InterpolateTest, DownsamplesLinearOnnx) {
  const Tensor data = F32({1, 1, 2, 4}, {1, 2, 3, 4, 5, 6, 7, 8});
  ExpectTensorNear(Resized(Scales(InterpolateMode::kLinearOnnx), data, F32({4}, {1, 1, 0.6, 0.6})),
                   F32({1, 1, 1, 2}, {2.6666665, 4.3333331}), 1e-6);
  ExpectTensorNear(Resized(Sizes(InterpolateMode::kLinearOnnx, CoordinateTransformationMode::kPytorchHalfPixel),
                           Image4x4(), I64({2}, {3, 1}), I64({2}, {2, 3})),
                   F32({1, 1, 3, 1}, {1.6666666, 7.0, 12.333333}), 1e-6);
}

TEST(InterpolateTest, LinearAgreesWithLinearOnnxBetweenElements) {
  // Positions 0, 1/2, 1 in the input: never outside.
  const Tensor data = F32({3}, {10, 20, 40});
  ExpectTensorEq(
      Resized(Sizes(InterpolateMode::kLinear, CoordinateTransformationMode::kAlignCorners), data, I64({1}, {5})),
      F32({5}, {10, 15, 20, 30, 40}));
}

TEST(InterpolateTest, InterpolatesCubic) {
  ExpectTensorNear(Resized(Scales(InterpolateMode::kCubic), Image4x4(), F32({2}, {0.8, 0.8}), I64({2}, {2, 3})),
                   F32({1, 1, 3, 3}, {1.47119141, 2.78125, 4.08251953, 6.71142578, 8.02148438, 9.32275391, 11.91650391,
                                      13.2265625, 14.52783203}),
                   1e-5);
  ExpectTensorNear(Resized(Scales(InterpolateMode::kCubic, CoordinateTransformationMode::kAlignCorners), Image4x4(),
                           F32({2}, {0.8, 0.8}), I64({2}, {2, 3})),
                   F32({1, 1, 3, 3}, {1, 2.5, 4, 7, 8.5, 10, 13, 14.5, 16}), 1e-5);
  InterpolateAttributes half = Scales(InterpolateMode::kCubic);
  half.cube_coeff = -0.5;
  // At 1/2 between elements Keys' weights with a = -1/2 are -1/16, 9/16, 9/16, -1/16.
  ExpectTensorEq(Resized(half, F32({4}, {0, 16, 32, 16}), F32({1}, {0.25})), F32({1}, {26}));
}

TEST(InterpolateTest, FiltersLikePillow) {
  // Three elements weigh 3/7, 3/7, 1/7, and the same from the other end.
  ExpectTensorNear(Resized(Sizes(InterpolateMode::kBilinearPillow), F32({4}, {7, 14, 28, 0}), I64({1}, {2})),
                   F32({2}, {13, 14}), 1e-6);
}

TEST(InterpolateTest, PadsWithZerosFirst) {
  InterpolateAttributes attributes = Sizes(InterpolateMode::kNearest, CoordinateTransformationMode::kAsymmetric);
  attributes.nearest_mode = NearestMode::kFloor;
  attributes.pads_begin = {0, 1};
  attributes.pads_end = {1};
  ExpectTensorEq(Resized(attributes, F32({1, 2}, {5, 6}), I64({1}, {6}), I64({1}, {1})),
                 F32({2, 6}, {0, 0, 5, 5, 6, 6, 0, 0, 0, 0, 0, 0}));
  attributes.mode = InterpolateMode::kLinearOnnx;
  ExpectTensorEq(Resized(attributes, F32({1, 2}, {4, 8}), I64({1}, {6}), I64({1}, {1})),
                 F32({2, 6}, {0, 2, 4, 6, 8, 8, 0, 0, 0, 0, 0, 0}));
  InterpolateAttributes none = Sizes(InterpolateMode::kNearest);
  none.pads_begin = none.pads_end = {0};
  ExpectTensorEq(Resized(none, F32({}, {3}), I64({0}, {})), F32({}, {3}));
}

TEST(InterpolateTest, TakesAxesInAnyOrder) {
  const Tensor data = F32({1, 2}, {1, 2});
  ExpectTensorEq(Resized(Sizes(InterpolateMode::kNearest), data, I64({2}, {4, 2}), I64({2}, {1, 0})),
                 F32({2, 4}, {1, 1, 2, 2, 1, 1, 2, 2}));
}

TEST(InterpolateTest, RoundsIntegersAndKeepsNearestExact) {
  const InterpolateAttributes linear = Sizes(InterpolateMode::kLinearOnnx, CoordinateTransformationMode::kAlignCorners);
  ExpectTensorEq(Resized(linear, U8({2}, {0, 5}), I64({1}, {3})), U8({3}, {0, 3, 5}));
  ExpectTensorEq(Resized(linear, I8({2}, {0, -5}), I64({1}, {3})), I8({3}, {0, -3, -5}));
  ExpectTensorEq(Resized(Sizes(InterpolateMode::kNearest), I64({1}, {INT64_MAX}), I64({1}, {2})),
                 I64({2}, {INT64_MAX, INT64_MAX}));
  ExpectTensorEq(Resized(linear, F16({2}, {0, 5}), I64({1}, {3})), F16({3}, {0, 2.5, 5}));
}

TEST(InterpolateTest, RoundsTheScaledSizeToTheScalesType) {
  // 2.3f is below 2.3, but its product with 10 rounds to 23 in f32.
  EXPECT_EQ(Resized(Scales(InterpolateMode::kNearest), F32({10}, std::vector<double>(10, 1)), F32({1}, {2.3})).shape(),
            Shape({23}));
}

TEST(InterpolateTest, HandlesEmptyTensors) {
  ExpectTensorEq(Resized(Sizes(InterpolateMode::kLinear), F32({0, 2}, {}), I64({1}, {4}), I64({1}, {1})),
                 F32({0, 4}, {}));
  ExpectTensorEq(Resized(Sizes(InterpolateMode::kNearest), F32({2}, {1, 2}), I64({1}, {0})), F32({0}, {}));
}

absl::StatusOr<ValueInfo> Inferred(const InterpolateAttributes& attributes, const std::vector<ValueInfo>& inputs) {
  return InferOne(InterpolateOp(), attributes, inputs);
}

TEST(InterpolateTest, InfersSizesAndScales) {
  const Dimension batch = Dimension::Symbol("batch");
  const Dimension height = Dimension::Symbol("height");
  const ValueInfo data = Known(ElementType::kF32, {batch, 3, height, Dimension(4, 10)});
  const ValueInfo axes = Constant(I64({2}, {2, 3}));
  absl::StatusOr<ValueInfo> result =
      Inferred(Sizes(InterpolateMode::kNearest), {data, Partial({Dimension::Symbol("h2"), 9}), axes});
  ASSERT_OK(result);
  EXPECT_EQ(result->shape, PartialShape({batch, 3, Dimension::Symbol("h2"), 9}));
  result = Inferred(Scales(InterpolateMode::kNearest), {data, Constant(F32({2}, {1, 2})), axes});
  ASSERT_OK(result);
  EXPECT_EQ(result->shape, PartialShape({batch, 3, height, Dimension(8, 20)}));
  result = Inferred(Scales(InterpolateMode::kNearest), {data, Known(ElementType::kF32, PartialShape({2})), axes});
  ASSERT_OK(result);
  EXPECT_EQ(result->shape, PartialShape({batch, 3, Dimension(), Dimension()}));
  result = Inferred(Scales(InterpolateMode::kNearest),
                    {data, Constant(F32({2}, {1, 2})), Known(ElementType::kI64, PartialShape({2}))});
  ASSERT_OK(result);
  EXPECT_EQ(result->shape, PartialShape::OfRank(4));
  result = Inferred(Scales(InterpolateMode::kNearest),
                    {Known(ElementType::kF32, PartialShape::DynamicRank()), Constant(F32({2}, {1, 2})), axes});
  ASSERT_OK(result);
  EXPECT_FALSE(result->shape.has_rank());
}

void ExpectError(const InterpolateAttributes& attributes, const std::vector<Tensor>& inputs, const char* label) {
  EXPECT_THAT(Evaluate(InterpolateOp(), attributes, inputs).status(),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(label)));
}

TEST(InterpolateTest, RefusesWhatBreaksConstraints) {
  const InterpolateAttributes sizes = Sizes(InterpolateMode::kLinear);
  const InterpolateAttributes scales = Scales(InterpolateMode::kLinear);
  const Tensor data = F32({2}, {1, 2});
  ExpectError(sizes, {Bool({1}, {1}), I64({1}, {1})}, "Interpolate_c1");
  ExpectError(sizes, {data, F32({1}, {1})}, "Interpolate_c2");
  ExpectError(scales, {data, I64({1}, {1})}, "Interpolate_c2");
  ExpectError(sizes, {data, I64({}, {1})}, "Interpolate_c2");
  ExpectError(sizes, {data, I64({1}, {1}), I64({1}, {1})}, "Interpolate_c3");
  ExpectError(sizes, {F32({1, 1}, {1}), I64({2}, {1, 1}), I64({2}, {1, 1})}, "Interpolate_c3");
  ExpectError(sizes, {data, I64({2}, {1, 1})}, "Interpolate_c4");
  ExpectError(sizes, {data, I64({1}, {-1})}, "Interpolate_c6");
  for (double scale :
       {0.0, -1.0, 1e30, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    ExpectError(scales, {data, F32({1}, {scale})}, "Interpolate_c6");
  }
  ExpectError(sizes, {F32({0}, {}), I64({1}, {3})}, "Interpolate_c7");
}

TEST(InterpolateTest, C5_RefusesPads) {
  const Tensor data = F32({2}, {1, 2});
  for (const std::vector<int64_t>& pads :
       {std::vector<int64_t>{-1}, std::vector<int64_t>{INT64_MAX}, std::vector<int64_t>{0, 1}}) {
    InterpolateAttributes attributes = Sizes(InterpolateMode::kLinear);
    attributes.pads_begin = pads;
    ExpectError(attributes, {data, I64({1}, {1})}, "Interpolate_c5");
    attributes.pads_begin.clear();
    attributes.pads_end = pads;
    ExpectError(attributes, {data, I64({1}, {1})}, "Interpolate_c5");
  }
}

InterpolateAttributes Crop(InterpolateMode mode, double outside) {
  InterpolateAttributes attributes = Sizes(mode, CoordinateTransformationMode::kTfCropAndResize);
  attributes.extrapolation_value = outside;
  return attributes;
}

// At scale 1/2 the triangle around element 0 of the output, at 1/2, weighs elements -1 to 2 by 1/8, 3/8, 3/8, 1/8.
TEST(InterpolateTest, AntialiasStretchesTheFilter) {
  InterpolateAttributes attributes = Sizes(InterpolateMode::kLinearOnnx);
  attributes.antialias = true;
  const Tensor data = F32({4}, {8, 16, 32, 64});
  ExpectTensorNear(Resized(attributes, data, I64({1}, {2})), F32({2}, {4 + 6 + 4, 2 + 12 + 32}), 1e-6);
  attributes.exclude_outside = true;
  // Element -1 goes, and the others weigh 3/7, 3/7, 1/7.
  ExpectTensorNear(Resized(attributes, data, I64({1}, {2})), F32({2}, {(24 + 48 + 32) / 7.0, (16 + 96 + 192) / 7.0}),
                   1e-6);
  attributes.antialias = false;
  ExpectTensorNear(Resized(attributes, data, I64({1}, {2})), F32({2}, {12, 48}), 1e-6);
}

// Halfway between elements 0 and 1 with a = -1/2: -1/16, 9/16, 9/16, -1/16, of which the first is outside.
TEST(InterpolateTest, ExcludesWhatIsOutside) {
  InterpolateAttributes attributes = Sizes(InterpolateMode::kCubic);
  attributes.cube_coeff = -0.5;
  attributes.exclude_outside = true;
  ExpectTensorNear(Resized(attributes, F32({4}, {17, 34, 51, 17}), I64({1}, {2})),
                   F32({2}, {(9 * 17 + 9 * 34 - 51) / 17.0, (9 * 51 + 9 * 17 - 34) / 17.0}), 1e-6);
}

TEST(InterpolateTest, RoundsScaledSizes) {
  InterpolateAttributes attributes = Scales(InterpolateMode::kNearest);
  attributes.shape_calculation_mode = ShapeCalculationMode::kRoundedScales;
  // Sizes 1.5 and 3: 2 and 3 elements, at 1/6 and 1.5, and at 1/6, 1.5 and 17/6.
  ExpectTensorEq(Resized(attributes, F32({2, 4}, {1, 2, 3, 4, 5, 6, 7, 8}), F64({2}, {0.75, 0.75})),
                 F32({2, 3}, {1, 2, 4, 5, 6, 8}));
}

TEST(InterpolateTest, ResizesAPart) {
  const Tensor data = F32({5}, {10, 20, 30, 40, 50});
  const auto part = [&](InterpolateMode mode, const Tensor& sizes, const std::vector<double>& crop) {
    return Evaluate(InterpolateOp(), Crop(mode, -1), {data, sizes, I64({1}, {0}), F32({2}, crop)});
  };
  // Positions 1, 2, 3, and from 0 to 8 by twos.
  ASSERT_OK_AND_ASSIGN(const Tensor inside, part(InterpolateMode::kLinearOnnx, I64({1}, {3}), {0.25, 0.75}));
  ExpectTensorEq(inside, F32({3}, {20, 30, 40}));
  ASSERT_OK_AND_ASSIGN(const Tensor beyond, part(InterpolateMode::kLinearOnnx, I64({1}, {5}), {0, 2}));
  ExpectTensorEq(beyond, F32({5}, {10, 30, 50, -1, -1}));
  ASSERT_OK_AND_ASSIGN(const Tensor nearest, part(InterpolateMode::kNearest, I64({1}, {5}), {-1, 1}));
  ExpectTensorEq(nearest, F32({5}, {-1, -1, 10, 30, 50}));
  ASSERT_OK_AND_ASSIGN(const Tensor middle, part(InterpolateMode::kLinearOnnx, I64({1}, {1}), {0.25, 0.5}));
  ExpectTensorEq(middle, F32({1}, {25}));
  // Without a part all of the axis is read, as by align_corners.
  ASSERT_OK_AND_ASSIGN(const Tensor all,
                       Evaluate(InterpolateOp(), Crop(InterpolateMode::kLinearOnnx, -1), {data, I64({1}, {3})}));
  ExpectTensorEq(all, F32({3}, {10, 30, 50}));
}

TEST(InterpolateTest, C8_RefusesParts) {
  const Tensor data = F32({2}, {1, 2});
  const InterpolateAttributes crop = Crop(InterpolateMode::kLinearOnnx, 0);
  ExpectError(crop, {data, I64({1}, {1}), I64({1}, {0}), F32({1}, {0})}, "Interpolate_c8");
  ExpectError(crop, {data, I64({1}, {1}), I64({1}, {0}), F32({2, 1}, {0, 1})}, "Interpolate_c8");
  ExpectError(crop, {data, I64({1}, {1}), I64({1}, {0}), I64({2}, {0, 1})}, "Interpolate_c8");
  InterpolateAttributes padded = crop;
  padded.pads_end = {1};
  ExpectError(padded, {data, I64({1}, {1})}, "Interpolate_c8");
  EXPECT_THAT(InterpolatedAxes(crop, {2}, {2}, {0}, {}, {0}).status(),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("Interpolate_c8")));
}

// A padded axis of which nothing is resampled has the taps of its elements, none where there is padding.
TEST(InterpolateTest, TellsWhichElementsAxesAreMadeOf) {
  InterpolateAttributes attributes = Scales(InterpolateMode::kNearest, CoordinateTransformationMode::kAsymmetric);
  attributes.pads_begin = {0, 1};
  const absl::StatusOr<std::vector<InterpolatedAxis>> axes =
      InterpolatedAxes(attributes, {3, 2, 2}, {3, 3, 4}, {-1, 0}, {2, 1});
  ASSERT_OK(axes.status());
  ASSERT_EQ(axes->size(), 3u);
  EXPECT_TRUE((*axes)[0].is_unchanged);
  EXPECT_FALSE((*axes)[1].is_unchanged);
  ASSERT_EQ((*axes)[1].taps.size(), 3u);
  EXPECT_TRUE((*axes)[1].taps[0].empty());
  EXPECT_EQ((*axes)[1].taps[2][0].index, 1);
  ASSERT_EQ((*axes)[2].taps.size(), 4u);
  EXPECT_EQ((*axes)[2].taps[3][0].index, 1);

  EXPECT_THAT(InterpolatedAxes(attributes, {3, 2, 2}, {3, 3, 4}, {-1, 0}, {2}).status(),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("Interpolate_c4")));
  EXPECT_THAT(InterpolatedAxes(attributes, {3, 2, 2}, {3, 3, 4}, {3}, {2}).status(),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("Interpolate_c3")));
}

}  // namespace
}  // namespace burin::ir
