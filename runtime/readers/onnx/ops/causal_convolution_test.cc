#include <cmath>

#include "ir/ops/op_testlib.h"
#include "runtime/readers/onnx/onnx_model_testlib.h"
#include "testing/gtest/status_matchers.h"

namespace burin::onnx {
namespace {

using ::testing::HasSubstr;

using ir::F32;

TEST(CausalConvolutionTest, StartsWithZerosOrThePast) {
  const ir::Tensor x = F32({1, 2, 3}, {1, 2, 3, 4, 5, 6});
  const ir::Tensor weights = F32({2, 1, 2}, {10, 1, 0, 2});
  ExpectComputes(SingleNode("CausalConvWithState", 27).Inputs({x, weights}).Outputs({kFloat, kFloat}),
                 {F32({1, 2, 3}, {1, 12, 23, 8, 10, 12}), F32({1, 2, 1}, {3, 6})});
  ExpectComputes(SingleNode("CausalConvWithState", 27)
                     .Inputs({x, weights, F32({2}, {100, 200}), F32({1, 2, 1}, {9, 9})})
                     .Outputs({kFloat, kFloat}),
                 {F32({1, 2, 3}, {191, 112, 123, 208, 210, 212}), F32({1, 2, 1}, {3, 6})});
}

TEST(CausalConvolutionTest, KeepsWhatItSawWhereTheInputIsShort) {
  ExpectComputes(SingleNode("CausalConvWithState", 27)
                     .Inputs({F32({1, 1, 1}, {5}), F32({1, 1, 3}, {1, 1, 1}), ir::Tensor(), F32({1, 1, 2}, {1, 2})})
                     .Outputs({kFloat, kFloat}),
                 {F32({1, 1, 1}, {8}), F32({1, 1, 2}, {2, 5})});
}

TEST(CausalConvolutionTest, ActivatesBySwish) {
  ExpectComputes(SingleNode("CausalConvWithState", 27)
                     .Inputs({F32({1, 1, 1}, {std::log(3)}), F32({1, 1, 1}, {1})})
                     .With([](::onnx::NodeProto& node) { SetString(node, "activation", "silu"); }),
                 {F32({1, 1, 1}, {std::log(3) * 0.75})}, 1e-6);
  EXPECT_THAT(ReadBytes(FileOf(SingleNode("CausalConvWithState", 27)
                                   .Inputs({F32({1, 1, 1}, {1}), F32({1, 1, 1}, {1})})
                                   .With([](::onnx::NodeProto& node) { SetString(node, "activation", "tanh"); }))),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("silu")));
}

}  // namespace
}  // namespace burin::onnx
