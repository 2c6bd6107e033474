#include "jit/kernels/copy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <optional>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "jit/code_cache.h"
#include "jit/isa/cache_info.h"
#include "jit/isa/isa.h"
#include "jit/isa/microarch.h"
#include "jit/isa/target.h"
#include "jit/kernels/copy_layout.h"
#include "testing/gtest/status_matchers.h"
#include "testing/guarded_buffer.h"

namespace burin::jit {
namespace {

// What one side of a copy touches, relative to its address: from `first` up to `last`.
struct Footprint {
  int64_t first = 0;
  int64_t last = 0;
};

Footprint FootprintOf(const StridedCopySpec& spec, int64_t CopyDim::*stride) {
  Footprint footprint = {0, spec.element_bytes};
  for (const CopyDim& dim : spec.dims) {
    if (dim.extent == 0) return {0, 0};
    const int64_t distance = (dim.extent - 1) * dim.*stride;
    (distance < 0 ? footprint.first : footprint.last) += distance;
  }
  return footprint;
}

std::string Describe(const StridedCopySpec& spec) {
  std::string text = absl::StrCat(spec.element_bytes, " bytes");
  for (const CopyDim& dim : spec.dims) {
    absl::StrAppend(&text, ", ", dim.extent, ":", dim.source_stride, ":", dim.destination_stride);
  }
  return text;
}

void CopyNaively(const StridedCopySpec& spec, size_t dim, const uint8_t* source, uint8_t* destination) {
  if (dim == spec.dims.size()) {
    std::memcpy(destination, source, static_cast<size_t>(spec.element_bytes));
    return;
  }
  for (int64_t i = 0; i < spec.dims[dim].extent; ++i) {
    CopyNaively(spec, dim + 1, source + i * spec.dims[dim].source_stride,
                destination + i * spec.dims[dim].destination_stride);
  }
}

class CopyTest : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_OK_AND_ASSIGN(target_, Target::Host()); }

  // Runs the plan over its items, shared out at random.
  void RunShared(const CopyPlan& plan, const uint8_t* source, uint8_t* destination) {
    std::vector<int64_t> bounds = {0, plan.work_items()};
    for (uint32_t i = random_() % 4; i > 0; --i) {
      bounds.push_back(static_cast<int64_t>(random_() % static_cast<uint64_t>(plan.work_items() + 1)));
    }
    std::sort(bounds.begin(), bounds.end());
    std::vector<size_t> order(bounds.size() - 1);
    std::iota(order.begin(), order.end(), size_t{0});
    std::shuffle(order.begin(), order.end(), random_);
    for (const size_t i : order) plan.Run(source, destination, bounds[i], bounds[i + 1]);
  }

  // Compares the plan with the definition, with both sides beside inaccessible pages; `shift` bytes more keep the
  // destination away from its alignment.
  absl::Status Check(const StridedCopySpec& spec, GuardedEnd end, size_t shift = 0) {
    BURIN_ASSIGN_OR_RETURN(const CopyPlan plan, CopyPlan::Create(spec, *target_, cache_));
    kernels_.insert(kernels_.end(), std::string(plan.kernel_name()));
    const Footprint from = FootprintOf(spec, &CopyDim::source_stride);
    const Footprint to = FootprintOf(spec, &CopyDim::destination_stride);
    const size_t from_bytes = static_cast<size_t>(from.last - from.first);
    const size_t to_bytes = static_cast<size_t>(to.last - to.first) + shift;
    BURIN_ASSIGN_OR_RETURN(const GuardedBuffer source, GuardedBuffer::Create(from_bytes, end));
    BURIN_ASSIGN_OR_RETURN(const GuardedBuffer destination, GuardedBuffer::Create(to_bytes, end));
    for (size_t i = 0; i < from_bytes; ++i) source.data()[i] = static_cast<uint8_t>(random_());
    for (size_t i = 0; i < to_bytes; ++i) destination.data()[i] = static_cast<uint8_t>(random_());
    std::vector<uint8_t> expected(destination.data(), destination.data() + to_bytes);
    const uint8_t* const source_base = source.data() - from.first;
    const int64_t base = (end == GuardedEnd::kFirstByte ? static_cast<int64_t>(shift) : 0) - to.first;
    CopyNaively(spec, 0, source_base, expected.data() + base);
    RunShared(plan, source_base, destination.data() + base);
    for (size_t i = 0; i < to_bytes; ++i) {
      if (destination.data()[i] != expected[i]) {
        return absl::InternalError(absl::StrCat("byte ", i, " of ", to_bytes, " by ", plan.kernel_name(), " in ",
                                                plan.work_items(), " items: ", Describe(spec)));
      }
    }
    return absl::OkStatus();
  }

