#include "jit/kernels/copy_rows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <set>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "base/hash.h"
#include "jit/asm/code_blob.h"
#include "jit/asm/executable_code.h"
#include "jit/isa/isa.h"
#include "jit/isa/target.h"
#include "jit/kernels/copy_args.h"
#include "testing/gtest/status_matchers.h"
#include "testing/guarded_buffer.h"

namespace burin::jit {
namespace {

std::vector<CopyRowsSpec> AllSpecs() {
  std::vector<CopyRowsSpec> specs;
  for (const int fill_bytes : {0, 1, 2, 4, 8, 16}) {
    for (const bool nontemporal : {false, true}) specs.push_back({fill_bytes, nontemporal});
  }
  return specs;
}

TEST(CopyRowsTest, EveryKernelIsGeneratedForEveryWidth) {
  std::set<std::string> names;
  std::set<Hash128> keys;
  for (const CopyRowsSpec& spec : AllSpecs()) {
    for (const IsaLevel level : {IsaLevel::kAvx2, IsaLevel::kAvx512}) {
      ASSERT_OK_AND_ASSIGN(const CodeBlob blob, GenerateCopyRows(spec, IsaSet::From(level)));
      EXPECT_EQ(blob.name, spec.Name());
    }
    names.insert(spec.Name());
    keys.insert(spec.ContentKey());
  }
  EXPECT_EQ(names.size(), AllSpecs().size());
  EXPECT_EQ(keys.size(), AllSpecs().size());
}

// Runs a kernel on three rows whose lengths lie about every choice that it makes, beside inaccessible pages.
TEST(CopyRowsTest, TouchesItsRowsOnly) {
  ASSERT_OK_AND_ASSIGN(const Target target, Target::Host());
  for (const CopyRowsSpec& spec : AllSpecs()) {
    ASSERT_OK_AND_ASSIGN(const CodeBlob blob, GenerateCopyRows(spec, target.isa()));
    ASSERT_OK_AND_ASSIGN(const ExecutableCode code, ExecutableCode::Load(blob));
    const int64_t unit = std::max(spec.fill_bytes, 1);
    for (const int64_t about : {1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 1088, 3000}) {
      for (int64_t bytes = std::max((about / unit - 1) * unit, unit); bytes <= about + unit; bytes += unit) {
        for (const GuardedEnd end : {GuardedEnd::kFirstByte, GuardedEnd::kLastByte}) {
          // Rows of the destination have a gap of one unit, so that they are aligned in different ways.
          const int64_t stride = bytes + unit;
          const int64_t row_bytes = spec.fill_bytes > 0 ? spec.fill_bytes : bytes;
          ASSERT_OK_AND_ASSIGN(const GuardedBuffer source,
                               GuardedBuffer::Create(static_cast<size_t>(3 * row_bytes), end));
          ASSERT_OK_AND_ASSIGN(const GuardedBuffer destination,
                               GuardedBuffer::Create(static_cast<size_t>(2 * stride + bytes), end));
          for (size_t i = 0; i < source.size(); ++i) source.data()[i] = static_cast<uint8_t>(i * 31 + i / 256 + 1);
          std::vector<uint8_t> expected(destination.size());
          for (int64_t row = 0; row < 3; ++row) {
            for (int64_t i = 0; i < bytes; ++i) {
              expected[static_cast<size_t>(row * stride + i)] = source.data()[row * row_bytes + i % row_bytes];
            }
          }
          CopyArgs args = {};
          args.source = source.data();
          args.destination = destination.data();
          args.extent0 = bytes;
          args.extent1 = 3;
          args.extent2 = 1;
          args.source_stride1 = row_bytes;
          args.destination_stride1 = stride;
          code.entry<void (*)(const CopyArgs*)>()(&args);
          ASSERT_EQ(std::memcmp(destination.data(), expected.data(), expected.size()), 0)
              << spec.Name() << ", rows of " << bytes;
        }
      }
    }
  }
}

}  // namespace
}  // namespace burin::jit
