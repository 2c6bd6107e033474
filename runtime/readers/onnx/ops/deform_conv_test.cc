#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/ops/op_testlib.h"
#include "runtime/readers/onnx/onnx_model_testlib.h"
#include "testing/gtest/status_matchers.h"

namespace burin::onnx {
namespace {

using ::testing::HasSubstr;

using ir::F32;

TEST(DeformConvTest, PlacesOutsideAreZeros) {
  // Places -0.5, 1 and 2.25.
  for (int64_t opset : {19, 22}) {
    ExpectComputes(SingleNode("DeformConv", opset)
                       .Inputs({F32({1, 1, 3}, {2, 4, 8}), F32({1, 1, 1}, {1}), F32({1, 1, 3}, {-0.5, 0, 0.25})}),
                   {F32({1, 1, 3}, {1, 4, 6})});
  }
}

TEST(DeformConvTest, BiasAndMask) {
  const ir::Tensor x = F32({1, 1, 2}, {1, 2});
  const ir::Tensor weights = F32({2, 1, 1}, {10, 100});
  const ir::Tensor offsets = F32({1, 1, 2}, {0, 0});
  ExpectComputes(SingleNode("DeformConv", 19).Inputs({x, weights, offsets, F32({2}, {1, 2})}),
                 {F32({1, 2, 2}, {11, 21, 102, 202})});
  ExpectComputes(SingleNode("DeformConv", 19).Inputs({x, weights, offsets, ir::Tensor(), F32({1, 1, 2}, {0.5, 2})}),
                 {F32({1, 2, 2}, {5, 40, 50, 400})});
}

TEST(DeformConvTest, GroupsStridesDilationsAndPads) {
  ExpectComputes(SingleNode("DeformConv", 19)
                     .Inputs({F32({1, 2, 5}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}), F32({2, 1, 2}, {1, 10, 1, 10}),
                              F32({1, 4, 3}, {0, 0, 0, 0, 0, -1, 0, 0, 0, 0, 0, 0})})
                     .With([](::onnx::NodeProto& node) {
                       SetInts(node, "kernel_shape", {2});
                       SetInts(node, "strides", {2});
                       SetInts(node, "dilations", {2});
                       SetInts(node, "pads", {1, 1});
                       SetInt(node, "group", 2);
                       SetInt(node, "offset_group", 2);
                     }),
                 {F32({1, 2, 3}, {20, 42, 54, 70, 97, 9})});
}

TEST(DeformConvTest, RefusesWeightsWithoutAKernel) {
  EXPECT_THAT(
      ReadBytes(FileOf(SingleNode("DeformConv", 19).Inputs({F32({1, 1}, {1}), F32({1, 1}, {1}), F32({1, 0}, {})}))),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("at least 3 axes")));
}

}  // namespace
}  // namespace burin::onnx
