#include "ir/ops/family/window.h"

#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/dimension.h"
#include "testing/gtest/status_matchers.h"

namespace burin::ir {
namespace {

using ::testing::HasSubstr;

WindowAxis Axis(int64_t kernel, int64_t stride, int64_t dilation, int64_t pad_begin, int64_t pad_end) {
  WindowAxis axis;
  axis.kernel = kernel;
  axis.stride = stride;
  axis.dilation = dilation;
  axis.pad_begin = pad_begin;
  axis.pad_end = pad_end;
  return axis;
}

absl::StatusOr<Dimension> Count(const Dimension& input, const WindowAxis& axis, AutoPad auto_pad = AutoPad::kExplicit,
                                RoundingType rounding = RoundingType::kFloor) {
  return WindowCount("W_c1", input, Dimension(axis.kernel), axis, auto_pad, rounding);
}

int64_t Static(const absl::StatusOr<Dimension>& count) {
  return count.ok() && count->is_static() ? count->value() : -1;
}

TEST(WindowTest, CountsWindowsOfKnownNetworks) {
  EXPECT_EQ(Static(Count(224, Axis(7, 2, 1, 3, 3))), 112);  // The stem of ResNet-50.
  EXPECT_EQ(Static(Count(112, Axis(3, 2, 1, 1, 1))), 56);
  EXPECT_EQ(Static(Count(227, Axis(11, 4, 1, 0, 0))), 55);  // AlexNet.
  EXPECT_EQ(Static(Count(32, Axis(5, 2, 2, 1, 1))), 13);    // AvgPool-16's example with dilation.
}

TEST(WindowTest, RoundsAsAsked) {
  const WindowAxis axis = Axis(2, 2, 1, 1, 1);  // The pooling rules' example: 3 elements, padded to 5.
  EXPECT_EQ(Static(Count(3, axis, AutoPad::kExplicit, RoundingType::kFloor)), 2);
  EXPECT_EQ(Static(Count(3, axis, AutoPad::kExplicit, RoundingType::kCeil)), 3);
  EXPECT_EQ(Static(Count(3, axis, AutoPad::kExplicit, RoundingType::kCeilTorch)), 2);
  // The last window begins inside the data: it stays.
  EXPECT_EQ(Static(Count(5, Axis(2, 2, 1, 0, 0), AutoPad::kExplicit, RoundingType::kCeilTorch)), 3);
  EXPECT_EQ(Static(Count(4, Axis(2, 2, 1, 0, 0), AutoPad::kExplicit, RoundingType::kCeil)), 2);
}

TEST(WindowTest, SamePaddingGivesTheCeilingOfSizeByStride) {
  EXPECT_EQ(Static(Count(7, Axis(3, 2, 1, 0, 0), AutoPad::kSameUpper)), 4);
  EXPECT_EQ(Static(Count(8, Axis(3, 2, 1, 0, 0), AutoPad::kSameLower)), 4);
  EXPECT_EQ(Static(Count(2, Axis(9, 1, 1, 0, 0), AutoPad::kSameUpper)), 2);
}

TEST(WindowTest, ResolvesSamePadding) {
  const WindowAxis upper = ResolvePadding(Axis(2, 1, 1, 0, 0), 3, AutoPad::kSameUpper);
  EXPECT_EQ(upper.pad_begin, 0);
  EXPECT_EQ(upper.pad_end, 1);
  const WindowAxis lower = ResolvePadding(Axis(2, 1, 1, 0, 0), 3, AutoPad::kSameLower);
  EXPECT_EQ(lower.pad_begin, 1);
  EXPECT_EQ(lower.pad_end, 0);
  const WindowAxis strided = ResolvePadding(Axis(3, 2, 1, 0, 0), 8, AutoPad::kSameUpper);  // (4 - 1) * 2 + 3 - 8 = 1.
  EXPECT_EQ(strided.pad_begin, 0);
  EXPECT_EQ(strided.pad_end, 1);
  const WindowAxis valid = ResolvePadding(Axis(3, 2, 1, 5, 5), 8, AutoPad::kValid);
  EXPECT_EQ(valid.pad_begin + valid.pad_end, 0);
}

TEST(WindowTest, KeepsTheSymbolWhereTheSizeStays) {
  const Dimension height = Dimension::Symbol("height");
  EXPECT_EQ(*Count(height, Axis(3, 1, 1, 1, 1)), height);
  EXPECT_EQ(*Count(height, Axis(3, 1, 2, 2, 2)), height);
  EXPECT_EQ(*Count(height, Axis(1, 1, 1, 0, 0)), height);
  EXPECT_EQ(*Count(height, Axis(5, 1, 1, 0, 0), AutoPad::kSameUpper), height);
  EXPECT_EQ(Count(height, Axis(3, 1, 1, 0, 0))->symbol(), "");
  EXPECT_EQ(Count(height, Axis(3, 2, 1, 1, 1))->symbol(), "");
}

TEST(WindowTest, CountsIntervals) {
  const absl::StatusOr<Dimension> count = Count(Dimension(10, 20), Axis(3, 2, 1, 0, 0));
  ASSERT_OK(count);
  EXPECT_EQ(count->min(), 4);
  EXPECT_EQ(count->max(), 9);
  const absl::StatusOr<Dimension> unknown = Count(Dimension(), Axis(3, 2, 1, 0, 0));
  ASSERT_OK(unknown);
  EXPECT_EQ(unknown->min(), 1);
  EXPECT_EQ(unknown->max(), Dimension::kInfinite);
  const absl::StatusOr<Dimension> kernel =
      WindowCount("W_c1", 10, Dimension(), Axis(1, 1, 1, 0, 0), AutoPad::kExplicit, RoundingType::kFloor);
  ASSERT_OK(kernel);
  EXPECT_EQ(kernel->min(), 1);
  EXPECT_EQ(kernel->max(), 10);
}

TEST(WindowTest, RefusesAWindowThatDoesNotFit) {
  EXPECT_THAT(Count(3, Axis(4, 1, 1, 0, 0)).status(),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("W_c1: the window does not fit")));
  EXPECT_THAT(Count(0, Axis(1, 1, 1, 0, 0)).status(), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("W_c1")));
  EXPECT_THAT(Count(3, Axis(0, 1, 1, 0, 0)).status(),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("W_c1: the kernel size")));
  EXPECT_THAT(Count(3, Axis(Dimension::kInfinite, 1, 1, 0, 0)).status(),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("W_c1: the kernel size")));
}

