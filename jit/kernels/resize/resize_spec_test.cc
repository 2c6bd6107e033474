#include "jit/kernels/resize/resize_spec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>

#include "absl/status/status.h"
#include "base/element_type.h"
#include "testing/gtest/status_matchers.h"

namespace burin::jit {
namespace {

using ::testing::HasSubstr;

ResizeSpec Small() {
  ResizeSpec spec;
  spec.batch = 2;
  spec.channels = 3;
  spec.axes[1] = ResizeAxis::Unchanged(4);
  spec.axes[2].input = 2;
  spec.axes[2].taps = {{{0, 1}}, {{0, 0.5f}, {1, 0.5f}}, {{1, 1}}};
  spec.SetChannelsInnermost();
  return spec;
}

TEST(ResizeSpecTest, DenseStridesFollowTheAxes) {
  ResizeSpec spec = Small();
  EXPECT_EQ(spec.axes[2].input_stride, 12);
  EXPECT_EQ(spec.axes[1].input_stride, 24);
  EXPECT_EQ(spec.axes[1].output_stride, 36);
  EXPECT_EQ(spec.input_batch_stride, 96);
  EXPECT_EQ(spec.output_batch_stride, 144);
  spec.SetChannelsOutermost();
  EXPECT_EQ(spec.axes[2].output_stride, 4);
  EXPECT_EQ(spec.input_channel_stride, 32);
  EXPECT_EQ(spec.output_channel_stride, 48);
  EXPECT_EQ(spec.output_batch_stride, 144);
  EXPECT_OK(spec.Validate());
}

TEST(ResizeSpecTest, MovementsHaveSingleTapsOfWeightOne) {
  ResizeSpec spec = Small();
  EXPECT_FALSE(spec.IsMovement());
  spec.axes[2].taps[1].pop_back();
  EXPECT_FALSE(spec.IsMovement());
  spec.axes[2].taps[1].clear();
  EXPECT_TRUE(spec.IsMovement());
}

TEST(ResizeSpecTest, FieldsThatMakeNoSenseAreNamed) {
  const auto refused = [](auto change) {
    ResizeSpec spec = Small();
    change(spec);
    return spec.Validate();
  };
  const auto status = [](absl::StatusCode code, const char* text) { return StatusIs(code, HasSubstr(text)); };
  constexpr absl::StatusCode kInvalid = absl::StatusCode::kInvalidArgument;
  constexpr absl::StatusCode kLacking = absl::StatusCode::kUnimplemented;
  EXPECT_THAT(refused([](ResizeSpec& s) { s.batch = -1; }), status(kInvalid, "negative: -1, 3"));
  EXPECT_THAT(refused([](ResizeSpec& s) { s.axes[0].input = -1; }), status(kInvalid, "axis 0, input -1"));
  EXPECT_THAT(refused([](ResizeSpec& s) { s.axes[2].taps[0][0].index = 2; }), status(kInvalid, "axis 2, index 2"));
  EXPECT_THAT(refused([](ResizeSpec& s) { s.output_batch_stride = INT64_MIN; }), status(kInvalid, "2^62"));
  EXPECT_THAT(refused([](ResizeSpec& s) { s.type = ElementType::kU8; }), status(kLacking, "type u8"));
  EXPECT_THAT(refused([](ResizeSpec& s) { s.type = ElementType::kI4; }), status(kLacking, "type i4"));
  EXPECT_THAT(refused([](ResizeSpec& s) { s.input_channel_stride = 8; }), status(kLacking, "side by side"));
}

}  // namespace
}  // namespace burin::jit
