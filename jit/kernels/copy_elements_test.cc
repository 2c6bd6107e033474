#include "jit/kernels/copy_elements.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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

constexpr int kSizes[] = {1, 2, 4, 8, 16};

TEST(CopyElementsTest, EveryKernelIsGeneratedForEveryWidth) {
  std::set<std::string> names;
  std::set<Hash128> keys;
  for (const int bytes : kSizes) {
    const CopyElementsSpec spec{bytes};
    for (const IsaLevel level : {IsaLevel::kAvx2, IsaLevel::kAvx512}) {
      ASSERT_OK_AND_ASSIGN(const CodeBlob blob, GenerateCopyElements(spec, IsaSet::From(level)));
      EXPECT_EQ(blob.name, spec.Name());
    }
    names.insert(spec.Name());
    keys.insert(spec.ContentKey());
  }
  EXPECT_EQ(names.size(), std::size(kSizes));
  EXPECT_EQ(keys.size(), std::size(kSizes));
}

// Reverses rows into every second place, beside inaccessible pages.
TEST(CopyElementsTest, TouchesItsElementsOnly) {
  ASSERT_OK_AND_ASSIGN(const Target target, Target::Host());
  for (const int64_t bytes : kSizes) {
    ASSERT_OK_AND_ASSIGN(const CodeBlob blob,
                         GenerateCopyElements(CopyElementsSpec{static_cast<int>(bytes)}, target.isa()));
    ASSERT_OK_AND_ASSIGN(const ExecutableCode code, ExecutableCode::Load(blob));
    for (int64_t count = 1; count <= 13; ++count) {
      for (const GuardedEnd end : {GuardedEnd::kFirstByte, GuardedEnd::kLastByte}) {
        ASSERT_OK_AND_ASSIGN(const GuardedBuffer source,
                             GuardedBuffer::Create(static_cast<size_t>(2 * count * bytes), end));
        ASSERT_OK_AND_ASSIGN(const GuardedBuffer destination,
                             GuardedBuffer::Create(static_cast<size_t>((4 * count - 1) * bytes), end));
        for (size_t i = 0; i < source.size(); ++i) source.data()[i] = static_cast<uint8_t>(i + 1);
        std::vector<uint8_t> expected(destination.size());
        for (int64_t row = 0; row < 2; ++row) {
          for (int64_t i = 0; i < count; ++i) {
            std::memcpy(expected.data() + (2 * row * count + 2 * i) * bytes,
                        source.data() + (row * count + count - 1 - i) * bytes, static_cast<size_t>(bytes));
          }
        }
        CopyArgs args = {};
        args.source = source.data() + (count - 1) * bytes;
        args.destination = destination.data();
        args.extent0 = count;
        args.extent1 = 2;
        args.extent2 = 1;
        args.source_stride0 = -bytes;
        args.source_stride1 = count * bytes;
        args.destination_stride0 = 2 * bytes;
        args.destination_stride1 = 2 * count * bytes;
        code.entry<void (*)(const CopyArgs*)>()(&args);
        ASSERT_EQ(std::memcmp(destination.data(), expected.data(), expected.size()), 0) << bytes << " x " << count;
      }
    }
  }
}

}  // namespace
}  // namespace burin::jit
