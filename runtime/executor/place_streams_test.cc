#include "runtime/executor/place_streams.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/enum_names.h"
#include "runtime/executor/core_pools.h"
#include "runtime/executor/cpu_set.h"
#include "runtime/executor/cpu_topology.h"
#include "runtime/executor/recorded_machine_testlib.h"

namespace burin::executor {
namespace {

using ::testing::ElementsAre;

std::vector<CorePool> PoolsOf(const std::string& machine) {
  return MakeCorePools(MachineTopology(machine), std::nullopt);
}

std::string Number(std::optional<int> number) { return number.has_value() ? absl::StrCat(*number) : "*"; }

// Prints rows as "streams x threads @ package/node/first letter of the kind", a star for several.
std::vector<std::string> Print(const std::vector<StreamsRow>& rows) {
  std::vector<std::string> printed;
  for (const StreamsRow& row : rows) {
    const std::string kind(row.kind.has_value() ? EnumName(*row.kind).substr(0, 1) : "*");
    printed.push_back(absl::StrCat(row.streams, "x", row.threads_per_stream, "@", Number(row.package), "/",
                                   Number(row.node), "/", kind));
  }
  return printed;
}

TEST(PlaceStreamsTest, SharesPackagesThenNodesThenKinds) {
  EXPECT_THAT(Print(PlaceStreams(PoolsOf("sub-numa"), 4, false)),
              ElementsAre("1x4@0/0/p", "1x4@0/1/p", "1x4@1/2/p", "1x4@1/3/p"));
  EXPECT_THAT(Print(PlaceStreams(PoolsOf("sub-numa"), 5, false)),
              ElementsAre("2x2@0/0/p", "1x4@0/1/p", "1x4@1/2/p", "1x4@1/3/p"));
  EXPECT_THAT(Print(PlaceStreams(PoolsOf("hybrid"), 3, false)), ElementsAre("2x4@0/0/p", "1x8@0/0/e"));
}

TEST(PlaceStreamsTest, SpansNodesAndKindsWhereThereAreFewStreams) {
  EXPECT_THAT(Print(PlaceStreams(PoolsOf("sub-numa"), 2, false)), ElementsAre("1x8@0/*/p", "1x8@1/*/p"));
  EXPECT_THAT(Print(PlaceStreams(PoolsOf("hybrid"), 1, false)), ElementsAre("1x16@0/0/*"));
}

TEST(PlaceStreamsTest, KeepsAStreamInThePackageUnlessItMaySpan) {
  EXPECT_THAT(Print(PlaceStreams(PoolsOf("server no smt"), 1, false)), ElementsAre("1x8@0/0/p"));
  EXPECT_THAT(Print(PlaceStreams(PoolsOf("server no smt"), 1, true)), ElementsAre("1x16@*/*/p"));
  const CpuTopology uneven = MachineTopology("server no smt").RestrictedTo(CpuSet({0, 8, 9}));
  EXPECT_THAT(Print(PlaceStreams(MakeCorePools(uneven, std::nullopt), 1, false)), ElementsAre("1x2@1/1/p"));
}

TEST(PlaceStreamsTest, SpreadsWhatIsLeftOver) {
  EXPECT_THAT(Print(PlaceStreams(PoolsOf("laptop"), 3, false)), ElementsAre("1x2@0/0/p", "2x1@0/0/p"));
  // The threads of a core stay together, unless there are more streams than cores.
  EXPECT_THAT(Print(PlaceStreams(PoolsOf("desktop"), 3, false)), ElementsAre("1x4@0/0/p", "2x2@0/0/p"));
  EXPECT_THAT(Print(PlaceStreams(PoolsOf("desktop"), 5, false)), ElementsAre("3x2@0/0/p", "2x1@0/0/p"));
  EXPECT_THAT(Print(PlaceStreams(PoolsOf("laptop"), 9, false)), ElementsAre("9x1@0/0/p"));
  EXPECT_TRUE(PlaceStreams(PoolsOf("desktop"), 2, false)[0].siblings);
  EXPECT_FALSE(PlaceStreams(PoolsOf("laptop"), 2, false)[0].siblings);
}

TEST(PlaceStreamsTest, PlacesOneOnEachNode) {
  EXPECT_THAT(Print(PlaceStreamPerNode(PoolsOf("sub-numa"))),
              ElementsAre("1x4@0/0/p", "1x4@0/1/p", "1x4@1/2/p", "1x4@1/3/p"));
  EXPECT_THAT(Print(PlaceStreamPerNode(PoolsOf("hybrid"))), ElementsAre("1x16@0/0/*"));
}

TEST(PlaceStreamsTest, PlacesStreamsOfASize) {
  EXPECT_THAT(Print(PlaceStreamsOfSize(PoolsOf("hybrid"), {1, 3})), ElementsAre("4x2@0/0/p", "2x4@0/0/e"));
  EXPECT_THAT(Print(PlaceStreamsOfSize(PoolsOf("laptop"), {9})), ElementsAre("1x4@0/0/p"));
}

// Whatever part of a machine there is, streams and CPUs add up.
TEST(PlaceStreamsTest, AddsUpOnRandomPools) {
  const unsigned seed = std::random_device()();
  SCOPED_TRACE(absl::StrCat("seed ", seed));
  std::mt19937 random(seed);
  const std::vector<RecordedMachine> machines = RecordedMachines();
  for (int round = 0; round < 300; ++round) {
    const CpuTopology topology = MachineTopology(machines[random() % machines.size()].name);
    std::vector<int> allowed;
    for (const LogicalCpu& cpu : topology.cpus()) {
      if (random() % 2 == 0) allowed.push_back(cpu.id);
    }
    const std::vector<CorePool> pools = MakeCorePools(topology.RestrictedTo(CpuSet(allowed)), std::nullopt);
    const int streams = 1 + static_cast<int>(random() % 40);
    const std::vector<StreamsRow> rows = PlaceStreams(pools, streams, true);
    EXPECT_EQ(StreamCount(rows), streams);
    // No place has more streams than CPUs unless all have.
    EXPECT_EQ(ThreadCount(rows), std::max(streams, CpuCount(pools)));
    for (const StreamsRow& row : rows) {
      EXPECT_GT(row.streams, 0);
      EXPECT_GT(row.threads_per_stream, 0);
    }
  }
}

}  // namespace
}  // namespace burin::executor
