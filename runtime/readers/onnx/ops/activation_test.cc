#include <cmath>
#include <string>
#include <vector>

#include "ir/ops/op_testlib.h"
#include "runtime/readers/onnx/onnx_model_testlib.h"
#include "testing/gtest/status_matchers.h"

namespace burin::onnx {
namespace {

using ir::F32;

const ir::Tensor& X() {
  static const ir::Tensor* const x = new ir::Tensor(F32({1, 2, 2}, {-2, -1, 0, 3}));
  return *x;
}

void ExpectY(SingleNode node, const std::vector<double>& y) {
  ExpectComputes(node.Inputs({X()}), {F32({1, 2, 2}, y)}, 1e-6);
}

TEST(ActivationTest, OneInput) {
  const auto alpha = [](float value) { return [value](::onnx::NodeProto& node) { SetFloat(node, "alpha", value); }; };
  ExpectY(SingleNode("LeakyRelu").With(alpha(0.5f)), {-1, -0.5, 0, 3});
  ExpectY(SingleNode("LeakyRelu"), {-0.02, -0.01, 0, 3});
  ExpectY(SingleNode("Elu").With(alpha(2)), {2 * std::expm1(-2), 2 * std::expm1(-1), 0, 3});
  ExpectY(SingleNode("Celu").With(alpha(2)), {2 * std::expm1(-1), 2 * std::expm1(-0.5), 0, 3});
  ExpectY(SingleNode("ThresholdedRelu").With(alpha(-1.5f)), {0, -1, 0, 3});
  ExpectY(SingleNode("HardSigmoid").With(alpha(0.25f)), {0, 0.25, 0.5, 1});
  ExpectY(SingleNode("Swish", 24).With(alpha(2)),
          {-2 / (1 + std::exp(4)), -1 / (1 + std::exp(2)), 0, 3 / (1 + std::exp(-6))});
  ExpectY(SingleNode("HardSwish"), {-2.0 / 6, -2.0 / 6, 0, 3});
}

TEST(ActivationTest, Gelu) {
  const auto erf_form = [](double x) { return x / 2 * (1 + std::erf(x / std::sqrt(2))); };
  const auto tanh_form = [](double x) {
    return x / 2 * (1 + std::tanh(std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x)));
  };
  ExpectY(SingleNode("Gelu", 20), {erf_form(-2), erf_form(-1), 0, erf_form(3)});
  ExpectY(SingleNode("Gelu", 20).With([](::onnx::NodeProto& node) { SetString(node, "approximate", "tanh"); }),
          {tanh_form(-2), tanh_form(-1), 0, tanh_form(3)});
  EXPECT_THAT(ReadBytes(FileOf(SingleNode("Gelu", 20).Inputs({X()}).With([](::onnx::NodeProto& node) {
                SetString(node, "approximate", "sin");
              }))),
              StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST(ActivationTest, PReluBroadcastsItsSlope) {
  ExpectComputes(SingleNode("PRelu").Inputs({X(), F32({2, 1}, {0.5, 2})}), {F32({1, 2, 2}, {-1, -0.5, 0, 3})});
  // A vector matches the last axis, but before opset 7 the channels.
  ExpectComputes(SingleNode("PRelu").Inputs({X(), F32({2}, {0.5, 2})}), {F32({1, 2, 2}, {-1, -2, 0, 3})});
  const ir::Tensor x = F32({1, 2, 2}, {-2, -1, -4, 3});
  ExpectComputes(SingleNode("PRelu", 6).Inputs({x, F32({2}, {0.5, 2})}), {F32({1, 2, 2}, {-1, -0.5, -8, 3})});
}

TEST(ActivationTest, SeluDefaultsFollowTheSchema) {
  ExpectY(SingleNode("Selu", 1), {1.0507 * 1.6732 * std::expm1(-2), 1.0507 * 1.6732 * std::expm1(-1), 0, 3 * 1.0507});
  const double gamma = 1.05070102214813232421875;
  const double alpha = 1.67326319217681884765625;
  ExpectY(SingleNode("Selu", 6), {gamma * alpha * std::expm1(-2), gamma * alpha * std::expm1(-1), 0, 3 * gamma});
}

TEST(ActivationTest, GelusOfOtherRuntimes) {
  const auto erf = [](double x) { return x * 0.5 * (1 + std::erf(x / std::sqrt(2.0))); };
  const auto microsoft = [](const char* op) { return SingleNode(op).Domain("com.microsoft"); };
  const double inner = std::sqrt(2 / std::acos(-1.0)) * (3 + 0.044715 * 27);
  ExpectComputes(microsoft("FastGelu").Inputs({F32({1}, {1}), F32({1}, {2})}),
                 {F32({1}, {1.5 * (1 + std::tanh(inner))})}, 1e-5);
  ExpectComputes(microsoft("BiasGelu").Inputs({F32({1}, {-0.5}), F32({1}, {1})}), {F32({1}, {erf(0.5)})}, 1e-5);
  ExpectComputes(microsoft("BiasSplitGelu").Inputs({F32({1, 1, 2}, {3, 1}), F32({2}, {1, 0.5})}),
                 {F32({1, 1, 1}, {4 * erf(1.5)})}, 1e-5);
  ExpectComputes(
      microsoft("QuickGelu").Inputs({F32({1}, {2})}).With([](::onnx::NodeProto& node) { SetFloat(node, "alpha", 1); }),
      {F32({1}, {2 / (1 + std::exp(-2.0))})}, 1e-5);
  ExpectComputes(microsoft("BiasAdd").Inputs({F32({1, 1, 2}, {1, 2}), F32({2}, {10, 20}), F32({1, 1, 2}, {100, 200})}),
                 {F32({1, 1, 2}, {111, 222})});
}

}  // namespace
}  // namespace burin::onnx
