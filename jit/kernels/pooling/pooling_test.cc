#include "jit/kernels/pooling/pooling.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "base/element_type.h"
#include "base/status_macros.h"
#include "jit/code_cache.h"
#include "jit/isa/target.h"
#include "jit/kernels/epilogue_emitter.h"
#include "jit/kernels/pooling/affine_epilogue_testlib.h"
#include "jit/kernels/pooling/pooling_spec.h"
#include "testing/gtest/status_matchers.h"
#include "testing/guarded_buffer.h"

namespace burin::jit {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

// What a window should become, and how far off it may be.
struct Expected {
  double value = 0;
  double error = 0;
  int64_t position = 0;
};

int64_t WindowsOf(int64_t input, const PoolingAxis& axis, bool ceil) {
  const int64_t room = input + axis.pad_begin + axis.pad_end - (axis.kernel - 1) * axis.dilation - 1;
  return room < 0 ? 0 : (room + (ceil ? axis.stride - 1 : 0)) / axis.stride + 1;
}

class Reference {
 public:
  Reference(const PoolingSpec& spec, const uint8_t* input) : spec_(spec), input_(input) {}

  Expected At(int64_t batch, const std::array<int64_t, 3>& o, int64_t channel) const {
    Expected result;
    double magnitude = 0;
    int64_t taps = 0;
    int64_t counted = 0;
    bool any = false;
    float best = -std::numeric_limits<float>::infinity();
    for (int64_t k0 = 0; k0 < spec_.axes[0].kernel; ++k0) {
      for (int64_t k1 = 0; k1 < spec_.axes[1].kernel; ++k1) {
        for (int64_t k2 = 0; k2 < spec_.axes[2].kernel; ++k2) {
          const std::array<int64_t, 3> k = {k0, k1, k2};
          int64_t offset = batch * spec_.input_batch_stride + channel * 4;
          int64_t position = 0;
          bool inside = true;
          bool counts = true;
          for (size_t i = 0; i < 3; ++i) {
            const PoolingAxis& axis = spec_.axes[i];
            const int64_t at = o[i] * axis.stride - axis.pad_begin + k[i] * axis.dilation;
            inside = inside && at >= 0 && at < axis.input;
            counts = counts && at >= -axis.pad_begin && at < axis.input + axis.pad_end;
            offset += at * axis.input_stride;
            if (spec_.indices.has_value()) position += at * spec_.indices->axis_steps[i];
          }
          counted += counts;
          if (!inside) continue;
          ++taps;
          float x = 0;
          std::memcpy(&x, input_ + offset, 4);
          magnitude += spec_.kind == PoolingKind::kLp && spec_.p == 2 ? double{x} * x : std::abs(double{x});
          result.value += x;
          if (!any || x > best || (std::isnan(x) && !std::isnan(best))) {
            best = x;
            result.position = position;
          }
          any = true;
        }
      }
    }
    constexpr double kEpsilon = 1.2e-7;
    const double roundings = static_cast<double>(taps + 3) * kEpsilon;
    if (spec_.kind == PoolingKind::kMax) {
      result.value = best;
      if (any && spec_.indices.has_value()) {
        result.position += batch * spec_.indices->batch_step + channel * spec_.indices->channel_step;
      }
    } else if (spec_.kind == PoolingKind::kAverage) {
      const int64_t count = spec_.count_padding ? counted : taps;
      result.value = count == 0 ? 0 : result.value / static_cast<double>(count);
      result.error = count == 0 ? 0 : roundings * magnitude / static_cast<double>(count);
    } else {
      result.value = spec_.p == 2 ? std::sqrt(magnitude) : magnitude;
      result.error = roundings * result.value;
    }
    return result;
  }

