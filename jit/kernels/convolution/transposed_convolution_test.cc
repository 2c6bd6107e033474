#include "jit/kernels/convolution/transposed_convolution.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "jit/code_cache.h"
#include "jit/isa/target.h"
#include "jit/kernels/brgemm/epilogue_testlib.h"
#include "jit/kernels/convolution/convolution_spec.h"
#include "jit/kernels/convolution/convolution_testlib.h"
#include "jit/kernels/convolution/window.h"
#include "jit/kernels/epilogue_emitter.h"
#include "testing/gtest/status_matchers.h"
#include "testing/guarded_buffer.h"

namespace burin::jit {
namespace {

TEST(TransposedConvolutionTest, PhasesHaveTheTapsThatReachThem) {
  for (const int64_t kernel : {1, 2, 3, 4, 5}) {
    for (const int64_t stride : {1, 2, 3, 4}) {
      for (const int64_t dilation : {1, 2, 3}) {
        for (const int64_t pad : {-1, 0, 2}) {
          const WindowAxis axis = PaddedAxis(23, kernel, stride, dilation, pad, 1);
          int64_t outputs = 0;
          for (const TransposedPhase& phase : TransposedPhases(axis)) {
            outputs += phase.axis.output;
            for (int64_t q = 0; q < phase.axis.output; ++q) {
              std::vector<std::pair<int64_t, int64_t>> expected;
              for (int64_t k = 0; k < kernel; ++k) {
                for (int64_t i = 0; i < axis.output; ++i) {
                  if (axis.At(i, k) == phase.first + q * stride) expected.emplace_back(i, k);
                }
              }
              std::sort(expected.begin(), expected.end());
              std::vector<std::pair<int64_t, int64_t>> taps;
              for (int64_t j = 0; j < phase.axis.kernel; ++j) {
                const int64_t i = phase.axis.At(q, j);
                if (i >= 0 && i < axis.output) taps.emplace_back(i, phase.first_tap + j * phase.tap_step);
              }
              EXPECT_EQ(taps, expected);
            }
          }
          EXPECT_EQ(outputs, 23);
        }
      }
    }
  }
}

// Spreads each input over its window, in double: dense outputs of the transpose.
std::vector<double> TransposeInDouble(const ConvolutionSpec& forward, const float* input,
                                      const std::vector<float>& weights) {
  const int64_t pixels = forward.depth.input * forward.height.input * forward.width.input;
  std::vector<double> outputs(static_cast<size_t>(forward.images * pixels * forward.input_channels));
  const int64_t channels = forward.input_channels_of_group();
  ForEachPixel(forward, [&](int64_t n, int64_t d, int64_t h, int64_t w) {
    const float* const from =
        input + n * forward.output.image + d * forward.output.plane + h * forward.output.row + w * forward.output.pixel;
    for (int64_t tap = 0; tap < forward.taps(); ++tap) {
      const int64_t z = forward.depth.At(d, tap / forward.width.kernel / forward.height.kernel);
      const int64_t y = forward.height.At(h, tap / forward.width.kernel % forward.height.kernel);
      const int64_t x = forward.width.At(w, tap % forward.width.kernel);
      if (z < 0 || z >= forward.depth.input || y < 0 || y >= forward.height.input || x < 0 ||
          x >= forward.width.input) {
        continue;
      }
      const int64_t pixel = ((n * forward.depth.input + z) * forward.height.input + y) * forward.width.input + x;
      for (int64_t o = 0; o < forward.output_channels; ++o) {
        const int64_t group = o / forward.output_channels_of_group();
        for (int64_t c = 0; c < channels; ++c) {
          outputs[static_cast<size_t>(pixel * forward.input_channels + group * channels + c)] +=
              static_cast<double>(from[o]) * weights[static_cast<size_t>(o * forward.steps() + tap * channels + c)];
        }
      }
    }
  });
  return outputs;
}

void Check(const ConvolutionSpec& forward, const EpilogueEmitter* epilogue, GuardedEnd end, std::mt19937& random) {
  SCOPED_TRACE(Describe(forward));
  ASSERT_OK_AND_ASSIGN(const Target target, Target::Host());
  const int64_t channels = forward.input_channels_of_group();
  const int64_t width = forward.width.kernel * channels;
  ASSERT_OK_AND_ASSIGN(
      const TransposedConvolution transposed,
      TransposedConvolution::Create(forward, {forward.steps(), 1, forward.height.kernel * width, width, channels},
                                    target, CodeCache::Process(), epilogue));
  std::uniform_real_distribution<float> distribution(-1, 1);
  const auto make = [&](int64_t size) {
    absl::StatusOr<GuardedBuffer> buffer = GuardedBuffer::Create(static_cast<size_t>(size * 4), end);
    if (buffer.ok()) std::generate_n(buffer->As<float>(), size, [&] { return distribution(random); });
    return buffer;
  };
  ASSERT_OK_AND_ASSIGN(const GuardedBuffer input, make(OutputElements(forward)));
  ASSERT_OK_AND_ASSIGN(const GuardedBuffer packed, make(transposed.packed_bytes() / 4));
  const int64_t size = InputElements(forward);
  ASSERT_OK_AND_ASSIGN(const GuardedBuffer output, make(size));
  std::vector<float> weights(static_cast<size_t>(forward.output_channels * forward.steps()));
  for (float& weight : weights) weight = distribution(random);
  for (int64_t part = 1; part >= 0; --part) {
    transposed.Pack(weights.data(), packed.data(), part * transposed.pack_items() / 2,
                    (part + 1) * transposed.pack_items() / 2);
  }
  const std::vector<double> expected = TransposeInDouble(forward, input.As<float>(), weights);
  const double tolerance = 4e-6 + 2e-7 * static_cast<double>(forward.taps() * forward.output_channels_of_group());
  if (epilogue != nullptr) {
    const int64_t columns = forward.input_channels;
    const int64_t rows = static_cast<int64_t>(expected.size()) / columns;
    ASSERT_OK_AND_ASSIGN(const GuardedBuffer bias, make(columns));
    ASSERT_OK_AND_ASSIGN(const GuardedBuffer scale, make(rows));
    ASSERT_OK_AND_ASSIGN(const GuardedBuffer residual, make(rows * columns));
    std::array<EpiloguePlace, TestEpilogue::kOperandCount> places;
    places[TestEpilogue::kBias] = {bias.data(), 0};
    places[TestEpilogue::kScale] = {scale.data(), 4};
    places[TestEpilogue::kResidual] = {residual.data(), columns * 4};
    places[TestEpilogue::kOutput] = {output.data(), columns * 4};
    ASSERT_FALSE(transposed.keeps_sums());
    transposed.Run({input.data(), packed.data(), nullptr, places.data()}, 0, transposed.work_items());
    for (int64_t i = 0; i < rows * columns; ++i) {
      ASSERT_NEAR(output.As<float>()[i],
                  TestEpilogue::Reference(expected[static_cast<size_t>(i)], bias.As<float>()[i % columns],
                                          scale.As<float>()[i / columns], residual.As<float>()[i]),
                  2 * tolerance);
    }
    return;
  }
  const ConvolutionArgs args = {input.data(), packed.data(), output.data(), nullptr};
  transposed.Run(args, 0, transposed.work_items());
  const std::vector<float> whole(output.As<float>(), output.As<float>() + size);
  size_t next = 0;
  for (int64_t n = 0; n < forward.images; ++n) {
    for (int64_t d = 0; d < forward.depth.input; ++d) {
      for (int64_t h = 0; h < forward.height.input; ++h) {
        for (int64_t w = 0; w < forward.width.input; ++w) {
          const int64_t at =
              n * forward.input.image + d * forward.input.plane + h * forward.input.row + w * forward.input.pixel;
          for (int64_t c = 0; c < forward.input_channels; ++c, ++next) {
            ASSERT_NEAR(whole[static_cast<size_t>(at + c)], expected[next], tolerance)
                << n << ", " << d << ", " << h << ", " << w << ", " << c;
          }
        }
      }
    }
  }
  for (int64_t parts = 3, part = parts - 1; part >= 0; --part) {
    transposed.Run(args, part * transposed.work_items() / parts, (part + 1) * transposed.work_items() / parts);
  }
  EXPECT_EQ(std::memcmp(whole.data(), output.data(), whole.size() * 4), 0);
}

TEST(TransposedConvolutionTest, RandomSpecs) {
  const uint32_t seed = std::random_device()();
  SCOPED_TRACE(absl::StrCat("seed ", seed));
  std::mt19937 random(seed);
  const auto draw = [&](int64_t least, int64_t most) {
    return std::uniform_int_distribution<int64_t>(least, most)(random);
  };
  for (int i = 0; i < 40; ++i) {
    std::array<WindowAxis, 3> axes;
    for (size_t k = 0; k < axes.size(); ++k) {
      if (draw(0, 2) < static_cast<int64_t>(2 - k)) continue;
      axes[k] = PaddedAxis(draw(1, k == 2 ? 25 : 7), draw(1, 4), draw(1, 3), draw(1, 2), draw(0, 2), draw(0, 2));
    }
    const int64_t groups = draw(0, 2) == 0 ? 2 : 1;
    const ConvolutionSpec forward = MakeConvolution(draw(1, 2), groups * draw(1, 80), groups * draw(1, 30), groups,
                                                    axes[0], axes[1], axes[2], draw(0, 1) * draw(1, 9));
    Check(forward, nullptr, i % 2 == 0 ? GuardedEnd::kFirstByte : GuardedEnd::kLastByte, random);
    if (HasFatalFailure()) return;
  }
}

TEST(TransposedConvolutionTest, EpiloguesWithoutStrides) {
  std::mt19937 random(1);
  const TestEpilogue epilogue;
  const WindowAxis axis = PaddedAxis(9, 3, 1, 2, 1, 2);
  Check(MakeConvolution(1, 70, 20, 1, WindowAxis(), axis, axis), &epilogue, GuardedEnd::kLastByte, random);
  const WindowAxis strided = PaddedAxis(9, 3, 2, 1, 1, 1);
  ASSERT_OK_AND_ASSIGN(const Target target, Target::Host());
  EXPECT_THAT(TransposedConvolution::Create(MakeConvolution(1, 7, 20, 1, WindowAxis(), axis, strided), {}, target,
                                            CodeCache::Process(), &epilogue)
                  .status(),
              StatusIs(absl::StatusCode::kUnimplemented, ::testing::HasSubstr("epilogue")));
}

TEST(TransposedConvolutionTest, EmptyOnesAndSuchAsAreTooManyParts) {
  ASSERT_OK_AND_ASSIGN(const Target target, Target::Host());
  const WindowAxis axis = PaddedAxis(9, 3, 2, 1, 1, 1);
  ASSERT_OK_AND_ASSIGN(const TransposedConvolution none,
                       TransposedConvolution::Create(MakeConvolution(0, 7, 20, 1, WindowAxis(), axis, axis), {}, target,
                                                     CodeCache::Process()));
  EXPECT_EQ(none.work_items(), 0);
  const WindowAxis sparse = {100, 2, 3, 50, 1, 0};
  EXPECT_THAT(TransposedConvolution::Create(MakeConvolution(1, 7, 20, 1, WindowAxis(), sparse, sparse), {}, target,
                                            CodeCache::Process())
                  .status(),
              StatusIs(absl::StatusCode::kUnimplemented, ::testing::HasSubstr("phases")));
  // Without an input, every output is zero.
  std::mt19937 random(2);
  WindowAxis no_input = axis;
  no_input.output = 0;
  Check(MakeConvolution(1, 7, 20, 1, WindowAxis(), no_input, axis), nullptr, GuardedEnd::kFirstByte, random);
}

}  // namespace
}  // namespace burin::jit
