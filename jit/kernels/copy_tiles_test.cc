#include "jit/kernels/copy_tiles.h"

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

// Returns every spec that a machine of the level has.
std::vector<CopyTilesSpec> SpecsOf(bool avx512) {
  std::vector<CopyTilesSpec> specs;
  for (const int bytes : {1, 2, 4, 8, 16}) {
    for (const bool wide : {true, false}) {
      for (const bool half : {false, true}) specs.push_back({bytes, CopyTileShape::kLine, wide, half});
    }
    if (bytes == 16) continue;
    specs.push_back({bytes, CopyTileShape::kSmall, false, false});
    if (avx512) specs.push_back({bytes, CopyTileShape::kMasked, false, false});
    if (avx512) specs.push_back({bytes, CopyTileShape::kMasked, false, false, true});
  }
  return specs;
}

TEST(CopyTilesTest, EveryKernelIsGeneratedForItsWidths) {
  std::set<std::string> names;
  std::set<Hash128> keys;
  for (const CopyTilesSpec& spec : SpecsOf(true)) {
    for (const IsaLevel level : {IsaLevel::kAvx2, IsaLevel::kAvx512}) {
      const absl::StatusOr<CodeBlob> blob = GenerateCopyTiles(spec, IsaSet::From(level));
      if (spec.shape == CopyTileShape::kMasked && level == IsaLevel::kAvx2) {
        EXPECT_THAT(blob.status(), StatusIs(absl::StatusCode::kInternal)) << spec.Name();
      } else {
        ASSERT_OK(blob) << spec.Name();
        EXPECT_EQ(blob->name, spec.Name());
      }
    }
    names.insert(spec.Name());
    keys.insert(spec.ContentKey());
  }
  EXPECT_EQ(names.size(), SpecsOf(true).size());
  EXPECT_EQ(keys.size(), SpecsOf(true).size());
}

// Transposes two planes of each kernel's least extents, and of more, beside inaccessible pages.
TEST(CopyTilesTest, TouchesItsPlanesOnly) {
  ASSERT_OK_AND_ASSIGN(const Target target, Target::Host());
  for (const CopyTilesSpec& spec : SpecsOf(target.Supports(IsaLevel::kAvx512))) {
    ASSERT_OK_AND_ASSIGN(const CodeBlob blob, GenerateCopyTiles(spec, target.isa()));
    ASSERT_OK_AND_ASSIGN(const ExecutableCode code, ExecutableCode::Load(blob));
    const int64_t bytes = spec.element_bytes;
    const bool masked = spec.shape == CopyTileShape::kMasked;
    const auto extents = [masked](int64_t tile) {
      return masked ? std::vector<int64_t>{1, 2, 3, 4, tile - 1, tile, tile + 1, 3 * tile - 1}
                    : std::vector<int64_t>{tile, tile + 1, 2 * tile - 1, 2 * tile, 3 * tile};
    };
    for (const int64_t rows : extents(spec.TileRows())) {
      for (const int64_t columns : extents(spec.TileColumns())) {
        if (rows < 1 || columns < 1 || (spec.few_columns && columns > kFewColumns)) continue;
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
