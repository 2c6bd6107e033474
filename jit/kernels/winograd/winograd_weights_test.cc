#include "jit/kernels/winograd/winograd_weights.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/element_type.h"
#include "jit/code_cache.h"
#include "jit/isa/target.h"
#include "jit/kernels/convolution/convolution_spec.h"
#include "jit/kernels/convolution/convolution_testlib.h"
#include "jit/kernels/convolution/convolution_weights.h"
#include "jit/kernels/convolution/window.h"
#include "testing/gtest/status_matchers.h"
#include "testing/guarded_buffer.h"

namespace burin::jit {
namespace {

constexpr double kTransform[6][3] = {{1.0 / 4, 0, 0},
                                     {-1.0 / 6, -1.0 / 6, -1.0 / 6},
                                     {-1.0 / 6, 1.0 / 6, -1.0 / 6},
                                     {1.0 / 24, 1.0 / 12, 1.0 / 6},
                                     {1.0 / 24, -1.0 / 12, 1.0 / 6},
                                     {0, 0, 1}};

ConvolutionSpec Make(int64_t input_channels, int64_t output_channels) {
  const WindowAxis axis = PaddedAxis(14, 3, 1, 1, 1, 1);
  return MakeConvolution(1, input_channels, output_channels, 1, WindowAxis(), axis, axis);
}

void Check(int64_t inputs, int64_t outputs, const ConvolutionWeightStrides& strides, GuardedEnd end) {
  ASSERT_OK_AND_ASSIGN(const Target target, Target::Host());
  ASSERT_OK_AND_ASSIGN(const WinogradWeights transform,
                       WinogradWeights::Create(Make(inputs, outputs), strides, target, CodeCache::Process()));
  const int64_t panels = (outputs + 63) / 64;
  const int64_t plane = WinogradWeights::PlaneBytes(inputs) / 4;
  ASSERT_GE(plane, inputs * 64);
  ASSERT_EQ(transform.packed_bytes(), panels * 36 * plane * 4);
  ASSERT_OK_AND_ASSIGN(const GuardedBuffer weights,
                       GuardedBuffer::Create(static_cast<size_t>(outputs * inputs * 9 * 4), end));
  ASSERT_OK_AND_ASSIGN(const GuardedBuffer packed,
                       GuardedBuffer::Create(static_cast<size_t>(transform.packed_bytes()), end));
  ASSERT_OK_AND_ASSIGN(const GuardedBuffer scratch,
                       GuardedBuffer::Create(static_cast<size_t>(transform.scratch_bytes()), end));
  std::mt19937 random(1);
  std::uniform_real_distribution<float> distribution(-1, 1);
  std::generate_n(weights.As<float>(), outputs * inputs * 9, [&] { return distribution(random); });
  transform.Run(weights.data(), packed.data(), scratch.data(), 0, transform.work_items());
  for (int64_t panel = 0; panel < panels; ++panel) {
    for (int64_t product = 0; product < 36; ++product) {
      for (int64_t input = 0; input < inputs; ++input) {
        for (int64_t column = 0; column < 64; ++column) {
          const int64_t output = panel * 64 + column;
          double expected = 0;
          for (int64_t tap = 0; output < outputs && tap < 9; ++tap) {
            const float weight = weights.As<float>()[output * strides.output_channel + input * strides.input_channel +
                                                     tap / 3 * strides.height + tap % 3 * strides.width];
            expected += kTransform[product / 6][tap / 3] * kTransform[product % 6][tap % 3] * weight;
          }
          const int64_t at = (panel * 36 + product) * plane + input * 64 + column;
          ASSERT_NEAR(packed.As<float>()[at], expected, std::abs(expected) * 6e-8 + 1e-15)
              << output << ", " << product << ", " << input;
        }
      }
    }
  }
  const std::vector<uint8_t> whole(packed.data(), packed.data() + packed.size());
  std::memset(packed.data(), 0, packed.size());
  for (int64_t item = transform.work_items() - 1; item >= 0; --item) {
    transform.Run(weights.data(), packed.data(), scratch.data(), item, item + 1);
  }
  EXPECT_EQ(std::memcmp(whole.data(), packed.data(), whole.size()), 0);
}

TEST(WinogradWeightsTest, TransformsIntoPanels) {
  for (const GuardedEnd end : {GuardedEnd::kFirstByte, GuardedEnd::kLastByte}) {
    for (const int64_t inputs : {1, 7, 70}) {
      for (const int64_t outputs : {1, 64, 150}) {
        // OIHW, and [row][pixel][input][output].
        Check(inputs, outputs, {9 * inputs, 9, 0, 3, 1}, end);
        Check(inputs, outputs, {1, outputs, 0, 3 * inputs * outputs, inputs * outputs}, end);
        if (HasFatalFailure()) return;
      }
    }
  }
}

TEST(WinogradWeightsTest, EmptyOnes) {
  ASSERT_OK_AND_ASSIGN(const Target target, Target::Host());
  for (const ConvolutionSpec& spec : {Make(0, 8), Make(8, 0)}) {
    ASSERT_OK_AND_ASSIGN(const WinogradWeights transform,
                         WinogradWeights::Create(spec, {}, target, CodeCache::Process()));
    EXPECT_EQ(transform.work_items(), 0);
    EXPECT_EQ(transform.packed_bytes(), 0);
    transform.Run(nullptr, nullptr, nullptr, 0, 0);
  }
}

TEST(WinogradWeightsTest, RefusesOtherTypes) {
  ASSERT_OK_AND_ASSIGN(const Target target, Target::Host());
  ConvolutionSpec spec = Make(8, 8);
  spec.weights_type = ElementType::kI8;
  EXPECT_THAT(WinogradWeights::Create(spec, {}, target, CodeCache::Process()).status(),
              StatusIs(absl::StatusCode::kUnimplemented, ::testing::HasSubstr("weights_type")));
}

}  // namespace
}  // namespace burin::jit
