#include "ir/ops/op_testlib.h"
#include "runtime/readers/onnx/onnx_model_testlib.h"
#include "testing/gtest/status_matchers.h"

namespace burin::onnx {
namespace {

using ir::F32;
using ir::I64;

TEST(CenterCropPadTest, CutsAndAddsAtBothEnds) {
  const ir::Tensor x = F32({4, 1}, {1, 2, 3, 4});
  // One of four goes: the last. Two are added to one: one at each end. Three: the second end gets two.
  ExpectComputes(SingleNode("CenterCropPad", 18).Inputs({x, I64({2}, {3, 3})}),
                 {F32({3, 3}, {0, 1, 0, 0, 2, 0, 0, 3, 0})});
  ExpectComputes(SingleNode("CenterCropPad", 18).Inputs({x, I64({2}, {2, 4})}),
                 {F32({2, 4}, {0, 2, 0, 0, 0, 3, 0, 0})});
}

TEST(CenterCropPadTest, AxesThatAreNotNamedStay) {
  ExpectComputes(SingleNode("CenterCropPad", 18)
                     .Inputs({F32({2, 3}, {1, 2, 3, 4, 5, 6}), I64({1}, {1})})
                     .With([](::onnx::NodeProto& node) { SetInts(node, "axes", {-1}); }),
                 {F32({2, 1}, {2, 5})});
}

}  // namespace
}  // namespace burin::onnx
