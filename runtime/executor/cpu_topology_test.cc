#include "runtime/executor/cpu_topology.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "runtime/executor/cpu_set.h"

namespace burin::executor {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

LogicalCpu Cpu(int id, int package, int node, int core, CoreKind kind = CoreKind::kPerformance) {
  LogicalCpu cpu;
  cpu.id = id;
  cpu.package = package;
  cpu.node = node;
  cpu.core = core;
  cpu.kind = kind;
  return cpu;
}

// Two packages of two cores of two threads, the siblings numbered last.
CpuTopology TwoPackages() {
  std::vector<LogicalCpu> cpus;
  for (int id = 0; id < 8; ++id) cpus.push_back(Cpu(id, id % 4 / 2, id % 4 / 2, 100 + id % 4));
  return CpuTopology(std::move(cpus), CpuSet({8, 9}));
}

TEST(CpuTopologyTest, CountsWhatThereIs) {
  const CpuTopology topology = TwoPackages();
  EXPECT_THAT(topology.packages(), ElementsAre(0, 1));
  EXPECT_THAT(topology.nodes(), ElementsAre(0, 1));
  EXPECT_EQ(topology.core_count(), 4);
  EXPECT_TRUE(topology.has_smt());
  EXPECT_FALSE(topology.is_hybrid());
  EXPECT_EQ(topology.ids().ToString(), "0-7");
  EXPECT_EQ(topology.offline().ToString(), "8-9");
  EXPECT_EQ(topology.ToString(), "2 packages, 2 NUMA nodes, 4 cores, 8 CPUs: 0-7");
}

TEST(CpuTopologyTest, T1_HasAtLeastOneCpuAndAscendingIds) {
  EXPECT_EQ(CpuTopology({}).ToString(), "1 package, 1 NUMA node, 1 core, 1 CPU: 0");
  const CpuTopology topology({Cpu(7, 0, 0, 0), Cpu(2, 0, 0, 1), Cpu(7, 1, 1, 2)});
  ASSERT_EQ(topology.cpus().size(), 2u);
  EXPECT_EQ(topology.cpus()[0].id, 2);
  EXPECT_EQ(topology.cpus()[1].package, 0);
}

TEST(CpuTopologyTest, T2_PutsACoreWhereItsLowestCpuIs) {
  const CpuTopology topology({Cpu(3, 1, 1, 5, CoreKind::kEfficiency), Cpu(1, 0, 0, 5)});
  EXPECT_EQ(topology.Find(3)->package, 0);
  EXPECT_EQ(topology.Find(3)->node, 0);
  EXPECT_EQ(topology.Find(3)->kind, CoreKind::kPerformance);
}

TEST(CpuTopologyTest, T3T4_NumbersCoresAndThreads) {
  const CpuTopology topology = TwoPackages();
  for (int id = 0; id < 8; ++id) {
    EXPECT_EQ(topology.Find(id)->core, id % 4);
    EXPECT_EQ(topology.Find(id)->thread, id / 4);
  }
  EXPECT_EQ(topology.Find(8), nullptr);
  EXPECT_EQ(topology.Find(-1), nullptr);
}

TEST(CpuTopologyTest, RestrictsToWhatIsAllowed) {
  const CpuTopology restricted = TwoPackages().RestrictedTo(CpuSet({2, 5, 6, 40}));
  EXPECT_EQ(restricted.ids().ToString(), "2,5-6");
  EXPECT_EQ(restricted.core_count(), 2);
  // CPU 5 alone is allowed of its core, so it is the core's first thread now.
  EXPECT_EQ(restricted.Find(5)->thread, 0);
  EXPECT_EQ(restricted.Find(5)->core, 1);
  EXPECT_EQ(restricted.Find(6)->thread, 1);
  EXPECT_EQ(restricted.Find(6)->package, 1);
  EXPECT_TRUE(restricted.notes().empty());
}

TEST(CpuTopologyTest, TakesAllowedCpusAsOnePackageWhereNoneIsKnown) {
  const CpuTopology restricted = TwoPackages().RestrictedTo(CpuSet({70, 72}));
  EXPECT_EQ(restricted.ToString(), "1 package, 1 NUMA node, 2 cores, 2 CPUs: 70,72");
  EXPECT_THAT(restricted.notes(), ElementsAre(HasSubstr("70,72")));
  EXPECT_EQ(TwoPackages().RestrictedTo(CpuSet()).ids().ToString(), "0-7");
}

TEST(CpuTopologyTest, KnowsHybrids) {
  const CpuTopology hybrid({Cpu(0, 0, 0, 0), Cpu(1, 0, 0, 1, CoreKind::kEfficiency)});
  EXPECT_TRUE(hybrid.is_hybrid());
  EXPECT_FALSE(hybrid.RestrictedTo(CpuSet({1})).is_hybrid());
}

}  // namespace
}  // namespace burin::executor
