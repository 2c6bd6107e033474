#include "jit/kernels/convolution/convolution_spec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <string>

#include "absl/status/status.h"
#include "base/element_type.h"
#include "jit/kernels/convolution/convolution_testlib.h"
#include "jit/kernels/convolution/window.h"
#include "testing/gtest/status_matchers.h"

namespace burin::jit {
namespace {

using ::testing::HasSubstr;

WindowAxis Same(int64_t size) { return {size, size, 1, 1, 1, 0}; }

TEST(ConvolutionSpecTest, Counts) {
  const WindowAxis axis = PaddedAxis(9, 3, 2, 1, 1, 1);
  const ConvolutionSpec spec = MakeConvolution(2, 12, 20, 4, WindowAxis(), axis, axis);
  EXPECT_OK(spec.Check());
  EXPECT_EQ(spec.input_channels_of_group(), 3);
  EXPECT_EQ(spec.output_channels_of_group(), 5);
  EXPECT_EQ(spec.taps(), 9);
  EXPECT_EQ(spec.steps(), 27);
  EXPECT_EQ(spec.multiply_adds(), 2.0 * 25 * 20 * 27);
}

TEST(ConvolutionSpecTest, ErrorsNameTheField) {
  const struct {
    std::function<void(ConvolutionSpec& spec)> change;
    absl::StatusCode code;
    std::string text;
  } cases[] = {
      {[](ConvolutionSpec& spec) { spec.images = -1; }, absl::StatusCode::kInvalidArgument, "images is -1"},
      {[](ConvolutionSpec& spec) { spec.input_channels = -1; }, absl::StatusCode::kInvalidArgument,
       "input_channels is -1"},
      {[](ConvolutionSpec& spec) { spec.output_channels = -4; }, absl::StatusCode::kInvalidArgument,
       "output_channels is -4"},
      {[](ConvolutionSpec& spec) { spec.groups = 0; }, absl::StatusCode::kInvalidArgument, "groups is 0"},
      {[](ConvolutionSpec& spec) { spec.groups = 5; }, absl::StatusCode::kInvalidArgument, "groups: 5"},
      {[](ConvolutionSpec& spec) { spec.depth.kernel = 0; }, absl::StatusCode::kInvalidArgument, "depth.kernel"},
      {[](ConvolutionSpec& spec) { spec.width.dilation = 0; }, absl::StatusCode::kInvalidArgument, "width.dilation"},
      {[](ConvolutionSpec& spec) { spec.input.row = -1; }, absl::StatusCode::kInvalidArgument, "input.row"},
      {[](ConvolutionSpec& spec) { spec.output.image = int64_t{1} << 62; }, absl::StatusCode::kInvalidArgument,
       "output.image"},
      {[](ConvolutionSpec& spec) { spec.weights_type = ElementType::kBf16; }, absl::StatusCode::kUnimplemented,
       "weights_type is bf16"},
      {[](ConvolutionSpec& spec) { spec.output_type = ElementType::kF16; }, absl::StatusCode::kUnimplemented,
       "output_type is f16"},
      {[](ConvolutionSpec& spec) { spec.height.kernel = spec.width.kernel = 1000; }, absl::StatusCode::kUnimplemented,
       "products"},
  };
  const WindowAxis axis = PaddedAxis(9, 3, 2, 1, 1, 1);
  for (const auto& [change, code, text] : cases) {
    ConvolutionSpec spec = MakeConvolution(2, 12, 20, 4, WindowAxis(), axis, axis);
    change(spec);
    EXPECT_THAT(spec.Check(), StatusIs(code, HasSubstr(text)));
  }
}

TEST(ConvolutionSpecTest, OneAxisIsMadeOfThoseThatSeeThemselves) {
  const ConvolutionSpec flat = MakeConvolution(2, 8, 16, 1, Same(3), Same(4), Same(5)).Flattened();
  EXPECT_EQ(flat.images, 1);
  EXPECT_EQ(flat.depth.output, 1);
  EXPECT_EQ(flat.height.output, 1);
  EXPECT_EQ(flat.width.output, 120);
  EXPECT_EQ(flat.width.input, 120);
}

TEST(ConvolutionSpecTest, AxesWithGapsOrWindowsStay) {
  // Gaps between the rows of the input.
  ConvolutionSpec spec = MakeConvolution(2, 8, 16, 1, WindowAxis(), Same(4), Same(5));
  spec.input.row += 1;
  EXPECT_EQ(spec.Flattened().width.output, 5);
  EXPECT_EQ(spec.Flattened().images, 2);
  // Gaps between images alone.
  spec = MakeConvolution(2, 8, 16, 1, WindowAxis(), Same(4), Same(5));
  spec.output.image += 1;
  EXPECT_EQ(spec.Flattened().width.output, 20);
  EXPECT_EQ(spec.Flattened().images, 2);
  // A window along the width: the others become one.
  spec = MakeConvolution(2, 8, 16, 1, Same(3), Same(4), PaddedAxis(5, 3, 1, 1, 1, 1)).Flattened();
  EXPECT_EQ(spec.depth.output, 1);
  EXPECT_EQ(spec.height.output, 12);
  EXPECT_EQ(spec.width.output, 5);
  EXPECT_EQ(spec.images, 2);
  // Strides of 2 do not see themselves.
  spec = MakeConvolution(1, 8, 16, 1, WindowAxis(), PaddedAxis(4, 1, 2, 1, 0, 0), PaddedAxis(4, 1, 2, 1, 0, 0));
  EXPECT_EQ(spec.Flattened().height.output, 2);
  // A window along the depth does not keep rows and pixels apart.
  spec = MakeConvolution(1, 8, 16, 1, PaddedAxis(4, 3, 1, 1, 1, 1), Same(4), Same(5)).Flattened();
  EXPECT_EQ(spec.depth.output, 4);
  EXPECT_EQ(spec.width.output, 20);
}

}  // namespace
}  // namespace burin::jit
