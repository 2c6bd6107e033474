#include "runtime/executor/core_pools.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/enum_names.h"
#include "runtime/executor/cpu_set.h"
#include "runtime/executor/cpu_topology.h"
#include "runtime/executor/recorded_machine_testlib.h"

namespace burin::executor {
namespace {

using ::testing::ElementsAre;

std::vector<CorePool> PoolsOf(const std::string& machine, std::optional<int> first_node = std::nullopt) {
  return MakeCorePools(MachineTopology(machine), first_node);
}

// Prints pools as "package/node/first letter of the kind:cores+siblings".
std::vector<std::string> Print(const std::vector<CorePool>& pools) {
  std::vector<std::string> printed;
  for (const CorePool& pool : pools) {
    printed.push_back(absl::StrCat(pool.package, "/", pool.node, "/", EnumName(pool.kind).substr(0, 1), ":", pool.cores,
                                   "+", pool.siblings));
  }
  return printed;
}

TEST(CorePoolsTest, CountsByPackageNodeAndKind) {
  EXPECT_THAT(Print(PoolsOf("server")), ElementsAre("0/0/p:8+8", "1/1/p:8+8"));
  EXPECT_THAT(Print(PoolsOf("sub-numa")), ElementsAre("0/0/p:4+0", "0/1/p:4+0", "1/2/p:4+0", "1/3/p:4+0"));
  EXPECT_THAT(Print(PoolsOf("hybrid lp")), ElementsAre("0/0/p:4+4", "0/0/e:8+0", "0/0/l:2+0"));
  EXPECT_THAT(Print(PoolsOf("offline")), ElementsAre("0/0/p:3+2"));
  EXPECT_EQ(CoreCount(PoolsOf("hybrid")), 12);
  EXPECT_EQ(SiblingCount(PoolsOf("hybrid")), 4);
  EXPECT_EQ(CpuCount(PoolsOf("hybrid")), 16);
}

TEST(CorePoolsTest, PutsTheFirstNodeAndItsPackageFirst) {
  EXPECT_THAT(Print(PoolsOf("sub-numa", 3)), ElementsAre("1/3/p:4+0", "1/2/p:4+0", "0/0/p:4+0", "0/1/p:4+0"));
  EXPECT_EQ(Print(PoolsOf("sub-numa", 9)), Print(PoolsOf("sub-numa")));
}

TEST(CorePoolsTest, LimitsToTheBetterCoresFirstAndSiblingsLast) {
  const auto limited = [](const std::string& machine, int threads) {
    std::vector<CorePool> pools = PoolsOf(machine);
    LimitPools(threads, &pools);
    return Print(pools);
  };
  EXPECT_THAT(limited("server", 3), ElementsAre("0/0/p:3+0"));
  EXPECT_THAT(limited("server", 10), ElementsAre("0/0/p:8+0", "1/1/p:2+0"));
  EXPECT_THAT(limited("server", 26), ElementsAre("0/0/p:8+8", "1/1/p:8+2"));
  EXPECT_THAT(limited("server", 100), ElementsAre("0/0/p:8+8", "1/1/p:8+8"));
  EXPECT_THAT(limited("hybrid lp", 5), ElementsAre("0/0/p:4+0", "0/0/e:1+0"));
  EXPECT_THAT(limited("hybrid lp", 16), ElementsAre("0/0/p:4+2", "0/0/e:8+0", "0/0/l:2+0"));
}

TEST(CorePoolsTest, KeepsOnePackageWhereItSuffices) {
  const auto kept = [](const CpuTopology& topology, int threads) {
    std::vector<CorePool> pools = MakeCorePools(topology, std::nullopt);
    KeepOnePackage(threads, &pools);
    return Print(pools);
  };
  const CpuTopology uneven = MachineTopology("sub-numa").RestrictedTo(CpuSet({0, 8, 9, 12}));
  EXPECT_THAT(kept(uneven, 1), ElementsAre("0/0/p:1+0"));
  EXPECT_THAT(kept(uneven, 3), ElementsAre("1/2/p:2+0", "1/3/p:1+0"));
  EXPECT_THAT(kept(uneven, 4), ElementsAre("0/0/p:1+0", "1/2/p:2+0", "1/3/p:1+0"));
  // Siblings are no cores.
  EXPECT_THAT(kept(MachineTopology("server"), 9), ElementsAre("0/0/p:8+8", "1/1/p:8+8"));
}

TEST(CorePoolsTest, LimitsNodesEvenly) {
  const auto limited = [](const CpuTopology& topology, int threads) {
    std::vector<CorePool> pools = MakeCorePools(topology, std::nullopt);
    LimitPoolsEvenly(threads, &pools);
    return Print(pools);
  };
  EXPECT_THAT(limited(MachineTopology("server"), 5), ElementsAre("0/0/p:3+0", "1/1/p:2+0"));
  EXPECT_THAT(limited(MachineTopology("server"), 20), ElementsAre("0/0/p:8+2", "1/1/p:8+2"));
  EXPECT_THAT(limited(MachineTopology("server").RestrictedTo(CpuSet({0, 8, 9, 10, 11})), 4),
              ElementsAre("0/0/p:1+0", "1/1/p:3+0"));
  EXPECT_THAT(limited(MachineTopology("hybrid"), 6), ElementsAre("0/0/p:4+0", "0/0/e:2+0"));
  EXPECT_THAT(limited(MachineTopology("laptop"), 9), ElementsAre("0/0/p:4+0"));
}

}  // namespace
}  // namespace burin::executor
