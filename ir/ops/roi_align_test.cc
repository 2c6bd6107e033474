#include "ir/ops/roi_align.h"

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
#include "ir/op_def.h"
#include "ir/ops/op_testlib.h"
#include "ir/ops/ops.h"
#include "ir/partial_shape.h"
#include "ir/tensor.h"
#include "testing/gtest/status_matchers.h"

namespace burin::ir {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

using Mode = ROIAlignMode;
using Aligned = ROIAlignedMode;

ROIAlignAttributes Make(int64_t pooled, int64_t sampling_ratio, Aligned aligned = Aligned::kAsymmetric,
                        Mode mode = Mode::kAvg, double scale = 1) {
  ROIAlignAttributes attributes;
  attributes.pooled_h = attributes.pooled_w = pooled;
  attributes.sampling_ratio = sampling_ratio;
  attributes.spatial_scale = scale;
  attributes.mode = mode;
  attributes.aligned_mode = aligned;
  return attributes;
}

// An image whose element in row y and column x is 4 y + x, so that a sample between elements is that too.
Tensor Ramp() { return F32({1, 1, 4, 4}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}); }

// Pools one region of the first image.
std::vector<double> Pooled(const ROIAlignAttributes& attributes, const Tensor& data,
                           const std::vector<double>& region) {
  const absl::StatusOr<Tensor> result = Evaluate(ROIAlignOp(), attributes, {data, F32({1, 4}, region), I64({1}, {0})});
  EXPECT_OK(result);
  return result.ok() ? Doubles(*result) : std::vector<double>();
}

TEST(ROIAlignTest, AveragesSamplesInTheMiddleOfParts) {
  EXPECT_THAT(Pooled(Make(2, 1), Ramp(), {0, 0, 4, 4}), ElementsAre(5, 7, 13, 15));
  // Samples at 0.5, 1.5, 2.5, and 3.5, which is clamped to 3.
  EXPECT_THAT(Pooled(Make(2, 2), Ramp(), {0, 0, 4, 4}), ElementsAre(5, 6.75, 12, 13.75));
}

TEST(ROIAlignTest, AlignsByThreeRules) {
  EXPECT_THAT(Pooled(Make(2, 1, Aligned::kHalfPixelForNn), Ramp(), {0, 0, 4, 4}), ElementsAre(2.5, 4.5, 10.5, 12.5));
  // Halved, the region is of two elements, from 0.5, 0 or 0.25 on.
  const std::vector<double> region = {1, 1, 5, 5};
  EXPECT_THAT(Pooled(Make(1, 1, Aligned::kAsymmetric, Mode::kAvg, 0.5), Ramp(), region), ElementsAre(7.5));
  EXPECT_THAT(Pooled(Make(1, 1, Aligned::kHalfPixelForNn, Mode::kAvg, 0.5), Ramp(), region), ElementsAre(5));
  EXPECT_THAT(Pooled(Make(1, 1, Aligned::kHalfPixel, Mode::kAvg, 0.5), Ramp(), region), ElementsAre(6.25));
}

TEST(ROIAlignTest, TakesAsManySamplesAsElementsWhereAsked) {
  // Samples at 0.5, 1.5, 2.5 and 3.5, clamped to 3: 1.875 on average.
  EXPECT_THAT(Pooled(Make(1, 0), Ramp(), {0, 0, 4, 4}), ElementsAre(9.375));
  // 1.5 elements along x: samples at 0.375 and 1.125; one along y, at 1.5.
  EXPECT_THAT(Pooled(Make(1, 0), Ramp(), {0, 1, 1.5, 2}), ElementsAre(6.75));
  // 40 times 0.1 is 4 in f32, though a little more in double: two samples in each of two bins.
  const double tenth = static_cast<double>(0.1f);
  EXPECT_NEAR(Pooled(Make(2, 0, Aligned::kAsymmetric, Mode::kAvg, tenth), Ramp(), {0, 0, 40, 40})[0], 5, 1e-5);
}

TEST(ROIAlignTest, HandlesRegionsWithoutArea) {
  EXPECT_THAT(Pooled(Make(1, 0), Ramp(), {2, 2, 1, 1}), ElementsAre(12.5));  // As one element.
  EXPECT_THAT(Pooled(Make(1, 0, Aligned::kHalfPixelForNn), Ramp(), {2, 2, 1, 1}), ElementsAre(0));
  EXPECT_THAT(Pooled(Make(1, 2, Aligned::kHalfPixelForNn), Ramp(), {2, 2, 1, 1}), ElementsAre(5));  // Samples around 1.
}

