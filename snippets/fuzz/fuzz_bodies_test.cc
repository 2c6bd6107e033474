#include <gtest/gtest.h>

#include <cstdint>
#include <iostream>
#include <random>

#include "absl/status/status.h"
#include "jit/isa/target.h"
#include "snippets/fuzz/fuzz_counters.h"
#include "snippets/fuzz/fuzz_run.h"
#include "snippets/testing/body_fuzzer.h"
#include "testing/gtest/status_matchers.h"

namespace burin::snippets {
namespace {

constexpr uint64_t kBodies = 150;

TEST(FuzzBodiesTest, RandomBodiesEqualTheReference) {
  ASSERT_OK_AND_ASSIGN(const jit::Target target, jit::Target::Host());
  const uint64_t first = std::random_device()();
  std::cout << "seeds from " << first << " on\n";
  FuzzCounters counters;
  for (uint64_t seed = first; seed < first + kBodies; ++seed) {
    const absl::Status status = RunDrawn(DrawBody(seed), target, &counters);
    ASSERT_OK(status) << "seed " << seed << "; fuzz_bodies -explain " << seed << " makes it smaller";
  }
  EXPECT_GT(counters.compared().closely, 2 * counters.compared().not_at_all);
  EXPECT_GT(counters.Get("registers/few"), 0);
  EXPECT_GT(counters.Get("linear/Step"), 0);
}

}  // namespace
}  // namespace burin::snippets
