#include "runtime/executor/stream_cpus.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/executor/cpu_allowance.h"
#include "runtime/executor/cpu_set.h"
#include "runtime/executor/cpu_topology.h"
#include "runtime/executor/place_streams.h"
#include "runtime/executor/recorded_machine_testlib.h"
#include "runtime/executor/streams_table.h"
#include "testing/gtest/status_matchers.h"

namespace burin::executor {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

StreamsRow Row(int streams, int threads, bool siblings = false) {
  StreamsRow row;
  row.streams = streams;
  row.threads_per_stream = threads;
  row.siblings = siblings;
  return row;
}

// Returns the CPUs of each stream of `request` on a recorded machine: "0-1 2-3".
std::string Cpus(const CpuTopology& machine, const StreamsRequest& request) {
  CpuAllowance allowance;
  allowance.cpus = machine.ids();
  const StreamsTable table = CalculateStreams(machine, allowance, request).value();
  const std::vector<CpuStream> streams = AssignCpus(table.rows, machine).value();
  std::string text;
  for (const CpuStream& stream : streams) {
    absl::StrAppend(&text, text.empty() ? "" : " ", CpuSet(stream.cpus).ToString());
  }
  return text;
}

StreamsRequest Throughput(int streams = 0, int threads = 0) {
  StreamsRequest request;
  request.hint = PerformanceHint::kThroughput;
  if (streams > 0) {
    request.streams_mode = StreamsMode::kNumber;
    request.streams = streams;
  }
  if (threads > 0) request.inference_num_threads = threads;
  return request;
}

TEST(StreamCpusTest, StreamsOfOneMachineLieSideBySide) {
  EXPECT_EQ(Cpus(MachineTopology("laptop"), StreamsRequest()), "0-3");
  EXPECT_EQ(Cpus(MachineTopology("laptop"), Throughput()), "0 1 2 3");
  EXPECT_EQ(Cpus(MachineTopology("laptop"), Throughput(2)), "0-1 2-3");
  EXPECT_EQ(Cpus(MachineTopology("holes"), Throughput(2)), "0,2 5,9");
}

TEST(StreamCpusTest, SiblingsStayInOneStream) {
  EXPECT_EQ(Cpus(MachineTopology("desktop"), StreamsRequest()), "0-3");
  EXPECT_EQ(Cpus(MachineTopology("desktop"), Throughput()), "0,4 1,5 2,6 3,7");
  EXPECT_EQ(Cpus(MachineTopology("desktop"), Throughput(2)), "0-1,4-5 2-3,6-7");
  // Six threads on four cores: two streams of a core with both threads, two of one thread.
  EXPECT_EQ(Cpus(MachineTopology("desktop"), Throughput(4, 6)), "0,4 1,5 2 3");
  StreamsRequest latency;
  latency.inference_num_threads = 6;
  EXPECT_EQ(Cpus(MachineTopology("desktop"), latency), "0-5");
}

TEST(StreamCpusTest, StreamsOfTwoSocketsLieOnTheirs) {
  EXPECT_EQ(Cpus(MachineTopology("server"), Throughput(2)), "0-7 8-15");
  EXPECT_EQ(Cpus(MachineTopology("server no smt"), Throughput(4)), "0-3 4-7 8-11 12-15");
  const CpuTopology machine = MachineTopology("sub-numa");
  StreamsRequest per_node = Throughput();
  per_node.streams_mode = StreamsMode::kNuma;
  EXPECT_EQ(Cpus(machine, per_node), "0-3 4-7 8-11 12-15");
}

TEST(StreamCpusTest, BetterKindsOfCoresComeFirst) {
  EXPECT_EQ(Cpus(MachineTopology("hybrid"), StreamsRequest()), "0,2,4,6,8-15");
  StreamsRequest five;
  five.inference_num_threads = 5;
  EXPECT_EQ(Cpus(MachineTopology("hybrid"), five), "0,2,4,6,8");
}

TEST(StreamCpusTest, APlaceIsWhatAllCpusHaveInCommon) {
  const CpuTopology machine = MachineTopology("server no smt");
  const std::vector<CpuStream> streams = AssignCpus({Row(1, 4), Row(1, 8)}, machine).value();
  ASSERT_EQ(streams.size(), 2u);
  EXPECT_EQ(streams[0].package, 0);
  EXPECT_EQ(streams[0].node, 0);
  EXPECT_EQ(streams[0].kind, CoreKind::kPerformance);
  EXPECT_THAT(streams[1].cpus, ElementsAre(4, 5, 6, 7, 8, 9, 10, 11));
  EXPECT_EQ(streams[1].package, std::nullopt);
  EXPECT_EQ(streams[1].node, std::nullopt);
  EXPECT_EQ(streams[0].ToString(), "4 threads on CPUs 0-3, node 0, package 0");
  EXPECT_EQ(streams[1].ToString(), "8 threads on CPUs 4-11");
  EXPECT_EQ(CpusOf(streams), CpuSet::FirstCpus(12));
}

TEST(StreamCpusTest, MoreThreadsThanCpusTakeThemAgain) {
  const CpuTopology machine = MachineTopology("bare");
  EXPECT_EQ(Cpus(machine, Throughput(5)), "0 1 0 1 0");
  EXPECT_THAT(AssignCpus({Row(1, 5)}, machine).value()[0].cpus, ElementsAre(0, 1, 0, 1, 0));
}

TEST(StreamCpusTest, APlaceWithoutCpusIsRefused) {
  StreamsRow row = Row(1, 1);
  row.node = 7;
  row.kind = CoreKind::kEfficiency;
  EXPECT_THAT(AssignCpus({row}, MachineTopology("bare")),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("kind efficiency node 7; the model may use")));
}

// What holds for any table: a stream has as many CPUs as threads, in its place, and no CPU is given twice.
TEST(StreamCpusTest, EveryTableOfEveryMachineFits) {
  for (const RecordedMachine& recorded : RecordedMachines()) {
    const CpuTopology machine = MachineTopology(recorded.name);
    CpuAllowance allowance;
    allowance.cpus = machine.ids();
    const int most = recorded.name == "hybrid lp" ? 16 : machine.ids().size();  // Low power cores are left out.
    for (int threads = 1; threads <= most; ++threads) {
      for (int streams = 1; streams <= threads; ++streams) {
        SCOPED_TRACE(absl::StrCat(recorded.name, ", threads ", threads, ", streams ", streams));
        const StreamsTable table = CalculateStreams(machine, allowance, Throughput(streams, threads)).value();
        ASSERT_OK_AND_ASSIGN(const std::vector<CpuStream> assigned, AssignCpus(table.rows, machine));
        ASSERT_EQ(static_cast<int>(assigned.size()), streams);
        std::set<int> taken;
        std::map<int, std::set<const CpuStream*>> streams_of_core;
        for (const CpuStream& stream : assigned) {
          EXPECT_EQ(static_cast<int>(stream.cpus.size()), stream.threads);
          for (int cpu : stream.cpus) {
            EXPECT_TRUE(taken.insert(cpu).second) << cpu;
            streams_of_core[machine.Find(cpu)->core].insert(&stream);
          }
        }
        EXPECT_EQ(static_cast<int>(taken.size()), ThreadCount(table.rows));
        if (streams > machine.core_count()) continue;
        for (const auto& entry : streams_of_core) EXPECT_LE(entry.second.size(), 2u) << entry.first;
      }
    }
  }
}

}  // namespace
}  // namespace burin::executor
