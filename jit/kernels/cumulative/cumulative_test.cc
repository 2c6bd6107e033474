#include "jit/kernels/cumulative/cumulative.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/element_type.h"
#include "jit/code_cache.h"
#include "jit/isa/target.h"
#include "jit/kernels/cumulative/cumulative_plan.h"
#include "jit/kernels/epilogue_emitter.h"
#include "jit/kernels/pooling/affine_epilogue_testlib.h"
#include "testing/gtest/status_matchers.h"
#include "testing/guarded_buffer.h"

namespace burin::jit {
namespace {

std::string Describe(const CumulativeSpec& spec) {
  return absl::StrCat(Name(spec.type), " outer ", spec.outer, " length ", spec.length, " inner ", spec.inner,
                      spec.exclusive ? " exclusive" : "", spec.reverse ? " reverse" : "");
}

size_t SpanOf(const CumulativeSpec& spec, bool source) {
  if (spec.outer * spec.length * spec.inner == 0) return 0;
  const int64_t outer = source ? spec.source_outer_stride : spec.destination_outer_stride;
  const int64_t stride = source ? spec.source_stride : spec.destination_stride;
  return static_cast<size_t>((spec.outer - 1) * outer + (spec.length - 1) * stride +
                             spec.inner * BitWidth(spec.type) / 8);
}

// Adds up elements of type T; calls visit(outer, place, inner, sum, sum of magnitudes).
template <class T, class Sum, class Visit>
void ForEachSum(const CumulativeSpec& spec, const uint8_t* source, const Visit& visit) {
  for (int64_t o = 0; o < spec.outer; ++o) {
    for (int64_t k = 0; k < spec.inner; ++k) {
      Sum sum = 0;
      double magnitude = 0;
      for (int64_t step = 0; step < spec.length; ++step) {
        const int64_t i = spec.reverse ? spec.length - 1 - step : step;
        T x = 0;
        std::memcpy(&x, source + o * spec.source_outer_stride + i * spec.source_stride + k * int64_t{sizeof(T)},
                    sizeof(T));
        if (spec.exclusive) visit(o, i, k, sum, magnitude);
        sum += static_cast<Sum>(x);
        magnitude += std::abs(static_cast<double>(x));
        if (!spec.exclusive) visit(o, i, k, sum, magnitude);
      }
    }
  }
}

template <class T, class Sum>
void CheckType(const CumulativeSpec& spec, GuardedEnd end, std::mt19937& random) {
  SCOPED_TRACE(Describe(spec));
  ASSERT_OK_AND_ASSIGN(const Target target, Target::Host());
  ASSERT_OK_AND_ASSIGN(const CumulativeKernel kernel, CumulativeKernel::Create(spec, target, CodeCache::Process()));
  ASSERT_OK_AND_ASSIGN(const GuardedBuffer source, GuardedBuffer::Create(SpanOf(spec, true), end));
  ASSERT_OK_AND_ASSIGN(const GuardedBuffer destination, GuardedBuffer::Create(SpanOf(spec, false), end));
  for (size_t i = 0; i < source.size() / sizeof(T); ++i) {
    if constexpr (std::is_floating_point_v<T>) {
      source.As<T>()[i] = std::uniform_real_distribution<T>(-1, 1)(random);
    } else {
      source.As<T>()[i] = static_cast<T>((uint64_t{random()} << 32) ^ random());
    }
  }
  std::memset(destination.data(), 0x5a, destination.size());
  const int64_t items = kernel.work_items();
  kernel.Run(source.data(), destination.data(), nullptr, items / 2, items);
  kernel.Run(source.data(), destination.data(), nullptr, 0, items / 2);
  std::vector<bool> written(destination.size());
  ForEachSum<T, Sum>(spec, source.data(), [&](int64_t o, int64_t i, int64_t k, Sum sum, double magnitude) {
    const int64_t offset = o * spec.destination_outer_stride + i * spec.destination_stride + k * int64_t{sizeof(T)};
    T y = 0;
    std::memcpy(&y, destination.data() + offset, sizeof(T));
    for (size_t b = 0; b < sizeof(T); ++b) written[static_cast<size_t>(offset) + b] = true;
    if constexpr (std::is_floating_point_v<T>) {
      ASSERT_NEAR(y, sum, magnitude * static_cast<double>(i + 20 + spec.length) * (sizeof(T) == 4 ? 6e-8 : 1.2e-16));
    } else {
      ASSERT_EQ(y, static_cast<T>(sum)) << o << ", " << i << ", " << k;
    }
  });
  for (size_t i = 0; i < written.size(); ++i) {
    if (written[i]) continue;
    ASSERT_EQ(destination.data()[i], 0x5a) << "a gap was written: " << i;
  }
  // In place, as one: the same bits.
  if (spec.source_stride != spec.destination_stride || spec.source_outer_stride != spec.destination_outer_stride)
    return;
  kernel.Run(source.data(), source.data(), nullptr, 0, items);
  for (size_t i = 0; i < written.size(); ++i) {
    if (!written[i]) continue;
    ASSERT_EQ(source.data()[i], destination.data()[i]) << "in place: " << i;
  }
}

CumulativeSpec RandomSpec(std::mt19937& random) {
  const auto draw = [&](int64_t least, int64_t most) {
    return std::uniform_int_distribution<int64_t>(least, most)(random);
  };
  CumulativeSpec spec;
  spec.exclusive = draw(0, 1) == 1;
  spec.reverse = draw(0, 1) == 1;
  spec.outer = draw(0, 9) == 0 ? 0 : draw(1, 5);
  spec.length = draw(0, 9) == 0 ? 1 : draw(1, 70);
  spec.inner = draw(0, 1) == 0 ? 1 : draw(2, 300);
  return spec;
}

void WidenStrides(CumulativeSpec& spec, std::mt19937& random) {
  spec.SetDenseStrides();
  if (random() % 2 == 0) return;
  const int64_t bytes = BitWidth(spec.type) / 8;
  if (spec.inner > 1) {
    spec.source_stride += bytes;
    spec.destination_stride += static_cast<int64_t>(random() % 3) * bytes;
  }
  spec.source_outer_stride = spec.length * spec.source_stride + bytes;
  spec.destination_outer_stride = spec.length * spec.destination_stride + static_cast<int64_t>(random() % 3) * bytes;
}

TEST(CumulativeTest, RandomSumsAgreeWithTheReference) {
  const uint32_t seed = std::random_device()();
  SCOPED_TRACE(absl::StrCat("seed ", seed));
  std::mt19937 random(seed);
  for (int round = 0; round < 200; ++round) {
    const GuardedEnd end = round % 2 == 0 ? GuardedEnd::kFirstByte : GuardedEnd::kLastByte;
    CumulativeSpec spec = RandomSpec(random);
    const ElementType types[] = {ElementType::kF32, ElementType::kF64, ElementType::kI32, ElementType::kU64};
    spec.type = types[round % 4];
    WidenStrides(spec, random);
    switch (round % 4) {
      case 0:
        CheckType<float, double>(spec, end, random);
        break;
      case 1:
        CheckType<double, double>(spec, end, random);
        break;
      case 2:
        CheckType<int32_t, uint32_t>(spec, end, random);
        break;
      default:
        CheckType<uint64_t, uint64_t>(spec, end, random);
    }
    if (HasFatalFailure()) return;
  }
}

TEST(CumulativeTest, WideSumsAreCutIntoItems) {
  std::mt19937 random(1);
  CumulativeSpec spec;
  spec.length = 40;
  spec.inner = 5000;
  spec.SetDenseStrides();
  ASSERT_OK_AND_ASSIGN(const Target target, Target::Host());
  ASSERT_OK_AND_ASSIGN(const CumulativeKernel kernel, CumulativeKernel::Create(spec, target, CodeCache::Process()));
  EXPECT_GT(kernel.work_items(), 4);
  CheckType<float, double>(spec, GuardedEnd::kLastByte, random);
}

TEST(CumulativeTest, TheEpilogueSeesEachElementOnce) {
  const uint32_t seed = std::random_device()();
  SCOPED_TRACE(absl::StrCat("seed ", seed));
  std::mt19937 random(seed);
  const AffineEpilogue epilogue;
  ASSERT_OK_AND_ASSIGN(const Target target, Target::Host());
  for (int round = 0; round < 80; ++round) {
    CumulativeSpec spec = RandomSpec(random);
    spec.SetDenseStrides();
    SCOPED_TRACE(Describe(spec));
    ASSERT_OK_AND_ASSIGN(const CumulativeKernel kernel,
                         CumulativeKernel::Create(spec, target, CodeCache::Process(), &epilogue));
    ASSERT_OK_AND_ASSIGN(const GuardedBuffer source, GuardedBuffer::Create(SpanOf(spec, true), GuardedEnd::kLastByte));
    for (size_t i = 0; i < source.size() / 4; ++i) source.As<float>()[i] = static_cast<float>(random() % 16);
    const bool by_row = spec.inner == 1;
    const int64_t columns = by_row ? spec.length : spec.inner;
    const int64_t rows = by_row ? spec.outer : spec.outer * spec.length;
    std::vector<float> scale(static_cast<size_t>(columns), 0.5f);
    std::vector<float> shift(static_cast<size_t>(rows));
    for (size_t i = 0; i < shift.size(); ++i) shift[i] = static_cast<float>(i);
    // What is added up is also what is added, and replaced.
    const std::vector<float> before(source.As<float>(), source.As<float>() + source.size() / 4);
    const EpiloguePlace places[] = {
        {scale.data(), 0}, {shift.data(), 4}, {source.data(), columns * 4}, {source.data(), columns * 4}};
    std::vector<double> expected(before.size());
    ForEachSum<float, double>(spec, source.data(), [&](int64_t o, int64_t i, int64_t k, double sum, double) {
      const int64_t row = by_row ? o : o * spec.length + i;
      const size_t at = static_cast<size_t>(row * columns + (by_row ? i : k));
      expected[at] = sum * 0.5 + shift[static_cast<size_t>(row)] + before[at];
    });
    const int64_t items = kernel.work_items();
    kernel.Run(source.data(), nullptr, places, items / 2, items);
    kernel.Run(source.data(), nullptr, places, 0, items / 2);
    for (size_t i = 0; i < expected.size(); ++i) ASSERT_EQ(source.As<float>()[i], expected[i]) << i;
  }
}

TEST(CumulativeTest, TypesWithoutSumsAreRefused) {
  ASSERT_OK_AND_ASSIGN(const Target target, Target::Host());
  CumulativeSpec spec;
  spec.type = ElementType::kF16;
  EXPECT_THAT(CumulativeKernel::Create(spec, target, CodeCache::Process()).status(),
              StatusIs(absl::StatusCode::kUnimplemented, testing::HasSubstr("f16")));
}

}  // namespace
}  // namespace burin::jit