TEST(ROIAlignTest, SamplesBeyondTheDataAreZero) {
  EXPECT_THAT(Pooled(Make(1, 0), Ramp(), {-8, 0, -4, 4}), ElementsAre(0));
  EXPECT_THAT(Pooled(Make(1, 0), Ramp(), {5, 0, 9, 4}), ElementsAre(0));
  // Of samples at -2.5, -1.5, -0.5 (as 0) and 0.5 two count: (4 * 7.5 + 4 * 8) / 16.
  EXPECT_THAT(Pooled(Make(1, 0), Ramp(), {-3, 0, 1, 4}), ElementsAre(3.875));
}

TEST(ROIAlignTest, VisitsFewOfTheSamplesOfAHugeRegion) {
  // Of 2^30 samples along each axis five are inside, at -0.5 to 3.5.
  const Tensor ones = F64({1, 1, 4, 4}, std::vector<double>(16, 1));
  const double far = 536870912;  // 2^29
  ASSERT_OK_AND_ASSIGN(const Tensor mean,
                       Evaluate(ROIAlignOp(), Make(1, 0), {ones, F64({1, 4}, {-far, -far, far, far}), I64({1}, {0})}));
  EXPECT_EQ(Doubles(mean)[0], 25 / (4 * far * far));
}

TEST(ROIAlignTest, TakesTheLargestWeightedElement) {
  const Tensor data = F32({1, 1, 3, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9});
  const ROIAlignAttributes attributes = Make(1, 1, Aligned::kAsymmetric, Mode::kMax);
  EXPECT_THAT(Pooled(attributes, data, {0, 0, 1, 1}), ElementsAre(1.25));  // A quarter of 5.
  const Tensor negative = F32({1, 1, 2, 2}, {-1, -2, -3, -4});
  EXPECT_THAT(Pooled(attributes, negative, {0, 0, 1, 1}), ElementsAre(-0.25));
  // One of two samples lies outside and is 0.
  EXPECT_THAT(Pooled(Make(1, 2, Aligned::kAsymmetric, Mode::kMax), negative, {-3, 0, 2, 1}), ElementsAre(0));
  EXPECT_THAT(Pooled(attributes, negative, {-9, -9, -8, -8}), ElementsAre(0));
}

TEST(ROIAlignTest, TakesTheLargestElementOfWholeBins) {
  const ROIAlignAttributes attributes = Make(2, 0, Aligned::kAsymmetric, Mode::kMaxOfElements);
  // Columns 0 to 2 and rows 1 to 3; the middle ones are in two bins each.
  EXPECT_THAT(Pooled(attributes, Ramp(), {0.4, 0.6, 2.4, 3.4}), ElementsAre(9, 10, 13, 14));
  EXPECT_THAT(Pooled(attributes, Ramp(), {2, 2, 5, 5}), ElementsAre(15, 0, 0, 0));
  EXPECT_THAT(Pooled(attributes, Ramp(), {10, 10, 12, 12}), ElementsAre(0, 0, 0, 0));
  EXPECT_THAT(
      Pooled(Make(1, 0, Aligned::kAsymmetric, Mode::kMaxOfElements, 0.5), F32({1, 1, 1, 2}, {-5, -3}), {0, 0, -1, -1}),
      ElementsAre(-5));
}

TEST(ROIAlignTest, RegionsNameTheirImages) {
  const Tensor data = F16({2, 2, 1, 1}, {1, 2, 3, 4});
  const Tensor regions = F16({3, 4}, {0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1});
  ExpectEvaluates(ROIAlignOp(), Make(1, 1), {data, regions, I32({3}, {1, 0, 1})},
                  F16({3, 2, 1, 1}, {3, 4, 1, 2, 3, 4}));
}

TEST(ROIAlignTest, StandsAnyNumberInARegion) {
  const double infinity = std::numeric_limits<double>::infinity();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const std::vector<double>& region :
       {std::vector<double>{0, 0, infinity, 4}, {nan, 0, 4, 4}, {-3e38, -3e38, 3e38, 3e38}, {0, 3e9, 4, 4}}) {
    for (Mode mode : {Mode::kAvg, Mode::kMax, Mode::kMaxOfElements}) {
      EXPECT_THAT(Pooled(Make(1, 0, Aligned::kHalfPixel, mode), Ramp(), region), ElementsAre(0));
    }
  }
  EXPECT_THAT(Pooled(Make(1, 0, Aligned::kHalfPixel, Mode::kAvg, 1e300), Ramp(), {0, 0, 0, 0}), ElementsAre(0));
}

TEST(ROIAlignTest, HandlesEmptyTensors) {
  ExpectEvaluates(ROIAlignOp(), Make(1, 1), {F32({1, 1, 2, 2}, {1, 2, 3, 4}), F32({0, 4}, {}), I64({0}, {})},
                  F32({0, 1, 1, 1}, {}));
  EXPECT_THAT(Pooled(Make(1, 1), F32({1, 1, 0, 2}, {}), {0, 0, 1, 1}), ElementsAre(0));
}

