#include "jit/kernels/winograd/winograd_kernel.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
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
#include "jit/kernels/convolution/convolution_spec.h"
#include "jit/kernels/convolution/convolution_testlib.h"
#include "jit/kernels/convolution/convolution_weights.h"
#include "jit/kernels/convolution/window.h"
#include "jit/kernels/epilogue_emitter.h"
#include "jit/kernels/winograd/winograd_plan.h"
#include "jit/kernels/winograd/winograd_weights.h"
#include "testing/gtest/status_matchers.h"
#include "testing/guarded_buffer.h"

namespace burin::jit {
namespace {

using ::testing::HasSubstr;

constexpr float kUntouched = 12345.0f;

// What errors may be, of the range of the outputs; but of 1 at least, since few outputs may lie close to each other.
constexpr double kError = 2e-5;

// Fills memory with what no result may depend on.
void Poison(const GuardedBuffer& buffer) { std::memset(buffer.data(), 0xff, buffer.size()); }

// Runs a convolution on buffers beside inaccessible pages and compares it with sums in double.
class Case {
 public:
  Case(const ConvolutionSpec& spec, const Target& target, const EpilogueEmitter* epilogue, std::mt19937& random)
      : spec_(spec), target_(target), epilogue_(epilogue), random_(random) {}

  void Check(GuardedEnd end) {
    SCOPED_TRACE(Describe(spec_));
    ASSERT_OK_AND_ASSIGN(const WinogradKernel kernel,
                         WinogradKernel::Create(spec_, target_, CodeCache::Process(), epilogue_));
    ASSERT_OK_AND_ASSIGN(const GuardedBuffer input, MakeBuffer(InputElements(spec_), end));
    ASSERT_OK_AND_ASSIGN(const GuardedBuffer weights, MakeBuffer(spec_.output_channels * spec_.steps(), end));
    const int64_t channels = spec_.input_channels;
    const ConvolutionWeightStrides strides = {spec_.steps(), 1, 0, 3 * channels, channels};
    ASSERT_OK_AND_ASSIGN(const WinogradWeights transform,
                         WinogradWeights::Create(spec_, strides, target_, CodeCache::Process()));
    ASSERT_OK_AND_ASSIGN(const GuardedBuffer packed,
                         GuardedBuffer::Create(static_cast<size_t>(transform.packed_bytes()), end));
    ASSERT_OK_AND_ASSIGN(const GuardedBuffer transform_scratch,
                         GuardedBuffer::Create(static_cast<size_t>(transform.scratch_bytes()), end));
    transform.Run(weights.data(), packed.data(), transform_scratch.data(), 0, transform.work_items());
    ASSERT_OK_AND_ASSIGN(const GuardedBuffer scratch,
                         GuardedBuffer::Create(static_cast<size_t>(kernel.scratch_bytes()), end));
    Poison(scratch);
    expected_ = ConvolveInDouble(
        spec_, input.As<float>(),
        std::vector<float>(weights.As<float>(), weights.As<float>() + spec_.output_channels * spec_.steps()));
    if (!expected_.empty()) {
      const auto [least, most] = std::minmax_element(expected_.begin(), expected_.end());
      tolerance_ = kError * std::max(*most - *least, 1.0);
    }
    WinogradArgs args = {input.data(), packed.data(), nullptr, scratch.data(), nullptr};
    if (epilogue_ != nullptr) return CheckEpilogue(kernel, args, end);

    const int64_t size = OutputElements(spec_);
    ASSERT_OK_AND_ASSIGN(const GuardedBuffer output, GuardedBuffer::Create(static_cast<size_t>(size * 4), end));
    std::fill_n(output.As<float>(), size, kUntouched);
    args.output = output.data();
    kernel.Run(args, 0, kernel.work_items());
    std::vector<bool> written(static_cast<size_t>(size));
    size_t next = 0;
    ForEachPixel(spec_, [&](int64_t n, int64_t d, int64_t h, int64_t w) {
      for (int64_t o = 0; o < spec_.output_channels; ++o, ++next) {
        const int64_t at =
            n * spec_.output.image + d * spec_.output.plane + h * spec_.output.row + w * spec_.output.pixel + o;
        written[static_cast<size_t>(at)] = true;
        ASSERT_NEAR(output.As<float>()[at], expected_[next], tolerance_) << n << ", " << h << ", " << w << ", " << o;
      }
    });
    for (int64_t i = 0; i < size; ++i) {
      ASSERT_TRUE(written[static_cast<size_t>(i)] || output.As<float>()[i] == kUntouched) << i;
    }
    const std::vector<float> whole(output.As<float>(), output.As<float>() + size);
    for (const int64_t parts : {int64_t{3}, kernel.work_items()}) {
      std::fill_n(output.As<float>(), size, kUntouched);
      for (int64_t part = parts - 1; part >= 0; --part) {
        Poison(scratch);
        kernel.Run(args, part * kernel.work_items() / parts, (part + 1) * kernel.work_items() / parts);
      }
      EXPECT_EQ(std::memcmp(whole.data(), output.data(), whole.size() * 4), 0);
    }
  }

