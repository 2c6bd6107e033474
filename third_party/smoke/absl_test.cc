#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "absl/base/config.h"
#include "absl/base/thread_annotations.h"
#include "absl/cleanup/cleanup.h"
#include "absl/container/btree_map.h"
#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/container/inlined_vector.h"
#include "absl/flags/flag.h"
#include "absl/flags/parse.h"
#include "absl/flags/reflection.h"
#include "absl/flags/usage.h"
#include "absl/functional/function_ref.h"
#include "absl/hash/hash.h"
#include "absl/memory/memory.h"
#include "absl/numeric/bits.h"
#include "absl/numeric/int128.h"
#include "absl/random/random.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/cord.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "absl/types/span.h"

ABSL_FLAG(int, smoke_level, 3, "A flag of this test.");

namespace burin {
namespace {

absl::StatusOr<int> Half(int x) {
  if (x % 2 != 0) return absl::InvalidArgumentError(absl::StrCat("Odd number: ", x));
  return x / 2;
}

int Sum(absl::Span<const int> values, absl::FunctionRef<int(int)> map) {
  int sum = 0;
  for (int value : values) sum += map(value);
  return sum;
}

class Counter {
 public:
  int Next() {
    absl::MutexLock lock(&mutex_);
    return ++count_;
  }

 private:
  absl::Mutex mutex_;
  int count_ ABSL_GUARDED_BY(mutex_) = 0;
};

TEST(AbslTest, StatusAndStrings) {
  EXPECT_EQ(*Half(4), 2);
  EXPECT_EQ(Half(3).status().ToString(), "INVALID_ARGUMENT: Odd number: 3");
  EXPECT_EQ(absl::StrFormat("%5.2f|%s", 1.5, "x"), " 1.50|x");
  EXPECT_EQ(std::string(absl::Cord("cord")), "cord");
}

// Debian builds Abseil with a string_view and a span of its own: the code says absl::string_view for that reason.
TEST(AbslTest, StringViewIsNotTheStandards) { EXPECT_FALSE((std::is_same_v<absl::string_view, std::string_view>)); }

TEST(AbslTest, Containers) {
  absl::flat_hash_map<std::string, int> map = {{"a", 1}};
  const absl::flat_hash_set<int> set = {1, 2, 2};
  const absl::btree_map<int, int> ordered = {{2, 0}, {1, 0}};
  const absl::InlinedVector<int, 4> inlined = {1, 2, 3};
  EXPECT_EQ(map["a"], 1);
  EXPECT_EQ(set.size(), 2u);
  EXPECT_EQ(ordered.begin()->first, 1);
  EXPECT_EQ(Sum(inlined, [](int x) { return x * x; }), 14);
}

TEST(AbslTest, Flags) {
  EXPECT_EQ(absl::GetFlag(FLAGS_smoke_level), 3);
  EXPECT_NE(absl::FindCommandLineFlag("smoke_level"), nullptr);
  absl::SetProgramUsageMessage("smoke");
  char program[] = "smoke";
  char flag[] = "--smoke_level=4";
  char* argv[] = {program, flag};
  absl::ParseCommandLine(2, argv);
  EXPECT_EQ(absl::GetFlag(FLAGS_smoke_level), 4);
}

TEST(AbslTest, ThreadsAndTime) {
  Counter counter;
  EXPECT_EQ(counter.Next(), 1);
  EXPECT_GT(absl::ToUnixSeconds(absl::Now()), 0);
}

TEST(AbslTest, Numbers) {
  EXPECT_EQ(absl::Uint128High64(absl::MakeUint128(1, 2)), 1u);
  EXPECT_EQ(absl::bit_width(uint32_t{8}), 4);
  EXPECT_EQ(absl::Hash<int>()(1), absl::Hash<int>()(1));
  absl::BitGen generator;
  EXPECT_LT(absl::Uniform(generator, 0, 10), 10);
}

TEST(AbslTest, Memory) {
  bool cleaned = false;
  {
    auto cleanup = absl::MakeCleanup([&] { cleaned = true; });
    EXPECT_FALSE(cleaned);
  }
  EXPECT_TRUE(cleaned);
  EXPECT_EQ(*absl::WrapUnique(new int(3)), 3);
}

}  // namespace
}  // namespace burin
