#include "jit/kernels/convolution/convolution_weights.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "jit/code_cache.h"
#include "jit/isa/target.h"
#include "jit/kernels/convolution/convolution_spec.h"
#include "jit/kernels/convolution/convolution_testlib.h"
#include "jit/kernels/convolution/window.h"
#include "testing/gtest/status_matchers.h"

namespace burin::jit {
namespace {

// Weights as ONNX has them: [output channel][input channel of the group][height][width].
TEST(ConvolutionWeightsTest, EveryGroupHasItsPanels) {
  ASSERT_OK_AND_ASSIGN(const Target target, Target::Host());
  const WindowAxis height = PaddedAxis(9, 3, 1, 1, 1, 1);
  const WindowAxis width = PaddedAxis(9, 2, 1, 1, 1, 1);
  const int64_t channels = 5;
  const int64_t outputs = 70;
  for (const int64_t groups : {1, 3}) {
    const ConvolutionSpec spec =
        MakeConvolution(1, groups * channels, groups * outputs, groups, WindowAxis(), height, width);
    ASSERT_OK_AND_ASSIGN(const ConvolutionWeights weights,
                         ConvolutionWeights::Create(spec, {channels * 6, 6, 0, 2, 1}, target, CodeCache::Process()));
    EXPECT_EQ(weights.packed_bytes(), groups * 2 * channels * 6 * 256);
    std::vector<float> source(static_cast<size_t>(groups * outputs * channels * 6));
    for (size_t i = 0; i < source.size(); ++i) source[i] = static_cast<float>(i + 1);
    std::vector<float> packed(static_cast<size_t>(weights.packed_bytes() / 4), -1.0f);
    // In parts, the last first.
    for (int64_t part = 2; part >= 0; --part) {
      weights.Run(source.data(), packed.data(), part * weights.work_items() / 3, (part + 1) * weights.work_items() / 3);
    }
    size_t next = 0;
    for (int64_t group = 0; group < groups; ++group) {
      for (int64_t panel = 0; panel < 2; ++panel) {
        for (int64_t tap = 0; tap < 6; ++tap) {
          for (int64_t channel = 0; channel < channels; ++channel) {
            for (int64_t column = 0; column < 64; ++column) {
              const int64_t output = panel * 64 + column;
              const int64_t from = ((group * outputs + output) * channels + channel) * 6 + tap;
              ASSERT_EQ(packed[next++], output < outputs ? source[static_cast<size_t>(from)] : 0.0f);
            }
          }
        }
      }
    }
  }
}

TEST(ConvolutionWeightsTest, NothingToPack) {
  ASSERT_OK_AND_ASSIGN(const Target target, Target::Host());
  const ConvolutionSpec spec = MakeConvolution(1, 0, 8, 1, WindowAxis(), WindowAxis(), WindowAxis());
  ASSERT_OK_AND_ASSIGN(const ConvolutionWeights weights,
                       ConvolutionWeights::Create(spec, {}, target, CodeCache::Process()));
  EXPECT_EQ(weights.packed_bytes(), 0);
  EXPECT_EQ(weights.work_items(), 0);
  weights.Run(nullptr, nullptr, 0, 0);
}

}  // namespace
}  // namespace burin::jit