 private:
  const PoolingSpec& spec_;
  const uint8_t* input_;
};

int64_t SpanOf(const PoolingSpec& spec, bool input) {
  int64_t bytes = spec.channels * 4 + (spec.batch - 1) * (input ? spec.input_batch_stride : spec.output_batch_stride);
  bool empty = spec.batch * spec.channels == 0;
  for (const PoolingAxis& axis : spec.axes) {
    const int64_t extent = input ? axis.input : axis.output;
    empty = empty || extent == 0;
    bytes += (extent - 1) * (input ? axis.input_stride : axis.output_stride);
  }
  return empty ? 0 : bytes;
}

std::string Describe(const PoolingSpec& spec) {
  std::string text =
      absl::StrCat("kind ", static_cast<int>(spec.kind), " p ", spec.p, " batch ", spec.batch, " channels ",
                   spec.channels, " count_padding ", spec.count_padding, " indices ", spec.indices.has_value());
  for (const PoolingAxis& axis : spec.axes) {
    absl::StrAppend(&text, " [", axis.input, "->", axis.output, " k", axis.kernel, " s", axis.stride, " d",
                    axis.dilation, " p", axis.pad_begin, ",", axis.pad_end, "]");
  }
  return text;
}

// Holds the tensors of one pooling beside inaccessible pages.
class Tensors {
 public:
  static absl::StatusOr<Tensors> Create(const PoolingSpec& spec, GuardedEnd end, std::mt19937& random, bool with_nans) {
    BURIN_ASSIGN_OR_RETURN(GuardedBuffer input, GuardedBuffer::Create(static_cast<size_t>(SpanOf(spec, true)), end));
    BURIN_ASSIGN_OR_RETURN(GuardedBuffer output, GuardedBuffer::Create(static_cast<size_t>(SpanOf(spec, false)), end));
    const int64_t index_bytes = spec.indices.has_value() ? BitWidth(spec.indices->type) / 8 : 0;
    BURIN_ASSIGN_OR_RETURN(GuardedBuffer indices,
                           GuardedBuffer::Create(static_cast<size_t>(SpanOf(spec, false) / 4 * index_bytes), end));
    // Few different values, so that maxima are met more than once.
    std::uniform_int_distribution<int> values(-6, 6);
    std::uniform_int_distribution<int> rare(0, 40);
    for (size_t i = 0; i < input.size() / 4; ++i) {
      const bool odd = with_nans && rare(random) == 0;
      input.As<float>()[i] = odd ? kNan : static_cast<float>(values(random)) * 0.37f;
    }
    std::memset(output.data(), 0x5a, output.size());
    return Tensors{std::move(input), std::move(output), std::move(indices)};
  }

