#include "runtime/plugins/cpu/nodes/along_axes/resize_primitive.h"

#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/element_type.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "jit/kernels/resize/resize_spec.h"
#include "runtime/plugins/cpu/graph/value_desc.h"
#include "testing/gtest/status_matchers.h"

namespace burin::cpu {
namespace {

std::vector<ResampledDimension> Dimensions(const std::vector<bool>& changes) {
  std::vector<ResampledDimension> dimensions;
  for (const bool change : changes) {
    ResampledDimension& dimension = dimensions.emplace_back();
    dimension.is_unchanged = !change;
    if (change) dimension.taps = {{{0, 1}}, {{1, 0.5}, {0, 0.5}}, {}};
  }
  return dimensions;
}

TEST(ResizePrimitiveTest, FoldsWhatStaysAsItIs) {
  const absl::StatusOr<jit::ResizeSpec> row_major = ResizeSpecOf(
      ElementType::kF32, {2, 5, 1, 4}, {2, 5, 1, 3}, Layout::kRowMajor, Dimensions({false, false, false, true}));
  ASSERT_OK(row_major.status());
  EXPECT_EQ(row_major->batch, 10);
  EXPECT_EQ(row_major->channels, 1);
  EXPECT_EQ(row_major->axes[1].output(), 1);
  EXPECT_EQ(row_major->axes[2].input, 4);
  EXPECT_EQ(row_major->axes[2].output(), 3);
  EXPECT_EQ(row_major->axes[2].input_stride, 4);
  EXPECT_EQ(row_major->axes[2].taps[1][0].index, 1);
  EXPECT_EQ(row_major->axes[2].taps[1][0].weight, 0.5f);

  const absl::StatusOr<jit::ResizeSpec> channels_last = ResizeSpecOf(
      ElementType::kF32, {2, 5, 6, 4}, {2, 5, 3, 4}, Layout::kChannelsLast, Dimensions({false, false, true, false}));
  ASSERT_OK(channels_last.status());
  EXPECT_EQ(channels_last->batch, 2);
  EXPECT_EQ(channels_last->channels, 20);
  EXPECT_EQ(channels_last->axes[2].input, 6);
}

TEST(ResizePrimitiveTest, RefusesMoreAxesThanTheKernelHas) {
  EXPECT_THAT(ResizeSpecOf(ElementType::kF32, {4, 4, 4, 4}, {3, 3, 3, 3}, Layout::kRowMajor,
                           Dimensions({true, true, true, true}))
                  .status(),
              StatusIs(absl::StatusCode::kUnimplemented, ::testing::HasSubstr("4 axes")));
}

}  // namespace
}  // namespace burin::cpu
