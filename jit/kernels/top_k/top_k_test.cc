#include "jit/kernels/top_k/top_k.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/element_type.h"
#include "jit/code_cache.h"
#include "jit/isa/target.h"
#include "jit/kernels/top_k/top_k_plan.h"
#include "testing/gtest/status_matchers.h"
#include "testing/guarded_buffer.h"

namespace burin::jit {
namespace {

std::string Describe(const TopKSpec& spec) {
  return absl::StrCat(Name(spec.type), " k ", spec.k, " outer ", spec.outer, " length ", spec.length, " inner ",
                      spec.inner, spec.smallest ? " smallest" : "", spec.order == TopKOrder::kIndex ? " by index" : "");
}

bool Less(float a, float b) { return a < b || (!std::isnan(a) && std::isnan(b)); }
bool Less(int32_t a, int32_t b) { return a < b; }

// Returns the indices that should be selected of `row`.
template <class T>
std::vector<int64_t> Expected(const TopKSpec& spec, const std::vector<T>& row) {
  std::vector<int64_t> places(row.size());
  std::iota(places.begin(), places.end(), 0);
  std::stable_sort(places.begin(), places.end(), [&](int64_t a, int64_t b) {
    const T x = row[static_cast<size_t>(a)];
    const T y = row[static_cast<size_t>(b)];
    return spec.smallest ? Less(x, y) : Less(y, x);
  });
  places.resize(static_cast<size_t>(spec.k));
  if (spec.order == TopKOrder::kIndex) std::sort(places.begin(), places.end());
  return places;
}

size_t SpanOf(const TopKSpec& spec, bool source, int64_t bytes) {
  const int64_t extent = source ? spec.length : spec.k;
  if (spec.outer * extent * spec.inner == 0) return 0;
  const int64_t outer = source ? spec.source_outer_stride : spec.destination_outer_stride;
  const int64_t stride = source ? spec.source_stride : spec.destination_stride;
  return static_cast<size_t>(((spec.outer - 1) * outer + (extent - 1) * stride + spec.inner * 4) / 4 * bytes);
}

template <class T, class Draw>
void RunAndCheck(const TopKSpec& spec, GuardedEnd end, const Draw& draw) {
  SCOPED_TRACE(Describe(spec));
  ASSERT_OK_AND_ASSIGN(const Target target, Target::Host());
  ASSERT_OK_AND_ASSIGN(const TopKKernel kernel, TopKKernel::Create(spec, target, CodeCache::Process()));
  const int64_t index_bytes = BitWidth(spec.index_type) / 8;
  ASSERT_OK_AND_ASSIGN(const GuardedBuffer source, GuardedBuffer::Create(SpanOf(spec, true, 4), end));
  ASSERT_OK_AND_ASSIGN(const GuardedBuffer values, GuardedBuffer::Create(SpanOf(spec, false, 4), end));
  ASSERT_OK_AND_ASSIGN(const GuardedBuffer indices, GuardedBuffer::Create(SpanOf(spec, false, index_bytes), end));
  for (size_t i = 0; i < source.size() / 4; ++i) source.As<T>()[i] = draw(i);
  const int64_t items = kernel.work_items();
  kernel.Run(source.data(), values.data(), indices.data(), items / 2, items);
  kernel.Run(source.data(), values.data(), indices.data(), 0, items / 2);
  for (int64_t o = 0; o < spec.outer; ++o) {
    for (int64_t c = 0; c < spec.inner; ++c) {
      const uint8_t* const from = source.data() + o * spec.source_outer_stride + c * 4;
      std::vector<T> row(static_cast<size_t>(spec.length));
      for (size_t i = 0; i < row.size(); ++i) {
        std::memcpy(&row[i], from + static_cast<int64_t>(i) * spec.source_stride, 4);
      }
      const std::vector<int64_t> expected = Expected(spec, row);
      for (int64_t j = 0; j < spec.k; ++j) {
        const int64_t element = (o * spec.destination_outer_stride + j * spec.destination_stride) / 4 + c;
        const int64_t index =
            index_bytes == 8 ? indices.As<int64_t>()[element] : int64_t{indices.As<int32_t>()[element]};
        ASSERT_EQ(index, expected[static_cast<size_t>(j)]) << "outer " << o << " inner " << c << " place " << j;
        ASSERT_EQ(std::memcmp(values.data() + element * 4, &row[static_cast<size_t>(index)], 4), 0);
      }
    }
  }
}

TopKSpec RandomSpec(std::mt19937& random) {
  const auto draw = [&](int64_t least, int64_t most) {
    return std::uniform_int_distribution<int64_t>(least, most)(random);
  };
  TopKSpec spec;
  spec.index_type = draw(0, 1) == 1 ? ElementType::kI32 : ElementType::kI64;
  spec.smallest = draw(0, 1) == 1;
  spec.order = draw(0, 1) == 1 ? TopKOrder::kValue : TopKOrder::kIndex;
  spec.outer = draw(1, 4);
  spec.length = draw(0, 1) == 0 ? draw(1, 40) : draw(1, 500);
  spec.k = std::min(spec.length, draw(0, 2) == 0 ? draw(0, 64) : draw(1, 8));
  spec.inner = draw(0, 1) == 0 ? 1 : draw(2, 50);
  spec.SetDenseStrides();
  if (draw(0, 1) == 1) {
    if (spec.inner > 1) spec.source_stride += 4;
    spec.destination_stride += 4 * draw(0, 2);
    spec.source_outer_stride = spec.length * spec.source_stride + 4;
    spec.destination_outer_stride = spec.k * spec.destination_stride + 4 * draw(0, 2);
  }
  return spec;
}

TEST(TopKTest, RandomSelectionsAgreeWithTheReference) {
  const uint32_t seed = std::random_device()();
  SCOPED_TRACE(absl::StrCat("seed ", seed));
  std::mt19937 random(seed);
  const float specials[] = {std::numeric_limits<float>::quiet_NaN(),
                            -std::numeric_limits<float>::quiet_NaN(),
                            std::numeric_limits<float>::infinity(),
                            -std::numeric_limits<float>::infinity(),
                            0.0f,
                            -0.0f,
                            std::numeric_limits<float>::denorm_min(),
                            std::numeric_limits<float>::max(),
                            std::numeric_limits<float>::lowest()};
  for (int round = 0; round < 300; ++round) {
    const GuardedEnd end = round % 2 == 0 ? GuardedEnd::kFirstByte : GuardedEnd::kLastByte;
    TopKSpec spec = RandomSpec(random);
    const uint32_t kinds = random() % 4;
    if (random() % 3 == 0) {
      spec.type = ElementType::kI32;
      RunAndCheck<int32_t>(spec, end, [&](size_t) {
        const uint32_t bits = random();
        if (kinds == 0) return static_cast<int32_t>(bits % 5) - 2;
        if (kinds == 1 && bits % 3 == 0) return bits % 2 == 0 ? INT32_MIN : INT32_MAX;
        return static_cast<int32_t>(random());
      });
    } else {
      RunAndCheck<float>(spec, end, [&](size_t i) {
        const uint32_t bits = random();
        if (kinds == 0) return static_cast<float>(static_cast<int>(bits % 5) - 2);
        if (kinds == 1 && bits % 2 == 0) return specials[bits / 2 % 9];
        // Each larger than the one before.
        if (kinds == 2) return static_cast<float>(i) - 100;
        return std::uniform_real_distribution<float>(-1, 1)(random);
      });
    }
    if (HasFatalFailure()) return;
  }
}

TEST(TopKTest, NanIsLargest) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> row = {nan, 1, nan, 3, nan};
  TopKSpec spec;
  spec.length = 5;
  spec.k = 4;
  spec.SetDenseStrides();
  ASSERT_OK_AND_ASSIGN(const Target target, Target::Host());
  std::vector<int32_t> indices(4);
  ASSERT_OK_AND_ASSIGN(const TopKKernel largest, TopKKernel::Create(spec, target, CodeCache::Process()));
  largest.Run(row.data(), nullptr, indices.data(), 0, largest.work_items());
  EXPECT_THAT(indices, testing::ElementsAre(0, 2, 4, 3));
  spec.smallest = true;
  ASSERT_OK_AND_ASSIGN(const TopKKernel smallest, TopKKernel::Create(spec, target, CodeCache::Process()));
  smallest.Run(row.data(), nullptr, indices.data(), 0, smallest.work_items());
  EXPECT_THAT(indices, testing::ElementsAre(1, 3, 0, 2));
}

TEST(TopKTest, LargeSelectionsAreCutIntoItems) {
  std::mt19937 random(5);
  ASSERT_OK_AND_ASSIGN(const Target target, Target::Host());
  for (const auto& [inner, k] : {std::pair<int64_t, int64_t>{1, 5}, {3000, 5}, {3000, 1}}) {
    TopKSpec spec;
    spec.outer = inner == 1 ? 20 : 1;
    spec.length = inner == 1 ? 32000 : 40;
    spec.inner = inner;
    spec.k = k;
    spec.SetDenseStrides();
    ASSERT_OK_AND_ASSIGN(const TopKKernel kernel, TopKKernel::Create(spec, target, CodeCache::Process()));
    EXPECT_GT(kernel.work_items(), 4);
    RunAndCheck<float>(spec, GuardedEnd::kLastByte,
                       [&](size_t) { return std::uniform_real_distribution<float>(-1, 1)(random); });
  }
}

TEST(TopKTest, MoreThanTheMostIsRefused) {
  ASSERT_OK_AND_ASSIGN(const Target target, Target::Host());
  TopKSpec spec;
  spec.length = 100;
  spec.k = 65;
  spec.SetDenseStrides();
  EXPECT_THAT(TopKKernel::Create(spec, target, CodeCache::Process()).status(),
              StatusIs(absl::StatusCode::kUnimplemented, testing::HasSubstr("k is 65")));
}

}  // namespace
}  // namespace burin::jit