TEST(WindowTest, SurvivesHugeSizes) {
  const absl::StatusOr<Dimension> count =
      Count(Dimension(0, Dimension::kInfinite - 1),
            Axis(kMaxWindowParameter, 1, kMaxWindowParameter, kMaxWindowParameter, kMaxWindowParameter));
  ASSERT_OK(count);
  EXPECT_EQ(count->max(), Dimension::kInfinite);
}

TEST(WindowTest, FillsInDefaults) {
  WindowParameters window;
  window.strides = {2, 3};
  ASSERT_OK_AND_ASSIGN(const std::vector<WindowAxis> axes, MakeWindowAxes("W_c3", window, 2));
  EXPECT_EQ(axes[1].stride, 3);
  EXPECT_EQ(axes[1].dilation, 1);
  EXPECT_EQ(axes[1].pad_begin, 0);
  EXPECT_EQ(SpatialRankOf(window), 2);
  EXPECT_EQ(SpatialRankOf(WindowParameters()), -1);
}

TEST(WindowTest, IgnoresPadsUnlessExplicit) {
  WindowParameters window;
  window.pads_begin = {4};
  window.auto_pad = AutoPad::kValid;
  ASSERT_OK_AND_ASSIGN(const std::vector<WindowAxis> axes, MakeWindowAxes("W_c3", window, 1));
  EXPECT_EQ(axes[0].pad_begin, 0);
}

TEST(WindowTest, RefusesBadAttributes) {
  const auto status = [](std::vector<int64_t> strides, std::vector<int64_t> pads, std::vector<int64_t> dilations) {
    WindowParameters window;
    window.strides = std::move(strides);
    window.pads_begin = std::move(pads);
    window.dilations = std::move(dilations);
    return MakeWindowAxes("W_c3", window, 2).status();
  };
  EXPECT_OK(status({1, 1}, {0, 0}, {1, 1}));
  for (const absl::Status& bad : {status({1}, {}, {}), status({0, 1}, {}, {}), status({1, -1}, {}, {}),
                                  status({}, {-1, 0}, {}), status({}, {}, {1, 0}), status({}, {}, {1, 1, 1}),
                                  status({}, {0, kMaxWindowParameter + 1}, {}), status({INT64_MAX, 1}, {}, {})}) {
    EXPECT_THAT(bad, StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("W_c3: ")));
  }
}

TEST(WindowTest, TransposedPaddingIsWhatReachesBeyondTheOutput) {
  // The windows of 4 inputs, 2 apart, with 3 taps reach over 9 elements.
  const WindowAxis axis = Axis(3, 2, 1, 7, 7);
  const auto pads = [&](int64_t output, int64_t output_padding, AutoPad auto_pad) {
    const WindowAxis padded = TransposedPadding(axis, 4, output, output_padding, auto_pad);
    return std::make_pair(padded.pad_begin, padded.pad_end);
  };
  EXPECT_EQ(pads(9, 0, AutoPad::kExplicit), std::make_pair(int64_t{0}, int64_t{0}));
  EXPECT_EQ(pads(8, 0, AutoPad::kExplicit), std::make_pair(int64_t{0}, int64_t{1}));
  EXPECT_EQ(pads(8, 0, AutoPad::kSameUpper), std::make_pair(int64_t{1}, int64_t{0}));
  EXPECT_EQ(pads(8, 1, AutoPad::kSameLower), std::make_pair(int64_t{1}, int64_t{1}));
  EXPECT_EQ(pads(12, 0, AutoPad::kExplicit), std::make_pair(int64_t{0}, int64_t{0}));
  EXPECT_EQ(TransposedPadding(axis, 0, 3, 0, AutoPad::kExplicit).pad_begin, 0);
}

// The ranges agree with trying every output.
TEST(WindowTest, TapRangesAgreeWithEnumeration) {
  const uint32_t seed = 20;
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  const auto draw = [&](int64_t min, int64_t max) { return std::uniform_int_distribution<int64_t>(min, max)(random); };
  for (int trial = 0; trial < 2000; ++trial) {
    const WindowAxis axis = Axis(draw(1, 5), draw(1, 4), draw(1, 3), draw(-4, 6), draw(0, 6));
    const int64_t input = draw(0, 12);
    const int64_t count = draw(0, 12);
    const int64_t tap = draw(0, axis.kernel - 1);
    const TapRange range = OutputsOfTap(axis, tap, input, count);
    for (int64_t o = 0; o < count; ++o) {
      const int64_t position = o * axis.stride + tap * axis.dilation - axis.pad_begin;
      EXPECT_EQ(range.first <= o && o < range.last, position >= 0 && position < input)
          << "output " << o << " tap " << tap << " stride " << axis.stride << " dilation " << axis.dilation << " pad "
          << axis.pad_begin << " input " << input;
    }
  }
}

}  // namespace
}  // namespace burin::ir
