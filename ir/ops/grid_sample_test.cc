#include "ir/ops/grid_sample.h"

#include <cmath>
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

using Mode = GridSampleMode;
using Padding = GridSamplePadding;

GridSampleAttributes Make(Mode mode, Padding padding = Padding::kZeros, bool align_corners = false) {
  GridSampleAttributes attributes;
  attributes.mode = mode;
  attributes.padding_mode = padding;
  attributes.align_corners = align_corners;
  return attributes;
}

Tensor Sampled(const GridSampleAttributes& attributes, const Tensor& data, const Tensor& grid) {
  const absl::StatusOr<Tensor> result = Evaluate(GridSampleOp(), attributes, {data, grid});
  EXPECT_OK(result);
  return result.ok() ? *result : Tensor();
}

// Samples a row of four elements at points of one coordinate.
std::vector<double> SampledRow(const GridSampleAttributes& attributes, const std::vector<double>& row,
                               const std::vector<double>& points) {
  const int64_t count = static_cast<int64_t>(points.size());
  return Doubles(Sampled(attributes, F32({1, 1, 4}, row), F32({1, count, 1}, points)));
}

TEST(GridSampleTest, InterpolatesAnImage) {
  const Tensor image = F32({1, 1, 2, 2}, {1, 2, 3, 4});
  // Pairs of x and y: the corners, the middle, three quarters along the upper edge.
  const Tensor points = F32({1, 2, 3, 2}, {-1, -1, 1, -1, -1, 1, 1, 1, 0, 0, 0.5, -1});
  ExpectTensorEq(Sampled(Make(Mode::kBilinear, Padding::kZeros, true), image, points),
                 F32({1, 1, 2, 3}, {1, 2, 3, 4, 2.5, 1.75}));
  // Without aligned corners these are half an element outside, in the middle, on an element, half outside.
  const Tensor others = F32({1, 1, 4, 2}, {-1, -1, 0, 0, 0.5, 0.5, 1, 0});
  ExpectTensorEq(Sampled(Make(Mode::kBilinear), image, others), F32({1, 1, 1, 4}, {0.25, 2.5, 4, 1.5}));
  ExpectTensorEq(Sampled(Make(Mode::kBilinear, Padding::kBorder), image, others), F32({1, 1, 1, 4}, {1, 2.5, 4, 3}));
  ExpectTensorEq(Sampled(Make(Mode::kBilinear, Padding::kReflection), image, others),
                 F32({1, 1, 1, 4}, {1, 2.5, 4, 3}));
}

TEST(GridSampleTest, NamesTheInnermostAxisFirst) {
  const Tensor row = F32({1, 1, 1, 3}, {10, 20, 30});
  ExpectTensorEq(Sampled(Make(Mode::kNearest, Padding::kZeros, true), row, F32({1, 1, 2, 2}, {1, 0, -1, 0})),
                 F32({1, 1, 1, 2}, {30, 10}));
}

TEST(GridSampleTest, KeepsBatchesAndChannelsApart) {
  const Tensor data = F32({2, 2, 2}, {1, 2, 10, 20, 3, 4, 30, 40});
  ExpectTensorEq(Sampled(Make(Mode::kBilinear, Padding::kZeros, true), data, F32({2, 2, 1}, {-1, 0, 1, -1})),
                 F32({2, 2, 2}, {1, 1.5, 10, 15, 4, 3, 40, 30}));
}

TEST(GridSampleTest, SamplesVolumes) {
  const Tensor volume = F32({1, 1, 2, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8});
  const Tensor points = F32({1, 1, 1, 4, 3}, {1, -1, -1, -1, 1, -1, -1, -1, 1, 0, 0, 0});
  ExpectTensorEq(Sampled(Make(Mode::kBilinear, Padding::kZeros, true), volume, points),
                 F32({1, 1, 1, 1, 4}, {2, 3, 5, 4.5}));
  ExpectTensorEq(Sampled(Make(Mode::kNearest, Padding::kZeros, true), volume, points),
                 F32({1, 1, 1, 1, 4}, {2, 3, 5, 1}));
}

// Without aligned corners a row of four is at position 2 g + 1.5, with them at 1.5 g + 1.5.
TEST(GridSampleTest, ReflectsAsOftenAsNeeded) {
  const std::vector<double> row = {10, 20, 30, 40};
  EXPECT_THAT(SampledRow(Make(Mode::kBilinear, Padding::kReflection), row, {-1.5, 1.5, 1.75, -5.25}),
              ElementsAre(15, 35, 30, 10));
  EXPECT_THAT(SampledRow(Make(Mode::kBilinear, Padding::kReflection, true), row, {-2, 2, -6, 6}),
              ElementsAre(25, 25, 25, 25));
  EXPECT_THAT(SampledRow(Make(Mode::kNearest, Padding::kReflection), row, {-1.25, 1.25, 1.75, 5.25}),
              ElementsAre(10, 40, 30, 40));
}

