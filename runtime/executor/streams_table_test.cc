#include "runtime/executor/streams_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "runtime/executor/cpu_allowance.h"
#include "runtime/executor/cpu_set.h"
#include "runtime/executor/cpu_topology.h"
#include "runtime/executor/place_streams.h"
#include "runtime/executor/recorded_machine_testlib.h"
#include "testing/gtest/status_matchers.h"

namespace burin::executor {
namespace {

using ::testing::HasSubstr;

// A process that may use all of `topology`.
CpuAllowance AllOf(const CpuTopology& topology) {
  CpuAllowance allowance;
  allowance.cpus = topology.ids();
  return allowance;
}

StreamsRequest Latency() { return StreamsRequest(); }

StreamsRequest Throughput(double memory_bound_share = 0) {
  StreamsRequest request;
  request.hint = PerformanceHint::kThroughput;
  request.memory_bound_share = memory_bound_share;
  return request;
}

StreamsRequest Streams(int streams) {
  StreamsRequest request = Throughput();
  request.streams_mode = StreamsMode::kNumber;
  request.streams = streams;
  return request;
}

StreamsRequest StreamPerNode() {
  StreamsRequest request = Throughput();
  request.streams_mode = StreamsMode::kNuma;
  return request;
}

StreamsTable Calculate(const CpuTopology& topology, const StreamsRequest& request) {
  absl::StatusOr<StreamsTable> table = CalculateStreams(topology, AllOf(topology), request);
  EXPECT_OK(table.status());
  return table.ok() ? *table : StreamsTable();
}

std::string Rows(const std::string& machine, const StreamsRequest& request) {
  return Calculate(MachineTopology(machine), request).RowsToString();
}

// Returns "VALUE: REASON" of a decision.
std::string Decision(const StreamsTable& table, const std::string& property) {
  for (const StreamsDecision& decision : table.decisions) {
    if (decision.property == property) return absl::StrCat(decision.value, ": ", decision.reason);
  }
  return "";
}

struct Golden {
  const char* machine;
  const char* latency;
  const char* throughput;
  const char* memory_bound;
  const char* per_node;
};

const Golden kGoldens[] = {
    {"laptop", "1 x 4 threads, performance, node 0, package 0\n", "4 x 1 thread, performance, node 0, package 0\n",
     "2 x 2 threads, performance, node 0, package 0\n", "1 x 4 threads, performance, node 0, package 0\n"},
    {"desktop", "1 x 4 threads, performance, node 0, package 0\n",
     "4 x 2 threads, performance with siblings, node 0, package 0\n",
     "2 x 4 threads, performance with siblings, node 0, package 0\n",
     "1 x 8 threads, performance with siblings, node 0, package 0\n"},
    {"server", "1 x 8 threads, performance, node 0, package 0\n",
     "8 x 1 thread, performance, node 0, package 0\n"
     "8 x 1 thread, performance, node 1, package 1\n",
     "2 x 4 threads, performance, node 0, package 0\n"
     "2 x 4 threads, performance, node 1, package 1\n",
     "1 x 8 threads, performance, node 0, package 0\n"
     "1 x 8 threads, performance, node 1, package 1\n"},
    {"server no smt", "1 x 8 threads, performance, node 0, package 0\n",
     "8 x 1 thread, performance, node 0, package 0\n"
     "8 x 1 thread, performance, node 1, package 1\n",
     "2 x 4 threads, performance, node 0, package 0\n"
     "2 x 4 threads, performance, node 1, package 1\n",
     "1 x 8 threads, performance, node 0, package 0\n"
     "1 x 8 threads, performance, node 1, package 1\n"},
    {"sub-numa", "1 x 8 threads, performance, several nodes, package 0\n",
     "4 x 1 thread, performance, node 0, package 0\n"
     "4 x 1 thread, performance, node 1, package 0\n"
     "4 x 1 thread, performance, node 2, package 1\n"
     "4 x 1 thread, performance, node 3, package 1\n",
     "2 x 2 threads, performance, node 0, package 0\n"
     "2 x 2 threads, performance, node 1, package 0\n"
     "2 x 2 threads, performance, node 2, package 1\n"
     "2 x 2 threads, performance, node 3, package 1\n",
     "1 x 4 threads, performance, node 0, package 0\n"
     "1 x 4 threads, performance, node 1, package 0\n"
     "1 x 4 threads, performance, node 2, package 1\n"
     "1 x 4 threads, performance, node 3, package 1\n"},
    {"hybrid", "1 x 12 threads, several kinds, node 0, package 0\n",
     "4 x 2 threads, performance with siblings, node 0, package 0\n"
     "4 x 2 threads, efficiency, node 0, package 0\n",
     "2 x 4 threads, performance with siblings, node 0, package 0\n"
     "2 x 4 threads, efficiency, node 0, package 0\n",
     "1 x 16 threads, several kinds with siblings, node 0, package 0\n"},
    {"hybrid lp", "1 x 12 threads, several kinds, node 0, package 0\n",
     "4 x 2 threads, performance with siblings, node 0, package 0\n"
     "4 x 2 threads, efficiency, node 0, package 0\n",
     "2 x 4 threads, performance with siblings, node 0, package 0\n"
     "2 x 4 threads, efficiency, node 0, package 0\n",
     "1 x 16 threads, several kinds with siblings, node 0, package 0\n"},
    {"holes", "1 x 4 threads, performance, node 0, package 0\n", "4 x 1 thread, performance, node 0, package 0\n",
     "2 x 2 threads, performance, node 0, package 0\n", "1 x 4 threads, performance, node 0, package 0\n"},
    {"offline", "1 x 3 threads, performance, node 0, package 0\n",
     "2 x 2 threads, performance with siblings, node 0, package 0\n"
     "1 x 1 thread, performance with siblings, node 0, package 0\n",
     "2 x 2 threads, performance with siblings, node 0, package 0\n"
     "1 x 1 thread, performance with siblings, node 0, package 0\n",
     "1 x 5 threads, performance with siblings, node 0, package 0\n"},
    {"bare", "1 x 2 threads, performance, node 0, package 0\n", "2 x 1 thread, performance, node 0, package 0\n",
     "2 x 1 thread, performance, node 0, package 0\n", "1 x 2 threads, performance, node 0, package 0\n"},
};

TEST(StreamsTableTest, MatchesTheGoldenTables) {
  ASSERT_EQ(sizeof(kGoldens) / sizeof(kGoldens[0]), RecordedMachines().size());
  for (const Golden& golden : kGoldens) {
    SCOPED_TRACE(golden.machine);
    EXPECT_EQ(Rows(golden.machine, Latency()), golden.latency);
    EXPECT_EQ(Rows(golden.machine, Throughput()), golden.throughput);
    EXPECT_EQ(Rows(golden.machine, Throughput(0.9)), golden.memory_bound);
    EXPECT_EQ(Rows(golden.machine, StreamPerNode()), golden.per_node);
    StreamsRequest cumulative = Throughput();
    cumulative.hint = PerformanceHint::kCumulativeThroughput;
    EXPECT_EQ(Rows(golden.machine, cumulative), golden.throughput);
  }
}

TEST(StreamsTableTest, SaysWhatTookEffectAndWhy) {
  EXPECT_EQ(Calculate(MachineTopology("desktop"), Throughput()).ToString(),
            "4 x 2 threads, performance with siblings, node 0, package 0\n"
            "CPUs 0-7: \n"
            "SCHEDULING_CORE_TYPE performance: All cores are of one kind\n"
            "ENABLE_HYPER_THREADING YES: For throughput the threads of a core fill each other's pauses\n"
            "INFERENCE_NUM_THREADS 8: As many as CPUs are chosen\n"
            "NUM_STREAMS 4: The model computes: streams of a core are served best\n"
            "ENABLE_CPU_RESERVATION NO: Not asked for\n"
            "ENABLE_CPU_PINNING NO: Other processes may run on these CPUs\n");
}

TEST(StreamsTableTest, StaysWithinTheAllowedCpus) {
  const CpuTopology server = MachineTopology("server");
  CpuAllowance allowance;
  allowance.cpus = CpuSet({3, 19, 8, 9});
  ASSERT_OK_AND_ASSIGN(const StreamsTable table, CalculateStreams(server, allowance, Throughput()));
  EXPECT_EQ(table.RowsToString(),
            "1 x 1 thread, performance, node 0, package 0\n"
            "2 x 1 thread, performance, node 1, package 1\n");
  // Latency takes the package with the most cores.
  ASSERT_OK_AND_ASSIGN(const StreamsTable latency, CalculateStreams(server, allowance, Latency()));
  EXPECT_EQ(latency.RowsToString(), "1 x 2 threads, performance, node 1, package 1\n");
  EXPECT_THAT(Decision(latency, "NUM_STREAMS"), HasSubstr("within its package"));
  // A package that suffices serves alone, though it is not the first.
  allowance.quota_cpus = 2.5;
  ASSERT_OK_AND_ASSIGN(const StreamsTable quota, CalculateStreams(server, allowance, Latency()));
  EXPECT_EQ(quota.RowsToString(), "1 x 2 threads, performance, node 1, package 1\n");
  StreamsRequest asked = Latency();
  asked.inference_num_threads = 2;
  ASSERT_OK_AND_ASSIGN(const StreamsTable two, CalculateStreams(server, allowance, asked));
  EXPECT_EQ(two.RowsToString(), quota.RowsToString());
  allowance.quota_cpus = std::nullopt;
  // CPUs that /sys does not show.
  allowance.cpus = CpuSet({100, 101});
  ASSERT_OK_AND_ASSIGN(const StreamsTable hidden, CalculateStreams(server, allowance, Latency()));
  EXPECT_EQ(hidden.RowsToString(), "1 x 2 threads, performance, node 0, package 0\n");
  EXPECT_THAT(Decision(hidden, "CPUs"), HasSubstr("No allowed CPU is described"));
}

TEST(StreamsTableTest, StartsWhereTheCallerRuns) {
  StreamsRequest request = Latency();
  request.current_node = 3;
  EXPECT_EQ(Rows("sub-numa", request), "1 x 8 threads, performance, several nodes, package 1\n");
  request.inference_num_threads = 3;
  EXPECT_EQ(Rows("sub-numa", request), "1 x 3 threads, performance, node 3, package 1\n");
}

TEST(StreamsTableTest, RoundsAQuotaDownForLatencyAndUpForThroughput) {
  const CpuTopology laptop = MachineTopology("laptop");
  CpuAllowance allowance = AllOf(laptop);
  const auto threads = [&](double quota, const StreamsRequest& request) {
    allowance.quota_cpus = quota;
    absl::StatusOr<StreamsTable> table = CalculateStreams(laptop, allowance, request);
    EXPECT_OK(table.status());
    return table.ok() ? ThreadCount(table->rows) : 0;
  };
  EXPECT_EQ(threads(1.5, Latency()), 1);
  EXPECT_EQ(threads(1.5, Throughput()), 2);
  EXPECT_EQ(threads(0.2, Latency()), 1);
  EXPECT_EQ(threads(0.2, Throughput()), 1);
  EXPECT_EQ(threads(3.0, Latency()), 3);
  EXPECT_EQ(threads(1e9, Latency()), 4);
  // What is asked for holds against a quota.
  StreamsRequest asked = Latency();
  asked.inference_num_threads = 3;
  EXPECT_EQ(threads(1.5, asked), 3);
  EXPECT_EQ(threads(1.5, Streams(3)), 3);
  ASSERT_OK_AND_ASSIGN(const StreamsTable table, CalculateStreams(laptop, allowance, asked));
  EXPECT_EQ(Decision(table, "INFERENCE_NUM_THREADS"), "3: Asked for, although the quota is 1.5 CPUs");
}

TEST(StreamsTableTest, TakesInferenceNumThreadsAsTheMost) {
  StreamsRequest request = Latency();
  request.inference_num_threads = 64;
  const StreamsTable table = Calculate(MachineTopology("laptop"), request);
  EXPECT_EQ(ThreadCount(table.rows), 4);
  EXPECT_EQ(Decision(table, "INFERENCE_NUM_THREADS"), "4: Asked for 64, limited to the CPUs");
  request.inference_num_threads = 3;
  EXPECT_EQ(Rows("desktop", request), "1 x 3 threads, performance, node 0, package 0\n");
  // More than a package has, and then more than there are cores.
  request.inference_num_threads = 10;
  EXPECT_EQ(Rows("server", request), "1 x 10 threads, performance, several nodes, several packages\n");
  request.inference_num_threads = 18;
  EXPECT_EQ(Rows("server", request), "1 x 18 threads, performance with siblings, several nodes, several packages\n");
  request.hyper_threading = false;
  EXPECT_EQ(Rows("server", request), "1 x 16 threads, performance, several nodes, several packages\n");
  request = StreamPerNode();
  request.inference_num_threads = 6;
  EXPECT_EQ(Rows("server", request),
            "1 x 3 threads, performance, node 0, package 0\n"
            "1 x 3 threads, performance, node 1, package 1\n");
}

TEST(StreamsTableTest, MakesAsManyStreamsAsAreAskedFor) {
  EXPECT_EQ(Rows("laptop", Streams(1)), "1 x 4 threads, performance, node 0, package 0\n");
  EXPECT_EQ(Rows("laptop", Streams(9)), "9 x 1 thread, performance, node 0, package 0\n");
  EXPECT_EQ(Rows("sub-numa", Streams(2)),
            "1 x 8 threads, performance, several nodes, package 0\n"
            "1 x 8 threads, performance, several nodes, package 1\n");
  EXPECT_THAT(Decision(Calculate(MachineTopology("laptop"), Streams(9)), "INFERENCE_NUM_THREADS"),
              HasSubstr("more streams than CPUs"));
}

TEST(StreamsTableTest, MakesNoMoreStreamsThanRequests) {
  StreamsRequest request = Throughput();
  request.num_requests = 3;
  EXPECT_EQ(Rows("server", request),
            "2 x 4 threads, performance, node 0, package 0\n"
            "1 x 8 threads, performance, node 1, package 1\n");
  request.num_requests = 100;
  EXPECT_EQ(Rows("server", request), Rows("server", Throughput()));
  request = Latency();
  request.num_requests = 3;
  EXPECT_EQ(Rows("server", request), Rows("server", Latency()));
  EXPECT_THAT(Decision(Calculate(MachineTopology("server"), request), "PERFORMANCE_HINT_NUM_REQUESTS"),
              HasSubstr("Without effect"));
}

TEST(StreamsTableTest, UsesSiblingsWhereAskedOrWorthIt) {
  StreamsRequest request = Latency();
  request.hyper_threading = true;
  EXPECT_EQ(Rows("desktop", request), "1 x 8 threads, performance with siblings, node 0, package 0\n");
  EXPECT_EQ(Decision(Calculate(MachineTopology("laptop"), request), "ENABLE_HYPER_THREADING"),
            "NO: No core has a second thread that the process may use");
  request.inference_num_threads = 4;
  EXPECT_EQ(Decision(Calculate(MachineTopology("desktop"), request), "ENABLE_HYPER_THREADING"),
            "NO: There are no more threads than cores");
  request = Throughput();
  request.hyper_threading = false;
  EXPECT_EQ(Rows("desktop", request), "4 x 1 thread, performance, node 0, package 0\n");
}

TEST(StreamsTableTest, ChoosesKindsOfCores) {
  StreamsRequest request = Throughput();
  request.core_choice = CoreChoice::kPerformanceOnly;
  EXPECT_EQ(Rows("hybrid", request), "4 x 2 threads, performance with siblings, node 0, package 0\n");
  request.core_choice = CoreChoice::kEfficiencyOnly;
  EXPECT_EQ(Rows("hybrid", request), "8 x 1 thread, efficiency, node 0, package 0\n");
  const CpuTopology laptop = MachineTopology("laptop");
  EXPECT_THAT(CalculateStreams(laptop, AllOf(laptop), request),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("SCHEDULING_CORE_TYPE")));
  // Of 4 performance and 7 efficiency cores the former do most; of 8 the latter do.
  const CpuTopology fewer = MachineTopology("hybrid").RestrictedTo(CpuSet::FirstCpus(15));
  EXPECT_EQ(Calculate(fewer, Latency()).RowsToString(), "1 x 4 threads, performance, node 0, package 0\n");
  StreamsRequest memory_bound = Latency();
  memory_bound.memory_bound_share = 0.9;
  EXPECT_EQ(Rows("hybrid", memory_bound), "1 x 4 threads, performance, node 0, package 0\n");
  StreamsRequest many = Latency();
  many.inference_num_threads = 6;
  EXPECT_EQ(Calculate(fewer, many).RowsToString(), "1 x 6 threads, several kinds, node 0, package 0\n");
  // Low power cores serve where there is nothing else.
  const CpuTopology rest = MachineTopology("hybrid lp").RestrictedTo(CpuSet({16, 17}));
  EXPECT_EQ(Calculate(rest, Latency()).RowsToString(), "1 x 2 threads, low power, node 0, package 0\n");
}

TEST(StreamsTableTest, TakesOneStreamForLatencyAsTheHintDoes) {
  StreamsRequest request = Streams(1);
  request.hint = PerformanceHint::kLatency;
  request.memory_bound_share = 0.9;
  EXPECT_EQ(Rows("hybrid", request), "1 x 4 threads, performance, node 0, package 0\n");
}

TEST(StreamsTableTest, SizesStreamsByTheModelsCost) {
  EXPECT_EQ(Rows("sub-numa", Throughput(0.3)),
            "2 x 2 threads, performance, node 0, package 0\n"
            "2 x 2 threads, performance, node 1, package 0\n"
            "2 x 2 threads, performance, node 2, package 1\n"
            "2 x 2 threads, performance, node 3, package 1\n");
  for (const auto& [cores, rows] : {std::make_pair(10, "2 x 5 threads"), std::make_pair(9, "3 x 3 threads"),
                                    std::make_pair(12, "3 x 4 threads"), std::make_pair(5, "1 x 3 threads")}) {
    EXPECT_THAT(Calculate(CpuTopology::Flat(CpuSet::FirstCpus(cores)), Throughput(1)).RowsToString(), HasSubstr(rows));
  }
}

TEST(StreamsTableTest, PinsOnlyWhereTheCpusAreItsAlone) {
  const CpuTopology laptop = MachineTopology("laptop");
  CpuAllowance allowance = AllOf(laptop);
  const auto pinned = [&](const StreamsRequest& request) {
    absl::StatusOr<StreamsTable> table = CalculateStreams(laptop, allowance, request);
    EXPECT_OK(table.status());
    return table.ok() && table->cpu_pinning;
  };
  EXPECT_FALSE(pinned(Latency()));
  StreamsRequest asked = Latency();
  asked.cpu_pinning = true;
  EXPECT_TRUE(pinned(asked));
  StreamsRequest reserved = Latency();
  reserved.cpu_reservation = true;
  EXPECT_TRUE(pinned(reserved));
  reserved.cpu_pinning = false;
  EXPECT_FALSE(pinned(reserved));
  allowance.exclusive = true;
  EXPECT_TRUE(pinned(Latency()));
  EXPECT_FALSE(pinned(Streams(5)));
  asked.cpu_pinning = false;
  EXPECT_FALSE(pinned(asked));
  allowance.quota_cpus = 2;
  EXPECT_FALSE(pinned(Latency()));
  const CpuTopology hybrid = MachineTopology("hybrid");
  allowance = AllOf(hybrid);
  allowance.exclusive = true;
  ASSERT_OK_AND_ASSIGN(const StreamsTable mixed, CalculateStreams(hybrid, allowance, Latency()));
  EXPECT_FALSE(mixed.cpu_pinning);
}

TEST(StreamsTableTest, RefusesWhatCannotBeMet) {
  const CpuTopology laptop = MachineTopology("laptop");
  const auto refuses = [&](const StreamsRequest& request, const std::string& text) {
    EXPECT_THAT(CalculateStreams(laptop, AllOf(laptop), request),
                StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(text)));
  };
  refuses(Streams(0), "NUM_STREAMS");
  refuses(Streams(kMaxStreams + 1), "NUM_STREAMS");
  StreamsRequest request = Streams(4);
  request.inference_num_threads = 3;
  refuses(request, "NUM_STREAMS needs a thread for each stream: streams 4, INFERENCE_NUM_THREADS 3");
  request.inference_num_threads = 0;
  refuses(request, "INFERENCE_NUM_THREADS");
  request = Throughput();
  request.num_requests = 0;
  refuses(request, "PERFORMANCE_HINT_NUM_REQUESTS");
  for (double share : {-0.1, 1.1, std::numeric_limits<double>::quiet_NaN()}) refuses(Throughput(share), "memory-bound");
  request = Streams(5);
  request.cpu_pinning = true;
  refuses(request, "ENABLE_CPU_PINNING needs a CPU for each thread: threads 5, CPUs 4");
  request = Streams(5);
  request.cpu_reservation = true;
  refuses(request, "ENABLE_CPU_RESERVATION");
}

