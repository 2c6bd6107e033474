#include "jit/kernels/winograd/winograd_spec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "jit/kernels/convolution/convolution_spec.h"
#include "jit/kernels/convolution/convolution_testlib.h"
#include "jit/kernels/convolution/window.h"
#include "testing/gtest/status_matchers.h"

namespace burin::jit {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

ConvolutionSpec Make() {
  const WindowAxis axis = PaddedAxis(14, 3, 1, 1, 1, 1);
  return MakeConvolution(2, 8, 16, 1, WindowAxis(), axis, axis);
}

TEST(WinogradSpecTest, AcceptsWindowsOf3By3) {
  EXPECT_OK(CheckWinograd(Make()));
  EXPECT_EQ(WinogradTiles(Make()), 2 * 4 * 4);
}

TEST(WinogradSpecTest, NamesWhatItDoesNotCompute) {
  const std::vector<std::pair<std::string, std::function<void(ConvolutionSpec&)>>> changes = {
      {"height.kernel is 1", [](ConvolutionSpec& spec) { spec.height.kernel = 1; }},
      {"width.stride is 2", [](ConvolutionSpec& spec) { spec.width.stride = 2; }},
      {"width.dilation is 3", [](ConvolutionSpec& spec) { spec.width.dilation = 3; }},
      {"groups is 2", [](ConvolutionSpec& spec) { spec.groups = 2; }},
      {"depth.output is 2", [](ConvolutionSpec& spec) { spec.depth.output = 2; }},
      {"depth.kernel is 3", [](ConvolutionSpec& spec) { spec.depth.kernel = 3; }}};
  for (const auto& [message, change] : changes) {
    ConvolutionSpec spec = Make();
    change(spec);
    EXPECT_THAT(CheckWinograd(spec), StatusIs(absl::StatusCode::kUnimplemented, HasSubstr(message)));
  }
  ConvolutionSpec bad = Make();
  bad.images = -1;
  EXPECT_THAT(CheckWinograd(bad), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("images")));
}

TEST(WinogradSpecTest, CutsAxes) {
  // The first tile begins in the padding, the last two reach behind the end.
  const WinogradAxis axis = WinogradAxis::Of(PaddedAxis(14, 3, 1, 1, 1, 1));
  EXPECT_THAT(axis.kind_of_tile, ElementsAre(0, 1, 1, 2));
  ASSERT_EQ(axis.kinds.size(), 3u);
  EXPECT_EQ(axis.kinds[0], (WinogradTileKind{{1, 6}, 4}));
  EXPECT_EQ(axis.kinds[1], (WinogradTileKind{{0, 6}, 4}));
  EXPECT_EQ(axis.kinds[2], (WinogradTileKind{{0, 3}, 2}));
}

TEST(WinogradSpecTest, CutsAxesWithMuchPadding) {
  WindowAxis far = {2, 13, 3, 1, 1, 9};
  const WinogradAxis axis = WinogradAxis::Of(far);
  EXPECT_THAT(axis.kind_of_tile, ElementsAre(0, 1, 2, 3));
  EXPECT_EQ(axis.kinds[0], (WinogradTileKind{{0, 0}, 4}));
  EXPECT_EQ(axis.kinds[1], (WinogradTileKind{{5, 6}, 4}));
  EXPECT_EQ(axis.kinds[2], (WinogradTileKind{{1, 3}, 4}));
  EXPECT_EQ(axis.kinds[3], (WinogradTileKind{{0, 0}, 1}));
  // None of the outputs sees the input's beginning.
  far.pad_before = -1;
  far.input = 20;
  EXPECT_EQ(WinogradAxis::Of(far).kinds.front(), (WinogradTileKind{{0, 6}, 4}));
  far.output = 0;
  EXPECT_TRUE(WinogradAxis::Of(far).kind_of_tile.empty());
}

}  // namespace
}  // namespace burin::jit
