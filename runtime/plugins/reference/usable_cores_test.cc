#include "runtime/plugins/reference/usable_cores.h"

#include <sched.h>

#include <cstdint>
#include <thread>

#include "gtest/gtest.h"

namespace burin::reference {
namespace {

TEST(UsableCoresTest, FollowsTheAffinityMask) {
  const int64_t all = UsableCores();
  EXPECT_GE(all, 1);
  EXPECT_LE(all, 1 << 20);
  int64_t confined = 0;
  // The mask is the thread's: the test's own stays as it is.
  std::thread([&confined] {
    cpu_set_t mask;
    ASSERT_EQ(sched_getaffinity(0, sizeof(mask), &mask), 0);
    int first = 0;
    while (!CPU_ISSET(first, &mask)) ++first;
    CPU_ZERO(&mask);
    CPU_SET(first, &mask);
    ASSERT_EQ(sched_setaffinity(0, sizeof(mask), &mask), 0);
    confined = UsableCores();
  }).join();
  EXPECT_EQ(confined, 1);
  EXPECT_EQ(UsableCores(), all);
}

}  // namespace
}  // namespace burin::reference