TEST(ROIAlignTest, InfersWhateverIsKnown) {
  const Dimension regions = Dimension::Symbol("regions");
  const Dimension channels = Dimension::Symbol("channels");
  ROIAlignAttributes attributes;
  attributes.pooled_h = 2;
  attributes.pooled_w = 3;
  ASSERT_OK_AND_ASSIGN(
      const ValueInfo known,
      InferOne(ROIAlignOp(), attributes,
               {Known(ElementType::kF32, {Dimension(), channels, Dimension(), Dimension()}),
                Known(ElementType::kF32, {Dimension(), 4}), Known(ElementType::kI64, PartialShape({regions}))}));
  EXPECT_EQ(known.shape, PartialShape({regions, channels, 2, 3}));
  const ValueInfo unknown = Known(ElementType::kF32, PartialShape::DynamicRank());
  ASSERT_OK_AND_ASSIGN(
      const ValueInfo dynamic,
      InferOne(ROIAlignOp(), attributes, {unknown, unknown, Known(ElementType::kI64, PartialShape::DynamicRank())}));
  EXPECT_EQ(dynamic.shape, PartialShape({Dimension(), Dimension(), 2, 3}));
}

TEST(ROIAlignTest, RefusesWhatBreaksConstraints) {
  const ValueInfo data = Known(ElementType::kF32, {1, 1, 4, 4});
  const ValueInfo regions = Known(ElementType::kF32, {2, 4});
  const ValueInfo images = Known(ElementType::kI64, {2});
  const auto refuses = [](const ValueInfo& x, const ValueInfo& r, const ValueInfo& i, const char* label) {
    ExpectInferFails(ROIAlignOp(), ROIAlignAttributes(), {x, r, i}, label);
  };
  refuses(data, Known(ElementType::kF16, {2, 4}), images, "ROIAlign_c1");
  refuses(Known(ElementType::kI32, {1, 1, 4, 4}), Known(ElementType::kI32, {2, 4}), images, "ROIAlign_c1");
  refuses(Known(ElementType::kF32, {1, 4, 4}), regions, images, "ROIAlign_c2");
  refuses(data, Known(ElementType::kF32, {4}), images, "ROIAlign_c2");
  refuses(data, Known(ElementType::kF32, {2, 5}), images, "ROIAlign_c2");
  refuses(data, regions, Known(ElementType::kI64, {2, 1}), "ROIAlign_c2");
  refuses(data, regions, Known(ElementType::kI64, {3}), "ROIAlign_c2");
  refuses(data, regions, Known(ElementType::kF32, {2}), "ROIAlign_c3");
  for (int64_t image : {-1, 1}) {
    EXPECT_THAT(Evaluate(ROIAlignOp(), Make(1, 1), {Ramp(), F32({1, 4}, {0, 0, 1, 1}), I64({1}, {image})}).status(),
                StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("ROIAlign_c3")));
  }
}

TEST(ROIAlignTest, C4_RefusesAttributes) {
  const std::vector<ValueInfo> inputs = {Known(ElementType::kF32, {1, 1, 4, 4}), Known(ElementType::kF32, {2, 4}),
                                         Known(ElementType::kI64, {2})};
  std::vector<ROIAlignAttributes> bad(8);
  bad[0].pooled_h = 0;
  bad[1].pooled_w = -1;
  bad[2].pooled_w = INT64_MAX;
  bad[3].sampling_ratio = -1;
  bad[4].sampling_ratio = INT64_MAX;
  bad[5].spatial_scale = 0;
  bad[6].spatial_scale = -1;
  bad[7].spatial_scale = std::numeric_limits<double>::quiet_NaN();
  for (const ROIAlignAttributes& attributes : bad) ExpectInferFails(ROIAlignOp(), attributes, inputs, "ROIAlign_c4");
}

TEST(ROIAlignTest, CostsTenFlopsPerSample) {
  const ValueInfo data = Known(ElementType::kF32, {1, 3, 8, 8});
  const ValueInfo regions = Known(ElementType::kF32, {5, 4});
  const ValueInfo images = Known(ElementType::kI64, {5});
  const ValueInfo* const inputs[] = {&data, &regions, &images};
  const std::vector<ValueInfo> outputs = {Known(ElementType::kF32, {5, 3, 2, 2})};
  const ROIAlignAttributes attributes = Make(2, 3);
  EXPECT_EQ(CostOf(ROIAlignOp(), CostContext(attributes, inputs, outputs)).flops, 60 * 9 * 10);
}

}  // namespace
}  // namespace burin::ir
