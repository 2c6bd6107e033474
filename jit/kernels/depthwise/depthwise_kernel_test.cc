#include "jit/kernels/depthwise/depthwise_kernel.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "base/element_type.h"
#include "jit/code_cache.h"
#include "jit/isa/cache_info.h"
#include "jit/isa/target.h"
#include "jit/kernels/brgemm/epilogue_testlib.h"
#include "jit/kernels/convolution/convolution_spec.h"
#include "jit/kernels/convolution/convolution_testlib.h"
#include "jit/kernels/convolution/window.h"
#include "jit/kernels/depthwise/depthwise_plan.h"
#include "jit/kernels/depthwise/depthwise_spec.h"
#include "jit/kernels/epilogue_emitter.h"
#include "testing/gtest/status_matchers.h"
#include "testing/guarded_buffer.h"

namespace burin::jit {
namespace {

using ::testing::HasSubstr;

constexpr float kUntouched = 12345.0f;

// Returns the same as a convolution in groups.
ConvolutionSpec AsConvolution(const DepthwiseSpec& spec) {
  ConvolutionSpec groups;
  groups.images = spec.images;
  groups.input_channels = spec.channels;
  groups.output_channels = spec.output_channels();
  groups.groups = spec.channels;
  groups.depth = spec.depth;
  groups.height = spec.height;
  groups.width = spec.width;
  groups.input = spec.input;
  groups.output = spec.output;
  return groups;
}

// Runs a convolution on buffers beside inaccessible pages and compares it with sums in double.
class Case {
 public:
  Case(const DepthwiseSpec& spec, const Target& target, const EpilogueEmitter* epilogue, std::mt19937& random)
      : spec_(spec), groups_(AsConvolution(spec)), target_(target), epilogue_(epilogue), random_(random) {}

  void Check(GuardedEnd end) {
    SCOPED_TRACE(Describe(groups_));
    ASSERT_OK_AND_ASSIGN(const DepthwiseKernel kernel,
                         DepthwiseKernel::Create(spec_, target_, CodeCache::Process(), epilogue_));
    const int64_t input_size = InputElements(groups_);
    ASSERT_OK_AND_ASSIGN(const GuardedBuffer input, GuardedBuffer::Create(static_cast<size_t>(input_size * 4), end));
    std::uniform_real_distribution<float> distribution(-1, 1);
    for (int64_t i = 0; i < input_size; ++i) input.As<float>()[i] = distribution(random_);
    weights_.resize(static_cast<size_t>(spec_.output_channels() * spec_.taps()));
    for (float& weight : weights_) weight = distribution(random_);
    ASSERT_OK_AND_ASSIGN(const GuardedBuffer packed,
                         GuardedBuffer::Create(static_cast<size_t>(kernel.packed_weights_bytes()), end));
    const int64_t width = spec_.width.kernel;
    // At an odd address, as constants of a file may lie.
    std::vector<char> bytes(weights_.size() * sizeof(float) + 1);
    std::copy_n(reinterpret_cast<const char*>(weights_.data()), bytes.size() - 1, bytes.data() + 1);
    kernel.PackWeights(bytes.data() + 1, {spec_.taps(), spec_.height.kernel * width, width, 1}, packed.data());
    const std::vector<double> expected = ConvolveInDouble(groups_, input.As<float>(), weights_);
    if (epilogue_ != nullptr) return CheckEpilogue(kernel, input, packed, expected, end);

    const int64_t size = OutputElements(groups_);
    ASSERT_OK_AND_ASSIGN(const GuardedBuffer output, GuardedBuffer::Create(static_cast<size_t>(size * 4), end));
    std::fill_n(output.As<float>(), size, kUntouched);
    const DepthwiseArgs args = {input.data(), packed.data(), output.data(), nullptr};
    kernel.Run(args, 0, kernel.work_items());
    std::vector<bool> written(static_cast<size_t>(size));
    size_t next = 0;
    ForEachPixel(groups_, [&](int64_t n, int64_t d, int64_t h, int64_t w) {
      for (int64_t c = 0; c < spec_.output_channels(); ++c) {
        const int64_t at =
            n * spec_.output.image + d * spec_.output.plane + h * spec_.output.row + w * spec_.output.pixel + c;
        written[static_cast<size_t>(at)] = true;
        ASSERT_NEAR(output.As<float>()[at], expected[next], 1e-5 * (1 + std::abs(expected[next])))
            << n << ", " << d << ", " << h << ", " << w << ", " << c;
        ++next;
      }
    });
    for (int64_t i = 0; i < size; ++i) {
      ASSERT_TRUE(written[static_cast<size_t>(i)] || output.As<float>()[i] == kUntouched) << i;
    }
    std::vector<float> whole(output.As<float>(), output.As<float>() + size);
    std::fill_n(output.As<float>(), size, kUntouched);
    for (int64_t parts = 3, part = parts - 1; part >= 0; --part) {
      kernel.Run(args, part * kernel.work_items() / parts, (part + 1) * kernel.work_items() / parts);
    }
    EXPECT_EQ(std::memcmp(whole.data(), output.data(), whole.size() * 4), 0);
  }