  void CheckBothEnds(const StridedCopySpec& spec) {
    for (const size_t shift : {0, 1, 8}) {
      ASSERT_OK(Check(spec, GuardedEnd::kFirstByte, shift)) << "seed " << kSeed;
      ASSERT_OK(Check(spec, GuardedEnd::kLastByte, shift)) << "seed " << kSeed;
    }
  }

  int64_t Random(int64_t bound) { return static_cast<int64_t>(random_() % static_cast<uint64_t>(bound)); }

  // Returns an extent of interest, at most `most`.
  int64_t RandomExtent(int64_t most) {
    constexpr int64_t kExtents[] = {1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 100, 129, 300};
    const int64_t extent = kExtents[Random(std::size(kExtents))];
    return std::max<int64_t>(1, std::min(extent, most));
  }

  // Lays out dimensions of these extents one inside the other, in random order, with gaps here and there; some run
  // backwards, and where `repeats` some stand still.
  std::vector<int64_t> RandomStrides(const std::vector<int64_t>& extents, int64_t element_bytes, bool repeats) {
    std::vector<size_t> order(extents.size());
    std::iota(order.begin(), order.end(), size_t{0});
    if (Random(3) > 0) std::shuffle(order.begin(), order.end(), random_);
    std::vector<int64_t> strides(extents.size());
    int64_t stride = element_bytes;
    for (const size_t i : order) {
      if (repeats && Random(6) == 0) continue;
      if (Random(6) == 0) stride += element_bytes * Random(5);
      if (Random(12) == 0) stride += Random(element_bytes);
      strides[i] = Random(8) == 0 ? -stride : stride;
      stride *= extents[i];
    }
    return strides;
  }

  StridedCopySpec RandomSpec() {
    StridedCopySpec spec;
    spec.element_bytes = 1 << Random(4);
    const int64_t rank = Random(7);
    int64_t left = 1 << (6 + Random(11));
    std::vector<int64_t> extents;
    for (int64_t i = 0; i < rank; ++i) {
      extents.push_back(RandomExtent(left));
      left /= extents.back();
    }
    std::shuffle(extents.begin(), extents.end(), random_);
    const std::vector<int64_t> source = RandomStrides(extents, spec.element_bytes, true);
    const std::vector<int64_t> destination = RandomStrides(extents, spec.element_bytes, false);
    for (size_t i = 0; i < extents.size(); ++i) spec.dims.push_back({extents[i], source[i], destination[i]});
    return spec;
  }

  static constexpr uint32_t kSeed = 20;
  std::mt19937 random_{kSeed};
  std::optional<Target> target_;
  CodeCache cache_{CodeCache::kDefaultMaxBytes};
  std::vector<std::string> kernels_;
};

TEST_F(CopyTest, RandomLayouts) {
  for (int i = 0; i < 2000; ++i) {
    const StridedCopySpec spec = RandomSpec();
    SCOPED_TRACE(absl::StrCat("seed ", kSeed, ", number ", i, ", ", Describe(spec)));
    ASSERT_OK(Check(spec, i % 2 == 0 ? GuardedEnd::kFirstByte : GuardedEnd::kLastByte,
                    static_cast<size_t>(i % 3 == 0 ? Random(64) : 0)));
  }
}

TEST_F(CopyTest, RowsOfEveryLength) {
  for (int64_t bytes = 1; bytes <= 400; ++bytes) CheckBothEnds({1, {{bytes, 1, 1}}});
  for (int64_t bytes = 1; bytes <= 140; ++bytes) CheckBothEnds({1, {{bytes, 1, 1}, {3, bytes + 3, bytes + 1}}});
  for (const int64_t bytes : {1023, 1024, 1025, 1087, 1088, 1089, 2000, 4096, 32768, 32769, 70001, 100000}) {
    CheckBothEnds({1, {{bytes, 1, 1}, {2, bytes + 7, bytes + 5}}});
  }
}

