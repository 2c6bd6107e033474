#include "jit/kernels/copy_blocks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
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
#include "testing/gtest/status_matchers.h"
#include "testing/guarded_buffer.h"

namespace burin::jit {
namespace {

std::vector<CopyBlocksSpec> AllSpecs() {
  std::vector<CopyBlocksSpec> specs;
  for (const int bytes : {1, 2, 4, 8, 16}) {
    for (const int source_run : {64, 128, 256, 512}) {
      for (const int destination_run : {64, 128, 256, 512}) {
        for (const bool nontemporal : {false, true}) {
          const CopyBlocksSpec spec = {bytes, source_run, destination_run, nontemporal};
          if (2 * spec.ScratchBytes() <= kCopyScratchBytes) specs.push_back(spec);
        }
      }
    }
  }
  return specs;
}

TEST(CopyBlocksTest, EveryKernelIsGeneratedForItsWidths) {
  std::set<std::string> names;
  std::set<Hash128> keys;
  for (const CopyBlocksSpec& spec : AllSpecs()) {
    for (const IsaLevel level : {IsaLevel::kAvx2, IsaLevel::kAvx512}) {
      ASSERT_OK_AND_ASSIGN(const CodeBlob blob, GenerateCopyBlocks(spec, IsaSet::From(level)));
      EXPECT_EQ(blob.name, spec.Name());
    }
    names.insert(spec.Name());
    keys.insert(spec.ContentKey());
  }
  EXPECT_EQ(names.size(), AllSpecs().size());
  EXPECT_EQ(keys.size(), AllSpecs().size());
}

TEST(CopyBlocksTest, RefusesBlocksThatDoNotFit) {
  const IsaSet isa = IsaSet::From(IsaLevel::kAvx2);
  for (const CopyBlocksSpec& spec :
       {CopyBlocksSpec{4, 32, 64}, CopyBlocksSpec{4, 64, 32}, CopyBlocksSpec{4, 192, 64}, CopyBlocksSpec{4, 64, 1024},
        CopyBlocksSpec{1, 512, 64}, CopyBlocksSpec{2, 256, 256}}) {
    EXPECT_THAT(GenerateCopyBlocks(spec, isa).status(), StatusIs(absl::StatusCode::kInternal)) << spec.Name();
  }
}

// Transposes two planes of a block, and of more, beside inaccessible pages.
TEST(CopyBlocksTest, TouchesItsPlanesOnly) {
  ASSERT_OK_AND_ASSIGN(const Target target, Target::Host());
  for (const CopyBlocksSpec& spec : AllSpecs()) {
    if (spec.source_run_bytes > 128 && spec.destination_run_bytes > 128 &&
        spec.source_run_bytes != spec.destination_run_bytes) {
      continue;
    }
    ASSERT_OK_AND_ASSIGN(const CodeBlob blob, GenerateCopyBlocks(spec, target.isa()));
    ASSERT_OK_AND_ASSIGN(const ExecutableCode code, ExecutableCode::Load(blob));
    const int64_t bytes = spec.element_bytes;
    for (const int64_t rows : {spec.BlockRows(), spec.BlockRows() + 1, 3 * spec.BlockRows() - 1}) {
      for (const int64_t columns : {spec.BlockColumns(), spec.BlockColumns() + 1, 2 * spec.BlockColumns()}) {
        for (const GuardedEnd end : {GuardedEnd::kFirstByte, GuardedEnd::kLastByte}) {
          const int64_t plane = rows * columns * bytes;
          ASSERT_OK_AND_ASSIGN(const GuardedBuffer source, GuardedBuffer::Create(static_cast<size_t>(2 * plane), end));
          ASSERT_OK_AND_ASSIGN(const GuardedBuffer destination,
                               GuardedBuffer::Create(static_cast<size_t>(2 * plane), end));
          for (size_t i = 0; i < source.size(); ++i) source.data()[i] = static_cast<uint8_t>(i * 31 + i / 256);
          std::vector<uint8_t> expected(destination.size());
          for (int64_t i = 0; i < 2 * rows * columns; ++i) {
            const int64_t number = i / (rows * columns);
            const int64_t row = i % (rows * columns) / columns;
            const int64_t column = i % columns;
            std::memcpy(expected.data() + number * plane + (column * rows + row) * bytes, source.data() + i * bytes,
                        static_cast<size_t>(bytes));
          }
          ASSERT_OK_AND_ASSIGN(const GuardedBuffer scratch, GuardedBuffer::Create(kCopyScratchBytes, end));
          CopyArgs args = {};
          args.source = source.data();
          args.destination = destination.data();
          args.extent0 = rows;
          args.extent1 = columns;
          args.extent2 = 2;
          args.source_stride0 = columns * bytes;
          args.source_stride2 = plane;
          args.destination_stride1 = rows * bytes;
          args.destination_stride2 = plane;
          args.scratch = scratch.data();
          code.entry<void (*)(const CopyArgs*)>()(&args);
          ASSERT_EQ(std::memcmp(destination.data(), expected.data(), expected.size()), 0)
              << spec.Name() << ", " << rows << " x " << columns;
        }
      }
    }
  }
}

}  // namespace
}  // namespace burin::jit