TEST(GridSampleTest, NearestTakesTheEvenOneOfTwo) {
  const std::vector<double> row = {10, 20, 30, 40};
  EXPECT_THAT(SampledRow(Make(Mode::kNearest), row, {-1, -0.5, 0, 0.5, 1}), ElementsAre(10, 10, 30, 30, 0));
  EXPECT_THAT(SampledRow(Make(Mode::kNearest, Padding::kBorder), row, {-3, 1, 3}), ElementsAre(10, 40, 40));
  // The position is 1.5 in f32, but a little less in f64.
  const double a_little = std::ldexp(1.0, -26);
  EXPECT_THAT(SampledRow(Make(Mode::kNearest), row, {-a_little}), ElementsAre(30));
  ExpectTensorEq(Sampled(Make(Mode::kNearest), F32({1, 1, 4}, row), F64({1, 1, 1}, {-a_little})), F32({1, 1, 1}, {20}));
}

// Half-way Keys' weights with a = -3/4 are -3/32, 19/32, 19/32, -3/32; a quarter away the outermost is -9/256.
TEST(GridSampleTest, InterpolatesCubic) {
  const std::vector<double> row = {8, 16, 32, 16};
  EXPECT_THAT(SampledRow(Make(Mode::kBicubic), row, {0, -1}), ElementsAre(26.25, 3.25));
  EXPECT_THAT(SampledRow(Make(Mode::kBicubic, Padding::kBorder), row, {-1, -2, -1.125, 9}),
              ElementsAre(7.25, 8, 7.71875, 16));
  EXPECT_THAT(SampledRow(Make(Mode::kBicubic, Padding::kReflection), row, {-1}), ElementsAre(6.5));
  // The weights of two axes multiply: 1/32^2 * (19 * 19 - 3 * 19 * 2 + 9) of an image of ones is 1/4 in a corner.
  ExpectTensorEq(
      Sampled(Make(Mode::kBicubic), F32({1, 1, 2, 2}, std::vector<double>(4, 1)), F32({1, 1, 1, 2}, {-1, -1})),
      F32({1, 1, 1, 1}, {0.25}));
}

TEST(GridSampleTest, SamplesOneElementEverywhere) {
  const Tensor one = F32({1, 1, 1, 1}, {5});
  const Tensor points = F32({1, 1, 2, 2}, {0.25, -7, 3, 100});
  for (Mode mode : {Mode::kNearest, Mode::kBilinear, Mode::kBicubic}) {
    for (bool align_corners : {false, true}) {
      for (Padding padding : {Padding::kBorder, Padding::kReflection}) {
        ExpectTensorNear(Sampled(Make(mode, padding, align_corners), one, points), F32({1, 1, 1, 2}, {5, 5}), 1e-6);
      }
    }
  }
}

TEST(GridSampleTest, StandsAnyNumberInTheGrid) {
  const double infinity = std::numeric_limits<double>::infinity();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<double> row = {10, 20, 30, 40};
  EXPECT_THAT(SampledRow(Make(Mode::kBilinear, Padding::kZeros, true), row, {nan, infinity, -infinity, 3e38}),
              ElementsAre(10, 0, 0, 0));
  EXPECT_THAT(SampledRow(Make(Mode::kBicubic, Padding::kBorder), row, {infinity, -infinity, 3e38}),
              ElementsAre(40, 10, 40));
  for (double value : SampledRow(Make(Mode::kNearest, Padding::kReflection), row, {infinity, -infinity, 3e38, nan})) {
    EXPECT_THAT(row, ::testing::Contains(value));
  }
}

TEST(GridSampleTest, ServesEveryKindOfType) {
  const Tensor points = F32({1, 1, 1}, {0});
  ExpectTensorEq(Sampled(Make(Mode::kBilinear), I32({1, 2, 2}, {0, 5, 0, -5}), points), I32({1, 2, 1}, {2, -2}));
  ExpectTensorEq(Sampled(Make(Mode::kNearest), I64({1, 1, 1}, {INT64_MAX}), points), I64({1, 1, 1}, {INT64_MAX}));
  ExpectTensorEq(Sampled(Make(Mode::kNearest), Bool({1, 1, 3}, {0, 1, 0}), points), Bool({1, 1, 1}, {1}));
  ExpectTensorEq(Sampled(Make(Mode::kNearest), Bool({1, 1, 3}, {1, 1, 1}), F16({1, 1, 1}, {8})), Bool({1, 1, 1}, {0}));
  ExpectTensorEq(Sampled(Make(Mode::kBilinear), F16({1, 1, 2}, {1, 2}), F64({1, 1, 1}, {0})), F16({1, 1, 1}, {1.5}));
  ExpectTensorEq(Sampled(Make(Mode::kNearest), IntTensor(ElementType::kI4, {1, 1, 3}, {1, -8, 7}), points),
                 IntTensor(ElementType::kI4, {1, 1, 1}, {-8}));
}

