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

// One step from the cell state 0.5, with weights of zero: the gates see biases and the cell state.
TEST(RecurrentTest, LstmWithPeepholesAndCoupledGates) {
  const ir::Tensor zeros = F32({1, 4, 1}, {0, 0, 0, 0});
  const ir::Tensor b = F32({1, 8}, {0.1, 0.2, 0.3, 0.4, 0, 0, 0, 0});  // input, output, forget, cell
  const ir::Tensor p = F32({1, 3}, {1, 2, 3});                         // input, output, forget
  const ir::Tensor one = F32({1, 1, 1}, {1});
  for (const int64_t coupled : {0, 1}) {
    const double i = Sigmoid(0.1 + 1 * 0.5);
    const double f = coupled != 0 ? 1 - i : Sigmoid(0.3 + 3 * 0.5);
    const double c = f * 0.5 + i * std::tanh(0.4);
    const double h = Sigmoid(0.2 + 2 * c) * std::tanh(c);
    ExpectComputes(SingleNode("LSTM")
                       .Inputs({one, zeros, zeros, b, ir::Tensor(), one, F32({1, 1, 1}, {0.5}), p})
                       .Outputs({0, kFloat, kFloat})
                       .With([coupled](::onnx::NodeProto& node) {
                         SetInt(node, "hidden_size", 1);
                         SetInt(node, "input_forget", coupled);
                       }),
                   {F32({1, 1, 1}, {h}), F32({1, 1, 1}, {c})}, 1e-5);
  }
}

// x = -1: only the activations that have a parameter take one, in their order.
TEST(RecurrentTest, ActivationsTakeTheirParameters) {
  const ir::Tensor x = F32({1, 1, 1}, {-1});
  const ir::Tensor w = F32({1, 3, 1}, {1, 1, 1});
  const ir::Tensor r = F32({1, 3, 1}, {0, 0, 0});
  const auto activations = [](::onnx::NodeProto& node) {
    SetInt(node, "hidden_size", 1);
    auto* const names = node.add_attribute();
    names->set_name("activations");
    names->set_type(::onnx::AttributeProto::STRINGS);
    names->add_strings("Sigmoid");
    names->add_strings("LeakyRelu");
    SetFloats(node, "activation_alpha", {0.25f});
  };
  ExpectComputes(SingleNode("GRU").Inputs({x, w, r}).With(activations),
                 {F32({1, 1, 1, 1}, {(1 - Sigmoid(-1)) * -0.25})}, 1e-5);
  EXPECT_THAT(
      ReadBytes(FileOf(
          SingleNode("RNN").Inputs({x, F32({1, 1, 1}, {1}), F32({1, 1, 1}, {0})}).With([](::onnx::NodeProto& node) {
            SetInt(node, "hidden_size", 1);
            auto* const names = node.add_attribute();
            names->set_name("activations");
            names->set_type(::onnx::AttributeProto::STRINGS);
            names->add_strings("Sine");
          }))),
      StatusIs(absl::StatusCode::kUnimplemented));
}

// Weights 0.1 to 0.4 as (q - 128) / 100 and 0.5 to 0.8 as q / 10, each gate with a scale of its own.
TEST(RecurrentTest, LstmWithIntegerWeights) {
  const ir::Tensor one = F32({1, 1, 1}, {1});
  const double i = Sigmoid(0.1 + 0.5);
  const double o = Sigmoid(0.2 + 0.6);
  const double f = Sigmoid(0.3 + 0.7);
  const double c = f * 0.5 + i * std::tanh(0.4 + 0.8);
  ExpectComputes(SingleNode("DynamicQuantizeLSTM")
                     .Domain("com.microsoft")
                     .Inputs({one, ir::U8({1, 1, 4}, {138, 148, 158, 168}), ir::I8({1, 1, 4}, {5, 6, 7, 8}),
                              ir::Tensor(), ir::Tensor(), one, F32({1, 1, 1}, {0.5}), ir::Tensor(), F32({1}, {0.01}),
                              ir::U8({1}, {128}), F32({1, 4}, {0.1, 0.1, 0.1, 0.1}), ir::I8({1, 4}, {0, 0, 0, 0})})
                     .Outputs({0, kFloat, kFloat})
                     .With(kOneUnit),
                 {F32({1, 1, 1}, {o * std::tanh(c)}), F32({1, 1, 1}, {c})}, 1e-5);
}

}  // namespace
}  // namespace burin::onnx
