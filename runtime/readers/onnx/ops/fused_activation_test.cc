#include "runtime/readers/onnx/ops/fused_activation.h"

#include <cmath>
#include <string>
#include <vector>

#include "ir/ops/op_testlib.h"
#include "runtime/readers/onnx/onnx_model_testlib.h"
#include "testing/gtest/status_matchers.h"

namespace burin::onnx {
namespace {

using ::testing::HasSubstr;

using ir::F32;

// A convolution by 1 of -2 and 2.
SingleNode Fused(const std::string& activation, const std::vector<float>& parameters) {
  return SingleNode("FusedConv")
      .Domain("com.microsoft")
      .Inputs({F32({1, 1, 2}, {-2, 2}), F32({1, 1, 1}, {1})})
      .With([=](::onnx::NodeProto& node) {
        SetString(node, "activation", activation);
        SetFloats(node, "activation_params", parameters);
      });
}

TEST(FusedActivationTest, EachByItsName) {
  ExpectComputes(Fused("Relu", {}), {F32({1, 1, 2}, {0, 2})});
  ExpectComputes(Fused("LeakyRelu", {0.25F}), {F32({1, 1, 2}, {-0.5, 2})});
  ExpectComputes(Fused("Clip", {-1, 1.5F}), {F32({1, 1, 2}, {-1, 1.5})});
  ExpectComputes(Fused("HardSigmoid", {0.25F, 0.75F}), {F32({1, 1, 2}, {0.25, 1})});
  ExpectComputes(Fused("Tanh", {}), {F32({1, 1, 2}, {std::tanh(-2), std::tanh(2)})}, 1e-6);
  ExpectComputes(Fused("Sigmoid", {}), {F32({1, 1, 2}, {1 / (1 + std::exp(2)), 1 / (1 + std::exp(-2))})}, 1e-6);
}

TEST(FusedActivationTest, RefusesWhatItDoesNotKnow) {
  EXPECT_THAT(ReadBytes(FileOf(Fused("Softplus", {}))),
              StatusIs(absl::StatusCode::kUnimplemented, HasSubstr("fused activation")));
  EXPECT_THAT(ReadBytes(FileOf(Fused("Clip", {1}))),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("more parameters")));
}

}  // namespace
}  // namespace burin::onnx