TEST_F(CopyTest, FillsOfEveryLength) {
  for (const int bytes : {1, 2, 4, 8}) {
    for (int64_t count = 1; count <= 300; ++count) CheckBothEnds({bytes, {{count, 0, bytes}}});
    for (int64_t count = 1; count <= 70; ++count) {
      CheckBothEnds({bytes, {{count, 0, bytes}, {3, bytes, bytes * (count + 1)}}});
      // Pairs, which are units of twice the size.
      CheckBothEnds({bytes, {{2, bytes, bytes}, {count, 0, 2 * bytes}}});
    }
    CheckBothEnds({bytes, {{40000, 0, bytes}, {2, bytes, 40000 * bytes}}});
  }
}

TEST_F(CopyTest, TransposesOfEverySize) {
  for (const int bytes : {1, 2, 4, 8}) {
    const int64_t line = 64 / bytes;
    const int64_t piece = 16 / bytes;
    std::vector<int64_t> extents = {2,        3,    piece - 1, piece,       piece + 1, 2 * piece + 1,
                                    line - 1, line, line + 1,  2 * line + 1};
    for (const int64_t rows : extents) {
      for (const int64_t columns : extents) {
        if (rows < 1 || columns < 1) continue;
        CheckBothEnds({bytes, {{rows, bytes * columns, bytes}, {columns, bytes, bytes * rows}}});
        CheckBothEnds({bytes,
                       {{rows, bytes * columns, bytes},
                        {columns, bytes, bytes * (rows + 1)},
                        {3, bytes * columns * rows, bytes * (rows + 1) * columns}}});
      }
    }
  }
}

TEST_F(CopyTest, ShortRecordsOfEveryShape) {
  for (const int bytes : {1, 2, 4, 8}) {
    for (const int64_t count : {1, 2, 3, 4, 5}) {
      for (const int64_t records : {64 / bytes - 1, 64 / bytes, 64 / bytes + 1, 200}) {
        const int64_t record = count * bytes;
        // To and from rows, in reverse order, and with gaps on either side; twice, at a distance.
        const CopyDim lots = {2, 3 * records * record, 3 * records * record};
        CheckBothEnds({bytes, {{records, bytes, record}, {count, records * bytes, bytes}, lots}});
        CheckBothEnds({bytes, {{records, record, bytes}, {count, bytes, (records + 3) * bytes}}});
        CheckBothEnds({bytes, {{records, record, bytes}, {count, -bytes, (records + 3) * bytes}, lots}});
        CheckBothEnds({bytes, {{records, record, record}, {count, -bytes, bytes}, lots}});
        CheckBothEnds({bytes, {{records, 2 * record, record}, {count, bytes, bytes}, lots}});
        CheckBothEnds({bytes, {{records, record, record + bytes}, {count, bytes, bytes}, lots}});
        CheckBothEnds({bytes, {{records, record + 2 * bytes, record + bytes}, {count, bytes, bytes}}});
        // The same element in each place of a record.
        CheckBothEnds({bytes, {{records, bytes, record}, {count, 0, bytes}}});
      }
    }
  }
}

TEST_F(CopyTest, TransposesWithLinesInOneSetOfTheCache) {
  for (const int bytes : {1, 2, 4, 8}) {
    const int64_t line = 64 / bytes;
    ASSERT_OK(Check({bytes, {{line + 3, 4096, bytes}, {line + 5, bytes, 4096}}}, GuardedEnd::kFirstByte));
    ASSERT_OK(Check({bytes, {{2 * line, 4096, bytes}, {line, bytes, 4096}}}, GuardedEnd::kLastByte));
    ASSERT_OK(Check({bytes, {{300, 2048, bytes}, {2048 / bytes, bytes, 300 * bytes}}}, GuardedEnd::kLastByte));
  }
}

