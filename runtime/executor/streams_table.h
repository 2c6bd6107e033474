// How many streams a compiled model gets, of how many threads, and where: CalculateStreams.
//
// A pure function of the machine, of what the process may use of it, of the properties and of the model's cost, so that
// it can be asked for any machine; what it decides, and why, comes with the result. It chooses places (socket, NUMA
// node, kind of core), not single CPUs: who runs beside is known only when threads start. Stateless, hence thread-safe.
#ifndef BURIN_RUNTIME_EXECUTOR_STREAMS_TABLE_H_
#define BURIN_RUNTIME_EXECUTOR_STREAMS_TABLE_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "runtime/executor/cpu_allowance.h"
#include "runtime/executor/cpu_topology.h"
#include "runtime/executor/place_streams.h"

namespace burin::executor {

// PERFORMANCE_HINT: the time of one inference, the inferences per second of this device, or those of all devices, which
// for this one is the same.
enum class PerformanceHint { kLatency, kThroughput, kCumulativeThroughput };

// NUM_STREAMS: AUTO, where the hint decides; NUMA, one on each NUMA node; a number.
enum class StreamsMode { kAuto, kNuma, kNumber };

// SCHEDULING_CORE_TYPE: ANY_CORE, PCORE_ONLY, ECORE_ONLY.
enum class CoreChoice { kAnyCore, kPerformanceOnly, kEfficiencyOnly };

// What is asked for. An absent value is one that nobody set.
struct StreamsRequest {
  PerformanceHint hint = PerformanceHint::kLatency;
  StreamsMode streams_mode = StreamsMode::kAuto;
  // The number of kNumber, 1 to kMaxStreams.
  int streams = 0;
  // INFERENCE_NUM_THREADS: the most threads of all streams together, at least 1.
  std::optional<int> inference_num_threads;
  // PERFORMANCE_HINT_NUM_REQUESTS: how many requests run at once, at least 1.
  std::optional<int> num_requests;
  std::optional<bool> hyper_threading;
  CoreChoice core_choice = CoreChoice::kAnyCore;
  std::optional<bool> cpu_pinning;
  bool cpu_reservation = false;
  // The share of the model's time, in [0, 1], in which it waits for memory rather than computes.
  double memory_bound_share = 0;
  // The NUMA node that is filled first: where the caller runs.
  std::optional<int> current_node;
};

// One decision: the property it answers, what took effect, and why.
struct StreamsDecision {
  std::string property;
  std::string value;
  std::string reason;
};

// The streams of a compiled model.
//
// Invariants:
//   S1  There is a row; each has at least one stream of at least one thread.
//   S2  There are no more threads than CPUs allowed, unless NUM_STREAMS asks for more streams than these.
//   S3  A row is within one NUMA node unless its package has more nodes than streams, and within one package unless
//       INFERENCE_NUM_THREADS asks for more threads than that has cores.
//   S4  Pinned or reserved streams have no more threads than there are CPUs.
struct StreamsTable {
  std::vector<StreamsRow> rows;
  // Whether threads are bound to CPUs, and whether the CPUs are withheld from other models of the process.
  bool cpu_pinning = false;
  bool cpu_reservation = false;
  // Whether SMT siblings are used.
  bool hyper_threading = false;
  std::vector<StreamsDecision> decisions;

  // Prints the rows, one a line: "4 x 2 threads, performance, node 0, package 0"; then the decisions.
  std::string ToString() const;
  // Prints the rows alone.
  std::string RowsToString() const;
};

// The most streams that may be asked for.
inline constexpr int kMaxStreams = 8192;

// Returns the streams for a process that may use `allowance` of the machine `topology`.
//
// The latency hint makes one stream of all cores of one package (of a hybrid processor the performance cores alone
// where these do more than half of the work, or memory limits). The throughput hints make many: a stream has one core
// where the model computes, more cores, which share what they read, where memory limits it; there are no more streams
// than requests. Quotas count rounded down for latency, where a throttled period stalls an inference, rounded up
// for throughput. SMT siblings are used for throughput on one NUMA node, or where more threads than cores are asked
// for. Pinning is on by default only where no other process runs on the CPUs.
//
// InvalidArgument for numbers out of range and for what cannot be met: more streams than INFERENCE_NUM_THREADS, a kind
// of cores that there is not, pinning or reservation of more threads than CPUs.
absl::StatusOr<StreamsTable> CalculateStreams(const CpuTopology& topology, const CpuAllowance& allowance,
                                              const StreamsRequest& request);

}  // namespace burin::executor

#endif  // BURIN_RUNTIME_EXECUTOR_STREAMS_TABLE_H_
