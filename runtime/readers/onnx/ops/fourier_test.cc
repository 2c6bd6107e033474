#include "runtime/readers/onnx/ops/fourier.h"

#include <cmath>

#include "ir/ops/op_testlib.h"
#include "runtime/readers/onnx/onnx_model_testlib.h"
#include "testing/gtest/status_matchers.h"

namespace burin::onnx {
namespace {

using ::testing::HasSubstr;

using ir::F32;
using ir::I64;

SingleNode Dft(bool inverse, bool onesided) {
  return SingleNode("DFT", 20).With([=](::onnx::NodeProto& node) {
    SetInt(node, "inverse", inverse ? 1 : 0);
    SetInt(node, "onesided", onesided ? 1 : 0);
  });
}

constexpr double kTiny = 1e-6;

// x[n] of 4: X[k] = x0 + x1 (-i)^k + x2 (-1)^k + x3 i^k.
TEST(FourierTest, OfRealAndComplexSignals) {
  ExpectComputesStatic(Dft(false, false).Inputs({F32({1, 4, 1}, {1, 2, 3, 5})}),
                       {F32({1, 4, 2}, {11, 0, -2, 3, -3, 0, -2, -3})}, kTiny);
  // i times that.
  ExpectComputesStatic(Dft(false, false).Inputs({F32({1, 4, 2}, {0, 1, 0, 2, 0, 3, 0, 5})}),
                       {F32({1, 4, 2}, {0, 11, -3, -2, 0, -3, 3, -2})}, kTiny);
}

TEST(FourierTest, OnesidedAndBack) {
  ExpectComputesStatic(Dft(false, true).Inputs({F32({1, 4, 1}, {1, 2, 3, 5})}), {F32({1, 3, 2}, {11, 0, -2, 3, -3, 0})},
                       kTiny);
  ExpectComputesStatic(Dft(true, true).Inputs({F32({1, 3, 2}, {11, 0, -2, 3, -3, 0})}), {F32({1, 4, 1}, {1, 2, 3, 5})},
                       kTiny);
  ExpectComputesStatic(Dft(true, false).Inputs({F32({1, 4, 2}, {11, 0, -2, 3, -3, 0, -2, -3})}),
                       {F32({1, 4, 2}, {1, 0, 2, 0, 3, 0, 5, 0})}, kTiny);
}

TEST(FourierTest, SignalsAreCutOrContinued) {
  ExpectComputesStatic(Dft(false, false).Inputs({F32({1, 3, 1}, {1, 2, 9}), I64({}, {2})}),
                       {F32({1, 2, 2}, {3, 0, -1, 0})}, kTiny);
  ExpectComputesStatic(Dft(false, false).Inputs({F32({1, 1, 1}, {7}), I64({}, {2})}), {F32({1, 2, 2}, {7, 0, 7, 0})},
                       kTiny);
}

TEST(FourierTest, AlongAnyAxisButTheLast) {
  ExpectComputesStatic(Dft(false, false).Inputs({F32({2, 2, 1}, {1, 2, 3, 4}), ir::Tensor(), I64({}, {0})}),
                       {F32({2, 2, 2}, {4, 0, 6, 0, -2, 0, -2, 0})}, kTiny);
  EXPECT_THAT(ReadBytes(FileOf(Dft(false, false).Inputs({F32({1, 2, 1}, {1, 2}), ir::Tensor(), I64({}, {2})}))),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("Fourier")));
}

}  // namespace
}  // namespace burin::onnx
