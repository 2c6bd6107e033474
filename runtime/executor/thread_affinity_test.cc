#include "runtime/executor/thread_affinity.h"

#include <atomic>
#include <thread>

#include "gtest/gtest.h"
#include "runtime/executor/cpu_allowance.h"
#include "runtime/executor/cpu_set.h"

namespace burin::executor {
namespace {

TEST(ThreadAffinityTest, MaskHoldsTheCpusOfASet) {
  for (const CpuSet& cpus : {CpuSet(), CpuSet({0}), CpuSet({63, 64, 8191}), CpuSet::FirstCpus(130)}) {
    EXPECT_EQ(AffinityMask::Of(cpus).ToCpuSet(), cpus);
  }
  EXPECT_EQ(AffinityMask::Of(CpuSet({5, 8192})), AffinityMask::Of(5));
  EXPECT_EQ(AffinityMask::Of(8192), AffinityMask());
  EXPECT_EQ(AffinityMask::Of(-1), AffinityMask());
  EXPECT_NE(AffinityMask::Of(8191), AffinityMask());
  EXPECT_TRUE(AffinityMask::Of(64).Contains(64));
  for (int cpu : {0, 63, 64, 8191}) EXPECT_EQ(AffinityMask::Of(cpu).OnlyCpu(), cpu);
  for (const CpuSet& cpus : {CpuSet(), CpuSet({0, 1}), CpuSet({5, 70})}) {
    EXPECT_EQ(AffinityMask::Of(cpus).OnlyCpu(), -1) << cpus.ToString();
  }
  for (int cpu : {-1, 0, 63, 65, 8192}) EXPECT_FALSE(AffinityMask::Of(64).Contains(cpu)) << cpu;
}

TEST(ThreadAffinityTest, SystemReadsAndSetsTheCallingThread) {
  std::thread([] {
    ThreadAffinity* affinity = SystemThreadAffinity();
    AffinityMask all;
    ASSERT_TRUE(affinity->Read(&all));
    EXPECT_EQ(all.ToCpuSet(), ReadAffinityMask());
    const int cpu = all.ToCpuSet().cpus().back();
    ASSERT_TRUE(affinity->Write(0, AffinityMask::Of(cpu)));
    EXPECT_EQ(ReadAffinityMask(), CpuSet({cpu}));
    EXPECT_EQ(affinity->CurrentCpu(), cpu);
    EXPECT_FALSE(affinity->Write(0, AffinityMask()));
    EXPECT_TRUE(affinity->Write(0, all));
    EXPECT_EQ(ReadAffinityMask(), all.ToCpuSet());
  }).join();
}

TEST(ThreadAffinityTest, SystemSetsAnotherThread) {
  ThreadAffinity* affinity = SystemThreadAffinity();
  std::atomic<int> thread{0};
  std::atomic<bool> set{false};
  CpuSet seen;
  std::thread other([&] {
    thread = affinity->CurrentThread();
    while (!set) std::this_thread::yield();
    seen = ReadAffinityMask();
  });
  while (thread == 0) std::this_thread::yield();
  const int cpu = ReadAffinityMask().cpus().front();
  EXPECT_TRUE(affinity->Write(thread, AffinityMask::Of(cpu)));
  set = true;
  other.join();
  EXPECT_EQ(seen, CpuSet({cpu}));
}

}  // namespace
}  // namespace burin::executor
