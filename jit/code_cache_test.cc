#include "jit/code_cache.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <malloc.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/hash.h"
#include "base/status_macros.h"
#include "jit/asm/code_blob.h"
#include "jit/asm/code_memory.h"
#include "jit/asm/executable_code.h"
#include "jit/code_key.h"
#include "jit/isa/isa.h"
#include "testing/gtest/status_matchers.h"

namespace burin::jit {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr size_t kPlenty = size_t{16} << 20;

CodeKey Key(int number) {
  Hasher spec;
  spec.UpdateInt(number);
  return CodeKey::Of("number", IsaSet(), spec.Finish());
}

// A function that returns `value`, of `size` bytes.
CodeBlob Number(uint32_t value, size_t size = 64) {
  CodeBlob blob;
  blob.name = "number_" + std::to_string(value);
  blob.bytes.assign(std::max<size_t>(size, 6), 0x90);
  // mov eax, value; ret.
  blob.bytes[0] = 0xb8;
  std::memcpy(&blob.bytes[1], &value, sizeof(value));
  blob.bytes[5] = 0xc3;
  blob.code_bytes = blob.bytes.size();
  return blob;
}

uint32_t ValueOf(const CachedCode& code) { return code->entry<uint32_t (*)()>()(); }

// A cache of its own, in memory of its own.
class CodeCacheTest : public ::testing::Test {
 protected:
  void TearDown() override {
    EXPECT_OK(cache_.Verify());
    EXPECT_EQ(memory_.GetStats().used_bytes, cache_.GetStats().bytes);
  }

  absl::StatusOr<CachedCode> Get(int number, size_t size = 64) {
    return cache_.GetOrGenerate(Key(number), [&] { return Number(number, size); });
  }
  bool Has(int number) { return static_cast<bool>(cache_.Find(Key(number))); }

