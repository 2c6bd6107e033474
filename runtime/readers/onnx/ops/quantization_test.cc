#include "runtime/readers/onnx/ops/quantization.h"

#include "ir/ops/op_testlib.h"
#include "runtime/readers/onnx/onnx_model_testlib.h"
#include "testing/gtest/status_matchers.h"

namespace burin::onnx {
namespace {

using ir::F32;
using ir::I8;
using ir::U8;

TEST(QuantizationTest, RoundsHalvesToEvenAndSaturates) {
  ExpectComputes(SingleNode("QuantizeLinear", 13)
                     .Inputs({F32({6}, {1, 3, 5, -1, 1000, -1000}), F32({}, {2}), U8({}, {128})})
                     .Outputs({kUint8}),
                 {U8({6}, {128, 130, 130, 128, 255, 0})});
  ExpectComputes(
      SingleNode("QuantizeLinear", 13).Inputs({F32({2}, {-3, 1000}), F32({1}, {2}), I8({1}, {0})}).Outputs({kInt8}),
      {I8({2}, {-2, 127})});
}

TEST(QuantizationTest, FourBits) {
  const ir::Tensor x = ir::IntTensor(ElementType::kI4, {3}, {-8, 7, 1});
  ExpectComputes(SingleNode("DequantizeLinear", 21).Inputs({x, F32({}, {0.5})}), {F32({3}, {-4, 3.5, 0.5})});
}

}  // namespace
}  // namespace burin::onnx
