#include "ir/ops/op_testlib.h"
#include "runtime/readers/onnx/onnx_model_testlib.h"
#include "testing/gtest/status_matchers.h"

namespace burin::onnx {
namespace {

using ir::F32;
using ir::I32;
using ir::I8;
using ir::U8;

TEST(IntegerProductTest, MatMulInteger) {
  const ir::Tensor a = U8({2, 1}, {1, 255});
  const ir::Tensor b = I8({1, 2}, {-128, 3});
  ExpectComputes(SingleNode("MatMulInteger").Inputs({a, b}).Outputs({kInt32}), {I32({2, 2}, {-128, 3, -32640, 765})});
  // A zero point per row of the left factor, and per column of the right one.
  ExpectComputes(SingleNode("MatMulInteger").Inputs({a, b, U8({2}, {1, 55}), I8({2}, {0, 1})}).Outputs({kInt32}),
                 {I32({2, 2}, {0, 0, -25600, 400})});
}

TEST(IntegerProductTest, ConvInteger) {
  // Padding stands for the zero point.
  ExpectComputes(SingleNode("ConvInteger")
                     .Inputs({U8({1, 1, 2}, {3, 4}), U8({1, 1, 2}, {1, 2}), U8({}, {1})})
                     .Outputs({kInt32})
                     .With([](::onnx::NodeProto& node) {
                       SetInts(node, "pads", {1, 0});
                     }),
                 {I32({1, 1, 2}, {4, 8})});
}

TEST(IntegerProductTest, QLinearMatMul) {
  ExpectComputes(SingleNode("QLinearMatMul")
                     .Inputs({U8({1, 2}, {3, 5}), F32({}, {0.5}), U8({}, {1}), U8({2, 1}, {2, 4}), F32({}, {2}),
                              U8({}, {0}), F32({}, {4}), U8({}, {7})})
                     .Outputs({kUint8}),
                 {U8({1, 1}, {12})});
}

TEST(IntegerProductTest, QLinearConv) {
  // ((3 - 1) * 2 + 6) * 0.5 * 2 / 4 = 2.5, which rounds to 2; plus 7.
  ExpectComputes(SingleNode("QLinearConv")
                     .Inputs({U8({1, 1, 1}, {3}), F32({}, {0.5}), U8({}, {1}), U8({1, 1, 1}, {2}), F32({1}, {2}),
                              U8({1}, {0}), F32({}, {4}), U8({}, {7}), I32({1}, {6})})
                     .Outputs({kUint8}),
                 {U8({1, 1, 1}, {9})});
}

TEST(IntegerProductTest, QLinearConvOfChannelsLast) {
  // Two pixels of one channel become two pixels of two channels: (x - 1) * (2, 3) * 0.5 * (2, 1) + 7, halves to even.
  ExpectComputes(SingleNode("QLinearConv")
                     .Domain("com.microsoft")
                     .Inputs({U8({1, 1, 2, 1}, {3, 4}), F32({}, {0.5}), U8({}, {1}), U8({2, 1, 1, 1}, {2, 3}),
                              F32({2}, {2, 1}), U8({2}, {0, 0}), F32({}, {1}), U8({}, {7})})
                     .Outputs({kUint8})
                     .With([](::onnx::NodeProto& node) { SetInt(node, "channels_last", 1); }),
                 {U8({1, 1, 2, 2}, {11, 10, 13, 11})});
}

}  // namespace
}  // namespace burin::onnx
