#include "jit/kernels/resize/resize.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "base/element_type.h"
#include "jit/code_cache.h"
#include "jit/isa/target.h"
#include "jit/kernels/epilogue_emitter.h"
#include "jit/kernels/pooling/affine_epilogue_testlib.h"
#include "jit/kernels/resize/resize_plan.h"
#include "jit/kernels/resize/resize_spec.h"
#include "testing/gtest/status_matchers.h"
#include "testing/guarded_buffer.h"

namespace burin::jit {
namespace {

int64_t SpanOf(const ResizeSpec& spec, bool input) {
  int64_t bytes = BitWidth(spec.type) / 8 +
                  (spec.batch - 1) * (input ? spec.input_batch_stride : spec.output_batch_stride) +
                  (spec.channels - 1) * (input ? spec.input_channel_stride : spec.output_channel_stride);
  bool empty = spec.batch * spec.channels == 0;
  for (const ResizeAxis& axis : spec.axes) {
    const int64_t extent = input ? axis.input : axis.output();
    empty = empty || extent == 0;
    bytes += (extent - 1) * (input ? axis.input_stride : axis.output_stride);
  }
  return empty ? 0 : bytes;
}

std::string Describe(const ResizeSpec& spec) {
  std::string text = absl::StrCat(Name(spec.type), spec.term == ResizeTerm::kSquare ? " squared" : "", " batch ",
                                  spec.batch, " channels ", spec.channels, " every ", spec.input_channel_stride);
  for (const ResizeAxis& axis : spec.axes) absl::StrAppend(&text, " [", axis.input, "->", axis.output(), "]");
  return text;
}

// Calls visit(offset in the output, batch, channel, coordinates) for each element.
template <class Visit>
void ForEachElement(const ResizeSpec& spec, const Visit& visit) {
  for (int64_t n = 0; n < spec.batch; ++n) {
    for (int64_t c = 0; c < spec.channels; ++c) {
      for (int64_t o0 = 0; o0 < spec.axes[0].output(); ++o0) {
        for (int64_t o1 = 0; o1 < spec.axes[1].output(); ++o1) {
          for (int64_t o2 = 0; o2 < spec.axes[2].output(); ++o2) {
            const int64_t offset = n * spec.output_batch_stride + c * spec.output_channel_stride +
                                   o0 * spec.axes[0].output_stride + o1 * spec.axes[1].output_stride +
                                   o2 * spec.axes[2].output_stride;
            visit(offset, n, c, std::array<int64_t, 3>{o0, o1, o2});
          }
        }
      }
    }
  }
}

// Returns what is summed up of the element at an offset.
double TermAt(const ResizeSpec& spec, const uint8_t* input, int64_t offset) {
  float x = 0;
  std::memcpy(&x, input + offset, 4);
  return spec.term == ResizeTerm::kSquare ? double{x} * x : double{x};
}

// Calls visit(offset in the input, weight) for each tap of an element.
template <class Visit>
void ForEachTap(const ResizeSpec& spec, int64_t n, int64_t c, const std::array<int64_t, 3>& o, const Visit& visit) {
  const int64_t base = n * spec.input_batch_stride + c * spec.input_channel_stride;
  for (const ResizeTap& t0 : spec.axes[0].taps[static_cast<size_t>(o[0])]) {
    for (const ResizeTap& t1 : spec.axes[1].taps[static_cast<size_t>(o[1])]) {
      for (const ResizeTap& t2 : spec.axes[2].taps[static_cast<size_t>(o[2])]) {
        visit(base + t0.index * spec.axes[0].input_stride + t1.index * spec.axes[1].input_stride +
                  t2.index * spec.axes[2].input_stride,
              double{t0.weight} * t1.weight * t2.weight);
      }
    }
  }
}

ResizeAxis RandomAxis(std::mt19937& random, bool moves) {
  const auto draw = [&](int64_t least, int64_t most) {
    return std::uniform_int_distribution<int64_t>(least, most)(random);
  };
  ResizeAxis axis;
  axis.input = draw(0, 3) == 0 ? draw(1, 80) : draw(1, 20);
  if (draw(0, 4) == 0) return ResizeAxis::Unchanged(axis.input);
  axis.taps.assign(static_cast<size_t>(draw(1, 40)), {});
  const int64_t most = moves ? 1 : draw(1, 5);
  for (std::vector<ResizeTap>& taps : axis.taps) {
    const int64_t count = draw(0, 5) == 0 ? 0 : draw(1, most);
    for (int64_t i = 0; i < count; ++i) {
      taps.push_back({draw(0, axis.input - 1), moves ? 1.0f : static_cast<float>(draw(1, 64)) / 48});
    }
  }
  return axis;
}

ResizeSpec RandomSpec(std::mt19937& random, bool moves) {
  const auto draw = [&](int64_t least, int64_t most) {
    return std::uniform_int_distribution<int64_t>(least, most)(random);
  };
  ResizeSpec spec;
  const ElementType types[] = {ElementType::kF32, ElementType::kU8, ElementType::kF16, ElementType::kI64};
  if (moves) spec.type = types[draw(0, 3)];
  if (!moves && draw(0, 3) == 0) spec.term = ResizeTerm::kSquare;
  spec.batch = draw(1, 2);
  spec.channels = draw(0, 3) == 0 ? draw(1, 150) : draw(1, 20);
  for (size_t i = static_cast<size_t>(draw(0, 2)); i < 3; ++i) spec.axes[i] = RandomAxis(random, moves);
  const int64_t gap = draw(0, 1) * BitWidth(spec.type) / 8;
  if (draw(0, 1) == 0) {
    spec.SetChannelsInnermost();
    int64_t input = spec.channels * BitWidth(spec.type) / 8;
    int64_t output = input;
    for (size_t i = 3; i-- > 0;) {
      spec.axes[i].input_stride = input += gap;
      spec.axes[i].output_stride = output += gap;
      input *= spec.axes[i].input;
      output *= spec.axes[i].output();
    }
    spec.input_batch_stride = input;
    spec.output_batch_stride = output;
  } else {
    spec.SetChannelsOutermost();
    spec.input_channel_stride += gap;
    spec.output_channel_stride += gap;
    spec.input_batch_stride = spec.input_channel_stride * spec.channels;
    spec.output_batch_stride = spec.output_channel_stride * spec.channels;
  }
  return spec;
}

class Tensors {
 public:
  static absl::StatusOr<Tensors> Create(const ResizeSpec& spec, const ResizeKernel& kernel, GuardedEnd end,
                                        std::mt19937& random) {
    absl::StatusOr<GuardedBuffer> input = GuardedBuffer::Create(static_cast<size_t>(SpanOf(spec, true)), end);
    absl::StatusOr<GuardedBuffer> output = GuardedBuffer::Create(static_cast<size_t>(SpanOf(spec, false)), end);
    absl::StatusOr<GuardedBuffer> scratch =
        GuardedBuffer::Create(static_cast<size_t>(kernel.scratch_bytes()), GuardedEnd::kLastByte);
    if (!input.ok()) return input.status();
    if (!output.ok()) return output.status();
    if (!scratch.ok()) return scratch.status();
    for (size_t i = 0; i < input->size(); ++i) input->data()[i] = static_cast<uint8_t>(random());
    if (spec.type == ElementType::kF32) {
      for (size_t i = 0; i < input->size() / 4; ++i) {
        input->As<float>()[i] = std::uniform_real_distribution<float>(-1, 1)(random);
      }
    }
    std::memset(output->data(), 0x5a, output->size());
    return Tensors{*std::move(input), *std::move(output), *std::move(scratch)};
  }