 private:
  absl::StatusOr<GuardedBuffer> MakeBuffer(int64_t size, GuardedEnd end) {
    std::uniform_real_distribution<float> distribution(-1, 1);
    absl::StatusOr<GuardedBuffer> buffer = GuardedBuffer::Create(static_cast<size_t>(size * 4), end);
    if (buffer.ok()) std::generate_n(buffer->As<float>(), size, [&] { return distribution(random_); });
    return buffer;
  }

  void CheckEpilogue(const WinogradKernel& kernel, WinogradArgs args, GuardedEnd end) {
    const int64_t columns = spec_.output_channels;
    const int64_t rows = static_cast<int64_t>(expected_.size()) / columns;
    ASSERT_OK_AND_ASSIGN(const GuardedBuffer bias, MakeBuffer(columns, end));
    ASSERT_OK_AND_ASSIGN(const GuardedBuffer scale, MakeBuffer(rows, end));
    ASSERT_OK_AND_ASSIGN(const GuardedBuffer residual, MakeBuffer(rows * columns, end));
    ASSERT_OK_AND_ASSIGN(const GuardedBuffer output, MakeBuffer(rows * columns, end));
    std::array<EpiloguePlace, TestEpilogue::kOperandCount> places;
    places[TestEpilogue::kBias] = {bias.data(), 0};
    places[TestEpilogue::kScale] = {scale.data(), 4};
    places[TestEpilogue::kResidual] = {residual.data(), columns * 4};
    places[TestEpilogue::kOutput] = {output.data(), columns * 4};
    args.places = places.data();
    kernel.Run(args, 0, kernel.work_items());
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

WindowAxis Axis(int64_t input, int64_t pad_before, int64_t pad_after) {
  return PaddedAxis(input, 3, 1, 1, pad_before, pad_after);
}

TEST(WinogradKernelTest, CommonSizes) {
  std::mt19937 random(1);
  ASSERT_OK_AND_ASSIGN(const Target target, Target::Host());
  for (const int64_t channels : {1, 16, 70}) {
    for (const int64_t outputs : {3, 64, 130}) {
      for (const int64_t size : {1, 4, 7, 14, 17}) {
        const WindowAxis axis = Axis(size, 1, 1);
        CheckBothEnds(MakeConvolution(1, channels, outputs, 1, WindowAxis(), axis, axis), target, nullptr, random);
        if (HasFatalFailure()) return;
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
    std::array<WindowAxis, 2> axes;
    for (WindowAxis& axis : axes) axis = Axis(Draw(1, 30), Draw(-2, 7), Draw(-1, 6));
    return MakeConvolution(Draw(1, 3), Draw(1, 80), Draw(1, 150), 1, WindowAxis(), axes[0], axes[1],
                           Draw(0, 1) * Draw(1, 20));
  }

 private:
  std::mt19937& random_;
};

TEST(WinogradKernelTest, RandomSpecs) {
  const uint32_t seed = std::random_device()();
  SCOPED_TRACE(absl::StrCat("seed ", seed));
  std::mt19937 random(seed);
  RandomSpecs specs(random);
  const TestEpilogue epilogue;
  const std::vector<Target> targets = {TargetLike(MicroarchClass::kZen4, 1 << 20),
                                       TargetLike(MicroarchClass::kUnknown, 1 << 20),
                                       // Many blocks, and weights that are fetched early.
                                       TargetLike(MicroarchClass::kSapphireRapids, 64 << 10)};
  for (int i = 0; i < 60; ++i) {
    const ConvolutionSpec spec = specs.Next();
    if (OutputElements(spec) == 0) continue;
    const Target& target = targets[static_cast<size_t>(i) % targets.size()];
    CheckBothEnds(spec, target, specs.Draw(0, 1) == 0 ? &epilogue : nullptr, random);
    if (HasFatalFailure()) return;
  }
}

TEST(WinogradKernelTest, FetchesWeightsEarly) {
  std::mt19937 random(2);
  const TestEpilogue epilogue;
  const Target target = TargetLike(MicroarchClass::kSapphireRapids, 256 << 10);
  const WindowAxis axis = Axis(9, 1, 1);
  const ConvolutionSpec spec = MakeConvolution(1, 100, 200, 1, WindowAxis(), axis, axis);
  ASSERT_TRUE(PlanWinograd(spec, target).fetches_weights);
  CheckBothEnds(spec, target, nullptr, random);
  CheckBothEnds(spec, target, &epilogue, random);
}

TEST(WinogradKernelTest, EpiloguesThatTakeManyRegisters) {
  std::mt19937 random(3);
  const WindowAxis axis = Axis(15, 1, 1);
  for (const int vectors : {4, 8, 14, 28}) {
    for (const int general : {3, 12}) {
      const TestEpilogue epilogue(vectors, general);
      CheckBothEnds(MakeConvolution(1, 20, 90, 1, WindowAxis(), axis, axis), TargetLike(MicroarchClass::kZen4, 1 << 20),
                    &epilogue, random);
      if (HasFatalFailure()) return;
    }
  }
}

// Errors grow somewhat faster than the range does.
TEST(WinogradKernelTest, ErrorsOfManyChannels) {
  std::mt19937 random(4);
  ASSERT_OK_AND_ASSIGN(const Target target, Target::Host());
  const WindowAxis axis = Axis(16, 1, 1);
  Case(MakeConvolution(1, 1024, 64, 1, WindowAxis(), axis, axis), target, nullptr, random).Check(GuardedEnd::kLastByte);
}

TEST(WinogradKernelTest, EmptyOnes) {
  std::mt19937 random(5);
  ASSERT_OK_AND_ASSIGN(const Target target, Target::Host());
  const WindowAxis axis = Axis(5, 1, 1);
  WindowAxis no_output = axis;
  no_output.output = 0;
  for (const ConvolutionSpec& spec :
       {MakeConvolution(0, 8, 8, 1, WindowAxis(), axis, axis), MakeConvolution(1, 8, 0, 1, WindowAxis(), axis, axis),
        MakeConvolution(1, 8, 8, 1, WindowAxis(), axis, no_output)}) {
    ASSERT_OK_AND_ASSIGN(const WinogradKernel kernel, WinogradKernel::Create(spec, target, CodeCache::Process()));
    EXPECT_EQ(kernel.work_items(), 0);
    kernel.Run({}, 0, 0);
  }
  // Sums of nothing are zero.
  const TestEpilogue epilogue;
  WindowAxis no_input = axis;
  no_input.input = 0;
  for (const ConvolutionSpec& spec : {MakeConvolution(1, 0, 20, 1, WindowAxis(), axis, axis),
                                      MakeConvolution(1, 6, 20, 1, WindowAxis(), no_input, axis)}) {
    CheckBothEnds(spec, target, nullptr, random);
    CheckBothEnds(spec, target, &epilogue, random);
  }
}

TEST(WinogradKernelTest, BadSpecsAreRefused) {
  ASSERT_OK_AND_ASSIGN(const Target target, Target::Host());
  const auto status_of = [&](const ConvolutionSpec& spec) {
    return WinogradKernel::Create(spec, target, CodeCache::Process()).status();
  };
  const WindowAxis axis = Axis(5, 1, 1);
  const ConvolutionSpec good = MakeConvolution(1, 8, 8, 1, WindowAxis(), axis, axis);
  EXPECT_OK(status_of(good));
  ConvolutionSpec spec = good;
  spec.groups = 3;
  EXPECT_THAT(status_of(spec), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("groups")));
  spec = good;
  spec.width.kernel = 5;
  EXPECT_THAT(status_of(spec), StatusIs(absl::StatusCode::kUnimplemented, HasSubstr("width.kernel is 5")));
  spec = good;
  spec.input_type = ElementType::kI8;
  EXPECT_THAT(status_of(spec), StatusIs(absl::StatusCode::kUnimplemented, HasSubstr("input_type is i8")));
  spec = good;
  spec.input.pixel = int64_t{1} << 30;
  EXPECT_THAT(status_of(spec), StatusIs(absl::StatusCode::kUnimplemented, HasSubstr("span")));
}

}  // namespace
}  // namespace burin::jit
