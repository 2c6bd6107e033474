#include <cstdint>

#include "ir/ops/op_testlib.h"
#include "runtime/readers/onnx/onnx_model_testlib.h"
#include "testing/gtest/status_matchers.h"

namespace burin::onnx {
namespace {

using ir::F32;
using ir::I8;
using ir::U8;

TEST(QuantizeTest, PerAxis) {
  const auto axis = [](::onnx::NodeProto& node) { SetInt(node, "axis", 0); };
  ExpectComputes(SingleNode("QuantizeLinear", 13)
                     .Inputs({F32({2, 2}, {2, 4, 6, 9}), F32({2}, {2, 3}), U8({2}, {0, 10})})
                     .Outputs({kUint8})
                     .With(axis),
                 {U8({2, 2}, {1, 2, 12, 13})});
  ExpectComputes(SingleNode("DequantizeLinear", 13)
                     .Inputs({U8({2, 2}, {1, 2, 12, 13}), F32({2}, {2, 3}), U8({2}, {0, 10})})
                     .With(axis),
                 {F32({2, 2}, {2, 4, 6, 9})});
}

TEST(QuantizeTest, PerBlock) {
  const auto blocks = [](::onnx::NodeProto& node) {
    SetInt(node, "axis", 1);
    SetInt(node, "block_size", 2);
  };
  ExpectComputesStatic(
      SingleNode("DequantizeLinear", 21).Inputs({I8({1, 4}, {1, 2, 3, 4}), F32({1, 2}, {10, 100})}).With(blocks),
      {F32({1, 4}, {10, 20, 300, 400})});
  // The last block has one element.
  ExpectComputesStatic(SingleNode("DequantizeLinear", 21)
                           .Inputs({I8({1, 3}, {1, 2, 3}), F32({1, 2}, {10, 100}), I8({1, 2}, {1, -1})})
                           .With(blocks),
                       {F32({1, 3}, {0, 10, 400})});
  EXPECT_THAT(
      ReadBytes(FileOf(
          SingleNode("DequantizeLinear", 21).Inputs({I8({1, 4}, {1, 2, 3, 4}), F32({1, 3}, {1, 1, 1})}).With(blocks))),
      StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST(QuantizeTest, Dynamic) {
  // Range [-1, 2]: scale 3 / 255, zero point 85.
  ExpectComputes(SingleNode("DynamicQuantizeLinear").Inputs({F32({3}, {-1, 0, 2})}).Outputs({kUint8, kFloat, kUint8}),
                 {U8({3}, {0, 85, 255}), F32({}, {static_cast<float>(3) / 255}), U8({}, {85})});
}

}  // namespace
}  // namespace burin::onnx