  CodeMemory memory_;
  CodeCache cache_{kPlenty, memory_};
};

TEST_F(CodeCacheTest, GeneratesOnceAndCounts) {
  ASSERT_OK_AND_ASSIGN(const CachedCode seven, Get(7));
  EXPECT_EQ(ValueOf(seven), 7u);
  ASSERT_OK_AND_ASSIGN(const CachedCode again, cache_.GetOrGenerate(Key(7), []() -> absl::StatusOr<CodeBlob> {
    ADD_FAILURE() << "it is there already";
    return absl::InternalError("generated again");
  }));
  EXPECT_EQ(&*again, &*seven);
  EXPECT_EQ(&*cache_.Find(Key(7)), &*seven);
  EXPECT_FALSE(cache_.Find(Key(8)));
  const CodeCache::Stats stats = cache_.GetStats();
  EXPECT_EQ(stats.hits, 2);
  EXPECT_EQ(stats.misses, 2);
  EXPECT_EQ(stats.generations, 1);
  EXPECT_EQ(stats.failures, 0);
  EXPECT_EQ(stats.evictions, 0);
  EXPECT_EQ(stats.kernels, 1u);
  EXPECT_EQ(stats.idle, 0u);
  EXPECT_EQ(stats.bytes, 64u);
}

TEST_F(CodeCacheTest, ReferencesCountAsValues) {
  ASSERT_OK_AND_ASSIGN(CachedCode a, Get(1));
  CachedCode b = a;
  CachedCode c = std::move(a);
  EXPECT_FALSE(a);
  EXPECT_EQ(ValueOf(b), 1u);
  EXPECT_EQ(ValueOf(c), 1u);
  ASSERT_OK_AND_ASSIGN(CachedCode two, Get(2));
  b = two;
  c = std::move(two);
  EXPECT_EQ(cache_.GetStats().idle, 1u);
  const CachedCode& self = c;
  c = self;
  EXPECT_EQ(ValueOf(c), 2u);
  b = CachedCode();
  EXPECT_EQ(cache_.GetStats().idle, 1u);
  c = CachedCode();
  EXPECT_EQ(cache_.GetStats().idle, 2u);
}

TEST_F(CodeCacheTest, GivesUpWhatWasUnusedLongest) {
  cache_.SetMaxBytes(3 * 64);
  for (const int number : {1, 2, 3}) ASSERT_OK(Get(number));
  // Uses 1, so that 2 is the longest unused.
  EXPECT_TRUE(Has(1));
  ASSERT_OK(Get(4));
  EXPECT_FALSE(Has(2));
  EXPECT_TRUE(Has(3));
  EXPECT_TRUE(Has(1));
  EXPECT_TRUE(Has(4));
  EXPECT_EQ(cache_.GetStats().evictions, 1);
  // As many as it takes: 3 and 1 are the longest unused now.
  ASSERT_OK(Get(5, 128));
  EXPECT_FALSE(Has(3));
  EXPECT_FALSE(Has(1));
  EXPECT_TRUE(Has(4));
  EXPECT_TRUE(Has(5));
  EXPECT_EQ(cache_.GetStats().bytes, 3u * 64);
}

TEST_F(CodeCacheTest, CodeInUseSurvivesAnyBound) {
  ASSERT_OK_AND_ASSIGN(CachedCode one, Get(1));
  ASSERT_OK_AND_ASSIGN(CachedCode two, Get(2));
  ASSERT_OK(Get(3));
  cache_.SetMaxBytes(64);
  EXPECT_FALSE(Has(3));
  EXPECT_EQ(cache_.GetStats().bytes, 2u * 64);
  EXPECT_EQ(ValueOf(one), 1u);
  EXPECT_EQ(ValueOf(two), 2u);
  // What is beyond the bound goes as soon as nobody holds it.
  two = CachedCode();
  EXPECT_EQ(cache_.GetStats().bytes, 64u);
  EXPECT_FALSE(Has(2));
  one = CachedCode();
  EXPECT_TRUE(Has(1));
  // More than the bound by itself: as long as it is held.
  ASSERT_OK_AND_ASSIGN(CachedCode large, Get(4, 4096));
  EXPECT_EQ(ValueOf(large), 4u);
  EXPECT_EQ(cache_.GetStats().bytes, 4096u);
  large = CachedCode();
  EXPECT_EQ(cache_.GetStats().bytes, 0u);
}

TEST_F(CodeCacheTest, AFailureIsReturnedAndNotKept) {
  const auto fail = []() -> absl::StatusOr<CodeBlob> { return absl::UnimplementedError("no such kernel"); };
  EXPECT_THAT(cache_.GetOrGenerate(Key(1), fail), StatusIs(absl::StatusCode::kUnimplemented, "no such kernel"));
  EXPECT_FALSE(Has(1));
  ASSERT_OK_AND_ASSIGN(const CachedCode one, Get(1));
  EXPECT_EQ(ValueOf(one), 1u);
  EXPECT_EQ(cache_.GetStats().generations, 2);
  EXPECT_EQ(cache_.GetStats().failures, 1);
  // Loading may fail too.
  const auto empty = []() -> absl::StatusOr<CodeBlob> { return CodeBlob(); };
  EXPECT_THAT(cache_.GetOrGenerate(Key(2), empty), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_EQ(cache_.GetStats().failures, 2);
}

// Waits until `count` threads wait for code, which no interface tells: those that missed and do not generate.
void AwaitWaiters(const CodeCache& cache, int64_t count) {
  for (;;) {
    const CodeCache::Stats stats = cache.GetStats();
    if (stats.misses - stats.generations >= count) return;
    std::this_thread::yield();
  }
}

TEST_F(CodeCacheTest, AFailureGoesToAllWhoWait) {
  constexpr int kThreads = 8;
  std::vector<absl::Status> results(kThreads);
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&, i] {
      results[i] = cache_
                       .GetOrGenerate(Key(1),
                                      [&]() -> absl::StatusOr<CodeBlob> {
                                        AwaitWaiters(cache_, kThreads - 1);
                                        return absl::ResourceExhaustedError("out of registers");
                                      })
                       .status();
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const absl::Status& result : results) {
    EXPECT_THAT(result, StatusIs(absl::StatusCode::kResourceExhausted, "out of registers"));
  }
  EXPECT_EQ(cache_.GetStats().generations, 1);
  EXPECT_EQ(cache_.GetStats().failures, 1);
}

TEST_F(CodeCacheTest, AllWhoWaitGetTheSameCode) {
  constexpr int kThreads = 8;
  // Nothing may stay, yet all get what was generated once.
  cache_.SetMaxBytes(0);
  std::vector<CachedCode> results(kThreads);
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&, i] {
      const auto generate = [&]() -> absl::StatusOr<CodeBlob> {
        AwaitWaiters(cache_, kThreads - 1);
        return Number(42);
      };
      ASSERT_OK_AND_ASSIGN(results[i], cache_.GetOrGenerate(Key(42), generate));
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const CachedCode& result : results) {
    ASSERT_TRUE(result);
    EXPECT_EQ(ValueOf(result), 42u);
    EXPECT_EQ(&*result, &*results[0]);
  }
  EXPECT_EQ(cache_.GetStats().generations, 1);
  results.clear();
  EXPECT_EQ(cache_.GetStats().bytes, 0u);
}

