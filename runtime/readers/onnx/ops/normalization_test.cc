#include <cmath>
#include <cstdint>

#include "ir/ops/op_testlib.h"
#include "runtime/readers/onnx/onnx_model_testlib.h"
#include "testing/gtest/status_matchers.h"

namespace burin::onnx {
namespace {

using ir::F32;

constexpr auto kNoEpsilon = [](::onnx::NodeProto& node) { SetFloat(node, "epsilon", 0); };

TEST(NormalizationTest, BatchNormalization) {
  const ir::Tensor x = F32({1, 2, 2}, {1, 3, 5, 7});
  ExpectComputes(SingleNode("BatchNormalization")
                     .Inputs({x, F32({2}, {2, 1}), F32({2}, {0, 1}), F32({2}, {1, 5}), F32({2}, {4, 1})})
                     .With(kNoEpsilon),
                 {F32({1, 2, 2}, {0, 2, 1, 3})}, 1e-6);
  // In training the batch's own statistics count: means 2 and 6, variances 1.
  ExpectComputes(SingleNode("BatchNormalization")
                     .Inputs({x, F32({2}, {2, 1}), F32({2}, {0, 1}), F32({2}, {0, 0}), F32({2}, {1, 3})})
                     .Outputs({kFloat, kFloat, kFloat})
                     .With([](::onnx::NodeProto& node) {
                       SetFloat(node, "epsilon", 0);
                       SetFloat(node, "momentum", 0.5f);
                       SetInt(node, "training_mode", 1);
                     }),
                 {F32({1, 2, 2}, {-2, 2, 0, 2}), F32({2}, {1, 3}), F32({2}, {1, 2})}, 1e-6);
  EXPECT_THAT(ReadBytes(FileOf(SingleNode("BatchNormalization", 7)
                                   .Inputs({x, F32({2}, {2, 1}), F32({2}, {0, 1}), F32({2}, {1, 5}), F32({2}, {4, 1})})
                                   .With([](::onnx::NodeProto& node) { SetInt(node, "spatial", 0); }))),
              StatusIs(absl::StatusCode::kUnimplemented));
}

TEST(NormalizationTest, InstanceAndGroup) {
  const ir::Tensor x = F32({1, 2, 2}, {1, 3, 5, 9});
  ExpectComputes(SingleNode("InstanceNormalization").Inputs({x, F32({2}, {1, 2}), F32({2}, {0, 1})}).With(kNoEpsilon),
                 {F32({1, 2, 2}, {-1, 1, -1, 3})}, 1e-6);
  const auto two_groups = [](::onnx::NodeProto& node) {
    SetFloat(node, "epsilon", 0);
    SetInt(node, "num_groups", 2);
  };
  const ir::Tensor four = F32({1, 4, 1}, {1, 3, 5, 9});
  // Per channel since opset 21, per group before.
  ExpectComputes(SingleNode("GroupNormalization", 21)
                     .Inputs({four, F32({4}, {1, 2, 1, 2}), F32({4}, {0, 0, 1, 1})})
                     .With(two_groups),
                 {F32({1, 4, 1}, {-1, 2, 0, 3})}, 1e-6);
  ExpectComputes(
      SingleNode("GroupNormalization", 18).Inputs({four, F32({2}, {1, 2}), F32({2}, {0, 1})}).With(two_groups),
      {F32({1, 4, 1}, {-1, 1, -1, 3})}, 1e-6);
}

TEST(NormalizationTest, Norms) {
  const ir::Tensor x = F32({1, 2}, {3, -4});
  ExpectComputes(SingleNode("LpNormalization").Inputs({x}), {F32({1, 2}, {0.6, -0.8})}, 1e-6);
  ExpectComputes(SingleNode("LpNormalization").Inputs({x}).With([](::onnx::NodeProto& node) { SetInt(node, "p", 1); }),
                 {F32({1, 2}, {3 / 7.0, -4 / 7.0})}, 1e-6);
  ExpectComputes(
      SingleNode("MeanVarianceNormalization").Inputs({F32({1, 2}, {1, 3})}).With([](::onnx::NodeProto& node) {
        SetInts(node, "axes", {1});
      }),
      {F32({1, 2}, {-1, 1})}, 1e-6);
}

TEST(NormalizationTest, Lrn) {
  // x / (1 + sum of squares of the three channels around)
  ExpectComputes(SingleNode("LRN").Inputs({F32({1, 3, 1}, {1, 2, 3})}).With([](::onnx::NodeProto& node) {
    SetInt(node, "size", 3);
    SetFloat(node, "alpha", 3);
    SetFloat(node, "beta", 1);
  }),
                 {F32({1, 3, 1}, {1 / 6.0, 2 / 15.0, 3 / 14.0})}, 1e-6);
}

}  // namespace
}  // namespace burin::onnx
