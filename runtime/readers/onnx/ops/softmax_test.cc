#include <cmath>
#include <cstdint>
#include <functional>

#include "ir/ops/op_testlib.h"
#include "runtime/readers/onnx/onnx_model_testlib.h"
#include "testing/gtest/status_matchers.h"

namespace burin::onnx {
namespace {

using ir::F32;

const ir::Tensor& X() {
  static const ir::Tensor* const x = new ir::Tensor(F32({1, 2, 2}, {0, std::log(3), 0, 0}));
  return *x;
}

std::function<void(::onnx::NodeProto&)> Axis(int64_t value) {
  return [value](::onnx::NodeProto& node) { SetInt(node, "axis", value); };
}

TEST(SoftmaxTest, AlongOneAxisSinceOpset13) {
  ExpectComputes(SingleNode("Softmax", 13).Inputs({X()}), {F32({1, 2, 2}, {0.25, 0.75, 0.5, 0.5})}, 1e-6);
  ExpectComputes(SingleNode("Softmax", 13).Inputs({X()}).With(Axis(1)), {F32({1, 2, 2}, {0.5, 0.75, 0.5, 0.25})}, 1e-6);
}

TEST(SoftmaxTest, FlattenedBefore) {
  // Axis 1 of [1, 2, 2] makes one row of four: weights 1, 3, 1, 1.
  ExpectComputes(SingleNode("Softmax", 11).Inputs({X()}), {F32({1, 2, 2}, {1 / 6.0, 0.5, 1 / 6.0, 1 / 6.0})}, 1e-6);
  ExpectComputes(SingleNode("Softmax", 11).Inputs({X()}).With(Axis(2)), {F32({1, 2, 2}, {0.25, 0.75, 0.5, 0.5})}, 1e-6);
  ExpectComputes(SingleNode("LogSoftmax", 11).Inputs({X()}),
                 {F32({1, 2, 2}, {-std::log(6), -std::log(2), -std::log(6), -std::log(6)})}, 1e-6);
}

TEST(SoftmaxTest, HardmaxMarksTheFirstLargest) {
  ExpectComputes(SingleNode("Hardmax", 13).Inputs({X()}), {F32({1, 2, 2}, {0, 1, 1, 0})});
  ExpectComputes(SingleNode("Hardmax", 11).Inputs({X()}), {F32({1, 2, 2}, {0, 1, 0, 0})});
}

// Exponentials of 0 and of ln 3 = 1.0986 are 1 and 3.
TEST(SoftmaxTest, OfQuantizedNumbers) {
  const SingleNode node = SingleNode("QLinearSoftmax")
                              .Domain("com.microsoft")
                              .Inputs({ir::U8({2, 2}, {10, 20, 10, 10}), F32({}, {0.10986123}), ir::U8({}, {10}),
                                       F32({}, {0.005}), ir::U8({}, {5})})
                              .Outputs({kUint8});
  const auto opset = [](int64_t version, int64_t axis) {
    return [=](::onnx::NodeProto& proto) {
      SetInt(proto, "opset", version);
      SetInt(proto, "axis", axis);
    };
  };
  ExpectComputes(SingleNode(node).With(opset(13, 1)), {ir::U8({2, 2}, {55, 155, 105, 105})});
  // All axes together: 1/6 and 1/2, of which 33.3 and 100 steps.
  ExpectComputes(SingleNode(node).With(opset(12, 0)), {ir::U8({2, 2}, {38, 105, 38, 38})});
}

}  // namespace
}  // namespace burin::onnx
