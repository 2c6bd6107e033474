#include "jit/kernels/depthwise/depthwise_spec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <string>

#include "absl/status/status.h"
#include "base/element_type.h"
#include "jit/kernels/convolution/activation_strides.h"
#include "jit/kernels/convolution/window.h"
#include "testing/gtest/status_matchers.h"

namespace burin::jit {
namespace {

using ::testing::HasSubstr;

DepthwiseSpec Make() {
  DepthwiseSpec spec;
  spec.images = 2;
  spec.channels = 6;
  spec.multiplier = 2;
  spec.height = {9, 5, 3, 2, 1, 1};
  spec.width = {8, 8, 3, 1, 1, 1};
  spec.input = ActivationStrides::Dense(1, 9, 8, 6).value();
  spec.output = ActivationStrides::Dense(1, 5, 8, 12).value();
  return spec;
}

TEST(DepthwiseSpecTest, Counts) {
  const DepthwiseSpec spec = Make();
  EXPECT_OK(spec.Check());
  EXPECT_EQ(spec.output_channels(), 12);
  EXPECT_EQ(spec.taps(), 9);
  EXPECT_EQ(spec.multiply_adds(), 2.0 * 5 * 8 * 12 * 9);
}

TEST(DepthwiseSpecTest, ErrorsNameTheField) {
  const struct {
    std::function<void(DepthwiseSpec& spec)> change;
    absl::StatusCode code;
    std::string text;
  } cases[] = {
      {[](DepthwiseSpec& spec) { spec.images = -1; }, absl::StatusCode::kInvalidArgument, "images is -1"},
      {[](DepthwiseSpec& spec) { spec.channels = -1; }, absl::StatusCode::kInvalidArgument, "channels is -1"},
      {[](DepthwiseSpec& spec) { spec.multiplier = 0; }, absl::StatusCode::kInvalidArgument, "multiplier is 0"},
      {[](DepthwiseSpec& spec) { spec.channels = spec.multiplier = 1 << 20; }, absl::StatusCode::kInvalidArgument,
       "channels of the output"},
      {[](DepthwiseSpec& spec) { spec.depth.kernel = 0; }, absl::StatusCode::kInvalidArgument, "depth.kernel"},
      {[](DepthwiseSpec& spec) { spec.height.stride = 0; }, absl::StatusCode::kInvalidArgument, "height.stride"},
      {[](DepthwiseSpec& spec) { spec.width.input = -2; }, absl::StatusCode::kInvalidArgument, "width.input"},
      {[](DepthwiseSpec& spec) { spec.input.row = -1; }, absl::StatusCode::kInvalidArgument, "input.row"},
      {[](DepthwiseSpec& spec) { spec.output.image = int64_t{1} << 62; }, absl::StatusCode::kInvalidArgument,
       "output.image"},
      {[](DepthwiseSpec& spec) { spec.input_type = ElementType::kF16; }, absl::StatusCode::kUnimplemented,
       "input_type is f16"},
      {[](DepthwiseSpec& spec) { spec.output_type = ElementType::kI8; }, absl::StatusCode::kUnimplemented,
       "output_type is i8"},
      {[](DepthwiseSpec& spec) { spec.height.kernel = spec.width.kernel = 1025; }, absl::StatusCode::kUnimplemented,
       "taps"},
  };
  for (const auto& [change, code, text] : cases) {
    DepthwiseSpec spec = Make();
    change(spec);
    EXPECT_THAT(spec.Check(), StatusIs(code, HasSubstr(text)));
  }
}

}  // namespace
}  // namespace burin::jit
