#include "runtime/readers/onnx/ops/layer_norm.h"

#include <cmath>

#include "ir/ops/op_testlib.h"
#include "runtime/readers/onnx/onnx_model_testlib.h"
#include "testing/gtest/status_matchers.h"

namespace burin::onnx {
namespace {

using ir::F32;

constexpr auto kNoEpsilon = [](::onnx::NodeProto& node) { SetFloat(node, "epsilon", 0); };

TEST(LayerNormTest, Layer) {
  const ir::Tensor x = F32({2, 2}, {1, 3, 5, 9});
  ExpectComputes(SingleNode("LayerNormalization").Inputs({x, F32({2}, {1, 2}), F32({2}, {0, 1})}).With(kNoEpsilon),
                 {F32({2, 2}, {-1, 3, -1, 3})}, 1e-6);
  ExpectComputes(
      SingleNode("LayerNormalization").Inputs({x, F32({2}, {1, 1})}).Outputs({kFloat, kFloat, kFloat}).With(kNoEpsilon),
      {F32({2, 2}, {-1, 1, -1, 1}), F32({2, 1}, {2, 7}), F32({2, 1}, {1, 0.5})}, 1e-6);
  ExpectComputes(SingleNode("RMSNormalization", 23).Inputs({F32({1, 2}, {3, 4}), F32({2}, {1, 2})}).With(kNoEpsilon),
                 {F32({1, 2}, {3 / std::sqrt(12.5), 8 / std::sqrt(12.5)})}, 1e-6);
  ExpectComputes(
      SingleNode("SimplifiedLayerNormalization").Inputs({F32({1, 2}, {3, 4}), F32({2}, {1, 2})}).With(kNoEpsilon),
      {F32({1, 2}, {3 / std::sqrt(12.5), 8 / std::sqrt(12.5)})}, 1e-6);
}

}  // namespace
}  // namespace burin::onnx
