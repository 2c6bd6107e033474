#include "jit/debug/code_map.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "jit/asm/code_blob.h"

namespace burin::jit {
namespace {

uintptr_t AddressOf(const uint8_t* pointer) { return reinterpret_cast<uintptr_t>(pointer); }

TEST(CodeMapTest, FindsTheKernelAndTheLastMark) {
  const std::vector<uint8_t> memory(64);
  CodeMap map;
  const CodeMapEntry entry = map.Register("exp", absl::MakeConstSpan(memory).subspan(16, 32),
                                          {{4, "load"}, {8, "nothing"}, {8, "exp"}, {20, "store"}});
  CodePlace place;
  const uintptr_t begin = AddressOf(memory.data()) + 16;
  EXPECT_FALSE(map.Find(begin - 1, &place));
  EXPECT_FALSE(map.Find(begin + 32, &place));
  EXPECT_FALSE(map.Find(0, &place));
  const std::pair<size_t, std::string> expected[] = {{0, ""},    {3, ""},     {4, "load"},   {7, "load"},
                                                     {8, "exp"}, {19, "exp"}, {20, "store"}, {31, "store"}};
  for (const auto& [offset, mark] : expected) {
    ASSERT_TRUE(map.Find(begin + offset, &place)) << offset;
    EXPECT_STREQ(place.kernel, "exp");
    EXPECT_STREQ(place.mark, mark.c_str()) << offset;
    EXPECT_EQ(place.offset, offset);
    EXPECT_EQ(place.code_bytes, 32u);
  }
}

TEST(CodeMapTest, ForgetsWhatIsTakenOut) {
  const std::vector<uint8_t> memory(64);
  CodeMap map;
  CodePlace place;
  CodeMapEntry outer;
  {
    CodeMapEntry entry = map.Register("one", absl::MakeConstSpan(memory), {});
    EXPECT_EQ(map.size(), 1u);
    outer = std::move(entry);
  }
  EXPECT_TRUE(map.Find(AddressOf(memory.data()), &place));
  outer = map.Register("other", absl::MakeConstSpan(memory), {});
  EXPECT_EQ(map.size(), 1u);
  ASSERT_TRUE(map.Find(AddressOf(memory.data()), &place));
  EXPECT_STREQ(place.kernel, "other");
  outer = CodeMapEntry();
  EXPECT_FALSE(map.Find(AddressOf(memory.data()), &place));
  EXPECT_EQ(map.size(), 0u);
}

TEST(CodeMapTest, CutsLongTexts) {
  const std::vector<uint8_t> memory(1);
  CodeMap map;
  const CodeMapEntry entry =
      map.Register(std::string(1000, 'k'), absl::MakeConstSpan(memory), {{0, std::string(1000, 'm')}});
  CodePlace place;
  ASSERT_TRUE(map.Find(AddressOf(memory.data()), &place));
  EXPECT_EQ(std::string(place.kernel), std::string(CodePlace::kMaxText - 1, 'k'));
  EXPECT_EQ(std::string(place.mark), std::string(CodePlace::kMaxText - 1, 'm'));
}

TEST(CodeMapTest, HoldsAnyNumberAndReusesSlots) {
  const std::vector<uint8_t> memory(1000);
  CodeMap map;
  CodePlace place;
  for (int round = 0; round < 2; ++round) {
    std::vector<CodeMapEntry> entries;
    for (size_t i = 0; i < memory.size(); ++i) {
      entries.push_back(map.Register(std::to_string(i), absl::MakeConstSpan(memory).subspan(i, 1), {}));
    }
    EXPECT_EQ(map.size(), memory.size());
    for (size_t i = 0; i < memory.size(); ++i) {
      ASSERT_TRUE(map.Find(AddressOf(&memory[i]), &place));
      EXPECT_EQ(place.kernel, std::to_string(i));
    }
  }
  EXPECT_FALSE(map.Find(AddressOf(&memory[0]), &place));
}

// Whoever asks while kernels come and go sees one that was there, whole.
TEST(CodeMapTest, IsAskedWhileKernelsComeAndGo) {
  const std::vector<uint8_t> memory(256);
  CodeMap map;
  std::atomic<bool> ended{false};
  std::atomic<int> found{0};
  std::thread reader([&] {
    CodePlace place;
    for (size_t i = 0; !ended.load(std::memory_order_relaxed); i = (i + 1) % memory.size()) {
      if (!map.Find(AddressOf(&memory[i]), &place)) continue;
      found.fetch_add(1, std::memory_order_relaxed);
      EXPECT_STREQ(place.kernel, place.mark);
      EXPECT_EQ(place.code_bytes, memory.size());
    }
  });
  for (int i = 0; i < 1000 || found.load(std::memory_order_relaxed) == 0; ++i) {
    const std::string name(1 + static_cast<size_t>(i) % 40, static_cast<char>('a' + i % 26));
    const CodeMapEntry entry = map.Register(name, absl::MakeConstSpan(memory), {{0, name}});
    if (i % 64 == 0) std::this_thread::yield();
  }
  ended.store(true, std::memory_order_relaxed);
  reader.join();
}

}  // namespace
}  // namespace burin::jit