// Any of the machines, and a part of it that a process may use.
CpuTopology RandomTopology(std::mt19937* random) {
  const std::vector<RecordedMachine> machines = RecordedMachines();
  const CpuTopology topology = MachineTopology(machines[(*random)() % machines.size()].name);
  std::vector<int> allowed;
  for (const LogicalCpu& cpu : topology.cpus()) {
    if ((*random)() % 4 != 0) allowed.push_back(cpu.id);
  }
  return topology.RestrictedTo(CpuSet(allowed));
}

template <class T>
std::optional<T> Sometimes(T value, std::mt19937* random) {
  return (*random)() % 2 == 0 ? std::optional<T>(value) : std::nullopt;
}

StreamsRequest RandomRequest(std::mt19937* random) {
  const auto below = [&](int end) { return static_cast<int>((*random)() % static_cast<unsigned>(end)); };
  StreamsRequest request;
  request.hint = static_cast<PerformanceHint>(below(3));
  request.streams_mode = static_cast<StreamsMode>(below(3));
  request.streams = 1 + below(40);
  request.inference_num_threads = Sometimes(1 + below(40), random);
  request.num_requests = Sometimes(1 + below(40), random);
  request.hyper_threading = Sometimes(below(2) == 0, random);
  request.core_choice = below(4) == 0 ? static_cast<CoreChoice>(below(3)) : CoreChoice::kAnyCore;
  request.cpu_pinning = Sometimes(below(2) == 0, random);
  request.cpu_reservation = below(4) == 0;
  request.memory_bound_share = below(11) / 10.0;
  request.current_node = Sometimes(below(5), random);
  return request;
}

