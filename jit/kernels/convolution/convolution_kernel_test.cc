#include "jit/kernels/convolution/convolution_kernel.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
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
#include "jit/isa/microarch.h"
#include "jit/isa/target.h"
#include "jit/kernels/brgemm/epilogue_testlib.h"
#include "jit/kernels/convolution/convolution_plan.h"
#include "jit/kernels/convolution/convolution_spec.h"
#include "jit/kernels/convolution/convolution_testlib.h"
#include "jit/kernels/convolution/convolution_weights.h"
#include "jit/kernels/convolution/window.h"
#include "jit/kernels/epilogue_emitter.h"
#include "testing/gtest/status_matchers.h"
#include "testing/guarded_buffer.h"

namespace burin::jit {
namespace {

using ::testing::HasSubstr;

constexpr float kUntouched = 12345.0f;

// Runs a convolution on buffers beside inaccessible pages and compares it with sums in double.
class Case {
 public:
  Case(const ConvolutionSpec& spec, const Target& target, const EpilogueEmitter* epilogue, std::mt19937& random)
      : spec_(spec), target_(target), epilogue_(epilogue), random_(random) {}

  void Check(GuardedEnd end) {
    SCOPED_TRACE(Describe(spec_));
    ASSERT_OK_AND_ASSIGN(const ConvolutionKernel kernel,
                         ConvolutionKernel::Create(spec_, target_, CodeCache::Process(), epilogue_));
    ASSERT_OK_AND_ASSIGN(const GuardedBuffer input, MakeBuffer(InputElements(spec_), end));
    std::vector<float> weights(static_cast<size_t>(spec_.output_channels * spec_.steps()));
    std::uniform_real_distribution<float> distribution(-1, 1);
    for (float& weight : weights) weight = distribution(random_);
    const int64_t channels = spec_.input_channels_of_group();
    const int64_t width = spec_.width.kernel * channels;
    const ConvolutionWeightStrides strides = {spec_.steps(), 1, spec_.height.kernel * width, width, channels};
    ASSERT_OK_AND_ASSIGN(const ConvolutionWeights packer,
                         ConvolutionWeights::Create(spec_, strides, target_, CodeCache::Process()));
    ASSERT_OK_AND_ASSIGN(const GuardedBuffer packed,
                         GuardedBuffer::Create(static_cast<size_t>(packer.packed_bytes()), end));
    packer.Run(weights.data(), packed.data(), 0, packer.work_items());
    expected_ = ConvolveInDouble(spec_, input.As<float>(), weights);
    // Each product of up to 1 is rounded with a sum that grows as they do.
    tolerance_ = 4e-6 + 2e-7 * static_cast<double>(spec_.steps());
    if (epilogue_ != nullptr) return CheckEpilogue(kernel, input, packed, end);

    const int64_t size = OutputElements(spec_);
    ASSERT_OK_AND_ASSIGN(const GuardedBuffer output, GuardedBuffer::Create(static_cast<size_t>(size * 4), end));
    std::fill_n(output.As<float>(), size, kUntouched);
    const ConvolutionArgs args = {input.data(), packed.data(), output.data(), nullptr};
    kernel.Run(args, 0, kernel.work_items());
    std::vector<bool> written(static_cast<size_t>(size));
    size_t next = 0;
    ForEachPixel(spec_, [&](int64_t n, int64_t d, int64_t h, int64_t w) {
      for (int64_t o = 0; o < spec_.output_channels; ++o, ++next) {
        const int64_t at =
            n * spec_.output.image + d * spec_.output.plane + h * spec_.output.row + w * spec_.output.pixel + o;
        written[static_cast<size_t>(at)] = true;
        ASSERT_NEAR(output.As<float>()[at], expected_[next], tolerance_)
            << n << ", " << d << ", " << h << ", " << w << ", " << o;
      }
    });
    for (int64_t i = 0; i < size; ++i) {
      ASSERT_TRUE(written[static_cast<size_t>(i)] || output.As<float>()[i] == kUntouched) << i;
    }
    const std::vector<float> whole(output.As<float>(), output.As<float>() + size);
    std::fill_n(output.As<float>(), size, kUntouched);
    for (int64_t parts = 3, part = parts - 1; part >= 0; --part) {
      kernel.Run(args, part * kernel.work_items() / parts, (part + 1) * kernel.work_items() / parts);
    }
    EXPECT_EQ(std::memcmp(whole.data(), output.data(), whole.size() * 4), 0);
  }

