#include "snippets/epilogue/register_counts.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>

#include "base/hash.h"
#include "jit/isa/isa.h"
#include "jit/kernels/epilogue_emitter.h"

namespace burin::snippets {
namespace {

Hash128 Content(uint64_t number) { return Hash128{number, 0}; }

TEST(RegisterCountsTest, CountsOnceForEachContentAndSet) {
  RegisterCounts counts;
  int counted = 0;
  const auto get = [&](uint64_t content, jit::IsaLevel level) {
    return counts.Get(Content(content), jit::IsaSet::From(level), [&] {
      jit::EpilogueRegisters registers;
      registers.vectors = ++counted;
      return registers;
    });
  };
  EXPECT_EQ(get(1, jit::IsaLevel::kAvx2).vectors, 1);
  EXPECT_EQ(get(1, jit::IsaLevel::kAvx512).vectors, 2);
  EXPECT_EQ(get(2, jit::IsaLevel::kAvx2).vectors, 3);
  EXPECT_EQ(get(1, jit::IsaLevel::kAvx2).vectors, 1);
  EXPECT_EQ(get(1, jit::IsaLevel::kAvx512).vectors, 2);
  EXPECT_EQ(get(2, jit::IsaLevel::kAvx2).vectors, 3);
}

TEST(RegisterCountsTest, ForgetsWhenThereAreTooMany) {
  RegisterCounts counts;
  int counted = 0;
  const auto get = [&](uint64_t content) {
    counts.Get(Content(content), jit::IsaSet(), [&] {
      ++counted;
      return jit::EpilogueRegisters();
    });
  };
  for (uint64_t content = 0; content < RegisterCounts::kMaxEntries; ++content) get(content);
  get(0);
  EXPECT_EQ(counted, static_cast<int>(RegisterCounts::kMaxEntries));
  get(RegisterCounts::kMaxEntries);
  get(0);
  EXPECT_EQ(counted, static_cast<int>(RegisterCounts::kMaxEntries) + 2);
}

}  // namespace
}  // namespace burin::snippets
