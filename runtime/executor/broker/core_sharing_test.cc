#include "runtime/executor/broker/core_sharing.h"

#include <algorithm>
#include <cstdint>
#include <iostream>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/executor/cpu_set.h"
#include "runtime/executor/cpu_topology.h"
#include "runtime/executor/recorded_machine_testlib.h"
#include "testing/gtest/status_matchers.h"

namespace burin::executor {
namespace {

using ::testing::HasSubstr;

CoreDemand Threads(int threads) {
  CoreDemand demand;
  demand.threads = threads;
  return demand;
}

CoreDemand Reserve(int threads) {
  CoreDemand demand = Threads(threads);
  demand.reserve = true;
  return demand;
}

// Returns what is offered: "0-3: reason".
std::string Offer(const CpuTopology& machine, const std::vector<CoreHolding>& holdings, const CoreDemand& demand = {}) {
  const absl::StatusOr<CoreOffer> offer = OfferCores(machine, holdings, demand);
  EXPECT_OK(offer.status());
  return offer.ok() ? offer->cpus.ToString() + ": " + offer->reason : "";
}

CoreHolding Has(const std::string& owner, const std::string& cpus, bool reserved = false) {
  return {owner, *CpuSet::ParseList(cpus), reserved};
}

TEST(CoreSharingTest, TheFirstModelIsOfferedAll) {
  EXPECT_EQ(Offer(MachineTopology("server"), {}), "0-31: No other model has CPUs");
  EXPECT_EQ(Offer(MachineTopology("server"), {}, Threads(3)), "0-31: No other model has CPUs");
  EXPECT_EQ(Offer(MachineTopology("laptop"), {Has("on other CPUs", "8-11")}), "0-3: No other model has CPUs");
}

TEST(CoreSharingTest, ALaterOneIsOfferedWhatIsLeft) {
  EXPECT_EQ(Offer(MachineTopology("server no smt"), {Has("a", "0-7")}), "8-15: Other models leave 8 of 16 cores");
  EXPECT_EQ(Offer(MachineTopology("laptop"), {Has("a", "0"), Has("b", "3")}), "1-2: Other models leave 2 of 4 cores");
  // The thread of a core that a model leaves does not count.
  EXPECT_EQ(Offer(MachineTopology("desktop"), {Has("a", "0-1")}), "2-3,6-7: Other models leave 2 of 4 cores");
  // A user who asks for no more than is left has it to oneself.
  EXPECT_EQ(Offer(MachineTopology("laptop"), {Has("a", "0-2")}, Threads(1)), "3: Other models leave 1 of 4 cores");
}

TEST(CoreSharingTest, OrAnEvenShare) {
  const CpuTopology machine = MachineTopology("server no smt");
  EXPECT_EQ(Offer(machine, {Has("a", "0-15")}),
            "0-7: An even share, 8 of 16 cores, of which other models leave 0; shared with a");
  EXPECT_EQ(Offer(machine, {Has("a", "0-15"), Has("b", "0-7")}),
            "8-12: An even share, 5 of 16 cores, of which other models leave 0; shared with a");
  EXPECT_EQ(Offer(MachineTopology("laptop"), {Has("a", "0-2")}),
            "0,3: An even share, 2 of 4 cores, of which other models leave 1; shared with a");
  EXPECT_TRUE(OfferCores(machine, {Has("a", "0-15")}, {})->shared);
  EXPECT_FALSE(OfferCores(machine, {Has("a", "0-7")}, {})->shared);
  // Everybody has a core, however many there are.
  std::vector<CoreHolding> many(9, Has("x", "0-3"));
  EXPECT_THAT(Offer(MachineTopology("laptop"), many), HasSubstr("0: An even share, 1 of 4 cores"));
}

TEST(CoreSharingTest, WhoAsksForThreadsHasThem) {
  const CpuTopology machine = MachineTopology("laptop");
  EXPECT_EQ(Offer(machine, {Has("a", "0-3")}, Threads(4)),
            "0-3: As many as are asked for, 4 of 4 cores, of which other models leave 0; shared with a");
  EXPECT_EQ(Offer(machine, {Has("a", "0-2")}, Threads(2)),
            "0,3: As many as are asked for, 2 of 4 cores, of which other models leave 1; shared with a");
  EXPECT_EQ(Offer(machine, {Has("a", "0-2")}, Threads(400)),
            "0-3: As many as are asked for, 4 of 4 cores, of which other models leave 1; shared with a");
}

TEST(CoreSharingTest, AShareIsInOnePackageWhereItFits) {
  EXPECT_EQ(Offer(MachineTopology("server no smt"), {Has("a", "0-15"), Has("b", "0-4"), Has("c", "8-9")}, Threads(4)),
            "10-13: As many as are asked for, 4 of 16 cores, of which other models leave 0; shared with a");
  EXPECT_THAT(Offer(MachineTopology("server no smt"), {Has("a", "0-15")}, Threads(12)), HasSubstr("0-11: "));
}

TEST(CoreSharingTest, ReservedCoresAreNobodyElses) {
  const CpuTopology machine = MachineTopology("desktop");
  EXPECT_EQ(Offer(machine, {Has("a", "0", true)}),
            "1-3,5-7: Other models leave 3 of 4 cores; the others are reserved by a");
  EXPECT_EQ(Offer(machine, {Has("a", "0", true), Has("b", "1-3,5-7")}),
            "1,5: An even share, 1 of 4 cores, of which other models leave 0; shared with b; the others are reserved "
            "by a");
  EXPECT_THAT(OfferCores(machine, {Has("a", "0-1", true), Has("b", "6-7", true)}, Threads(1)),
              StatusIs(absl::StatusCode::kResourceExhausted, HasSubstr("reserved by other models: a, b")));
}

TEST(CoreSharingTest, OnlyVacantCoresCanBeReserved) {
  const CpuTopology machine = MachineTopology("laptop");
  EXPECT_EQ(Offer(machine, {Has("a", "0-1")}, Reserve(2)), "2-3: No other model has 2 of 4 cores");
  EXPECT_EQ(Offer(machine, {}, Reserve(9)), "0-3: No other model has 4 of 4 cores");
  EXPECT_THAT(OfferCores(machine, {Has("a", "0-1")}, Reserve(3)),
              StatusIs(absl::StatusCode::kResourceExhausted, HasSubstr("threads 3, CPUs left 2; models with CPUs: a")));
  CoreDemand any;
  any.reserve = true;
  EXPECT_THAT(OfferCores(machine, {Has("a", "0-3")}, any), StatusIs(absl::StatusCode::kResourceExhausted));
}

TEST(CoreSharingTest, AKindOfCoresIsCountedAlone) {
  const CpuTopology machine = MachineTopology("hybrid");
  CoreDemand performance;
  performance.kind = CoreKind::kPerformance;
  EXPECT_EQ(Offer(machine, {Has("a", "8-15")}, performance), "0-7: No other model has CPUs");
  EXPECT_THAT(Offer(machine, {Has("a", "0-7")}, performance), HasSubstr("0-3: An even share, 2 of 4 cores"));
  EXPECT_EQ(Offer(machine, {Has("a", "0-7")}), "8-15: Other models leave 8 of 12 cores");
  performance.kind = CoreKind::kLowPower;
  EXPECT_EQ(Offer(machine, {}, performance), "0-15: No other model has CPUs") << "there is none of this kind";
}

// Models come and go at random: each is offered something, nothing that is reserved, and is told whether it shares.
TEST(CoreSharingTest, InvariantsUnderRandomModels) {
  const uint64_t seed = std::random_device()();
  std::cout << "seed " << seed << std::endl;
  std::mt19937_64 random(seed);
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<uint64_t>(n)); };
  for (const RecordedMachine& recorded : RecordedMachines()) {
    const CpuTopology machine = MachineTopology(recorded.name);
    std::vector<CoreHolding> holdings;
    for (int step = 0; step < 300; ++step) {
      if (!holdings.empty() && below(2) == 0) {
        holdings.erase(holdings.begin() + below(static_cast<int>(holdings.size())));
        continue;
      }
      CoreDemand demand;
      if (below(3) == 0) demand.threads = 1 + below(machine.core_count());
      demand.reserve = below(6) == 0;
      const absl::StatusOr<CoreOffer> offer = OfferCores(machine, holdings, demand);
      bool all_reserved = true;
      for (const LogicalCpu& cpu : machine.cpus()) {
        bool reserved = false;
        for (const CoreHolding& holding : holdings) reserved |= holding.reserved && holding.cpus.Contains(cpu.id);
        all_reserved &= reserved;
        EXPECT_FALSE(reserved && offer.ok() && offer->cpus.Contains(cpu.id)) << cpu.id;
      }
      EXPECT_TRUE(offer.ok() || demand.reserve || all_reserved) << recorded.name;
      if (!offer.ok()) continue;
      ASSERT_FALSE(offer->cpus.empty());
      EXPECT_TRUE(offer->cpus.IsSubsetOf(machine.ids()));
      bool shared = false;
      for (const CoreHolding& holding : holdings) shared |= !holding.cpus.Intersection(offer->cpus).empty();
      EXPECT_EQ(offer->shared, shared) << recorded.name << " " << offer->reason;
      EXPECT_FALSE(demand.reserve && shared);
      holdings.push_back({"m", offer->cpus, demand.reserve});
    }
  }
}

}  // namespace
}  // namespace burin::executor
