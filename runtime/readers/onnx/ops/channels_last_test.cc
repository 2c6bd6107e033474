#include "runtime/readers/onnx/ops/channels_last.h"

#include <cstdint>
#include <vector>

#include "ir/ops/op_testlib.h"
#include "runtime/readers/onnx/onnx_model_testlib.h"
#include "testing/gtest/status_matchers.h"

namespace burin::onnx {
namespace {

using ::testing::HasSubstr;

// A mean over windows of `length` along the first spatial axis and 1 along others, with scales of 1.
SingleNode Average(const ir::Tensor& x, std::vector<int64_t> kernel, int64_t channels_last) {
  const ir::Tensor scale = ir::F32({}, {1});
  const ir::Tensor zero = ir::U8({}, {0});
  return SingleNode("QLinearAveragePool")
      .Domain("com.microsoft")
      .Inputs({x, scale, zero, scale, zero})
      .Outputs({kUint8})
      .With([kernel, channels_last](::onnx::NodeProto& node) {
        SetInts(node, "kernel_shape", kernel);
        SetInt(node, "channels_last", channels_last);
      });
}

TEST(ChannelsLastTest, MovesTheChannelsThereAndBack) {
  // [N, H, W, C] = [1, 2, 1, 3]: rows of three channels, averaged in pairs.
  ExpectComputes(Average(ir::U8({1, 2, 1, 3}, {1, 2, 3, 5, 8, 13}), {2, 1}, 1), {ir::U8({1, 1, 1, 3}, {3, 5, 8})});
  // As [N, C, H, W] = [1, 2, 1, 3] they are rows of pixels.
  ExpectComputes(Average(ir::U8({1, 2, 1, 3}, {1, 3, 3, 5, 9, 13}), {1, 2}, 0), {ir::U8({1, 2, 1, 2}, {2, 3, 7, 11})});
}

TEST(ChannelsLastTest, NeedsASpatialAxis) {
  EXPECT_THAT(ReadBytes(FileOf(Average(ir::U8({1, 2}, {1, 2}), {1}, 1))),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("three axes")));
}

}  // namespace
}  // namespace burin::onnx