  GuardedBuffer input;
  GuardedBuffer output;
  GuardedBuffer indices;
};

// Calls visit(byte offset in the output, row, batch, windows, channel) for each element of the output.
template <class Visit>
void ForEachOutput(const PoolingSpec& spec, const Visit& visit) {
  int64_t row = 0;
  for (int64_t n = 0; n < spec.batch; ++n) {
    for (int64_t o0 = 0; o0 < spec.axes[0].output; ++o0) {
      for (int64_t o1 = 0; o1 < spec.axes[1].output; ++o1) {
        for (int64_t o2 = 0; o2 < spec.axes[2].output; ++o2, ++row) {
          const int64_t offset = n * spec.output_batch_stride + o0 * spec.axes[0].output_stride +
                                 o1 * spec.axes[1].output_stride + o2 * spec.axes[2].output_stride;
          for (int64_t c = 0; c < spec.channels; ++c) {
            visit(offset + c * 4, row, n, std::array<int64_t, 3>{o0, o1, o2}, c);
          }
        }
      }
    }
  }
}

void ExpectNear(float actual, const Expected& expected, const std::string& where) {
  if (std::isnan(expected.value)) {
    ASSERT_TRUE(std::isnan(actual)) << where << ": " << actual;
  } else if (std::isinf(expected.value) || expected.error == 0) {
    ASSERT_EQ(static_cast<double>(actual), expected.value) << where;
  } else {
    ASSERT_NEAR(actual, expected.value, expected.error) << where;
  }
}

void CheckOutputs(const PoolingSpec& spec, const Tensors& tensors) {
  const Reference reference(spec, tensors.input.data());
  std::vector<bool> written(tensors.output.size() / 4);
  ForEachOutput(spec, [&](int64_t offset, int64_t row, int64_t n, const std::array<int64_t, 3>& o, int64_t c) {
    const Expected expected = reference.At(n, o, c);
    const size_t element = static_cast<size_t>(offset / 4);
    written[element] = true;
    const std::string where = absl::StrCat("row ", row, " channel ", c);
    ExpectNear(tensors.output.As<float>()[element], expected, where);
    if (!spec.indices.has_value()) return;
    const int64_t position = spec.indices->type == ElementType::kI64 ? tensors.indices.As<int64_t>()[element]
                                                                     : tensors.indices.As<int32_t>()[element];
    ASSERT_EQ(position, expected.position) << where;
  });
  for (size_t i = 0; i < written.size(); ++i) {
    if (written[i]) continue;
    ASSERT_EQ(tensors.output.As<uint32_t>()[i], 0x5a5a5a5au) << "a gap was written: " << i;
  }
}

// Runs all items in three shares, out of order, and again as one: the same bits come out.
void RunAndCheck(const PoolingSpec& spec, GuardedEnd end, std::mt19937& random, bool with_nans) {
  SCOPED_TRACE(Describe(spec));
  ASSERT_OK_AND_ASSIGN(const Target target, Target::Host());
  ASSERT_OK_AND_ASSIGN(const PoolingKernel kernel, PoolingKernel::Create(spec, target, CodeCache::Process()));
  ASSERT_OK_AND_ASSIGN(const Tensors tensors, Tensors::Create(spec, end, random, with_nans));
  const PoolingOperands operands = {tensors.input.data(), tensors.output.data(), tensors.indices.data()};
  const int64_t items = kernel.work_items();
  kernel.Run(operands, items / 3, items / 2);
  kernel.Run(operands, 0, items / 3);
  kernel.Run(operands, items / 2, items);
  CheckOutputs(spec, tensors);
  const std::vector<uint8_t> first(tensors.output.data(), tensors.output.data() + tensors.output.size());
  kernel.Run(operands, 0, items);
  ASSERT_EQ(std::memcmp(first.data(), tensors.output.data(), first.size()), 0);
}

PoolingSpec RandomSpec(std::mt19937& random) {
  const auto draw = [&](int64_t least, int64_t most) {
    return std::uniform_int_distribution<int64_t>(least, most)(random);
  };
  PoolingSpec spec;
  spec.kind = static_cast<PoolingKind>(draw(0, 2));
  spec.p = static_cast<int>(draw(1, 2));
  spec.count_padding = draw(0, 1) == 1;
  spec.batch = draw(1, 2);
  spec.channels = draw(0, 3) == 0 ? draw(1, 300) : draw(1, 40);
  const size_t rank = static_cast<size_t>(draw(1, 3));
  for (size_t i = 3 - rank; i < 3; ++i) {
    PoolingAxis& axis = spec.axes[i];
    axis.kernel = draw(1, 4);
    axis.stride = draw(1, 3);
    axis.dilation = draw(0, 2) == 0 ? draw(1, 3) : 1;
    axis.pad_begin = draw(0, 3) - (draw(0, 9) == 0 ? 3 : 0);
    axis.pad_end = draw(0, 3);
    axis.input = draw(1, rank == 3 ? 9 : 24);
    axis.output = WindowsOf(axis.input, axis, draw(0, 1) == 1) + (draw(0, 9) == 0 ? 2 : 0);
  }
  if (draw(0, 7) == 0) {  // Global.
    for (size_t i = 3 - rank; i < 3; ++i) {
      spec.axes[i] = {};
      spec.axes[i].input = spec.axes[i].kernel = draw(1, 12);
    }
  }
  spec.SetDenseStrides();
  if (draw(0, 1) == 1) {  // Gaps between elements of each axis.
    int64_t input = spec.channels * 4;
    int64_t output = input;
    for (size_t i = 3; i-- > 0;) {
      spec.axes[i].input_stride = input += 4 * draw(0, 5);
      spec.axes[i].output_stride = output += 4 * draw(0, 5);
      input *= spec.axes[i].input;
      output *= std::max<int64_t>(spec.axes[i].output, 1);
    }
    spec.input_batch_stride = input;
    spec.output_batch_stride = output;
  }
  if (spec.kind == PoolingKind::kMax && draw(0, 1) == 1) {
    PoolingIndices indices;
    indices.type = draw(0, 1) == 1 ? ElementType::kI64 : ElementType::kI32;
    indices.axis_steps = {spec.axes[1].input * spec.axes[2].input, spec.axes[2].input, 1};
    const int64_t plane = spec.axes[0].input * indices.axis_steps[0];
    if (draw(0, 1) == 1) indices.channel_step = plane;
    if (draw(0, 1) == 1) indices.batch_step = plane * spec.channels;
    spec.indices = indices;
  }
  return spec;
}

TEST(PoolingTest, RandomPoolingsAgreeWithTheReference) {
  const uint32_t seed = std::random_device()();
  SCOPED_TRACE(absl::StrCat("seed ", seed));
  std::mt19937 random(seed);
  for (int i = 0; i < 300; ++i) {
    const GuardedEnd end = i % 2 == 0 ? GuardedEnd::kFirstByte : GuardedEnd::kLastByte;
    RunAndCheck(RandomSpec(random), end, random, i % 3 == 0);
    if (HasFatalFailure()) return;
  }
}

PoolingSpec Square(PoolingKind kind, int64_t size, int64_t channels, int64_t kernel, int64_t stride, int64_t pad) {
  PoolingSpec spec;
  spec.kind = kind;
  spec.channels = channels;
  for (size_t i = 1; i < 3; ++i) {
    PoolingAxis& axis = spec.axes[i];
    axis.input = size;
    axis.kernel = kernel;
    axis.stride = stride;
    axis.pad_begin = axis.pad_end = pad;
    axis.output = WindowsOf(size, axis, false);
  }
  spec.SetDenseStrides();
  return spec;
}

TEST(PoolingTest, LargePoolingsAreCutIntoItems) {
  std::mt19937 random(1);
  RunAndCheck(Square(PoolingKind::kMax, 112, 64, 3, 2, 1), GuardedEnd::kLastByte, random, false);
  RunAndCheck(Square(PoolingKind::kAverage, 7, 2048, 7, 1, 0), GuardedEnd::kLastByte, random, false);
  PoolingSpec line = Square(PoolingKind::kAverage, 1, 48, 1, 1, 0);
  line.axes[2].input = 5000;
  line.axes[2].kernel = 5;
  line.axes[2].stride = 2;
  line.axes[2].output = WindowsOf(5000, line.axes[2], false);
  line.SetDenseStrides();
  ASSERT_OK_AND_ASSIGN(const Target target, Target::Host());
  ASSERT_OK_AND_ASSIGN(const PoolingKernel kernel, PoolingKernel::Create(line, target, CodeCache::Process()));
  EXPECT_GT(kernel.work_items(), 4);
  RunAndCheck(line, GuardedEnd::kFirstByte, random, false);
}

TEST(PoolingTest, EqualMaximaKeepTheFirstZero) {
  PoolingSpec spec = Square(PoolingKind::kMax, 4, 16, 2, 2, 0);
  ASSERT_OK_AND_ASSIGN(const Target target, Target::Host());
  ASSERT_OK_AND_ASSIGN(const PoolingKernel kernel, PoolingKernel::Create(spec, target, CodeCache::Process()));
  std::vector<float> input(4 * 4 * 16, -0.0f);
  // Behind the first tap of each window.
  for (size_t pixel = 1; pixel < 16; pixel += 2) std::fill_n(&input[pixel * 16], 16, 0.0f);
  std::vector<float> output(2 * 2 * 16, 1);
  kernel.Run({input.data(), output.data()}, 0, kernel.work_items());
  for (const float y : output) EXPECT_TRUE(y == 0 && std::signbit(y)) << y;
}

TEST(PoolingTest, EmptyTensorsAreLeftAlone) {
  ASSERT_OK_AND_ASSIGN(const Target target, Target::Host());
  PoolingSpec spec = Square(PoolingKind::kMax, 4, 0, 2, 2, 0);
  ASSERT_OK_AND_ASSIGN(const PoolingKernel no_channels, PoolingKernel::Create(spec, target, CodeCache::Process()));
  EXPECT_EQ(no_channels.work_items(), 0);
  EXPECT_EQ(no_channels.kernel_name(), "");
  spec = Square(PoolingKind::kMax, 4, 8, 2, 2, 0);
  spec.batch = 0;
  ASSERT_OK_AND_ASSIGN(const PoolingKernel no_batch, PoolingKernel::Create(spec, target, CodeCache::Process()));
  EXPECT_EQ(no_batch.work_items(), 0);
  // Without input all windows are padding.
  spec = Square(PoolingKind::kMax, 0, 8, 2, 2, 1);
  for (size_t i = 1; i < 3; ++i) spec.axes[i].output = 1;
  ASSERT_OK_AND_ASSIGN(const PoolingKernel no_input, PoolingKernel::Create(spec, target, CodeCache::Process()));
  std::vector<float> output(8, 1);
  no_input.Run({nullptr, output.data()}, 0, no_input.work_items());
  EXPECT_THAT(output, testing::Each(-std::numeric_limits<float>::infinity()));
}

TEST(PoolingTest, TheEpilogueSeesEachElementOnce) {
  const uint32_t seed = std::random_device()();
  SCOPED_TRACE(absl::StrCat("seed ", seed));
  std::mt19937 random(seed);
  const AffineEpilogue epilogue;
  ASSERT_OK_AND_ASSIGN(const Target target, Target::Host());
  for (int round = 0; round < 100; ++round) {
    PoolingSpec spec = RandomSpec(random);
    SCOPED_TRACE(Describe(spec));
    ASSERT_OK_AND_ASSIGN(const PoolingKernel kernel,
                         PoolingKernel::Create(spec, target, CodeCache::Process(), &epilogue));
    ASSERT_OK_AND_ASSIGN(const Tensors tensors, Tensors::Create(spec, GuardedEnd::kLastByte, random, false));
    const int64_t rows = spec.Windows();
    const int64_t channels = spec.channels;
    std::vector<float> scale(static_cast<size_t>(channels));
    std::vector<float> shift(static_cast<size_t>(rows));
    for (size_t i = 0; i < scale.size(); ++i) scale[i] = 0.5f + static_cast<float>(i);
    for (size_t i = 0; i < shift.size(); ++i) shift[i] = static_cast<float>(i) * 0.25f;
    const size_t bytes = static_cast<size_t>(rows * channels * 4);
    // In place: what is added is replaced by the result.
    ASSERT_OK_AND_ASSIGN(const GuardedBuffer full, GuardedBuffer::Create(bytes, GuardedEnd::kLastByte));
    std::vector<float> addend(static_cast<size_t>(rows * channels));
    for (size_t i = 0; i < addend.size(); ++i) full.As<float>()[i] = addend[i] = static_cast<float>(i % 17);
    const EpiloguePlace places[] = {
        {scale.data(), 0}, {shift.data(), 4}, {full.data(), channels * 4}, {full.data(), channels * 4}};
    const PoolingOperands operands = {tensors.input.data(), nullptr, tensors.indices.data(), places};
    const int64_t items = kernel.work_items();
    kernel.Run(operands, items / 2, items);
    kernel.Run(operands, 0, items / 2);
    const Reference reference(spec, tensors.input.data());
    ForEachOutput(spec, [&](int64_t, int64_t row, int64_t n, const std::array<int64_t, 3>& o, int64_t c) {
      const size_t r = static_cast<size_t>(row);
      const size_t i = static_cast<size_t>(row * channels + c);
      Expected expected = reference.At(n, o, c);
      const double factor = scale[static_cast<size_t>(c)];
      expected.value = expected.value * factor + shift[r] + addend[i];
      expected.error = expected.error * factor + 4e-7 * (std::abs(expected.value) + shift[r] + addend[i]) + 1e-30;
      ExpectNear(full.As<float>()[i], expected, absl::StrCat("row ", row, " channel ", c));
    });
    if (HasFatalFailure()) return;
  }
}

TEST(PoolingTest, SpecsThatMakeNoSenseAreRefused) {
  ASSERT_OK_AND_ASSIGN(const Target target, Target::Host());
  const auto status = [&](const PoolingSpec& spec) {
    return PoolingKernel::Create(spec, target, CodeCache::Process()).status();
  };
  PoolingSpec spec = Square(PoolingKind::kMax, 4, 8, 2, 2, 0);
  spec.axes[1].stride = 0;
  EXPECT_THAT(status(spec), StatusIs(absl::StatusCode::kInvalidArgument, testing::HasSubstr("stride of axis 1 is 0")));
  spec = Square(PoolingKind::kLp, 4, 8, 2, 2, 0);
  spec.p = 3;
  EXPECT_THAT(status(spec), StatusIs(absl::StatusCode::kUnimplemented, testing::HasSubstr("p is above 2: 3")));
  spec = Square(PoolingKind::kAverage, 4, 8, 2, 2, 0);
  spec.indices = PoolingIndices();
  EXPECT_THAT(status(spec), StatusIs(absl::StatusCode::kInvalidArgument, testing::HasSubstr("indices")));
  spec = Square(PoolingKind::kMax, 4, 8, 2, 2, 0);
  spec.type = ElementType::kBf16;
  EXPECT_THAT(status(spec), StatusIs(absl::StatusCode::kUnimplemented, testing::HasSubstr("bf16")));
}

}  // namespace
}  // namespace burin::jit