 private:
  void CheckEpilogue(const DepthwiseKernel& kernel, const GuardedBuffer& input, const GuardedBuffer& packed,
                     const std::vector<double>& sums, GuardedEnd end) {
    const int64_t columns = spec_.output_channels();
    const int64_t rows = static_cast<int64_t>(sums.size()) / columns;
    std::uniform_real_distribution<float> distribution(-1, 1);
    const auto make = [&](int64_t size) -> absl::StatusOr<GuardedBuffer> {
      absl::StatusOr<GuardedBuffer> buffer = GuardedBuffer::Create(static_cast<size_t>(size * 4), end);
      if (buffer.ok()) std::generate_n(buffer->As<float>(), size, [&] { return distribution(random_); });
      return buffer;
    };
    ASSERT_OK_AND_ASSIGN(const GuardedBuffer bias, make(columns));
    ASSERT_OK_AND_ASSIGN(const GuardedBuffer scale, make(rows));
    ASSERT_OK_AND_ASSIGN(const GuardedBuffer residual, make(rows * columns));
    ASSERT_OK_AND_ASSIGN(const GuardedBuffer output, make(rows * columns));
    std::array<EpiloguePlace, TestEpilogue::kOperandCount> places;
    places[TestEpilogue::kBias] = {bias.data(), 0};
    places[TestEpilogue::kScale] = {scale.data(), 4};
    places[TestEpilogue::kResidual] = {residual.data(), columns * 4};
    places[TestEpilogue::kOutput] = {output.data(), columns * 4};
    kernel.Run({input.data(), packed.data(), nullptr, places.data()}, 0, kernel.work_items());
    for (int64_t row = 0; row < rows; ++row) {
      for (int64_t column = 0; column < columns; ++column) {
        const int64_t i = row * columns + column;
        const double expected = TestEpilogue::Reference(sums[static_cast<size_t>(i)], bias.As<float>()[column],
                                                        scale.As<float>()[row], residual.As<float>()[i]);
        ASSERT_NEAR(output.As<float>()[i], expected, 1e-5 * (1 + std::abs(expected))) << row << ", " << column;
      }
    }
  }

