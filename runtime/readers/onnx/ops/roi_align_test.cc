#include <functional>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/ops/op_testlib.h"
#include "runtime/readers/onnx/onnx_model_testlib.h"
#include "testing/gtest/status_matchers.h"

namespace burin::onnx {
namespace {

using ::testing::HasSubstr;

using ir::F32;
using ir::I64;

// An image whose element in row y and column x is 4 y + x, and the whole of it in bins of 2 x 2, one sample in each.
SingleNode Quarters(int64_t opset, const std::function<void(::onnx::NodeProto&)>& more = nullptr) {
  return SingleNode("RoiAlign", opset)
      .Inputs({F32({1, 1, 4, 4}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}), F32({1, 4}, {0, 0, 4, 4}),
               I64({1}, {0})})
      .Variable(3)
      .With([more](::onnx::NodeProto& node) {
        SetInt(node, "output_height", 2);
        SetInt(node, "output_width", 2);
        SetInt(node, "sampling_ratio", 1);
        if (more) more(node);
      });
}

TEST(RoiAlignTest, LaterOpsetsShiftByHalfAnElement) {
  ExpectComputes(Quarters(10), {F32({1, 1, 2, 2}, {5, 7, 13, 15})});
  for (int64_t opset : {16, 22}) {
    ExpectComputes(Quarters(opset), {F32({1, 1, 2, 2}, {2.5, 4.5, 10.5, 12.5})});
    ExpectComputes(Quarters(opset,
                            [](::onnx::NodeProto& node) {
                              SetString(node, "coordinate_transformation_mode", "output_half_pixel");
                            }),
                   {F32({1, 1, 2, 2}, {5, 7, 13, 15})});
  }
}

TEST(RoiAlignTest, ScalesAndTakesTheLargest) {
  // Bins of one element from -0.5 on; the samples lie on elements.
  ExpectComputes(Quarters(16,
                          [](::onnx::NodeProto& node) {
                            SetFloat(node, "spatial_scale", 0.5);
                            SetString(node, "mode", "max");
                          }),
                 {F32({1, 1, 2, 2}, {0, 1, 4, 5})});
}

TEST(RoiAlignTest, RefusesUnknownWords) {
  for (const char* name : {"mode", "coordinate_transformation_mode"}) {
    EXPECT_THAT(ReadBytes(FileOf(Quarters(16, [name](::onnx::NodeProto& node) { SetString(node, name, "odd"); }))),
                StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("odd")));
  }
}

TEST(RoiAlignTest, MaxRoiPoolTakesWholeElements) {
  const ir::Tensor data = F32({2, 1, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8});
  // The second image in quarters, and the first one's lower right corner, which all bins share.
  const ir::Tensor regions = F32({2, 5}, {1, 0, 0, 2, 2, 0, 2, 2, 2, 2});
  for (int64_t opset : {1, 22}) {
    ExpectComputes(
        SingleNode("MaxRoiPool", opset).Inputs({data, regions}).Variable(2).With([](::onnx::NodeProto& node) {
          SetInts(node, "pooled_shape", {2, 2});
          SetFloat(node, "spatial_scale", 0.5);
        }),
        {F32({2, 1, 2, 2}, {5, 6, 7, 8, 4, 4, 4, 4})});
  }
  EXPECT_THAT(ReadBytes(FileOf(SingleNode("MaxRoiPool", 22).Inputs({data, regions}))),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("pooled_shape")));
}

}  // namespace
}  // namespace burin::onnx
