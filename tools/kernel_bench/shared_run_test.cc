#include "tools/kernel_bench/shared_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "jit/limits/core_sharing.h"
#include "tools/kernel_bench/bench_case.h"

namespace burin::kernel_bench {
namespace {

TEST(SharedRunTest, EveryItemIsDoneOnceInEachRun) {
  constexpr int64_t kItems = 37;
  std::vector<std::atomic<int64_t>> done(kItems);
  std::atomic<bool> is_known{true};
  Entrant entrant;
  entrant.items = kItems;
  entrant.run_items = [&](int thread, int64_t begin, int64_t end) {
    if (thread < 0 || thread > 1) is_known = false;
    for (int64_t i = begin; i < end; ++i) done[static_cast<size_t>(i)].fetch_add(1);
  };
  const int cpu = jit::UsableCpus().front();
  SharedRunOptions options;
  options.cpus = {cpu, cpu};
  options.rounds = 3;
  options.seconds_per_sample = 1e-5;
  const SharedRun run = MeasureSharedRun(entrant, options);
  EXPECT_EQ(run.threads, 2);
  EXPECT_GT(run.alone_seconds, 0);
  EXPECT_GT(run.shared_seconds, 0);
  EXPECT_EQ(run.gain.samples, 3);
  EXPECT_TRUE(is_known);
  const int64_t times = done[0];
  EXPECT_GE(times, 3 + 2 * 3);
  for (const std::atomic<int64_t>& item : done) EXPECT_EQ(item, times);
}

TEST(SharedRunTest, TheThreadStaysWhereItMayRun) {
  const std::vector<int> before = jit::UsableCpus();
  Entrant entrant;
  entrant.items = 1;
  entrant.run_items = [](int, int64_t, int64_t) {};
  SharedRunOptions options;
  options.cpus = {before.front(), before.back()};
  options.rounds = 1;
  MeasureSharedRun(entrant, options);
  EXPECT_EQ(jit::UsableCpus(), before);
}

}  // namespace
}  // namespace burin::kernel_bench