 private:
  absl::StatusOr<GuardedBuffer> MakeBuffer(int64_t size, GuardedEnd end) {
    std::uniform_real_distribution<float> distribution(-1, 1);
    absl::StatusOr<GuardedBuffer> buffer = GuardedBuffer::Create(static_cast<size_t>(size * 4), end);
    if (buffer.ok()) std::generate_n(buffer->As<float>(), size, [&] { return distribution(random_); });
    return buffer;
  }

  void CheckEpilogue(const ConvolutionKernel& kernel, const GuardedBuffer& input, const GuardedBuffer& packed,
                     GuardedEnd end) {
    const int64_t columns = spec_.output_channels;
    const int64_t rows = static_cast<int64_t>(expected_.size()) / columns;
    ASSERT_OK_AND_ASSIGN(const GuardedBuffer bias, MakeBuffer(columns, end));
    ASSERT_OK_AND_ASSIGN(const GuardedBuffer scale, MakeBuffer(rows, end));
    ASSERT_OK_AND_ASSIGN(const GuardedBuffer residual, MakeBuffer(rows * columns, end));
    ASSERT_OK_AND_ASSIGN(const GuardedBuffer output, MakeBuffer(rows * columns, end));
    ASSERT_OK_AND_ASSIGN(const GuardedBuffer sums, MakeBuffer(OutputElements(spec_), end));
    std::array<EpiloguePlace, TestEpilogue::kOperandCount> places;
    places[TestEpilogue::kBias] = {bias.data(), 0};
    places[TestEpilogue::kScale] = {scale.data(), 4};
    places[TestEpilogue::kResidual] = {residual.data(), columns * 4};
    places[TestEpilogue::kOutput] = {output.data(), columns * 4};
    void* const kept = kernel.keeps_sums() ? sums.data() : nullptr;
    kernel.Run({input.data(), packed.data(), kept, places.data()}, 0, kernel.work_items());
    for (int64_t row = 0; row < rows; ++row) {
      for (int64_t column = 0; column < columns; ++column) {
        const int64_t i = row * columns + column;
        const double expected = TestEpilogue::Reference(expected_[static_cast<size_t>(i)], bias.As<float>()[column],
                                                        scale.As<float>()[row], residual.As<float>()[i]);
        ASSERT_NEAR(output.As<float>()[i], expected, 2 * tolerance_) << row << ", " << column;
      }
    }
  }

  const ConvolutionSpec spec_;
  const Target& target_;
  const EpilogueEmitter* const epilogue_;
  std::mt19937& random_;
  std::vector<double> expected_;
  double tolerance_ = 0;
};

// The processor at hand as if it were of another class, with other caches.
Target TargetLike(MicroarchClass microarch, int64_t l2) {
  CacheSizes caches;
  caches.l2 = l2;
  return Target::ForTesting(Target::Host().value().isa(), Microarch::Of(microarch), caches).value();
}

void CheckBothEnds(const ConvolutionSpec& spec, const Target& target, const EpilogueEmitter* epilogue,
                   std::mt19937& random) {
  for (const GuardedEnd end : {GuardedEnd::kFirstByte, GuardedEnd::kLastByte}) {
    Case(spec, target, epilogue, random).Check(end);
    if (::testing::Test::HasFatalFailure()) return;
  }
}

TEST(ConvolutionKernelTest, CommonWindows) {
  std::mt19937 random(1);
  ASSERT_OK_AND_ASSIGN(const Target target, Target::Host());
  for (const int64_t channels : {3, 16, 70}) {
    for (const int64_t outputs : {1, 24, 64, 130}) {
      for (const int64_t size : {2, 7, 17}) {
        for (const int64_t stride : {1, 2}) {
          for (const int64_t kernel : {1, 3}) {
            const WindowAxis axis = PaddedAxis(size, kernel, stride, 1, kernel / 2, kernel / 2);
            CheckBothEnds(MakeConvolution(1, channels, outputs, 1, WindowAxis(), axis, axis), target, nullptr, random);
            if (HasFatalFailure()) return;
          }
        }
      }
    }
  }
}

// Draws specs of all kinds.
class RandomSpecs {
 public:
  explicit RandomSpecs(std::mt19937& random) : random_(random) {}

  int64_t Draw(int64_t least, int64_t most) { return std::uniform_int_distribution<int64_t>(least, most)(random_); }