  GuardedBuffer input;
  GuardedBuffer output;
  GuardedBuffer scratch;
};

// Runs in three shares and as one, and compares.
void RunAndCheck(const ResizeSpec& spec, GuardedEnd end, std::mt19937& random) {
  SCOPED_TRACE(Describe(spec));
  ASSERT_OK_AND_ASSIGN(const Target target, Target::Host());
  ASSERT_OK_AND_ASSIGN(const ResizeKernel kernel, ResizeKernel::Create(spec, target, CodeCache::Process()));
  ASSERT_OK_AND_ASSIGN(const Tensors tensors, Tensors::Create(spec, kernel, end, random));
  const ResizeOperands operands = {tensors.input.data(), tensors.output.data(), nullptr, tensors.scratch.data()};
  const int64_t items = kernel.work_items();
  kernel.Run(operands, items / 3, items / 2);
  kernel.Run(operands, 0, items / 3);
  kernel.Run(operands, items / 2, items);
  const size_t bytes = static_cast<size_t>(BitWidth(spec.type) / 8);
  std::vector<bool> written(tensors.output.size());
  ForEachElement(spec, [&](int64_t offset, int64_t n, int64_t c, const std::array<int64_t, 3>& o) {
    const uint8_t* const actual = tensors.output.data() + offset;
    for (size_t i = 0; i < bytes; ++i) written[static_cast<size_t>(offset) + i] = true;
    if (spec.IsMovement()) {
      std::vector<uint8_t> expected(bytes);
      ForEachTap(spec, n, c, o,
                 [&](int64_t from, double) { std::memcpy(expected.data(), tensors.input.data() + from, bytes); });
      ASSERT_EQ(std::memcmp(actual, expected.data(), bytes), 0) << "at " << offset;
      return;
    }
    double sum = 0;
    double magnitude = 0;
    ForEachTap(spec, n, c, o, [&](int64_t from, double weight) {
      const double x = TermAt(spec, tensors.input.data(), from);
      sum += weight * x;
      magnitude += std::abs(weight * x);
    });
    float y = 0;
    std::memcpy(&y, actual, 4);
    ASSERT_NEAR(y, sum, 2e-6 * magnitude) << "at " << offset;
  });
  for (size_t i = 0; i < written.size(); ++i) {
    if (written[i]) continue;
    ASSERT_EQ(tensors.output.data()[i], 0x5a) << "a gap was written: " << i;
  }
  const std::vector<uint8_t> first(tensors.output.data(), tensors.output.data() + tensors.output.size());
  kernel.Run(operands, 0, items);
  ASSERT_EQ(std::memcmp(first.data(), tensors.output.data(), first.size()), 0);
}

TEST(ResizeTest, RandomResamplingsAgreeWithTheReference) {
  const uint32_t seed = std::random_device()();
  SCOPED_TRACE(absl::StrCat("seed ", seed));
  std::mt19937 random(seed);
  for (int i = 0; i < 200; ++i) {
    const GuardedEnd end = i % 2 == 0 ? GuardedEnd::kFirstByte : GuardedEnd::kLastByte;
    RunAndCheck(RandomSpec(random, i % 3 == 0), end, random);
    if (HasFatalFailure()) return;
  }
}

// Twice as many elements, of two neighbours each.
ResizeAxis Doubled(int64_t size) {
  ResizeAxis axis;
  axis.input = size;
  axis.taps.clear();
  for (int64_t o = 0; o < 2 * size; ++o) {
    const int64_t near = o / 2;
    const int64_t other = std::min(std::max<int64_t>(o % 2 == 0 ? near - 1 : near + 1, 0), size - 1);
    axis.taps.push_back({{near, 0.75f}, {other, 0.25f}});
  }
  return axis;
}

TEST(ResizeTest, LargeResamplingsAreCutIntoItems) {
  std::mt19937 random(1);
  ResizeSpec spec;
  spec.channels = 64;
  spec.axes[1] = spec.axes[2] = Doubled(40);
  spec.SetChannelsInnermost();
  RunAndCheck(spec, GuardedEnd::kLastByte, random);
  spec.SetChannelsOutermost();
  RunAndCheck(spec, GuardedEnd::kLastByte, random);
  // One axis alone.
  spec.axes[1] = ResizeAxis::Unchanged(1);
  spec.axes[2] = Doubled(1000);
  spec.SetChannelsInnermost();
  ASSERT_OK_AND_ASSIGN(const Target target, Target::Host());
  ASSERT_OK_AND_ASSIGN(const ResizeKernel kernel, ResizeKernel::Create(spec, target, CodeCache::Process()));
  EXPECT_GT(kernel.work_items(), 4);
  RunAndCheck(spec, GuardedEnd::kLastByte, random);
}

TEST(ResizeTest, ElementsOfNoTapDoNotMatter) {
  ResizeSpec spec;
  spec.axes[2].input = 3;
  spec.axes[2].taps = {{{1, 0.5f}, {2, 0.5f}}, {{1, 1}}, {}};
  spec.SetChannelsOutermost();
  ASSERT_OK_AND_ASSIGN(const Target target, Target::Host());
  ASSERT_OK_AND_ASSIGN(const ResizeKernel kernel, ResizeKernel::Create(spec, target, CodeCache::Process()));
  const float inf = std::numeric_limits<float>::infinity();
  const float input[] = {std::numeric_limits<float>::quiet_NaN(), inf, 4};
  float output[] = {7, 7, 7};
  alignas(64) uint8_t scratch[512];
  ASSERT_LE(kernel.scratch_bytes(), 512);
  kernel.Run({input, output, nullptr, scratch}, 0, kernel.work_items());
  EXPECT_THAT(output, testing::ElementsAre(inf, inf, 0.0f));
}

TEST(ResizeTest, TheEpilogueSeesEachElementOnce) {
  const uint32_t seed = std::random_device()();
  SCOPED_TRACE(absl::StrCat("seed ", seed));
  std::mt19937 random(seed);
  const AffineEpilogue epilogue;
  ASSERT_OK_AND_ASSIGN(const Target target, Target::Host());
  for (int round = 0; round < 60; ++round) {
    ResizeSpec spec = RandomSpec(random, false);
    SCOPED_TRACE(Describe(spec));
    ASSERT_OK_AND_ASSIGN(const ResizeKernel kernel,
                         ResizeKernel::Create(spec, target, CodeCache::Process(), &epilogue));
    ASSERT_OK_AND_ASSIGN(const Tensors tensors, Tensors::Create(spec, kernel, GuardedEnd::kLastByte, random));
    const bool by_row = kernel.plan().way == ResizeWay::kResampleRows;
    const int64_t elements = spec.axes[2].output();
    const int64_t rows = kernel.plan().Rows(spec) * (by_row ? 1 : elements);
    const int64_t columns = by_row ? elements : spec.channels;
    const std::vector<float> scale(static_cast<size_t>(columns), 3);
    std::vector<float> shift(static_cast<size_t>(rows));
    for (size_t i = 0; i < shift.size(); ++i) shift[i] = static_cast<float>(i % 100);
    ASSERT_OK_AND_ASSIGN(const GuardedBuffer full,
                         GuardedBuffer::Create(static_cast<size_t>(rows * columns * 4), GuardedEnd::kLastByte));
    for (size_t i = 0; i < full.size() / 4; ++i) full.As<float>()[i] = static_cast<float>(i % 7);
    const EpiloguePlace places[] = {{const_cast<float*>(scale.data()), 0},
                                    {shift.data(), 4},
                                    {full.data(), columns * 4},
                                    {full.data(), columns * 4}};
    const ResizeOperands operands = {tensors.input.data(), nullptr, places, tensors.scratch.data()};
    const int64_t items = kernel.work_items();
    kernel.Run(operands, items / 2, items);
    kernel.Run(operands, 0, items / 2);
    ForEachElement(spec, [&](int64_t, int64_t n, int64_t c, const std::array<int64_t, 3>& o) {
      double sum = 0;
      ForEachTap(spec, n, c, o,
                 [&](int64_t from, double weight) { sum += weight * TermAt(spec, tensors.input.data(), from); });
      const int64_t outer = by_row ? n * spec.channels + c : n;
      const int64_t line = (outer * spec.axes[0].output() + o[0]) * spec.axes[1].output() + o[1];
      const int64_t row = by_row ? line : line * elements + o[2];
      const size_t i = static_cast<size_t>(row * columns + (by_row ? o[2] : c));
      const double expected = sum * 3 + shift[static_cast<size_t>(row)] + static_cast<double>(i % 7);
      ASSERT_NEAR(full.As<float>()[i], expected, 2e-4) << "row " << row << " channel " << c;
    });
    if (HasFatalFailure()) return;
  }
}

TEST(ResizeTest, SpecsThatMakeNoSenseAreRefused) {
  ASSERT_OK_AND_ASSIGN(const Target target, Target::Host());
  ResizeSpec spec;
  spec.axes[1].taps = {{{1, 1}}};
  spec.SetChannelsInnermost();
  EXPECT_THAT(ResizeKernel::Create(spec, target, CodeCache::Process()).status(),
              StatusIs(absl::StatusCode::kInvalidArgument, testing::HasSubstr("axis 1, index 1")));
}

}  // namespace
}  // namespace burin::jit
