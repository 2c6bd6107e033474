#include "runtime/executor/broker/lease_streams.h"

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/executor/broker/core_broker.h"
#include "runtime/executor/cpu_allowance.h"
#include "runtime/executor/cpu_set.h"
#include "runtime/executor/cpu_topology.h"
#include "runtime/executor/recorded_machine_testlib.h"
#include "runtime/executor/stream_cpus.h"
#include "runtime/executor/streams_table.h"
#include "testing/gtest/status_matchers.h"

namespace burin::executor {
namespace {

using ::testing::HasSubstr;

// Models of one process on a recorded machine.
class LeaseStreamsTest : public ::testing::Test {
 protected:
  LeasedStreams Lease(const std::string& machine, const StreamsRequest& request, bool exclusive = false) {
    absl::StatusOr<LeasedStreams> leased = TryLease(machine, request, exclusive);
    EXPECT_OK(leased.status());
    return leased.ok() ? *std::move(leased) : LeasedStreams();
  }

  absl::StatusOr<LeasedStreams> TryLease(const std::string& machine, const StreamsRequest& request,
                                         bool exclusive = false) {
    const CpuTopology topology = MachineTopology(machine);
    CpuAllowance allowance;
    allowance.cpus = topology.ids();
    allowance.exclusive = exclusive;
    return LeaseStreams(&broker_, "model " + std::to_string(++models_), topology, allowance, request);
  }

  CoreBroker broker_;

 private:
  int models_ = 0;
};

StreamsRequest Throughput(int threads = 0) {
  StreamsRequest request;
  request.hint = PerformanceHint::kThroughput;
  if (threads > 0) request.inference_num_threads = threads;
  return request;
}

std::string Decision(const LeasedStreams& leased, const std::string& property) {
  for (const StreamsDecision& decision : leased.table.decisions) {
    if (decision.property == property) return decision.value + ": " + decision.reason;
  }
  return "";
}

TEST_F(LeaseStreamsTest, TwoModelsForLatencyHaveASocketEach) {
  const LeasedStreams first = Lease("server no smt", StreamsRequest());
  const LeasedStreams second = Lease("server no smt", StreamsRequest());
  ASSERT_EQ(first.streams.size(), 1u);
  ASSERT_EQ(second.streams.size(), 1u);
  EXPECT_EQ(first.streams[0].ToString(), "8 threads on CPUs 0-7, node 0, package 0");
  EXPECT_EQ(second.streams[0].ToString(), "8 threads on CPUs 8-15, node 1, package 1");
  EXPECT_EQ(Decision(first, "CPUs"), "0-15: No other model has CPUs");
  EXPECT_EQ(Decision(second, "CPUs"), "8-15: Other models leave 8 of 16 cores");
  EXPECT_EQ(second.lease.reason(), "Other models leave 8 of 16 cores");
  // The third one shares.
  const LeasedStreams third = Lease("server no smt", StreamsRequest());
  EXPECT_EQ(third.streams[0].ToString(), "5 threads on CPUs 0-4, node 0, package 0");
  EXPECT_THAT(third.lease.reason(), HasSubstr("An even share, 5 of 16 cores"));
}

TEST_F(LeaseStreamsTest, WhatIsGivenBackIsThereForTheNext) {
  for (int i = 0; i < 3; ++i) {
    const LeasedStreams leased = Lease("laptop", Throughput());
    EXPECT_EQ(leased.lease.cpus(), CpuSet::FirstCpus(4));
    EXPECT_EQ(leased.streams.size(), 4u);
  }
}

TEST_F(LeaseStreamsTest, AskedThreadsAreHadOrShared) {
  const LeasedStreams first = Lease("laptop", Throughput(3));
  const LeasedStreams second = Lease("laptop", Throughput(3));
  EXPECT_EQ(first.lease.cpus(), CpuSet::FirstCpus(3));
  EXPECT_EQ(second.lease.cpus(), CpuSet({0, 1, 3}));
  EXPECT_EQ(Decision(second, "INFERENCE_NUM_THREADS"), "3: Asked for");
  StreamsRequest streams = Throughput();
  streams.streams_mode = StreamsMode::kNumber;
  streams.streams = 4;
  EXPECT_EQ(Lease("laptop", streams).lease.cpus(), CpuSet::FirstCpus(4));
}

TEST_F(LeaseStreamsTest, WhoSharesIsNotPinned) {
  const LeasedStreams first = Lease("laptop", Throughput(), true);
  EXPECT_TRUE(first.table.cpu_pinning);
  const LeasedStreams second = Lease("laptop", Throughput(), true);
  EXPECT_FALSE(second.table.cpu_pinning);
  EXPECT_EQ(Decision(second, "ENABLE_CPU_PINNING"), "NO: Other models of the process have these CPUs too");
  StreamsRequest pinned = Throughput();
  pinned.cpu_pinning = true;
  EXPECT_TRUE(Lease("laptop", pinned, true).table.cpu_pinning);
}

TEST_F(LeaseStreamsTest, ReservationsAreKept) {
  StreamsRequest reserve = Throughput(3);
  reserve.cpu_reservation = true;
  const LeasedStreams first = Lease("laptop", reserve);
  EXPECT_EQ(first.lease.cpus(), CpuSet::FirstCpus(3));
  EXPECT_TRUE(first.table.cpu_pinning);
  const LeasedStreams second = Lease("laptop", StreamsRequest());
  EXPECT_EQ(second.lease.cpus(), CpuSet({3}));
  EXPECT_THAT(TryLease("laptop", reserve),
              StatusIs(absl::StatusCode::kResourceExhausted, HasSubstr("models with CPUs: model 1, model 2")));
  EXPECT_EQ(broker_.holdings().size(), 2u);
}

TEST_F(LeaseStreamsTest, KindsOfCores) {
  const LeasedStreams efficiency = Lease("hybrid", [] {
    StreamsRequest request;
    request.core_choice = CoreChoice::kEfficiencyOnly;
    return request;
  }());
  EXPECT_EQ(efficiency.lease.cpus(), *CpuSet::ParseList("8-15"));
  StreamsRequest performance;
  performance.core_choice = CoreChoice::kPerformanceOnly;
  EXPECT_EQ(Lease("hybrid", performance).lease.cpus(), CpuSet({0, 2, 4, 6}));
  EXPECT_THAT(TryLease("laptop",
                       [] {
                         StreamsRequest request;
                         request.core_choice = CoreChoice::kEfficiencyOnly;
                         return request;
                       }()),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("no core of this kind")));
}

TEST_F(LeaseStreamsTest, BadRequestsLeaseNothing) {
  StreamsRequest bad;
  bad.inference_num_threads = 0;
  EXPECT_THAT(TryLease("laptop", bad), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_TRUE(broker_.holdings().empty());
}

}  // namespace
}  // namespace burin::executor