std::vector<StreamsRow> RowsOf(const StreamsTable& table, int package) {
  std::vector<StreamsRow> rows;
  for (const StreamsRow& row : table.rows) {
    if (row.package == package) rows.push_back(row);
  }
  return rows;
}

void ExpectInvariants(const CpuTopology& topology, const StreamsRequest& request, const StreamsTable& table) {
  const int streams = StreamCount(table.rows);
  const int threads = ThreadCount(table.rows);
  const int cpus = static_cast<int>(topology.cpus().size());
  const bool number = request.streams_mode == StreamsMode::kNumber;
  ASSERT_FALSE(table.rows.empty());  // S1
  for (const StreamsRow& row : table.rows) {
    EXPECT_GT(row.streams, 0);
    EXPECT_GT(row.threads_per_stream, 0);
    EXPECT_TRUE(row.package.has_value() || request.inference_num_threads.has_value());  // S3
    if (row.node.has_value() || !row.package.has_value()) continue;
    std::set<int> nodes;
    for (const LogicalCpu& cpu : topology.cpus()) {
      if (cpu.package == *row.package) nodes.insert(cpu.node);
    }
    EXPECT_LT(StreamCount(RowsOf(table, *row.package)), static_cast<int>(nodes.size()));
  }
  EXPECT_TRUE(!number || streams == request.streams);
  EXPECT_LE(threads, number ? std::max(cpus, request.streams) : cpus);  // S2
  EXPECT_LE(threads, request.inference_num_threads.value_or(threads));
  EXPECT_TRUE(threads <= cpus || !(table.cpu_pinning || table.cpu_reservation));  // S4
  if (request.hyper_threading == std::optional<bool>(false)) {
    EXPECT_FALSE(table.hyper_threading);
    EXPECT_LE(threads, std::max(topology.core_count(), number ? request.streams : 0));
  }
  if (!number && request.streams_mode == StreamsMode::kAuto && request.hint == PerformanceHint::kLatency) {
    EXPECT_EQ(streams, 1);
  } else if (request.streams_mode == StreamsMode::kAuto && request.num_requests.has_value()) {
    EXPECT_LE(streams, *request.num_requests);
  }
  EXPECT_EQ(Decision(table, "NUM_STREAMS").substr(0, absl::StrCat(streams).size()), absl::StrCat(streams));
  EXPECT_EQ(Decision(table, "INFERENCE_NUM_THREADS").substr(0, absl::StrCat(threads).size()), absl::StrCat(threads));
}

