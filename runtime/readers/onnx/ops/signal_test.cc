#include <cmath>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "ir/ops/op_testlib.h"
#include "runtime/readers/onnx/onnx_model_testlib.h"
#include "testing/gtest/status_matchers.h"

namespace burin::onnx {
namespace {

using ir::F32;
using ir::F64;
using ir::I64;

std::function<void(::onnx::NodeProto&)> Int(const std::string& name, int64_t value) {
  return [=](::onnx::NodeProto& node) { SetInt(node, name, value); };
}

TEST(SignalTest, Windows) {
  const ir::Tensor four = I64({}, {4});
  ExpectComputes(SingleNode("HannWindow").Inputs({four}), {F32({4}, {0, 0.5, 1, 0.5})}, 1e-6);
  ExpectComputes(SingleNode("HannWindow").Inputs({I64({}, {3})}).With(Int("periodic", 0)), {F32({3}, {0, 1, 0})}, 1e-6);
  const double low = 25.0 / 46.0;
  ExpectComputes(SingleNode("HammingWindow").Inputs({four}), {F32({4}, {4.0 / 46.0, low, 1, low})}, 1e-6);
  ExpectComputes(SingleNode("BlackmanWindow").Inputs({four}).With(Int("output_datatype", kDouble)).Outputs({kDouble}),
                 {F64({4}, {0, 0.34, 1, 0.34})}, 1e-9);
}

TEST(SignalTest, FramesAreWeightedAndTransformed) {
  // Frames (1, 2) and (3, 4), of each sum and difference.
  const ir::Tensor x = F32({1, 4, 1}, {1, 2, 3, 4});
  ExpectComputesStatic(SingleNode("STFT").Inputs({x, I64({}, {2}), ir::Tensor(), I64({}, {2})}),
                       {F32({1, 2, 2, 2}, {3, 0, -1, 0, 7, 0, -1, 0})}, 1e-6);
  ExpectComputesStatic(SingleNode("STFT").Inputs({x, I64({}, {1}), F32({2}, {10, 1})}),
                       {F32({1, 3, 2, 2}, {12, 0, 8, 0, 23, 0, 17, 0, 34, 0, 26, 0})}, 1e-6);
  ExpectComputesStatic(SingleNode("STFT").Inputs({F32({1, 2}, {1, 2}), I64({}, {1}), F32({2}, {10, 1})}),
                       {F32({1, 1, 2, 2}, {12, 0, 8, 0})}, 1e-6);
}

// mel(8000 Hz) is 2840.02; a third and two thirds of it are 921.5 Hz and 3055.9 Hz.
TEST(SignalTest, TrianglesOnTheMelScale) {
  const auto matrix = [](int64_t length) {
    return SingleNode("MelWeightMatrix")
        .Inputs({I64({}, {1}), I64({}, {length}), I64({}, {16000}), F32({}, {0}), F32({}, {8000})});
  };
  // Edges 0, 65 * 921.5 / 16000 and 65 * 3055.9 / 16000, rounded down: 0, 3 and 12.
  std::vector<double> column(33, 0);
  for (int i = 0; i <= 3; ++i) column[i] = i / 3.0;
  for (int i = 4; i <= 12; ++i) column[i] = (12 - i) / 9.0;
  ExpectComputes(matrix(64), {F32({33, 1}, column)}, 1e-6);
  // Edges 0, 0 and 3: nothing rises.
  ExpectComputes(matrix(16), {F32({9, 1}, {1, 2 / 3.0, 1 / 3.0, 0, 0, 0, 0, 0, 0})}, 1e-6);
}

}  // namespace
}  // namespace burin::onnx
