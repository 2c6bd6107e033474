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
