#include <cstdint>

#include "ir/ops/op_testlib.h"
#include "runtime/readers/onnx/onnx_model_testlib.h"
#include "testing/gtest/status_matchers.h"

namespace burin::onnx {
namespace {

using ir::F32;
using ir::I64;

const ir::Tensor& X() {
  static const ir::Tensor* const x = new ir::Tensor(F32({1, 2, 3}, {1, 3, 2, 6, 5, 4}));
  return *x;
}

TEST(PoolingTest, MaxPoolWithIndices) {
  // Indices count through the whole tensor.
  ExpectComputes(SingleNode("MaxPool").Inputs({X()}).Outputs({kFloat, kInt64}).With([](::onnx::NodeProto& node) {
    SetInts(node, "kernel_shape", {2});
  }),
                 {F32({1, 2, 2}, {3, 3, 6, 5}), I64({1, 2, 2}, {1, 1, 3, 4})});
}

TEST(PoolingTest, CeilModeLeavesOutWindowsInThePadding) {
  const auto ceil = [](::onnx::NodeProto& node) {
    SetInts(node, "kernel_shape", {1});
    SetInts(node, "strides", {2});
    SetInts(node, "pads", {0, 1});
    SetInt(node, "ceil_mode", 1);
  };
  ExpectComputes(SingleNode("MaxPool").Inputs({X()}).With(ceil), {F32({1, 2, 2}, {1, 2, 6, 4})});
}

TEST(PoolingTest, AveragePoolCountsThePaddingIfAsked) {
  const auto pads = [](int64_t count) {
    return [count](::onnx::NodeProto& node) {
      SetInts(node, "kernel_shape", {2});
      SetInts(node, "pads", {1, 0});
      SetInt(node, "count_include_pad", count);
    };
  };
  ExpectComputes(SingleNode("AveragePool").Inputs({X()}).With(pads(0)), {F32({1, 2, 3}, {1, 2, 2.5, 6, 5.5, 4.5})});
  ExpectComputes(SingleNode("AveragePool").Inputs({X()}).With(pads(1)), {F32({1, 2, 3}, {0.5, 2, 2.5, 3, 5.5, 4.5})});
}

TEST(PoolingTest, Global) {
  ExpectComputes(SingleNode("GlobalAveragePool").Inputs({X()}), {F32({1, 2, 1}, {2, 5})});
  ExpectComputes(SingleNode("GlobalMaxPool").Inputs({X()}), {F32({1, 2, 1}, {3, 6})});
  ExpectComputes(SingleNode("GlobalLpPool").Inputs({F32({1, 1, 2}, {3, -4})}), {F32({1, 1, 1}, {5})}, 1e-6);
  ExpectComputes(SingleNode("GlobalLpPool").Inputs({F32({1, 1, 2}, {3, -4})}).With([](::onnx::NodeProto& node) {
    SetInt(node, "p", 1);
  }),
                 {F32({1, 1, 1}, {7})}, 1e-6);
}

TEST(PoolingTest, LpPoolOverWindows) {
  ExpectComputes(SingleNode("LpPool").Inputs({F32({1, 1, 3}, {3, -4, 0})}).With([](::onnx::NodeProto& node) {
    SetInts(node, "kernel_shape", {2});
  }),
                 {F32({1, 1, 2}, {5, 4})}, 1e-6);
}

TEST(PoolingTest, NeedsAKernel) {
  EXPECT_THAT(ReadBytes(FileOf(SingleNode("MaxPool").Inputs({X()}))), StatusIs(absl::StatusCode::kInvalidArgument));
}

}  // namespace
}  // namespace burin::onnx