  const DepthwiseSpec spec_;
  const ConvolutionSpec groups_;
  const Target& target_;
  const EpilogueEmitter* const epilogue_;
  std::mt19937& random_;
  std::vector<float> weights_;
};

DepthwiseSpec Make(int64_t images, int64_t channels, int64_t multiplier, const WindowAxis& depth,
                   const WindowAxis& height, const WindowAxis& width, int64_t gap = 0) {
  const ConvolutionSpec groups = MakeConvolution(images, channels, channels * multiplier,
                                                 std::max<int64_t>(1, channels), depth, height, width, gap);
  DepthwiseSpec spec;
  spec.images = images;
  spec.channels = channels;
  spec.multiplier = multiplier;
  spec.depth = depth;
  spec.height = height;
  spec.width = width;
  spec.input = groups.input;
  spec.output = groups.output;
  return spec;
}

void CheckBothEnds(const DepthwiseSpec& spec, const EpilogueEmitter* epilogue, std::mt19937& random) {
  ASSERT_OK_AND_ASSIGN(const Target target, Target::Host());
  for (const GuardedEnd end : {GuardedEnd::kFirstByte, GuardedEnd::kLastByte}) {
    Case(spec, target, epilogue, random).Check(end);
    if (::testing::Test::HasFatalFailure()) return;
  }
}

TEST(DepthwiseKernelTest, CommonWindows) {
  std::mt19937 random(1);
  for (const int64_t channels : {1, 16, 24, 67, 144}) {
    for (const int64_t size : {1, 2, 7, 19}) {
      for (const int64_t stride : {1, 2}) {
        for (const int64_t kernel : {1, 3, 5}) {
          const WindowAxis axis = PaddedAxis(size, kernel, stride, 1, kernel / 2, kernel / 2);
          CheckBothEnds(Make(1, channels, 1, WindowAxis(), axis, axis), nullptr, random);
          if (HasFatalFailure()) return;
        }
      }
    }
  }
}

TEST(DepthwiseKernelTest, RandomSpecs) {
  const uint32_t seed = std::random_device()();
  SCOPED_TRACE(absl::StrCat("seed ", seed));
  std::mt19937 random(seed);
  const TestEpilogue epilogue;
  const auto draw = [&](int64_t least, int64_t most) {
    return std::uniform_int_distribution<int64_t>(least, most)(random);
  };
  for (int i = 0; i < 60; ++i) {
    std::array<WindowAxis, 3> axes;
    for (size_t k = 0; k < axes.size(); ++k) {
      if (draw(0, 2) < static_cast<int64_t>(2 - k)) continue;
      axes[k] = PaddedAxis(draw(1, k == 2 ? 40 : 9), draw(1, k == 2 ? 9 : 4), draw(1, 3), draw(1, 3), draw(-1, 4),
                           draw(0, 4));
    }
    const DepthwiseSpec spec = Make(draw(1, 2), draw(1, 90), draw(0, 2) == 0 ? draw(2, 20) : 1, axes[0], axes[1],
                                    axes[2], draw(0, 1) * draw(1, 20));
    if (spec.depth.output * spec.height.output * spec.width.output == 0) continue;
    CheckBothEnds(spec, draw(0, 1) == 0 ? &epilogue : nullptr, random);
    if (HasFatalFailure()) return;
  }
}

TEST(DepthwiseKernelTest, ManyTapsOfARow) {
  std::mt19937 random(2);
  for (const int64_t kernel : {7, 15, 31}) {
    const WindowAxis axis = PaddedAxis(45, kernel, 1, 1, kernel / 2, kernel / 2);
    CheckBothEnds(Make(1, 37, 1, WindowAxis(), WindowAxis(), axis), nullptr, random);
    CheckBothEnds(Make(1, 20, 3, WindowAxis(), PaddedAxis(5, 31, 1, 1, 15, 15), axis), nullptr, random);
    if (HasFatalFailure()) return;
  }
}

TEST(DepthwiseKernelTest, EpiloguesThatTakeManyRegisters) {
  std::mt19937 random(3);
  const WindowAxis axis = PaddedAxis(23, 3, 1, 1, 1, 1);
  const WindowAxis few = PaddedAxis(4, 3, 1, 1, 1, 1);
  for (const int vectors : {4, 8, 14}) {
    for (const int general : {3, 6, 8}) {
      const TestEpilogue epilogue(vectors, general);
      CheckBothEnds(Make(1, 70, 1, few, few, axis), &epilogue, random);
      if (HasFatalFailure()) return;
    }
  }
}

TEST(DepthwiseKernelTest, OutputsThatSeePaddingOnlyAreZero) {
  std::mt19937 random(4);
  const WindowAxis far = {3, 9, 2, 1, 1, 5};
  CheckBothEnds(Make(1, 20, 1, WindowAxis(), far, far), nullptr, random);
  const WindowAxis none = {0, 3, 2, 1, 1, 2};
  CheckBothEnds(Make(1, 20, 1, WindowAxis(), none, none), nullptr, random);
  const TestEpilogue epilogue;
  CheckBothEnds(Make(1, 20, 1, none, far, far), &epilogue, random);
}

TEST(DepthwiseKernelTest, ABlockOfChannelsAtATime) {
  // A cache of which the rows of all channels take more, and the image less.
  CacheSizes caches;
  caches.l1_data = 8 << 10;
  ASSERT_OK_AND_ASSIGN(const Target host, Target::Host());
  ASSERT_OK_AND_ASSIGN(const Target target, Target::ForTesting(host.isa(), host.microarch(), caches));
  std::mt19937 random(5);
  const WindowAxis axis = PaddedAxis(11, 3, 1, 1, 1, 1);
  const DepthwiseSpec spec = Make(2, 200, 1, WindowAxis(), axis, axis);
  const DepthwisePlan plan = PlanDepthwise(spec, target, EpilogueRegisters());
  ASSERT_LT(plan.block_vectors * plan.lanes, spec.channels);
  const TestEpilogue epilogue;
  Case(spec, target, nullptr, random).Check(GuardedEnd::kLastByte);
  Case(spec, target, &epilogue, random).Check(GuardedEnd::kLastByte);
  Case(Make(2, 100, 3, WindowAxis(), axis, axis), target, &epilogue, random).Check(GuardedEnd::kLastByte);
}

TEST(DepthwiseKernelTest, EmptyOnesHaveNoWork) {
  ASSERT_OK_AND_ASSIGN(const Target target, Target::Host());
  const WindowAxis axis = PaddedAxis(5, 3, 1, 1, 1, 1);
  WindowAxis no_output = axis;
  no_output.output = 0;
  for (const DepthwiseSpec& spec :
       {Make(0, 8, 1, WindowAxis(), axis, axis), Make(1, 0, 1, WindowAxis(), axis, axis),
        Make(1, 8, 1, WindowAxis(), axis, no_output), Make(1, 8, 1, no_output, axis, axis)}) {
    ASSERT_OK_AND_ASSIGN(const DepthwiseKernel kernel, DepthwiseKernel::Create(spec, target, CodeCache::Process()));
    EXPECT_EQ(kernel.work_items(), 0);
    kernel.Run({}, 0, 0);
    EXPECT_EQ(kernel.kernel_name(), "");
  }
}

TEST(DepthwiseKernelTest, BadSpecsAreRefused) {
  ASSERT_OK_AND_ASSIGN(const Target target, Target::Host());
  const auto status_of = [&](const DepthwiseSpec& spec) {
    return DepthwiseKernel::Create(spec, target, CodeCache::Process()).status();
  };
  const WindowAxis axis = PaddedAxis(5, 3, 1, 1, 1, 1);
  const DepthwiseSpec good = Make(1, 8, 1, WindowAxis(), axis, axis);
  EXPECT_OK(status_of(good));
  DepthwiseSpec spec = good;
  spec.multiplier = 0;
  EXPECT_THAT(status_of(spec), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("multiplier")));
  spec = good;
  spec.weights_type = ElementType::kBf16;
  EXPECT_THAT(status_of(spec), StatusIs(absl::StatusCode::kUnimplemented, HasSubstr("weights_type is bf16")));
  spec = good;
  spec.height.dilation = 0;
  EXPECT_THAT(status_of(spec), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("height.dilation")));
  spec = good;
  spec.input.pixel = int64_t{1} << 40;
  EXPECT_THAT(status_of(spec), StatusIs(absl::StatusCode::kUnimplemented, HasSubstr("2 GiB")));
  spec.input.pixel = -1;
  EXPECT_THAT(status_of(spec), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("input.pixel")));
  spec = good;
  spec.depth.kernel = spec.height.kernel = 1 << 12;
  EXPECT_THAT(status_of(spec), StatusIs(absl::StatusCode::kUnimplemented, HasSubstr("taps")));
  spec = good;
  spec.images = spec.height.output = spec.width.output = spec.depth.output = (int64_t{1} << 31) - 1;
  EXPECT_THAT(status_of(spec), StatusIs(absl::StatusCode::kInvalidArgument));
}

}  // namespace
}  // namespace burin::jit