TEST(StreamsTableTest, S1S2S3S4_HoldForRandomRequests) {
  const unsigned seed = std::random_device()();
  SCOPED_TRACE(absl::StrCat("seed ", seed));
  std::mt19937 random(seed);
  int answered = 0;
  for (int round = 0; round < 2000; ++round) {
    const CpuTopology topology = RandomTopology(&random);
    const StreamsRequest request = RandomRequest(&random);
    CpuAllowance allowance = AllOf(topology);
    allowance.quota_cpus = Sometimes(0.1 * static_cast<double>(1 + random() % 200), &random);
    allowance.exclusive = random() % 2 == 0;
    const absl::StatusOr<StreamsTable> table = CalculateStreams(topology, allowance, request);
    if (!table.ok()) {
      EXPECT_THAT(table, StatusIs(absl::StatusCode::kInvalidArgument, ::testing::_));
      continue;
    }
    ++answered;
    ExpectInvariants(topology, request, *table);
    if (::testing::Test::HasFailure()) {
      FAIL() << topology.ToString() << "\n" << table->ToString();
    }
  }
  EXPECT_GT(answered, 500);
}

// More of what limits never gives less.
TEST(StreamsTableTest, GrowsWithThreadsQuotaRequestsAndCpus) {
  for (const RecordedMachine& machine : RecordedMachines()) {
    SCOPED_TRACE(machine.name);
    const CpuTopology topology = MachineTopology(machine.name);
    for (const StreamsRequest& base : {Latency(), Throughput(), Throughput(0.9)}) {
      int threads_before = 0;
      int quota_before = 0;
      int streams_before = 0;
      for (int limit = 1; limit <= 40; ++limit) {
        StreamsRequest request = base;
        request.inference_num_threads = limit;
        const int threads = ThreadCount(Calculate(topology, request).rows);
        EXPECT_GE(threads, threads_before);
        threads_before = threads;
        CpuAllowance allowance = AllOf(topology);
        allowance.quota_cpus = limit * 0.7;
        ASSERT_OK_AND_ASSIGN(const StreamsTable quota, CalculateStreams(topology, allowance, base));
        EXPECT_GE(ThreadCount(quota.rows), quota_before);
        quota_before = ThreadCount(quota.rows);
        request = base;
        request.num_requests = limit;
        const int streams = StreamCount(Calculate(topology, request).rows);
        EXPECT_GE(streams, streams_before);
        streams_before = streams;
      }
    }
  }
  int before = 0;
  for (int cpus = 1; cpus <= 16; ++cpus) {
    const int threads =
        ThreadCount(Calculate(MachineTopology("sub-numa").RestrictedTo(CpuSet::FirstCpus(cpus)), Throughput()).rows);
    EXPECT_EQ(threads, cpus);
    const int latency =
        ThreadCount(Calculate(MachineTopology("sub-numa").RestrictedTo(CpuSet::FirstCpus(cpus)), Latency()).rows);
    EXPECT_GE(latency, before);
    before = latency;
  }
}

}  // namespace
}  // namespace burin::executor