  ConvolutionSpec Next() {
    std::array<WindowAxis, 3> axes;
    for (size_t i = 0; i < axes.size(); ++i) {
      // Axes that there are not, and such as are passed through.
      if (Draw(0, 2) < static_cast<int64_t>(2 - i)) continue;
      const int64_t most = i == 2 ? 30 : 7;
      axes[i] = Draw(0, 3) == 0 ? PaddedAxis(Draw(1, most), 1, 1, 1, 0, 0)
                                : PaddedAxis(Draw(1, most), Draw(1, i == 2 ? 5 : 3), Draw(1, 3), Draw(1, 3),
                                             Draw(-1, 3), Draw(0, 3));
    }
    const int64_t groups = Draw(0, 2) == 0 ? Draw(2, 4) : 1;
    return MakeConvolution(Draw(1, 2), groups * Draw(1, 40), groups * Draw(1, groups > 1 ? 40 : 150), groups, axes[0],
                           axes[1], axes[2], Draw(0, 1) * Draw(1, 20));
  }

 private:
  std::mt19937& random_;
};

TEST(ConvolutionKernelTest, RandomSpecs) {
  const uint32_t seed = std::random_device()();
  SCOPED_TRACE(absl::StrCat("seed ", seed));
  std::mt19937 random(seed);
  RandomSpecs specs(random);
  const TestEpilogue epilogue;
  const std::vector<Target> targets = {TargetLike(MicroarchClass::kZen4, 1 << 20),
                                       TargetLike(MicroarchClass::kUnknown, 1 << 20),
                                       // Chunks of a few steps, and orders by panels.
                                       TargetLike(MicroarchClass::kSapphireRapids, 16 << 10)};
  for (int i = 0; i < 100; ++i) {
    const ConvolutionSpec spec = specs.Next();
    if (OutputElements(spec) == 0) continue;
    const Target& target = targets[static_cast<size_t>(i) % targets.size()];
    CheckBothEnds(spec, target, specs.Draw(0, 1) == 0 ? &epilogue : nullptr, random);
    if (HasFatalFailure()) return;
  }
}

TEST(ConvolutionKernelTest, StemsOfFewChannels) {
  std::mt19937 random(2);
  const TestEpilogue epilogue;
  for (const MicroarchClass microarch : {MicroarchClass::kZen4, MicroarchClass::kSapphireRapids}) {
    const Target target = TargetLike(microarch, 1 << 20);
    const WindowAxis even = PaddedAxis(30, 7, 2, 1, 3, 3);
    CheckBothEnds(MakeConvolution(1, 3, 64, 1, WindowAxis(), even, even), target, &epilogue, random);
    // Padding on one side only, and windows that overlap with nothing.
    const WindowAxis uneven = PaddedAxis(29, 3, 2, 1, 0, 1);
    const WindowAxis patches = PaddedAxis(32, 8, 8, 1, 0, 0);
    CheckBothEnds(MakeConvolution(2, 1, 32, 1, WindowAxis(), uneven, even), target, nullptr, random);
    CheckBothEnds(MakeConvolution(1, 3, 70, 1, WindowAxis(), patches, patches), target, &epilogue, random);
    if (HasFatalFailure()) return;
  }
}

TEST(ConvolutionKernelTest, SumsInChunks) {
  std::mt19937 random(3);
  const TestEpilogue epilogue;
  const Target target = TargetLike(MicroarchClass::kSapphireRapids, 128 << 10);
  const WindowAxis axis = PaddedAxis(7, 3, 1, 1, 1, 1);
  for (const int64_t channels : {16, 100}) {
    const ConvolutionSpec spec = MakeConvolution(1, channels, 200, 1, WindowAxis(), axis, axis);
    const ConvolutionPlan plan = PlanConvolution(spec, target, EpilogueRegisters());
    ASSERT_LT(plan.chunk_steps, spec.steps());
    ASSERT_TRUE(plan.fetches_weights);
    CheckBothEnds(spec, target, nullptr, random);
    CheckBothEnds(spec, target, &epilogue, random);
    if (HasFatalFailure()) return;
    // Whether it is cut does not change a bit.
    ASSERT_OK_AND_ASSIGN(const ConvolutionKernel chunked,
                         ConvolutionKernel::Create(spec, target, CodeCache::Process()));
    ASSERT_OK_AND_ASSIGN(
        const ConvolutionKernel whole,
        ConvolutionKernel::Create(spec, TargetLike(MicroarchClass::kZen4, 8 << 20), CodeCache::Process()));
    EXPECT_TRUE(chunked.keeps_sums());
    EXPECT_FALSE(whole.keeps_sums());
    std::vector<float> input(static_cast<size_t>(InputElements(spec)), 0.3f);
    for (size_t i = 0; i < input.size(); ++i) input[i] += static_cast<float>(i % 13);
    std::vector<float> packed(static_cast<size_t>(4 * spec.steps() * 64), 0.7f);
    std::vector<float> results[2];
    for (std::vector<float>& result : results) result.resize(static_cast<size_t>(OutputElements(spec)));
    chunked.Run({input.data(), packed.data(), results[0].data(), nullptr}, 0, chunked.work_items());
    whole.Run({input.data(), packed.data(), results[1].data(), nullptr}, 0, whole.work_items());
    EXPECT_EQ(results[0], results[1]);
  }
}

TEST(ConvolutionKernelTest, EpiloguesThatTakeManyRegisters) {
  std::mt19937 random(4);
  const WindowAxis axis = PaddedAxis(15, 3, 1, 1, 1, 1);
  for (const int vectors : {4, 8, 14}) {
    const TestEpilogue epilogue(vectors);
    for (const MicroarchClass microarch : {MicroarchClass::kZen4, MicroarchClass::kSapphireRapids}) {
      CheckBothEnds(MakeConvolution(1, 20, 90, 1, WindowAxis(), axis, axis), TargetLike(microarch, 1 << 20), &epilogue,
                    random);
      if (HasFatalFailure()) return;
    }
  }
}

TEST(ConvolutionKernelTest, EmptyOnes) {
  std::mt19937 random(5);
  ASSERT_OK_AND_ASSIGN(const Target target, Target::Host());
  const WindowAxis axis = PaddedAxis(5, 3, 1, 1, 1, 1);
  WindowAxis no_output = axis;
  no_output.output = 0;
  for (const ConvolutionSpec& spec :
       {MakeConvolution(0, 8, 8, 1, WindowAxis(), axis, axis), MakeConvolution(1, 8, 0, 1, WindowAxis(), axis, axis),
        MakeConvolution(1, 8, 8, 1, WindowAxis(), axis, no_output),
        MakeConvolution(1, 8, 8, 1, no_output, axis, axis)}) {
    ASSERT_OK_AND_ASSIGN(const ConvolutionKernel kernel, ConvolutionKernel::Create(spec, target, CodeCache::Process()));
    EXPECT_EQ(kernel.work_items(), 0);
    kernel.Run({}, 0, 0);
  }
  // Sums of nothing are zero.
  const TestEpilogue epilogue;
  const WindowAxis far = {3, 9, 2, 1, 1, 5};
  CheckBothEnds(MakeConvolution(1, 0, 20, 1, WindowAxis(), axis, axis), target, nullptr, random);
  CheckBothEnds(MakeConvolution(1, 0, 20, 1, WindowAxis(), axis, axis), target, &epilogue, random);
  CheckBothEnds(MakeConvolution(1, 6, 20, 2, far, far, far), target, &epilogue, random);
}

TEST(ConvolutionKernelTest, BadSpecsAreRefused) {
  ASSERT_OK_AND_ASSIGN(const Target target, Target::Host());
  const auto status_of = [&](const ConvolutionSpec& spec) {
    return ConvolutionKernel::Create(spec, target, CodeCache::Process()).status();
  };
  const WindowAxis axis = PaddedAxis(5, 3, 1, 1, 1, 1);
  const ConvolutionSpec good = MakeConvolution(1, 8, 8, 1, WindowAxis(), axis, axis);
  EXPECT_OK(status_of(good));
  ConvolutionSpec spec = good;
  spec.groups = 3;
  EXPECT_THAT(status_of(spec), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("groups")));
  spec = good;
  spec.input_type = ElementType::kI8;
  EXPECT_THAT(status_of(spec), StatusIs(absl::StatusCode::kUnimplemented, HasSubstr("input_type is i8")));
  spec = good;
  spec.input.pixel = int64_t{1} << 30;
  EXPECT_THAT(status_of(spec), StatusIs(absl::StatusCode::kUnimplemented, HasSubstr("span")));
}

}  // namespace
}  // namespace burin::jit
