#include "tools/peers/onnxruntime_peer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "testing/gtest/status_matchers.h"
#include "tools/kernel_bench/peer.h"
#include "tools/peers/peer_testlib.h"

namespace burin::peers {
namespace {

class OnnxRuntimePeerTest : public ::testing::Test {
 protected:
  void SetUp() override {
    absl::StatusOr<std::shared_ptr<kernel_bench::Peer>> made = OnnxRuntimePeer();
    ASSERT_OK(made);
    peer_ = *made;
    if (peer_ == nullptr) GTEST_SKIP() << "built without ONNX Runtime (tools/peers/README.md)";
  }

  std::shared_ptr<kernel_bench::Peer> peer_;
};

TEST_F(OnnxRuntimePeerTest, HasNameAndVersion) {
  EXPECT_EQ(peer_->name(), "ONNX Runtime");
  EXPECT_THAT(peer_->version(), ::testing::ContainsRegex("[0-9]+[.][0-9]+"));
}

TEST_F(OnnxRuntimePeerTest, Transposes) {
  const std::vector<float> in = SomeFloats(3 * 5);
  ASSERT_OK_AND_ASSIGN(const std::vector<float> out, Results(*peer_, "Transpose", {3, 5}, {1, 0}));
  for (size_t row = 0; row < 3; ++row) {
    for (size_t column = 0; column < 5; ++column) EXPECT_EQ(out[column * 3 + row], in[row * 5 + column]);
  }
}

// Within what a case takes for right.
TEST_F(OnnxRuntimePeerTest, ComputesFunctions) {
  const std::vector<float> in = SomeFloats(40);
  const auto expect = [&](const char* function, double (*reference)(double)) {
    ASSERT_OK_AND_ASSIGN(const std::vector<float> out, Results(*peer_, function, {5, 8}));
    for (size_t i = 0; i < in.size(); ++i)
      EXPECT_NEAR(out[i], reference(in[i]), 1e-5 * std::max(1.0, std::abs(reference(in[i])))) << function;
  };
  expect("Exp", [](double x) { return std::exp(x); });
  expect("Log", [](double x) { return std::log(x); });
  expect("Sigmoid", [](double x) { return 1 / (1 + std::exp(-x)); });
  expect("Tanh", [](double x) { return std::tanh(x); });
  expect("Sqrt", [](double x) { return std::sqrt(x); });
  expect("Relu", [](double x) { return x; });
  expect("Abs", [](double x) { return std::abs(x); });
  expect("GeluErf", [](double x) { return 0.5 * x * (1 + std::erf(x * std::sqrt(0.5))); });
  expect("GeluTanh",
         [](double x) { return 0.5 * x * (1 + std::tanh(std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x))); });
  expect("Erf", [](double x) { return std::erf(x); });
  expect("Negative", [](double x) { return -x; });
}

TEST_F(OnnxRuntimePeerTest, TransposesMoreDimensions) {
  const std::vector<float> in = SomeFloats(2 * 3 * 4);
  ASSERT_OK_AND_ASSIGN(const std::vector<float> out, Results(*peer_, "Transpose", {2, 3, 4}, {1, 2, 0}));
  for (size_t i = 0; i < 2; ++i) {
    for (size_t j = 0; j < 3; ++j) {
      for (size_t k = 0; k < 4; ++k) EXPECT_EQ(out[(j * 4 + k) * 2 + i], in[(i * 3 + j) * 4 + k]);
    }
  }
}

TEST_F(OnnxRuntimePeerTest, RunsGraphs) {
  const std::vector<float> in = SomeFloats(2 * 3);
  ASSERT_OK_AND_ASSIGN(const std::vector<float> softmax,
                       GraphResults(*peer_, "Softmax", {{"x", {2, 3}}}, {{"axis", int64_t{-1}}}));
  const double sum = std::exp(in[0]) + std::exp(in[1]) + std::exp(in[2]);
  EXPECT_NEAR(softmax[1], std::exp(in[1]) / sum, 1e-6);
  ASSERT_OK_AND_ASSIGN(const std::vector<float> normalised,
                       GraphResults(*peer_, "LayerNormalization", {{"x", {2, 3}}, {"scale", {3}}, {"shift", {3}}},
                                    {{"axis", int64_t{-1}}, {"epsilon", 1e-5f}}));
  // Of 0.25, 0.5 and 0.75, which are scaled and shifted by the same.
  const double deviation = std::sqrt(0.125 / 3 + 1e-5);
  EXPECT_NEAR(normalised[0], -0.25 / deviation * 0.25 + 0.25, 1e-5);
  EXPECT_NEAR(normalised[2], 0.25 / deviation * 0.75 + 0.75, 1e-5);
}

// By attributes that are lists.
TEST_F(OnnxRuntimePeerTest, TakesAttributesOfEachKind) {
  const std::vector<float> in = SomeFloats(16);
  ASSERT_OK_AND_ASSIGN(const std::vector<float> pooled, GraphResults(*peer_, "MaxPool", {{"x", {1, 1, 4, 4}}},
                                                                     {{"kernel_shape", std::vector<int64_t>{3, 3}},
                                                                      {"pads", std::vector<int64_t>{1, 1, 1, 1}}}));
  EXPECT_EQ(pooled[0], *std::max_element(in.begin(), in.begin() + 6));
  EXPECT_EQ(pooled[5], *std::max_element(in.begin(), in.begin() + 11));
}

TEST_F(OnnxRuntimePeerTest, HasNobodyForWhatItDoesNotKnow) {
  EXPECT_THAT(Results(*peer_, "NoFunction", {8}), StatusIs(absl::StatusCode::kNotFound));
  EXPECT_THAT(GraphResults(*peer_, "NoOperator", {{"x", {8}}}, {}), StatusIs(absl::StatusCode::kInternal));
}

}  // namespace
}  // namespace burin::peers
