#include "ir/ops/op_testlib.h"
#include "runtime/readers/onnx/onnx_model_testlib.h"
#include "testing/gtest/status_matchers.h"

namespace burin::onnx {
namespace {

using ir::F32;
using ir::I64;

TEST(AffineGridTest, PlacesOfCentresOrCorners) {
  const ir::Tensor identity = F32({1, 2, 3}, {1, 0, 0, 0, 1, 0});
  ExpectComputes(SingleNode("AffineGrid", 20).Inputs({identity, I64({4}, {1, 1, 2, 2})}),
                 {F32({1, 2, 2, 2}, {-0.5, -0.5, 0.5, -0.5, -0.5, 0.5, 0.5, 0.5})});
  ExpectComputes(
      SingleNode("AffineGrid", 20).Inputs({identity, I64({4}, {1, 1, 1, 3})}).With([](::onnx::NodeProto& node) {
        SetInt(node, "align_corners", 1);
      }),
      {F32({1, 1, 3, 2}, {-1, -1, 0, -1, 1, -1})});
}

TEST(AffineGridTest, MapsPlacesOfThreeAxes) {
  // (x, y, z) goes to (z, 2 y, x + 1).
  ExpectComputes(SingleNode("AffineGrid", 20)
                     .Inputs({F32({1, 3, 4}, {0, 0, 1, 0, 0, 2, 0, 0, 1, 0, 0, 1}), I64({5}, {1, 1, 1, 2, 1})}),
                 {F32({1, 1, 2, 1, 3}, {0, -1, 1, 0, 1, 1})});
}

}  // namespace
}  // namespace burin::onnx
