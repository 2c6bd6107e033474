#include "jit/kernels/copy_records.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/hash.h"
#include "jit/asm/code_blob.h"
#include "jit/asm/executable_code.h"
#include "jit/isa/isa.h"
#include "jit/isa/target.h"
#include "jit/kernels/copy_args.h"
#include "jit/kernels/copy_byte_map.h"
#include "testing/gtest/status_matchers.h"
#include "testing/guarded_buffer.h"

namespace burin::jit {
namespace {

CopyRecordsSide Packed(int pitch, int step) {
  CopyRecordsSide side;
  side.pitch = pitch;
  side.step = step;
  return side;
}

// Returns specs of every kind, whether they fit or not.
std::vector<CopyRecordsSpec> SomeSpecs() {
  std::vector<CopyRecordsSpec> specs;
  for (const int bytes : {1, 2, 4, 8, 16}) {
    for (const int count : {1, 2, 3, 4, 6}) {
      const CopyRecordsSide rows;
      const CopyRecordsSide dense = Packed(count * bytes, bytes);
      const CopyRecordsSide reverse = Packed(count * bytes, -bytes);
      const CopyRecordsSide gaps = Packed((count + 1) * bytes, bytes);
      const CopyRecordsSide apart = Packed((2 * count + 1) * bytes, 2 * bytes);
      if (count > 1) {
        specs.push_back({bytes, count, rows, dense});
        specs.push_back({bytes, count, dense, rows});
        specs.push_back({bytes, count, rows, gaps});
        specs.push_back({bytes, count, gaps, rows});
        specs.push_back({bytes, count, reverse, rows});
        specs.push_back({bytes, count, dense, reverse});
      }
      specs.push_back({bytes, count, gaps, dense});
      specs.push_back({bytes, count, dense, gaps});
      specs.push_back({bytes, count, apart, gaps});
      // Whole vectors lie between records.
      specs.push_back({bytes, count, dense, Packed((count + 5) * bytes, bytes)});
    }
  }
  return specs;
}

TEST(CopyRecordsTest, EveryKernelIsGeneratedWhereItFits) {
  std::set<std::string> names;
  std::set<Hash128> keys;
  const IsaSet permutes = IsaSet::AdmittedBy(IsaLevel::kAvx512Vnni);
  int fit = 0;
  for (const CopyRecordsSpec& spec : SomeSpecs()) {
    for (const IsaSet& isa : {IsaSet::From(IsaLevel::kAvx2), IsaSet::From(IsaLevel::kAvx512), permutes}) {
      const absl::StatusOr<CodeBlob> blob = GenerateCopyRecords(spec, isa);
      if (spec.Fits(isa)) {
        ASSERT_OK(blob) << spec.Name();
        EXPECT_EQ(blob->name, spec.Name());
        ++fit;
      } else {
        EXPECT_THAT(blob.status(), StatusIs(absl::StatusCode::kInternal)) << spec.Name();
      }
    }
    names.insert(spec.Name());
    keys.insert(spec.ContentKey());
  }
  EXPECT_GT(fit, 100);
  EXPECT_EQ(names.size(), SomeSpecs().size());
  EXPECT_EQ(keys.size(), SomeSpecs().size());
}

TEST(CopyRecordsTest, FitsWhatPermutationsMake) {
  const IsaSet avx2 = IsaSet::From(IsaLevel::kAvx2);
  const IsaSet permutes = IsaSet::AdmittedBy(IsaLevel::kAvx512Vnni);
  const CopyRecordsSide rows;
  EXPECT_TRUE((CopyRecordsSpec{1, 3, rows, Packed(3, 1)}).Fits(avx2));
  EXPECT_TRUE((CopyRecordsSpec{1, 3, rows, Packed(3, 1)}).Fits(permutes));
  EXPECT_FALSE((CopyRecordsSpec{1, 3, rows, rows}).Fits(permutes));
  EXPECT_FALSE((CopyRecordsSpec{1, 5, rows, Packed(5, 1)}).Fits(permutes));
  // Gaps take masks.
  EXPECT_FALSE((CopyRecordsSpec{4, 3, Packed(24, 4), Packed(12, 4)}).Fits(avx2));
  EXPECT_TRUE((CopyRecordsSpec{4, 3, Packed(24, 4), Packed(12, 4)}).Fits(permutes));
  // One in five elements: a vector of five.
  EXPECT_FALSE((CopyRecordsSpec{4, 1, Packed(20, 4), Packed(4, 4)}).Fits(permutes));
  EXPECT_FALSE((CopyRecordsSpec{4, 20, Packed(84, 4), Packed(80, 4)}).Fits(permutes));
  // Records that overlap, and places between elements.
  EXPECT_FALSE((CopyRecordsSpec{4, 3, Packed(8, 4), rows}).Fits(permutes));
  EXPECT_FALSE((CopyRecordsSpec{4, 2, Packed(10, 4), rows}).Fits(permutes));
  EXPECT_FALSE((CopyRecordsSpec{4, 2, Packed(12, 0), rows}).Fits(permutes));
}

// Moves two lots of as many records as there are at once, and of more, beside inaccessible pages.
TEST(CopyRecordsTest, TouchesItsRecordsOnly) {
  ASSERT_OK_AND_ASSIGN(const Target target, Target::Host());
  for (const CopyRecordsSpec& spec : SomeSpecs()) {
    if (!spec.Fits(target.isa())) continue;
    ASSERT_OK_AND_ASSIGN(const CodeBlob blob, GenerateCopyRecords(spec, target.isa()));
    ASSERT_OK_AND_ASSIGN(const ExecutableCode code, ExecutableCode::Load(blob));
    const int64_t bytes = spec.element_bytes;
    const int64_t at_once = spec.RecordsAtOnce(target.isa());
    for (const int64_t records : {at_once, at_once + 1, 2 * at_once - 1, 3 * at_once}) {
      // Of a side: the stride of elements and of records, and from the first byte of a lot to its end.
      const auto step = [&](const CopyRecordsSide& side) { return side.rows() ? (records + 1) * bytes : side.step; };
      const auto pitch = [&](const CopyRecordsSide& side) { return side.rows() ? bytes : side.pitch; };
      const auto lowest = [&](const CopyRecordsSide& side) {
        return std::min<int64_t>(0, (spec.count - 1) * step(side));
      };
      const auto span = [&](const CopyRecordsSide& side) {
        return std::abs((spec.count - 1) * step(side)) + (records - 1) * pitch(side) + bytes;
      };
      for (const GuardedEnd end : {GuardedEnd::kFirstByte, GuardedEnd::kLastByte}) {
        ASSERT_OK_AND_ASSIGN(const GuardedBuffer source,
                             GuardedBuffer::Create(static_cast<size_t>(2 * span(spec.source)), end));
        ASSERT_OK_AND_ASSIGN(const GuardedBuffer destination,
                             GuardedBuffer::Create(static_cast<size_t>(2 * span(spec.destination)), end));
        for (size_t i = 0; i < source.size(); ++i) source.data()[i] = static_cast<uint8_t>(i * 31 + i / 256 + 1);
        const uint8_t* const from = source.data() - lowest(spec.source);
        const int64_t base = -lowest(spec.destination);
        std::vector<uint8_t> expected(destination.size());
        for (int64_t lot = 0; lot < 2; ++lot) {
          for (int64_t record = 0; record < records; ++record) {
            for (int64_t i = 0; i < spec.count; ++i) {
              std::memcpy(expected.data() + base + lot * span(spec.destination) + record * pitch(spec.destination) +
                              i * step(spec.destination),
                          from + lot * span(spec.source) + record * pitch(spec.source) + i * step(spec.source),
                          static_cast<size_t>(bytes));
            }
          }
        }
        CopyArgs args = {};
        args.source = from;
        args.destination = destination.data() + base;
        args.extent1 = records;
        args.extent2 = 2;
        args.source_stride0 = step(spec.source);
        args.destination_stride0 = step(spec.destination);
        args.source_stride2 = span(spec.source);
        args.destination_stride2 = span(spec.destination);
        code.entry<void (*)(const CopyArgs*)>()(&args);
        ASSERT_EQ(std::memcmp(destination.data(), expected.data(), expected.size()), 0)
            << spec.Name() << ", records: " << records;
      }
    }
  }
}

}  // namespace
}  // namespace burin::jit
