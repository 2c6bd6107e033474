#include "jit/kernels/gather/gather.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
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
#include "jit/code_cache.h"
#include "jit/isa/target.h"
#include "jit/kernels/gather/gather_plan.h"
#include "testing/gtest/status_matchers.h"
#include "testing/guarded_buffer.h"

namespace burin::jit {
namespace {

std::string Describe(const GatherSpec& spec) {
  return absl::StrCat("row_bytes ", spec.row_bytes, " batch ", spec.batch, " outer ", spec.outer, " count ", spec.count,
                      " extent ", spec.extent, " index ", Name(spec.index_type));
}

size_t SpanOf(int64_t bytes, std::vector<std::pair<int64_t, int64_t>> dims) {
  for (const auto& [extent, stride] : dims) {
    if (extent == 0) return 0;
    bytes += (extent - 1) * stride;
  }
  return static_cast<size_t>(bytes);
}

int64_t IndexAt(const GatherSpec& spec, const uint8_t* indices, int64_t b, int64_t i) {
  const uint8_t* const at = indices + b * spec.index_batch_stride;
  if (spec.index_type == ElementType::kI64) return reinterpret_cast<const int64_t*>(at)[i];
  return reinterpret_cast<const int32_t*>(at)[i];
}

// Runs in three shares and as one, beside inaccessible pages; `bad` of 16 indices lie outside.
void RunAndCheck(const GatherSpec& spec, GuardedEnd end, std::mt19937& random, int bad) {
  SCOPED_TRACE(Describe(spec));
  ASSERT_OK_AND_ASSIGN(const Target target, Target::Host());
  ASSERT_OK_AND_ASSIGN(const GatherKernel kernel, GatherKernel::Create(spec, target, CodeCache::Process()));
  ASSERT_OK_AND_ASSIGN(const GuardedBuffer source,
                       GuardedBuffer::Create(SpanOf(spec.row_bytes, {{spec.batch, spec.source_batch_stride},
                                                                     {spec.outer, spec.source_outer_stride},
                                                                     {spec.extent, spec.source_stride}}),
                                             end));
  ASSERT_OK_AND_ASSIGN(const GuardedBuffer destination,
                       GuardedBuffer::Create(SpanOf(spec.row_bytes, {{spec.batch, spec.destination_batch_stride},
                                                                     {spec.outer, spec.destination_outer_stride},
                                                                     {spec.count, spec.destination_stride}}),
                                             end));
  const int64_t index_bytes = spec.index_type == ElementType::kI64 ? 8 : 4;
  ASSERT_OK_AND_ASSIGN(
      const GuardedBuffer indices,
      GuardedBuffer::Create(SpanOf(index_bytes, {{spec.batch, spec.index_batch_stride}, {spec.count, index_bytes}}),
                            end));
  for (size_t i = 0; i < source.size(); ++i) source.data()[i] = static_cast<uint8_t>(random() | 1);
  std::memset(destination.data(), 0x5a, destination.size());
  for (size_t i = 0; i < indices.size() / static_cast<size_t>(index_bytes); ++i) {
    int64_t index = std::uniform_int_distribution<int64_t>(-spec.extent, std::max<int64_t>(spec.extent, 1) - 1)(random);
    if (static_cast<int>(random() % 16) < bad) {
      const int64_t outside[] = {spec.extent, -spec.extent - 1, INT32_MAX, INT32_MIN,
                                 index_bytes == 8 ? std::numeric_limits<int64_t>::min() : spec.extent + 7};
      index = outside[random() % 5];
    }
    if (index_bytes == 8) {
      indices.As<int64_t>()[i] = index;
    } else {
      indices.As<int32_t>()[i] = static_cast<int32_t>(index);
    }
  }
  std::vector<uint8_t> expected(destination.data(), destination.data() + destination.size());
  int64_t missing = 0;
  for (int64_t b = 0; b < spec.batch; ++b) {
    for (int64_t o = 0; o < spec.outer; ++o) {
      for (int64_t i = 0; i < spec.count; ++i) {
        int64_t index = IndexAt(spec, indices.data(), b, i);
        if (index < 0) index += spec.extent;
        uint8_t* const to = expected.data() + b * spec.destination_batch_stride + o * spec.destination_outer_stride +
                            i * spec.destination_stride;
        if (index < 0 || index >= spec.extent) {
          ++missing;
          std::memset(to, 0, static_cast<size_t>(spec.row_bytes));
        } else {
          std::memcpy(
              to,
              source.data() + b * spec.source_batch_stride + o * spec.source_outer_stride + index * spec.source_stride,
              static_cast<size_t>(spec.row_bytes));
        }
      }
    }
  }
  const auto run = [&](int64_t first, int64_t last) {
    return kernel.Run(source.data(), indices.data(), destination.data(), first, last);
  };
  const int64_t items = kernel.work_items();
  int64_t found = run(items / 2, items);
  found += run(items / 3, items / 2);
  found += run(0, items / 3);
  ASSERT_EQ(found, missing);
  ASSERT_EQ(std::memcmp(expected.data(), destination.data(), expected.size()), 0);
  std::memset(destination.data(), 0x5a, destination.size());
  ASSERT_EQ(run(0, items), missing);
  ASSERT_EQ(std::memcmp(expected.data(), destination.data(), expected.size()), 0);
}

TEST(GatherTest, RandomGatheringsAgreeWithTheReference) {
  const uint32_t seed = std::random_device()();
  SCOPED_TRACE(absl::StrCat("seed ", seed));
  std::mt19937 random(seed);
  const auto draw = [&](int64_t least, int64_t most) {
    return std::uniform_int_distribution<int64_t>(least, most)(random);
  };
  for (int round = 0; round < 300; ++round) {
    GatherSpec spec;
    spec.row_bytes = round % 3 == 0 ? draw(1, 1200) : round % 3 == 1 ? draw(1, 70) : int64_t{1} << draw(0, 12);
    spec.index_type = draw(0, 1) == 0 ? ElementType::kI32 : ElementType::kI64;
    spec.batch = draw(1, 3);
    spec.outer = draw(1, 4);
    spec.count = draw(0, 9) == 0 ? 0 : draw(1, 60);
    spec.extent = draw(0, 9) == 0 ? 0 : draw(1, 40);
    spec.SetDenseStrides();
    if (draw(0, 1) == 1) {  // Gaps, and the same indices for all batches.
      spec.source_stride += draw(0, 9);
      spec.destination_stride += draw(0, 9);
      spec.source_outer_stride = spec.extent * spec.source_stride + draw(0, 9);
      spec.destination_outer_stride = spec.count * spec.destination_stride + draw(0, 9);
      spec.source_batch_stride = spec.outer * spec.source_outer_stride;
      spec.destination_batch_stride = spec.outer * spec.destination_outer_stride + draw(0, 9);
      if (draw(0, 1) == 1) spec.index_batch_stride = 0;
    }
    const bool all_bad = spec.extent == 0;
    RunAndCheck(spec, round % 2 == 0 ? GuardedEnd::kFirstByte : GuardedEnd::kLastByte, random,
                all_bad ? 16 : static_cast<int>(draw(0, 2)));
    if (HasFatalFailure()) return;
  }
}

TEST(GatherTest, LargeTablesAreFetchedAhead) {
  std::mt19937 random(3);
  GatherSpec spec;
  spec.row_bytes = 768 * 4;
  spec.count = 200;
  spec.extent = 3000;
  spec.SetDenseStrides();
  ASSERT_OK_AND_ASSIGN(const Target target, Target::Host());
  ASSERT_OK_AND_ASSIGN(const GatherKernel kernel, GatherKernel::Create(spec, target, CodeCache::Process()));
  EXPECT_GT(kernel.plan().code.prefetch_rows, 0);
  EXPECT_GT(kernel.work_items(), 4);
  RunAndCheck(spec, GuardedEnd::kLastByte, random, 1);
  // Fewer indices than are fetched ahead.
  spec.row_bytes = 8;
  spec.extent = 2000000;
  spec.count = 5;
  spec.SetDenseStrides();
  RunAndCheck(spec, GuardedEnd::kLastByte, random, 1);
}

TEST(GatherTest, SpecsThatMakeNoSenseAreRefused) {
  ASSERT_OK_AND_ASSIGN(const Target target, Target::Host());
  GatherSpec spec;
  spec.row_bytes = 0;
  EXPECT_THAT(GatherKernel::Create(spec, target, CodeCache::Process()).status(),
              StatusIs(absl::StatusCode::kInvalidArgument, testing::HasSubstr("row_bytes")));
}

}  // namespace
}  // namespace burin::jit
