#include "base/aligned_buffer.h"

#include <cinttypes>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/gtest/status_matchers.h"

namespace burin {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(AlignedBufferTest, AlignsAndPads) {
  for (size_t alignment : {1, 2, 8, 64, 4096, 1 << 21}) {
    for (size_t bytes : {0, 1, 63, 64, 65, 5000}) {
      ASSERT_OK_AND_ASSIGN(AlignedBuffer buffer, AlignedBuffer::Create(bytes, alignment));
      ASSERT_NE(buffer.data(), nullptr);
      EXPECT_EQ(reinterpret_cast<uintptr_t>(buffer.data()) % alignment, 0u);
      EXPECT_EQ(buffer.size(), bytes);
      EXPECT_GE(buffer.capacity(), bytes);
      EXPECT_GE(buffer.capacity(), alignment);
      EXPECT_EQ(buffer.capacity() % alignment, 0u);
      EXPECT_LT(buffer.capacity(), bytes + alignment + (bytes == 0 ? 1 : 0));
      std::memset(buffer.data(), 0x5A, buffer.capacity());
    }
  }
}

TEST(AlignedBufferTest, DefaultsToTheCacheLine) {
  ASSERT_OK_AND_ASSIGN(const AlignedBuffer buffer, AlignedBuffer::Create(1));
  EXPECT_EQ(reinterpret_cast<uintptr_t>(buffer.data()) % 64, 0u);
  EXPECT_EQ(buffer.capacity(), 64u);
}

TEST(AlignedBufferTest, RefusesOtherAlignments) {
  EXPECT_THAT(AlignedBuffer::Create(8, 0).status(), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(AlignedBuffer::Create(8, 48).status(), StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST(AlignedBufferTest, ReportsExhaustion) {
  EXPECT_THAT(AlignedBuffer::Create(std::numeric_limits<size_t>::max()).status(),
              StatusIs(absl::StatusCode::kResourceExhausted));
  EXPECT_THAT(AlignedBuffer::Create(PTRDIFF_MAX).status(), StatusIs(absl::StatusCode::kResourceExhausted));
  EXPECT_THAT(AlignedBuffer::Create(1, size_t{1} << 63).status(), StatusIs(absl::StatusCode::kResourceExhausted));
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // Their allocators end the process instead.
TEST(AlignedBufferTest, ReportsRefusedMemory) {
  // 2^56 bytes pass the 47-bit user address space of x86-64.
  EXPECT_THAT(AlignedBuffer::Create(size_t{1} << 56).status(), StatusIs(absl::StatusCode::kResourceExhausted));
}
#endif

// Returns the flags that the system keeps of the mapping with `address`; nullopt where it does not tell.
std::optional<std::string> MappingFlags(uintptr_t address) {
  std::ifstream maps("/proc/self/smaps");
  bool inside = false;
  for (std::string line; std::getline(maps, line);) {
    uintptr_t begin = 0;
    uintptr_t end = 0;
    if (std::sscanf(line.c_str(), "%" SCNxPTR "-%" SCNxPTR " ", &begin, &end) == 2) {
      inside = begin <= address && address < end;
    } else if (inside && line.rfind("VmFlags:", 0) == 0) {
      return line;
    }
  }
  return std::nullopt;
}

TEST(AlignedBufferTest, LargeBlocksAskForHugePages) {
  if (!std::ifstream("/sys/kernel/mm/transparent_hugepage/enabled").is_open()) {
    GTEST_SKIP() << "the system has no huge pages";
  }
  constexpr size_t kHugePage = size_t{2} << 20;
  ASSERT_OK_AND_ASSIGN(const AlignedBuffer buffer, AlignedBuffer::Create(3 * kHugePage + 5000));
  const auto begin = reinterpret_cast<uintptr_t>(buffer.data());
  EXPECT_EQ(begin % kHugePage, 0u);
  const std::optional<std::string> flags = MappingFlags(begin);
  if (!flags.has_value()) GTEST_SKIP() << "the system does not tell of mappings";
  EXPECT_THAT(*flags, HasSubstr(" hg"));
  // What is no whole page of them stays small: it would take more memory than was asked for.
  const std::optional<std::string> last = MappingFlags(begin + buffer.size() - 1);
  ASSERT_TRUE(last.has_value());
  EXPECT_THAT(*last, Not(HasSubstr(" hg")));
}

TEST(AlignedBufferTest, MovesOwnership) {
  ASSERT_OK_AND_ASSIGN(AlignedBuffer first, AlignedBuffer::Create(10));
  void* const data = first.data();
  AlignedBuffer second = std::move(first);
  EXPECT_EQ(second.data(), data);
  EXPECT_EQ(second.size(), 10u);
  EXPECT_EQ(first.data(), nullptr);  // NOLINT(bugprone-use-after-move): the contract says what is left.
  EXPECT_EQ(first.size(), 0u);
  EXPECT_EQ(first.capacity(), 0u);

  AlignedBuffer third;
  EXPECT_EQ(third.data(), nullptr);
  third = std::move(second);
  EXPECT_EQ(third.data(), data);
  EXPECT_EQ(third.capacity(), 64u);
  EXPECT_EQ(second.size(), 0u);  // NOLINT(bugprone-use-after-move)
}

}  // namespace
}  // namespace burin
