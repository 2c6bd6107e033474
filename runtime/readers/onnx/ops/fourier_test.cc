#include "runtime/readers/onnx/ops/fourier.h"

#include <vector>

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
  ExpectComputes(Dft(false, false).Inputs({F32({1, 4, 1}, {1, 2, 3, 5})}),
                 {F32({1, 4, 2}, {11, 0, -2, 3, -3, 0, -2, -3})}, kTiny);
  // i times that.
  ExpectComputes(Dft(false, false).Inputs({F32({1, 4, 2}, {0, 1, 0, 2, 0, 3, 0, 5})}),
                 {F32({1, 4, 2}, {0, 11, -3, -2, 0, -3, 3, -2})}, kTiny);
}

TEST(FourierTest, OnesidedAndBack) {
  ExpectComputes(Dft(false, true).Inputs({F32({1, 4, 1}, {1, 2, 3, 5})}), {F32({1, 3, 2}, {11, 0, -2, 3, -3, 0})},
                 kTiny);
  ExpectComputes(Dft(true, true).Inputs({F32({1, 3, 2}, {11, 0, -2, 3, -3, 0})}), {F32({1, 4, 1}, {1, 2, 3, 5})},
                 kTiny);
  ExpectComputes(Dft(true, false).Inputs({F32({1, 4, 2}, {11, 0, -2, 3, -3, 0, -2, -3})}),
                 {F32({1, 4, 2}, {1, 0, 2, 0, 3, 0, 5, 0})}, kTiny);
}

TEST(FourierTest, SignalsAreCutOrContinued) {
  ExpectComputes(Dft(false, false).Inputs({F32({1, 3, 1}, {1, 2, 9}), I64({}, {2})}), {F32({1, 2, 2}, {3, 0, -1, 0})},
                 kTiny);
  ExpectComputes(Dft(false, false).Inputs({F32({1, 1, 1}, {7}), I64({}, {2})}), {F32({1, 2, 2}, {7, 0, 7, 0})}, kTiny);
}

TEST(FourierTest, AlongAnyAxisButTheLast) {
  ExpectComputes(Dft(false, false).Inputs({F32({2, 2, 1}, {1, 2, 3, 4}), ir::Tensor(), I64({}, {0})}),
                 {F32({2, 2, 2}, {4, 0, 6, 0, -2, 0, -2, 0})}, kTiny);
  EXPECT_THAT(ReadBytes(FileOf(Dft(false, false).Inputs({F32({1, 2, 1}, {1, 2}), ir::Tensor(), I64({}, {2})}))),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("DFT_c3")));
}

// Inputs that are known at run time alone, and a length whose matrix would be large.
TEST(FourierTest, AxisAndLengthAtRunTime) {
  ExpectComputes(Dft(false, false).Inputs({F32({2, 2, 1}, {1, 2, 3, 4}), I64({}, {2}), I64({}, {0})}).Variable(3),
                 {F32({2, 2, 2}, {4, 0, 6, 0, -2, 0, -2, 0})}, kTiny);
  ExpectComputes(Dft(true, true).Inputs({F32({1, 3, 2}, {11, 0, -2, 3, -3, 0}), I64({}, {4})}).Variable(2),
                 {F32({1, 4, 1}, {1, 2, 3, 5})}, kTiny);
  std::vector<double> ones(1024, 1);
  std::vector<double> spectrum(2048, 0);
  spectrum[0] = 1024;
  ASSERT_OK_AND_ASSIGN(
      const std::vector<ir::Tensor> y,
      ReadAndRun(FileOf(Dft(false, false).Inputs({F32({1, 1024, 1}, ones)})), {F32({1, 1024, 1}, ones)}));
  ir::ExpectTensorNear(y[0], F32({1, 1024, 2}, spectrum), 0, 1e-9);
}

}  // namespace
}  // namespace burin::onnx
