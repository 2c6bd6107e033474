#include "tools/peers/onednn_peer.h"

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

class OneDnnPeerTest : public ::testing::Test {
 protected:
  void SetUp() override {
    absl::StatusOr<std::shared_ptr<kernel_bench::Peer>> made = OneDnnPeer();
    ASSERT_OK(made);
    peer_ = *made;
    if (peer_ == nullptr) GTEST_SKIP() << "built without oneDNN (tools/peers/README.md)";
  }

  std::shared_ptr<kernel_bench::Peer> peer_;
};

TEST_F(OneDnnPeerTest, HasNameAndVersion) {
  EXPECT_EQ(peer_->name(), "oneDNN");
  EXPECT_THAT(peer_->version(), ::testing::ContainsRegex("[0-9]+[.][0-9]+"));
}

TEST_F(OneDnnPeerTest, Transposes) {
  const std::vector<float> in = SomeFloats(3 * 5);
  ASSERT_OK_AND_ASSIGN(const std::vector<float> out, Results(*peer_, "Transpose", {3, 5}, {1, 0}));
  for (size_t row = 0; row < 3; ++row) {
    for (size_t column = 0; column < 5; ++column) EXPECT_EQ(out[column * 3 + row], in[row * 5 + column]);
  }
}

// Within what a case takes for right.
TEST_F(OneDnnPeerTest, ComputesFunctions) {
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
}

TEST_F(OneDnnPeerTest, TransposesMoreDimensions) {
  const std::vector<float> in = SomeFloats(2 * 3 * 4);
  ASSERT_OK_AND_ASSIGN(const std::vector<float> out, Results(*peer_, "Transpose", {2, 3, 4}, {1, 2, 0}));
  for (size_t i = 0; i < 2; ++i) {
    for (size_t j = 0; j < 3; ++j) {
      for (size_t k = 0; k < 4; ++k) EXPECT_EQ(out[(j * 4 + k) * 2 + i], in[(i * 3 + j) * 4 + k]);
    }
  }
}

TEST_F(OneDnnPeerTest, RunsGraphs) {
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

TEST_F(OneDnnPeerTest, MultipliesMatrices) {
  const std::vector<float> in = SomeFloats(4);
  ASSERT_OK_AND_ASSIGN(const std::vector<float> product,
                       GraphResults(*peer_, "MatMul", {{"a", {2, 2}}, {"b", {2, 2}}}, {}));
  for (size_t i = 0; i < 2; ++i) {
    for (size_t j = 0; j < 2; ++j) EXPECT_EQ(product[i * 2 + j], in[i * 2] * in[j] + in[i * 2 + 1] * in[2 + j]);
  }
}

// A constant is packed ahead, and taken as it is.
TEST_F(OneDnnPeerTest, MultipliesByConstants) {
  kernel_bench::PeerGraph graph;
  graph.inputs = {{"a", {1, 2}}};
  graph.outputs = {{"c", {1, 3}}};
  graph.constants = {{"b", {2, 3}, {1, 2, 3, 4, 5, 6}}};
  graph.nodes = {{"", "MatMul", {"a", "b"}, {"c"}, {}}};
  const std::vector<float> in = {10, 1};
  std::vector<float> out(3);
  graph.copies = {{{in.data()}, {out.data()}}};
  ASSERT_OK_AND_ASSIGN(const std::vector<kernel_bench::PeerContender> contenders, peer_->GraphContenders(graph));
  ASSERT_EQ(contenders.size(), 2);
  for (const kernel_bench::PeerContender& contender : contenders) {
    out.assign(3, -1);
    contender.calls[0]();
    EXPECT_EQ(out, (std::vector<float>{14, 25, 36})) << contender.variant;
  }
}

// Of an image of 3 x 3, in each form of the library.
TEST_F(OneDnnPeerTest, GoesOverImagesWithWindows) {
  const std::vector<float> in = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  std::vector<float> out(4);
  kernel_bench::PeerGraph graph;
  graph.inputs = {{"x", {1, 1, 3, 3}}};
  graph.outputs = {{"y", {1, 1, 2, 2}}};
  graph.constants = {{"w", {1, 1, 3, 3}, {0, 1, 0, 1, 10, 1, 0, 1, 0}}};
  graph.copies = {{{in.data()}, {out.data()}}};
  const std::vector<kernel_bench::PeerGraph::Attribute> attributes = {{"kernel_shape", std::vector<int64_t>{3, 3}},
                                                                      {"strides", std::vector<int64_t>{2, 2}},
                                                                      {"pads", std::vector<int64_t>{1, 1, 1, 1}},
                                                                      {"group", int64_t{1}}};
  const auto expect = [&](const std::string& type, const std::vector<float>& expected) {
    graph.nodes = {{"", type, {"x", "w"}, {"y"}, attributes}};
    ASSERT_OK_AND_ASSIGN(const std::vector<kernel_bench::PeerContender> contenders, peer_->GraphContenders(graph));
    ASSERT_FALSE(contenders.empty()) << type;
    for (const kernel_bench::PeerContender& contender : contenders) {
      out.assign(4, -1);
      contender.calls[0]();
      contender.finish();
      EXPECT_EQ(out, expected) << type << " " << contender.variant;
    }
  };
  expect("Conv", {10 + 2 + 4, 30 + 2 + 6, 70 + 4 + 8, 90 + 6 + 8});
  graph.constants.clear();
  expect("MaxPool", {5, 6, 8, 9});
  expect("AveragePool", {3, 4, 6, 7});
}

// Of which the second matrix is transposed.
TEST_F(OneDnnPeerTest, MultipliesByTransposedMatrices) {
  const std::vector<float> in = SomeFloats(4);
  ASSERT_OK_AND_ASSIGN(const std::vector<float> product,
                       GraphResults(*peer_, "Gemm", {{"a", {2, 2}}, {"b", {2, 2}}}, {{"transB", int64_t{1}}}));
  for (size_t i = 0; i < 2; ++i) {
    for (size_t j = 0; j < 2; ++j) {
      EXPECT_EQ(product[i * 2 + j], in[i * 2] * in[j * 2] + in[i * 2 + 1] * in[j * 2 + 1]);
    }
  }
}

TEST_F(OneDnnPeerTest, HasNobodyForWhatItDoesNotKnow) {
  EXPECT_THAT(Results(*peer_, "NoFunction", {8}), StatusIs(absl::StatusCode::kNotFound));
  EXPECT_THAT(GraphResults(*peer_, "Relu", {{"x", {8}}}, {}), StatusIs(absl::StatusCode::kNotFound));
}

}  // namespace
}  // namespace burin::peers
