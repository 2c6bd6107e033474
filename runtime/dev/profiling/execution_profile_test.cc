#include "runtime/dev/profiling/execution_profile.h"

#include <thread>
#include <vector>

#include "gtest/gtest.h"
#include "runtime/dev/profiling_info.h"

namespace burin {
namespace {

std::vector<ProfilingInfo> TwoNodes() {
  std::vector<ProfilingInfo> nodes(2);
  nodes[0].node_name = "first";
  nodes[1].node_name = "second";
  nodes[1].flops = 7;
  return nodes;
}

TEST(ExecutionProfileTest, SumsTimesAndKeepsTheLastCost) {
  ExecutionProfile profile(TwoNodes());
  profile.Record(1, {100, 90, 10, 20});
  profile.Record(1, {50, 40, 30, 60});
  const std::vector<ProfilingInfo> nodes = profile.Read();
  ASSERT_EQ(nodes.size(), 2u);
  EXPECT_EQ(nodes[1].node_name, "second");
  EXPECT_EQ(nodes[1].status, ProfilingInfo::Status::kExecuted);
  EXPECT_EQ(nodes[1].real_time_ns, 150);
  EXPECT_EQ(nodes[1].cpu_time_ns, 130);
  EXPECT_EQ(nodes[1].flops, 30);
  EXPECT_EQ(nodes[1].bytes, 60);
  EXPECT_EQ(nodes[1].count, 2);
  EXPECT_EQ(nodes[0].status, ProfilingInfo::Status::kNotRun);
  EXPECT_EQ(nodes[0].count, 0);
}

TEST(ExecutionProfileTest, WhatRanIsTheLastExecutions) {
  std::vector<ProfilingInfo> nodes = TwoNodes();
  nodes[0].kernel = "known";
  ExecutionProfile profile(nodes);
  profile.Record(0, {100, 90, 10, 20});
  profile.Record(1, {100, 90, 10, 20}, {"a", "avx2", "row-major"});
  profile.Record(1, {70, 60, 10, 20}, {"b", "avx512", "channels last"});
  const std::vector<ProfilingInfo> read = profile.Read();
  EXPECT_EQ(read[0].kernel, "known");
  EXPECT_EQ(read[1].kernel, "b");
  EXPECT_EQ(read[1].isa, "avx512");
  EXPECT_EQ(read[1].layout, "channels last");
  EXPECT_EQ(read[1].last_real_time_ns, 70);
  EXPECT_GT(read[1].last_start_ns + 70, read[0].last_start_ns + 100);
}

TEST(ExecutionProfileTest, NodesAreFoundByNameOrAdded) {
  ExecutionProfile profile(TwoNodes());
  int described = 0;
  const auto describe = [&described] {
    ++described;
    ProfilingInfo info;
    info.op_type = "Reorder";
    return info;
  };
  EXPECT_EQ(profile.IndexOf("second", describe), 1u);
  EXPECT_EQ(described, 0);
  EXPECT_EQ(profile.IndexOf("third", describe), 2u);
  EXPECT_EQ(profile.IndexOf("third", describe), 2u);
  EXPECT_EQ(described, 1);
  profile.Record(2, {5, 5, 0, 0});
  EXPECT_EQ(profile.Read()[2].node_name, "third");
  EXPECT_EQ(profile.Read()[2].op_type, "Reorder");
  EXPECT_EQ(profile.Read()[2].count, 1);
}

TEST(ExecutionProfileTest, LosesNothingOfManyThreads) {
  ExecutionProfile profile(TwoNodes());
  std::vector<std::thread> threads;
  for (size_t i = 0; i < 4; ++i) {
    threads.emplace_back([&profile, i] {
      for (int k = 0; k < 1000; ++k) {
        profile.Record(i % 2, {1, 2, 3, 4});
        if (k % 100 == 0) profile.Read();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const ProfilingInfo& node : profile.Read()) {
    EXPECT_EQ(node.count, 2000);
    EXPECT_EQ(node.real_time_ns, 2000);
    EXPECT_EQ(node.cpu_time_ns, 4000);
  }
}

TEST(ExecutionProfileDeathTest, AnUnknownNodeIsABug) {
  ExecutionProfile profile(TwoNodes());
  EXPECT_DEATH(profile.Record(2, {}), "node 2");
}

}  // namespace
}  // namespace burin
