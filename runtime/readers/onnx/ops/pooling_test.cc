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

// Of two channels of 2 x 3 elements each, in columns of 2.
TEST(PoolingTest, MaxPoolWithColumnMajorIndices) {
  const ir::Tensor x = F32({1, 2, 2, 3}, {0, 5, 2, 3, 4, 1, 9, 0, 0, 0, 0, 8});
  ExpectComputes(SingleNode("MaxPool").Inputs({x}).Outputs({kFloat, kInt64}).With([](::onnx::NodeProto& node) {
    SetInts(node, "kernel_shape", {2, 2});
    SetInt(node, "storage_order", 1);
  }),
                 {F32({1, 2, 1, 2}, {5, 5, 9, 8}), I64({1, 2, 1, 2}, {2, 2, 6, 11})});
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

// (1 + 3) / 2 and (3 + 6) / 2 in steps of 0.5 from 10 on.
TEST(PoolingTest, AveragesQuantizedNumbers) {
  const auto average = [](const ir::Tensor& x, int64_t channels_last) {
    return SingleNode("QLinearAveragePool")
        .Domain("com.microsoft")
        .Inputs({x, F32({}, {1}), ir::U8({}, {5}), F32({}, {0.5}), ir::U8({}, {10})})
        .Outputs({kUint8})
        .With([channels_last](::onnx::NodeProto& node) {
          SetInts(node, "kernel_shape", {2});
          SetInt(node, "channels_last", channels_last);
        });
  };
  ExpectComputes(average(ir::U8({1, 2, 3}, {6, 8, 11, 5, 5, 7}), 0), {ir::U8({1, 2, 2}, {14, 19, 10, 12})});
  ExpectComputes(average(ir::U8({1, 3, 2}, {6, 5, 8, 5, 11, 7}), 1), {ir::U8({1, 2, 2}, {14, 10, 19, 12})});
}

}  // namespace
}  // namespace burin::onnx
