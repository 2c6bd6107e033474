#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "ir/ops/op_testlib.h"
#include "runtime/readers/onnx/onnx_model_testlib.h"
#include "testing/gtest/status_matchers.h"

namespace burin::onnx {
namespace {

using ir::F32;

TEST(ConvolutionTest, PadsStridesAndBias) {
  // Sums of 3 neighbours, at every second place.
  const auto attributes = [](::onnx::NodeProto& node) {
    SetInts(node, "kernel_shape", {3});
    SetInts(node, "pads", {1, 0});
    SetInts(node, "strides", {2});
  };
  ExpectComputes(SingleNode("Conv")
                     .Inputs({F32({1, 1, 4}, {1, 2, 3, 4}), F32({1, 1, 3}, {1, 1, 1}), F32({1}, {10})})
                     .With(attributes),
                 {F32({1, 1, 2}, {13, 19})});
}

TEST(ConvolutionTest, Transposed) {
  const ir::Tensor x = F32({1, 1, 2}, {1, 2});
  const ir::Tensor w = F32({1, 1, 3}, {1, 10, 100});
  ExpectComputes(
      SingleNode("ConvTranspose").Inputs({x, w}).With([](::onnx::NodeProto& node) { SetInts(node, "strides", {2}); }),
      {F32({1, 1, 5}, {1, 10, 102, 20, 200})});
  // Five elements are covered, four asked for: the surplus one goes from the beginning, but for SAME_UPPER.
  const auto four = [](const char* auto_pad) {
    return [auto_pad](::onnx::NodeProto& node) {
      SetInts(node, "strides", {2});
      SetInts(node, "output_shape", {4});
      SetString(node, "auto_pad", auto_pad);
    };
  };
  ExpectComputesStatic(SingleNode("ConvTranspose").Inputs({x, w}).With(four("NOTSET")),
                       {F32({1, 1, 4}, {10, 102, 20, 200})});
  ExpectComputesStatic(SingleNode("ConvTranspose").Inputs({x, w}).With(four("SAME_UPPER")),
                       {F32({1, 1, 4}, {1, 10, 102, 20})});
  // More than is covered: zeros at the end.
  ExpectComputesStatic(SingleNode("ConvTranspose").Inputs({x, w}).With([](::onnx::NodeProto& node) {
    SetInts(node, "strides", {2});
    SetInts(node, "output_shape", {6});
  }),
                       {F32({1, 1, 6}, {1, 10, 102, 20, 200, 0})});
}

}  // namespace
}  // namespace burin::onnx
