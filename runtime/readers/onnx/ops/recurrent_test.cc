#include <cmath>
#include <cstdint>
#include <vector>

#include "ir/ops/op_testlib.h"
#include "runtime/readers/onnx/onnx_model_testlib.h"
#include "testing/gtest/status_matchers.h"

namespace burin::onnx {
namespace {

using ir::F32;

double Sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

const auto kOneUnit = [](::onnx::NodeProto& node) { SetInt(node, "hidden_size", 1); };

// Two steps of one unit, x = 1, 2; the gates have different weights, so that their order shows.
TEST(RecurrentTest, Lstm) {
  const ir::Tensor x = F32({2, 1, 1}, {1, 2});
  const ir::Tensor w = F32({1, 4, 1}, {0.1, 0.2, 0.3, 0.4});  // input, output, forget, cell
  const ir::Tensor r = F32({1, 4, 1}, {0.5, 0.6, 0.7, 0.8});
  const ir::Tensor b = F32({1, 8}, {0.1, 0.2, 0.3, 0.4, 0, 0, 0, 0.1});
  double h = 0;
  double c = 0;
  std::vector<double> all;
  for (const double in : {1.0, 2.0}) {
    const double i = Sigmoid(0.1 * in + 0.5 * h + 0.1);
    const double o = Sigmoid(0.2 * in + 0.6 * h + 0.2);
    const double f = Sigmoid(0.3 * in + 0.7 * h + 0.3);
    c = f * c + i * std::tanh(0.4 * in + 0.8 * h + 0.5);
    h = o * std::tanh(c);
    all.push_back(h);
  }
  ExpectComputes(SingleNode("LSTM").Inputs({x, w, r, b}).Outputs({kFloat, kFloat, kFloat}).With(kOneUnit),
                 {F32({2, 1, 1, 1}, all), F32({1, 1, 1}, {h}), F32({1, 1, 1}, {c})}, 1e-5);
}

TEST(RecurrentTest, GruResetsBeforeOrAfter) {
  const ir::Tensor x = F32({1, 1, 1}, {1});
  const ir::Tensor w = F32({1, 3, 1}, {0.1, 0.2, 0.3});  // update, reset, hidden
  const ir::Tensor r = F32({1, 3, 1}, {0.4, 0.5, 0.6});
  const ir::Tensor b = F32({1, 6}, {0, 0, 0.1, 0, 0, 0.2});
  const ir::Tensor start = F32({1, 1, 1}, {0.5});
  const double update = Sigmoid(0.1 + 0.4 * 0.5);
  const double reset = Sigmoid(0.2 + 0.5 * 0.5);
  const double before = std::tanh(0.3 + 0.6 * (reset * 0.5) + 0.1 + 0.2);
  const double after = std::tanh(0.3 + reset * (0.6 * 0.5 + 0.2) + 0.1);
  for (const int64_t linear : {0, 1}) {
    const double h = (1 - update) * (linear ? after : before) + update * 0.5;
    ExpectComputes(SingleNode("GRU")
                       .Inputs({x, w, r, b, ir::Tensor(), start})
                       .Outputs({kFloat, kFloat})
                       .With([linear](::onnx::NodeProto& node) {
                         SetInt(node, "hidden_size", 1);
                         SetInt(node, "linear_before_reset", linear);
                       }),
                   {F32({1, 1, 1, 1}, {h}), F32({1, 1, 1}, {h})}, 1e-5);
  }
}

TEST(RecurrentTest, RnnBothWays) {
  const ir::Tensor x = F32({2, 1, 1}, {1, 2});
  const ir::Tensor w = F32({2, 1, 1}, {1, 1});
  const ir::Tensor r = F32({2, 1, 1}, {0.5, 0.5});
  const double f1 = std::tanh(1);
  const double f2 = std::tanh(2 + 0.5 * f1);
  const double b2 = std::tanh(2);
  const double b1 = std::tanh(1 + 0.5 * b2);
  ExpectComputes(SingleNode("RNN").Inputs({x, w, r}).Outputs({kFloat, kFloat}).With([](::onnx::NodeProto& node) {
    SetInt(node, "hidden_size", 1);
    SetString(node, "direction", "bidirectional");
  }),
                 {F32({2, 2, 1, 1}, {f1, b1, f2, b2}), F32({2, 1, 1}, {f2, b1})}, 1e-5);
}

TEST(RecurrentTest, Unsupported) {
  const ir::Tensor x = F32({1, 1, 1}, {1});
  const ir::Tensor w = F32({1, 4, 1}, {0.1, 0.2, 0.3, 0.4});
  EXPECT_THAT(ReadBytes(FileOf(SingleNode("LSTM").Inputs({x, w, w}).With([](::onnx::NodeProto& node) {
                SetInt(node, "hidden_size", 1);
                SetInt(node, "input_forget", 1);
              }))),
              StatusIs(absl::StatusCode::kUnimplemented));
}

}  // namespace
}  // namespace burin::onnx