TEST_F(CopyTest, NamesTheKernel) {
  // What is chosen depends on the processor and its caches.
  CacheSizes caches;
  caches.l2 = 1 << 20;
  caches.l3 = caches.l3_share = 32 << 20;
  ASSERT_OK_AND_ASSIGN(target_, Target::ForTesting(target_->isa(), Microarch::Of(MicroarchClass::kZen4), caches));
  const auto name = [&](const StridedCopySpec& spec) {
    const absl::StatusOr<CopyPlan> plan = CopyPlan::Create(spec, *target_, cache_);
    return plan.ok() ? std::string(plan->kernel_name()) : plan.status().ToString();
  };
  const bool wide = target_->Supports(IsaLevel::kAvx512);
  EXPECT_EQ(name({4, {}}), "copy_rows");
  EXPECT_EQ(name({4, {{0, 4, 4}}}), "");
  EXPECT_EQ(name({4, {{3, 400, 800}, {100, 4, 4}}}), "copy_rows");
  EXPECT_EQ(name({4, {{3, 0, 400}, {100, 4, 4}}}), "copy_rows");
  EXPECT_EQ(name({4, {{3, 4, 400}, {100, 0, 4}}}), "fill_rows_4");
  EXPECT_EQ(name({4, {{3, 404, 400}, {100, -4, 4}}}), "copy_elements_4");
  // Channels of pixels, in planes or not, and records with gaps.
  const bool permutes = wide && target_->Has(IsaFeature::kAvx512Vbmi);
  EXPECT_EQ(name({1, {{100, 1, 3}, {3, 100, 1}}}), "copy_records_1x3_rows_to_3");
  EXPECT_EQ(name({2, {{100, 6, 2}, {3, 2, 200}}}), "copy_records_2x3_3_to_rows");
  EXPECT_EQ(name({1, {{100, 3, 3}, {3, -1, 1}}}), "copy_records_1x3_3by-1_to_3");
  EXPECT_EQ(name({4, {{100, 24, 12}, {3, 4, 4}}}), permutes ? "copy_records_4x3_6_to_3" : "copy_rows");
  EXPECT_EQ(name({1, {{100, 24, 12}, {12, 1, 1}}}), permutes ? "copy_records_4x3_6_to_3" : "copy_rows");
  EXPECT_EQ(name({8, {{100, 16, 8}}}), permutes ? "copy_records_8x1_2_to_1" : "copy_elements_8");
  EXPECT_EQ(name({4, {{2, 4, 4}, {100, 16, 8}, {2, 8, 800}}}), "copy_records_8x2_2_to_rows");
  EXPECT_EQ(name({4, {{300, 4, 1200}, {300, 1200, 4}}}), "transpose_4_line_wide");
  EXPECT_EQ(name({4, {{1024, 4, 4096}, {1024, 4096, 4}}}), "transpose_4_blocks_256x128");
  EXPECT_EQ(name({4, {{512, 4, 2048}, {512, 2048, 4}}}), "transpose_4_blocks_256x128");
  EXPECT_EQ(name({8, {{256, 8, 2048}, {256, 2048, 8}}}), "transpose_8_line_wide");
  EXPECT_EQ(name({1, {{1024, 1, 1024}, {1024, 1024, 1}}}), "transpose_1_blocks_128x64");
  EXPECT_EQ(name({2, {{2048, 2, 768}, {384, 4096, 2}}}), "transpose_2_blocks_128x64");
  EXPECT_EQ(name({4, {{8, 4, 12000}, {3000, 32, 4}}}), "transpose_4_line");
  EXPECT_EQ(name({4, {{8, 4, 32}, {8, 32, 4}}}), "transpose_4_small");
  EXPECT_EQ(name({4, {{3, 4, 28}, {7, 12, 4}}}), wide ? "transpose_4_masked_few" : "copy_elements_4");
  EXPECT_EQ(name({4, {{3, 28, 4}, {7, 4, 12}}}), wide ? "transpose_4_masked" : "copy_elements_4");
  // Pairs and quadruples of elements that stay together.
  EXPECT_EQ(name({4, {{2, 4, 4}, {300, 8, 2400}, {300, 2400, 8}}}), "transpose_8_line_wide");
  EXPECT_EQ(name({4, {{4, 4, 4}, {300, 16, 4800}, {300, 4800, 16}}}), "transpose_16_line_wide");
}

TEST_F(CopyTest, LargeOutputsGoPastTheCaches) {
  CacheSizes caches;
  caches.l2 = 1 << 10;
  caches.l3_share = 64 << 10;
  ASSERT_OK_AND_ASSIGN(const Target small, Target::ForTesting(target_->isa(), Microarch(), caches));
  ASSERT_OK_AND_ASSIGN(const CopyPlan cached, CopyPlan::Create({1, {{64 << 10, 1, 1}}}, small, cache_));
  EXPECT_EQ(cached.kernel_name(), "copy_rows");
  target_ = small;
  for (const int64_t bytes : {(64 << 10) + 1, 100000, 131072, 200001}) {
    CheckBothEnds({1, {{bytes, 1, 1}}});
    CheckBothEnds({4, {{bytes / 4, 0, 4}}});
    CheckBothEnds({4, {{bytes / 4 / 500, 4, 2004}, {500, 0, 4}}});
  }
  EXPECT_THAT(kernels_, ::testing::Contains("copy_rows_nt"));
  EXPECT_THAT(kernels_, ::testing::Contains("fill_rows_4_nt"));
}