TEST(GridSampleTest, HandlesEmptyTensors) {
  ExpectTensorEq(Sampled(Make(Mode::kBilinear), F32({0, 1, 2}, {}), F32({0, 3, 1}, {})), F32({0, 1, 3}, {}));
  ExpectTensorEq(Sampled(Make(Mode::kNearest), F32({1, 1, 0}, {}), F32({1, 0, 1}, {})), F32({1, 1, 0}, {}));
}

TEST(GridSampleTest, InfersWhateverIsKnown) {
  const Dimension n = Dimension::Symbol("n");
  const Dimension c = Dimension::Symbol("c");
  const Dimension h = Dimension::Symbol("h");
  const ValueInfo data = Known(ElementType::kF16, {n, c, 8, 8});
  const ValueInfo grid = Known(ElementType::kF32, {Dimension(), h, Dimension(2, 5), 2});
  const ValueInfo unknown = Known(ElementType::kF32, PartialShape::DynamicRank());
  ASSERT_OK_AND_ASSIGN(const ValueInfo both, InferOne(GridSampleOp(), GridSampleAttributes(), {data, grid}));
  EXPECT_EQ(both.type, ElementType::kF16);
  EXPECT_EQ(both.shape, PartialShape({n, c, h, Dimension(2, 5)}));
  ASSERT_OK_AND_ASSIGN(const ValueInfo by_data, InferOne(GridSampleOp(), GridSampleAttributes(), {data, unknown}));
  EXPECT_EQ(by_data.shape, PartialShape({n, c, Dimension(), Dimension()}));
  ASSERT_OK_AND_ASSIGN(const ValueInfo by_grid, InferOne(GridSampleOp(), GridSampleAttributes(), {unknown, grid}));
  EXPECT_EQ(by_grid.shape, PartialShape({Dimension(), Dimension(), h, Dimension(2, 5)}));
  ASSERT_OK_AND_ASSIGN(const ValueInfo neither, InferOne(GridSampleOp(), GridSampleAttributes(), {unknown, unknown}));
  EXPECT_FALSE(neither.shape.has_rank());
}

TEST(GridSampleTest, RefusesWhatBreaksConstraints) {
  const auto refuses = [](const ValueInfo& data, const ValueInfo& grid, const char* label) {
    ExpectInferFails(GridSampleOp(), GridSampleAttributes(), {data, grid}, label);
  };
  const ValueInfo data = Known(ElementType::kF32, {1, 1, 4, 4});
  refuses(Known(ElementType::kString, {1, 1, 4, 4}), Known(ElementType::kF32, {1, 2, 2, 2}), "GridSample_c1");
  refuses(data, Known(ElementType::kI32, {1, 2, 2, 2}), "GridSample_c2");
  refuses(Known(ElementType::kF32, {1, 4}), Known(ElementType::kF32, {1, 0}), "GridSample_c3");
  refuses(data, Known(ElementType::kF32, {1, 2, 2}), "GridSample_c3");
  refuses(data, Known(ElementType::kF32, {1, 2, 2, 3}), "GridSample_c4");
  refuses(data, Known(ElementType::kF32, {2, 2, 2, 2}), "GridSample_c5");
  refuses(Known(ElementType::kF32, {1, 1, 4, 0}), Known(ElementType::kF32, {1, 2, 2, 2}), "GridSample_c6");
}

TEST(GridSampleTest, CostsTwoFlopsPerTap) {
  const ValueInfo data = Known(ElementType::kF32, {1, 3, 8, 8});
  const ValueInfo grid = Known(ElementType::kF32, {1, 5, 4, 2});
  const ValueInfo* const inputs[] = {&data, &grid};
  const std::vector<ValueInfo> outputs = {Known(ElementType::kF32, {1, 3, 5, 4})};
  const auto flops = [&](Mode mode) {
    const GridSampleAttributes attributes = Make(mode);
    return CostOf(GridSampleOp(), CostContext(attributes, inputs, outputs)).flops;
  };
  EXPECT_EQ(flops(Mode::kNearest), 0);
  EXPECT_EQ(flops(Mode::kBilinear), 60 * 8);
  EXPECT_EQ(flops(Mode::kBicubic), 60 * 32);
}

}  // namespace
}  // namespace burin::ir
