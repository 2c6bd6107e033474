#include "runtime/plugins/cpu/nodes/spatial_axes.h"

#include <vector>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/ops/family/window.h"
#include "testing/gtest/status_matchers.h"

namespace burin::cpu {
namespace {

using ::testing::HasSubstr;

TEST(SpatialAxesTest, TheLastAxisIsTheWidth) {
  ir::WindowParameters window;
  window.strides = {2, 1};
  window.pads_begin = {1, 0};
  window.pads_end = {1, 3};
  window.dilations = {1, 2};
  const auto axes = SpatialAxes(window, {3, 2}, {1, 8, 10, 20}, {1, 8, 5, 21});
  ASSERT_OK(axes.status());
  EXPECT_EQ((*axes)[0].input, 1);
  EXPECT_EQ((*axes)[0].window.kernel, 1);
  EXPECT_EQ((*axes)[1].input, 10);
  EXPECT_EQ((*axes)[1].window.stride, 2);
  EXPECT_EQ((*axes)[1].window.kernel, 3);
  EXPECT_EQ((*axes)[2].output, 21);
  EXPECT_EQ((*axes)[2].window.pad_end, 3);
  EXPECT_EQ((*axes)[2].window.dilation, 2);
}

TEST(SpatialAxesTest, AutomaticPaddingIsResolved) {
  ir::WindowParameters window;
  window.auto_pad = ir::AutoPad::kSameUpper;
  const auto axes = SpatialAxes(window, {4}, {1, 8, 10}, {1, 8, 10});
  ASSERT_OK(axes.status());
  EXPECT_EQ((*axes)[2].window.pad_begin, 1);
  EXPECT_EQ((*axes)[2].window.pad_end, 2);
}

TEST(SpatialAxesTest, FourAxesAreTooMany) {
  EXPECT_THAT(SpatialAxes({}, {1, 1, 1, 1}, {1, 1, 2, 2, 2, 2}, {1, 1, 2, 2, 2, 2}).status(),
              StatusIs(absl::StatusCode::kUnimplemented, HasSubstr("4 axes")));
}

}  // namespace
}  // namespace burin::cpu