TEST_F(CopyTest, LargeTransposesGoPastTheCaches) {
  CacheSizes caches;
  caches.l2 = 1 << 10;
  caches.l3_share = 64 << 10;
  ASSERT_OK_AND_ASSIGN(target_, Target::ForTesting(target_->isa(), Microarch(), caches));
  for (const int bytes : {1, 2, 4, 8}) {
    const int64_t size = 512 / bytes;
    // Lines of the destination are aligned, then they are not, and then some rows and columns are left.
    ASSERT_OK(
        Check({bytes, {{size, 512, bytes}, {size, bytes, 512}, {3, 512 * size, 512 * size}}}, GuardedEnd::kFirstByte));
    ASSERT_OK(Check({bytes, {{size, 512, bytes}, {size, bytes, 512}}}, GuardedEnd::kFirstByte, 8));
    ASSERT_OK(Check({bytes, {{size + 1, 1024, bytes}, {size - 1, bytes, 1024}}}, GuardedEnd::kFirstByte));
    EXPECT_THAT(kernels_.back(), ::testing::EndsWith("_nt"));
  }
}

TEST_F(CopyTest, VectorsOfTwoPassesAreUsedForLargeTransposesOnly) {
  if (!target_->Supports(IsaLevel::kAvx512)) GTEST_SKIP() << "vectors have 256 bits";
  const StridedCopySpec small = {4, {{64, 4, 256}, {64, 256, 4}}};
  const StridedCopySpec large = {4, {{300, 4, 1200}, {300, 1200, 4}}};
  Microarch two_passes;
  two_passes.fma512_per_cycle = 1;
  for (const bool half : {true, false}) {
    ASSERT_OK_AND_ASSIGN(const Target target, Target::ForTesting(target_->isa(), half ? two_passes : Microarch()));
    ASSERT_OK_AND_ASSIGN(const CopyPlan small_plan, CopyPlan::Create(small, target, cache_));
    EXPECT_EQ(small_plan.kernel_name(), half ? "transpose_4_line_wide_half" : "transpose_4_line_wide");
    ASSERT_OK_AND_ASSIGN(const CopyPlan large_plan, CopyPlan::Create(large, target, cache_));
    EXPECT_EQ(large_plan.kernel_name(), "transpose_4_line_wide");
  }
}

TEST_F(CopyTest, ConcatenationAndSplitAreCopiesAtOffsets) {
  // Two matrices of 5 rows, beside each other and apart again.
  std::vector<float> left(5 * 3);
  std::vector<float> right(5 * 20);
  std::iota(left.begin(), left.end(), 1.0f);
  std::iota(right.begin(), right.end(), 100.0f);
  std::vector<float> both(5 * 23);
  const auto copy = [&](int64_t columns, int64_t source_row, int64_t destination_row, const float* from, float* to) {
    ASSERT_OK_AND_ASSIGN(
        const CopyPlan plan,
        CopyPlan::Create({4, {{5, 4 * source_row, 4 * destination_row}, {columns, 4, 4}}}, *target_, cache_));
    plan.Run(from, to, 0, plan.work_items());
  };
  copy(3, 3, 23, left.data(), both.data());
  copy(20, 20, 23, right.data(), both.data() + 3);
  for (size_t row = 0; row < 5; ++row) {
    for (size_t i = 0; i < 23; ++i) {
      EXPECT_EQ(both[row * 23 + i], i < 3 ? left[row * 3 + i] : right[row * 20 + i - 3]) << row << ", " << i;
    }
  }
  std::vector<float> apart(5 * 20);
  copy(20, 23, 20, both.data() + 3, apart.data());
  EXPECT_EQ(apart, right);
}

TEST_F(CopyTest, InPlaceChangesNothing) {
  for (const int64_t bytes : {1, 3, 100, 2000, 100000}) {
    std::vector<uint8_t> data(static_cast<size_t>(bytes));
    for (uint8_t& value : data) value = static_cast<uint8_t>(random_());
    const std::vector<uint8_t> expected = data;
    ASSERT_OK_AND_ASSIGN(const CopyPlan plan, CopyPlan::Create({1, {{bytes, 1, 1}}}, *target_, cache_));
    plan.Run(data.data(), data.data(), 0, plan.work_items());
    EXPECT_EQ(data, expected) << bytes;
  }
}

