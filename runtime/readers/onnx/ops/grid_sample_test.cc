#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/ops/op_testlib.h"
#include "runtime/readers/onnx/onnx_model_testlib.h"
#include "testing/gtest/status_matchers.h"

namespace burin::onnx {
namespace {

using ::testing::HasSubstr;

using ir::F32;

// A row of four, sampled at positions -0.5, 0.5, 1.5 and 3.5, in opset 16 as an image.
SingleNode Row(int64_t opset) {
  const std::vector<double> x = {8, 16, 32, 16};
  if (opset < 20) {
    return SingleNode("GridSample", opset)
        .Inputs({F32({1, 1, 1, 4}, x), F32({1, 1, 4, 2}, {-1, 0, -0.5, 0, 0, 0, 1, 0})})
        .Variable(2);
  }
  return SingleNode("GridSample", opset).Inputs({F32({1, 1, 4}, x), F32({1, 4, 1}, {-1, -0.5, 0, 1})}).Variable(2);
}

TEST(GridSampleTest, DefaultsAreLinearWithZerosAround) {
  ExpectComputes(Row(16), {F32({1, 1, 1, 4}, {4, 12, 24, 8})});
  ExpectComputes(Row(20), {F32({1, 1, 4}, {4, 12, 24, 8})});
  ExpectComputes(Row(22), {F32({1, 1, 4}, {4, 12, 24, 8})});
}

TEST(GridSampleTest, ModesHaveTwoNames) {
  for (const char* mode : {"cubic", "bicubic"}) {
    ExpectComputes(Row(20).With([mode](::onnx::NodeProto& node) { SetString(node, "mode", mode); }),
                   {F32({1, 1, 4}, {3.25, 11.25, 26.25, 6.5})});
  }
  ExpectComputes(Row(16).With([](::onnx::NodeProto& node) { SetString(node, "mode", "bilinear"); }),
                 {F32({1, 1, 1, 4}, {4, 12, 24, 8})});
  ExpectComputes(Row(20).With([](::onnx::NodeProto& node) { SetString(node, "mode", "nearest"); }),
                 {F32({1, 1, 4}, {8, 8, 32, 0})});
}

TEST(GridSampleTest, PaddingAndCorners) {
  for (const char* padding : {"border", "reflection"}) {
    ExpectComputes(Row(20).With([padding](::onnx::NodeProto& node) { SetString(node, "padding_mode", padding); }),
                   {F32({1, 1, 4}, {8, 12, 24, 16})});
  }
  ExpectComputes(Row(20).With([](::onnx::NodeProto& node) { SetInt(node, "align_corners", 1); }),
                 {F32({1, 1, 4}, {8, 14, 24, 16})});
}

TEST(GridSampleTest, RefusesUnknownWords) {
  for (const char* name : {"mode", "padding_mode"}) {
    EXPECT_THAT(ReadBytes(FileOf(Row(20).With([name](::onnx::NodeProto& node) { SetString(node, name, "odd"); }))),
                StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("odd")));
  }
}

}  // namespace
}  // namespace burin::onnx
