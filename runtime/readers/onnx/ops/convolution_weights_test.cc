#include "runtime/readers/onnx/ops/convolution_weights.h"

#include "ir/ops/op_testlib.h"
#include "runtime/readers/onnx/onnx_model_testlib.h"
#include "testing/gtest/status_matchers.h"

namespace burin::onnx {
namespace {

using ir::F32;

TEST(ConvolutionWeightsTest, Groups) {
  const ir::Tensor x = F32({1, 2, 2}, {1, 2, 3, 4});
  const auto two = [](::onnx::NodeProto& node) { SetInt(node, "group", 2); };
  ExpectComputes(SingleNode("Conv").Inputs({x, F32({4, 1, 1}, {1, 2, 3, 4})}).With(two),
                 {F32({1, 4, 2}, {1, 2, 2, 4, 9, 12, 12, 16})});
  EXPECT_THAT(ReadBytes(FileOf(SingleNode("Conv").Inputs({x, F32({3, 1, 1}, {1, 2, 3})}).With(two))),
              StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(
      ReadBytes(FileOf(SingleNode("Conv").Inputs({x, F32({4, 1, 1}, {1, 2, 3, 4})}).With([](::onnx::NodeProto& node) {
        SetInt(node, "group", 0);
      }))),
      StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST(ConvolutionWeightsTest, TransposedGroups) {
  ExpectComputes(SingleNode("ConvTranspose")
                     .Inputs({F32({1, 2, 1}, {1, 2}), F32({2, 1, 2}, {1, 2, 3, 4}), F32({2}, {10, 20})})
                     .With([](::onnx::NodeProto& node) { SetInt(node, "group", 2); }),
                 {F32({1, 2, 2}, {11, 12, 26, 28})});
}

}  // namespace
}  // namespace burin::onnx