TEST_F(CopyTest, AnyNumberOfThreads) {
  constexpr int64_t kSize = 700;
  const StridedCopySpec spec = {2, {{kSize, 2 * kSize, 2}, {kSize, 2, 2 * kSize}}};
  ASSERT_OK_AND_ASSIGN(const CopyPlan plan, CopyPlan::Create(spec, *target_, cache_));
  EXPECT_GT(plan.work_items(), 10);
  std::vector<uint16_t> source(kSize * kSize);
  for (uint16_t& value : source) value = static_cast<uint16_t>(random_());
  std::vector<std::vector<uint16_t>> results(4, std::vector<uint16_t>(kSize * kSize));
  std::vector<std::thread> threads;
  for (std::vector<uint16_t>& result : results) {
    threads.emplace_back([&] { plan.Run(source.data(), result.data(), 0, plan.work_items()); });
  }
  for (std::thread& thread : threads) thread.join();
  for (size_t row = 0; row < kSize; ++row) {
    for (size_t column = 0; column < kSize; ++column) {
      ASSERT_EQ(results[0][column * kSize + row], source[row * kSize + column]);
    }
  }
  for (const std::vector<uint16_t>& result : results) EXPECT_EQ(result, results[0]);
}

TEST_F(CopyTest, NothingToDo) {
  ASSERT_OK_AND_ASSIGN(const CopyPlan plan, CopyPlan::Create({4, {{3, 4, 4}, {0, 12, 12}}}, *target_, cache_));
  EXPECT_EQ(plan.work_items(), 0);
  plan.Run(nullptr, nullptr, 0, 0);
}

TEST_F(CopyTest, WorkIsCutIntoItemsOfSomeKilobytes) {
  const auto items = [&](const StridedCopySpec& spec) {
    const absl::StatusOr<CopyPlan> plan = CopyPlan::Create(spec, *target_, cache_);
    return plan.ok() ? plan->work_items() : -1;
  };
  const int64_t megabyte = 1 << 20;
  for (const int64_t count :
       {items({1, {{megabyte, 1, 1}}}), items({4, {{2, megabyte, megabyte / 2}, {megabyte / 8, 4, 4}}}),
        items({1, {{megabyte / 4, 16, 4}, {4, 1, 1}}}), items({1, {{megabyte / 5, 16, 5}, {5, 1, 1}}}),
        items({4, {{512, 4, 2048}, {512, 2048, 4}}})}) {
    EXPECT_GE(count, 16);
    EXPECT_LE(count, 128);
  }
  // Dimensions beyond the loops of a kernel are shared out too, and small ones are taken together.
  StridedCopySpec spec{1, {}};
  int64_t stride = 1;
  for (int i = 0; i < 10; ++i) {
    spec.dims.push_back({4, 2 * stride, stride});
    stride *= 4;
    spec.dims.back().source_stride += i;
  }
  EXPECT_GE(items(spec), 16);
  EXPECT_LE(items(spec), 128);
}

TEST_F(CopyTest, EveryElementBelongsToOneItem) {
  // Ten dimensions that cannot be merged: an item is many calls, and the last has fewer.
  StridedCopySpec spec{1, {}};
  int64_t stride = 1;
  for (int i = 0; i < 10; ++i) {
    spec.dims.push_back({3, 0, stride + i});
    stride = 3 * (stride + i);
  }
  for (size_t i = 0; i < spec.dims.size(); i += 2) spec.dims[i].source_stride = 1;
  ASSERT_OK_AND_ASSIGN(const CopyPlan plan, CopyPlan::Create(spec, *target_, cache_));
  ASSERT_GE(plan.work_items(), 2);
  const std::vector<uint8_t> source(100, 1);
  int64_t written = 0;
  for (int64_t item = 0; item < plan.work_items(); ++item) {
    std::vector<uint8_t> destination(static_cast<size_t>(stride));
    plan.Run(source.data(), destination.data(), item, item + 1);
    written += std::count(destination.begin(), destination.end(), 1);
  }
  EXPECT_EQ(written, 59049);
}

TEST_F(CopyTest, RefusesWhatIsNoCopy) {
  EXPECT_THAT(CopyPlan::Create({3, {}}, *target_, cache_), StatusIs(absl::StatusCode::kInvalidArgument));
}

}  // namespace
}  // namespace burin::jit
