#include <cmath>
#include <vector>

#include "ir/ops/op_testlib.h"
#include "runtime/readers/onnx/onnx_model_testlib.h"
#include "testing/gtest/status_matchers.h"

namespace burin::onnx {
namespace {

using ir::F32;
using ir::I64;

TEST(LossTest, NegativeLogLikelihood) {
  const ir::Tensor x = F32({2, 2}, {-1, -2, -3, -4});
  const auto reduction = [](const char* name) {
    return [name](::onnx::NodeProto& node) { SetString(node, "reduction", name); };
  };
  const auto loss = [&](std::vector<ir::Tensor> inputs) {
    return SingleNode("NegativeLogLikelihoodLoss").Inputs(inputs);
  };
  ExpectComputes(loss({x, I64({2}, {0, 1})}).With(reduction("none")), {F32({2}, {1, 4})});
  ExpectComputes(loss({x, I64({2}, {0, 1})}).With(reduction("sum")), {F32({}, {5})});
  // The mean is over the weights.
  ExpectComputes(loss({x, I64({2}, {0, 1}), F32({2}, {1, 3})}), {F32({}, {13.0 / 4})}, 1e-6);
  ExpectComputes(loss({x, I64({2}, {0, -9})}).With([](::onnx::NodeProto& node) { SetInt(node, "ignore_index", -9); }),
                 {F32({}, {1})});
}

TEST(LossTest, SoftmaxCrossEntropy) {
  ExpectComputes(SingleNode("SoftmaxCrossEntropyLoss")
                     .Inputs({F32({1, 2}, {0, std::log(3)}), I64({1}, {1})})
                     .Outputs({kFloat, kFloat}),
                 {F32({}, {-std::log(0.75)}), F32({1, 2}, {std::log(0.25), std::log(0.75)})}, 1e-6);
}

}  // namespace
}  // namespace burin::onnx
