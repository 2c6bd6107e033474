#include "runtime/executor/broker/core_broker.h"

#include <sys/wait.h>
#include <unistd.h>

#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/executor/broker/core_sharing.h"
#include "runtime/executor/cpu_set.h"
#include "runtime/executor/cpu_topology.h"
#include "runtime/executor/recorded_machine_testlib.h"
#include "testing/gtest/status_matchers.h"

namespace burin::executor {
namespace {

absl::StatusOr<CpuSet> All(const CoreOffer& offer) { return offer.cpus; }

absl::StatusOr<CoreLease> LeaseAll(CoreBroker* broker, const std::string& owner) {
  return broker->Lease(owner, MachineTopology("server no smt"), {}, All);
}

TEST(CoreBrokerTest, LeasesEndWithTheirObjects) {
  CoreBroker broker;
  EXPECT_TRUE(broker.holdings().empty());
  {
    ASSERT_OK_AND_ASSIGN(const CoreLease first, LeaseAll(&broker, "first"));
    EXPECT_EQ(first.cpus(), CpuSet::FirstCpus(16));
    EXPECT_EQ(first.reason(), "No other model has CPUs");
    ASSERT_OK_AND_ASSIGN(const CoreLease second, LeaseAll(&broker, "second"));
    EXPECT_EQ(second.cpus(), CpuSet::FirstCpus(8));
    EXPECT_EQ(second.reason(), "An even share, 8 of 16 cores, of which other models leave 0; shared with first");
    ASSERT_EQ(broker.holdings().size(), 2u);
    EXPECT_EQ(broker.holdings()[1].owner, "second");
    EXPECT_EQ(broker.holdings()[1].cpus, CpuSet::FirstCpus(8));
  }
  EXPECT_TRUE(broker.holdings().empty());
}

TEST(CoreBrokerTest, AMovedLeaseIsGivenBackOnce) {
  CoreBroker broker;
  std::optional<CoreLease> kept;
  {
    ASSERT_OK_AND_ASSIGN(CoreLease lease, LeaseAll(&broker, "first"));
    kept.emplace(std::move(lease));
  }
  EXPECT_EQ(broker.holdings().size(), 1u);
  EXPECT_EQ(kept->cpus().size(), 16);
  ASSERT_OK_AND_ASSIGN(CoreLease other, LeaseAll(&broker, "second"));
  *kept = std::move(other);
  ASSERT_EQ(broker.holdings().size(), 1u) << "what was assigned to is given back";
  EXPECT_EQ(broker.holdings()[0].owner, "second");
  kept.reset();
  EXPECT_TRUE(broker.holdings().empty());
}

TEST(CoreBrokerTest, AModelLeasesWhatItChooses) {
  CoreBroker broker;
  ASSERT_OK_AND_ASSIGN(const CoreLease one, broker.Lease("one", MachineTopology("server no smt"), {},
                                                         [](const CoreOffer&) -> absl::StatusOr<CpuSet> {
                                                           return CpuSet({3, 4});
                                                         }));
  EXPECT_EQ(one.cpus(), CpuSet({3, 4}));
  ASSERT_OK_AND_ASSIGN(const CoreLease rest, LeaseAll(&broker, "rest"));
  EXPECT_EQ(rest.cpus(), CpuSet::FirstCpus(16).Difference(CpuSet({3, 4})));
}

TEST(CoreBrokerTest, AFailedChoiceLeasesNothing) {
  CoreBroker broker;
  EXPECT_THAT(broker.Lease("one", MachineTopology("laptop"), {},
                           [](const CoreOffer&) -> absl::StatusOr<CpuSet> { return absl::DataLossError("no"); }),
              StatusIs(absl::StatusCode::kDataLoss));
  EXPECT_TRUE(broker.holdings().empty());
}

TEST(CoreBrokerTest, ALeaseMayOutliveItsBroker) {
  auto broker = std::make_unique<CoreBroker>();
  ASSERT_OK_AND_ASSIGN(CoreLease lease, LeaseAll(broker.get(), "one"));
  broker.reset();
  EXPECT_EQ(lease.cpus().size(), 16);
  lease = CoreLease();
  EXPECT_TRUE(lease.cpus().empty());
}

TEST(CoreBrokerTest, ManyThreadsLeaseAndGiveBack) {
  CoreBroker broker;
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] {
      for (int k = 0; k < 50; ++k) {
        const absl::StatusOr<CoreLease> lease = broker.Lease("m", CpuTopology::Flat(CpuSet::FirstCpus(6)), {}, All);
        EXPECT_OK(lease.status());
        EXPECT_FALSE(lease->cpus().empty());
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_TRUE(broker.holdings().empty());
}

TEST(CoreBrokerTest, AForkedChildHasABrokerOfItsOwn) {
  CoreBroker& broker = CoreBroker::OfProcess();
  EXPECT_EQ(&CoreBroker::OfProcess(), &broker);
  std::optional<CoreLease> lease;
  ASSERT_OK_AND_ASSIGN(CoreLease first, LeaseAll(&broker, "parent's"));
  lease.emplace(std::move(first));
  const pid_t child = fork();
  if (child == 0) {
    alarm(60);
    bool ok = CoreBroker::OfProcess().holdings().empty();
    ok &= LeaseAll(&CoreBroker::OfProcess(), "child's")->cpus().size() == 16;
    lease.reset();
    _exit(ok ? 7 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 7);
  EXPECT_EQ(broker.holdings().size(), 1u);
  lease.reset();
  EXPECT_TRUE(broker.holdings().empty());
}

}  // namespace
}  // namespace burin::executor