// Generates the sum of the numbers up to `number`, by the kernel of the number below.
absl::StatusOr<CachedCode> GetSum(CodeCache& cache, int number) {
  return cache.GetOrGenerate(Key(number), [&]() -> absl::StatusOr<CodeBlob> {
    if (number == 0) return Number(0);
    BURIN_ASSIGN_OR_RETURN(const CachedCode below, GetSum(cache, number - 1));
    return Number(ValueOf(below) + number);
  });
}

TEST_F(CodeCacheTest, AGeneratorMayAskForOtherKeys) {
  constexpr int kThreads = 4;
  constexpr int kDepth = 40;
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&, i] {
      // Some start inside the chain of others.
      for (int number = kDepth - i; number >= 0; number -= 7) {
        ASSERT_OK_AND_ASSIGN(const CachedCode sum, GetSum(cache_, number));
        EXPECT_EQ(ValueOf(sum), number * (number + 1u) / 2);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(cache_.GetStats().generations, kDepth + 1);
}

TEST_F(CodeCacheTest, AKernelThatAsksForItselfIsAnError) {
  const auto other = [&]() -> absl::StatusOr<CodeBlob> {
    BURIN_RETURN_IF_ERROR(Get(1).status());
    return Number(2);
  };
  const auto one = [&]() -> absl::StatusOr<CodeBlob> {
    BURIN_RETURN_IF_ERROR(cache_.GetOrGenerate(Key(2), other).status());
    return Number(1);
  };
  EXPECT_THAT(cache_.GetOrGenerate(Key(1), one),
              StatusIs(absl::StatusCode::kInternal, AllOf(HasSubstr("asks for itself"), HasSubstr("key "))));
  EXPECT_OK(Get(1));
}

TEST_F(CodeCacheTest, TwoThreadsThatWaitForEachOtherAreAnError) {
  std::atomic<int> started{0};
  absl::Status results[2];
  const auto ask = [&](int own, int other) {
    results[own] = cache_
                       .GetOrGenerate(Key(own),
                                      [&]() -> absl::StatusOr<CodeBlob> {
                                        ++started;
                                        while (started < 2) std::this_thread::yield();
                                        BURIN_RETURN_IF_ERROR(Get(other).status());
                                        return Number(own);
                                      })
                       .status();
  };
  std::thread thread(ask, 0, 1);
  ask(1, 0);
  thread.join();
  // One sees the circle, and its failure is the other's.
  EXPECT_THAT(results[0], StatusIs(absl::StatusCode::kInternal));
  EXPECT_THAT(results[1], StatusIs(absl::StatusCode::kInternal));
  EXPECT_EQ(cache_.GetStats().kernels, 0u);
}

TEST_F(CodeCacheTest, ManyThreadsAskForTheSameKernels) {
  constexpr int kThreads = 16;
  constexpr int kKernels = 1000;
  std::vector<std::atomic<int>> generated(kKernels);
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&, i] {
      std::vector<int> order(kKernels);
      for (int k = 0; k < kKernels; ++k) order[k] = k;
      // Half of them in one order, so that they meet; the rest in orders of their own, by fixed seeds.
      if (i % 2 == 1) std::shuffle(order.begin(), order.end(), std::mt19937(i));
      for (const int k : order) {
        const auto generate = [&, k]() -> absl::StatusOr<CodeBlob> {
          ++generated[k];
          return Number(k);
        };
        ASSERT_OK_AND_ASSIGN(const CachedCode code, cache_.GetOrGenerate(Key(k), generate));
        ASSERT_EQ(ValueOf(code), static_cast<uint32_t>(k));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (int k = 0; k < kKernels; ++k) EXPECT_EQ(generated[k], 1) << k;
  const CodeCache::Stats stats = cache_.GetStats();
  EXPECT_EQ(stats.generations, kKernels);
  EXPECT_EQ(stats.hits + stats.misses, kThreads * kKernels);
  EXPECT_EQ(stats.idle, static_cast<size_t>(kKernels));
}

TEST_F(CodeCacheTest, ManyThreadsUnderABoundThatIsTooSmall) {
  constexpr int kThreads = 8;
  constexpr int kKernels = 40;
  cache_.SetMaxBytes(10 * 64);
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&, i] {
      std::mt19937 random(i);
      std::vector<CachedCode> held(4);
      std::vector<uint32_t> numbers(held.size());
      for (int step = 0; step < 1000; ++step) {
        const size_t slot = random() % held.size();
        if (held[slot]) {
          ASSERT_EQ(ValueOf(held[slot]), numbers[slot]);
        }
        numbers[slot] = random() % kKernels;
        ASSERT_OK_AND_ASSIGN(held[slot], Get(static_cast<int>(numbers[slot])));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_LE(cache_.GetStats().bytes, 10u * 64);
  EXPECT_GT(cache_.GetStats().evictions, 0);
}

// Returns how much of the heap is in use, as far as glibc knows: sanitizers have a heap of their own.
size_t HeapBytes() {
  const struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

TEST_F(CodeCacheTest, TenThousandKernelsLeaveMemoryFlat) {
  constexpr size_t kBound = 512 << 10;
  cache_.SetMaxBytes(kBound);
  // Sizes as of kernels, by a fixed seed; all arenas and tables exist after the first thousand.
  std::mt19937 random(17);
  size_t mapped = 0;
  size_t heap = 0;
  for (int k = 0; k < 10000; ++k) {
    ASSERT_OK(Get(k, 64 + random() % 4096));
    if (k < 1000) {
      mapped = std::max(mapped, memory_.GetStats().mapped_bytes);
      heap = std::max(heap, HeapBytes());
    }
    ASSERT_LE(memory_.GetStats().used_bytes, kBound);
  }
  EXPECT_LE(memory_.GetStats().mapped_bytes, mapped);
  // Two bytes a kernel: what is kept of a kernel, be it a name, takes more.
  EXPECT_LE(HeapBytes(), heap + 20000);
  EXPECT_LE(mapped, 3 * kBound);
  EXPECT_GT(cache_.GetStats().evictions, 9000);
  cache_.SetMaxBytes(0);
  EXPECT_EQ(memory_.GetStats().used_bytes, 0u);
  EXPECT_OK(memory_.Verify());
}

// Maps one arena and no more.
class OneArena : public CodeMemoryOs {
 public:
  int MemfdCreate(const char* name, unsigned int flags) override {
    if (!spent_) {
      spent_ = true;
      return CodeMemoryOs::MemfdCreate(name, flags);
    }
    errno = ENOMEM;
    return -1;
  }
  // What is replaced here is not run.
  bool MayReplaceCode() override { return true; }

 private:
  bool spent_ = false;
};

TEST(CodeCacheMemoryTest, GivesUpWhatNobodyHoldsWhereThereIsNoCodeMemory) {
  constexpr size_t kSize = CodeMemory::kArenaGranule / 4;
  OneArena os;
  CodeMemory memory(&os);
  CodeCache cache(kPlenty, memory);
  const auto get = [&](int number) { return cache.GetOrGenerate(Key(number), [&] { return Number(number, kSize); }); };
  ASSERT_OK_AND_ASSIGN(const CachedCode held, get(0));
  for (int number = 1; number < 20; ++number) ASSERT_OK(get(number));
  EXPECT_EQ(ValueOf(held), 0u);
  EXPECT_GT(cache.GetStats().evictions, 0);
  std::vector<CachedCode> all;
  for (int number = 20; number < 23; ++number) {
    ASSERT_OK_AND_ASSIGN(all.emplace_back(), get(number));
  }
  // All of it is in use.
  EXPECT_THAT(get(23), StatusIs(absl::StatusCode::kResourceExhausted, HasSubstr("number_23")));
  EXPECT_OK(cache.Verify());
}

TEST(CodeCacheDeathTest, CodeInUseOutlivesNoCache) {
  EXPECT_DEATH(
      {
        auto cache = std::make_unique<CodeCache>(kPlenty);
        const auto code = cache->GetOrGenerate(Key(1), [] { return Number(1); });
        cache.reset();
      },
      "code is still in use");
}

TEST(CodeCacheProcessTest, IsOne) { EXPECT_EQ(&CodeCache::Process(), &CodeCache::Process()); }

// In a process of its own, which has made no cache before.
TEST(CodeCacheDeathTest, LocatesFaultsWhereAsked) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto act = [] {
    setenv("BURIN_LOCATE_FAULTS", "1", 1);
    CodeCache cache(kPlenty);
    CodeBlob blob = Number(7);
    // ud2
    blob.bytes[0] = 0x0f;
    blob.bytes[1] = 0x0b;
    const absl::StatusOr<CachedCode> code = cache.GetOrGenerate(Key(7), [&] { return blob; });
    if (code.ok()) ValueOf(*code);
  };
  EXPECT_DEATH(act(), "burin: SIGILL in kernel number_7\\+0x0, instruction 0f 0b");
}

}  // namespace
}  // namespace burin::jit
