// The streams of a table one by one, each with the CPUs that its threads are for.
//
// The step after CalculateStreams (runtime/executor/streams_table.h), which chooses places; here single CPUs are chosen
// from those that the model may use. A value and a pure function; thread-safe.
#ifndef BURIN_RUNTIME_EXECUTOR_STREAM_CPUS_H_
#define BURIN_RUNTIME_EXECUTOR_STREAM_CPUS_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "runtime/executor/cpu_set.h"
#include "runtime/executor/cpu_topology.h"
#include "runtime/executor/place_streams.h"

namespace burin::executor {

// One stream.
struct CpuStream {
  // How many threads share an inference; 0 for a stream that computes nothing itself, as of callbacks.
  int threads = 1;
  // Where all of its CPUs are; absent where they are in several places, or nowhere in particular.
  std::optional<CoreKind> kind;
  std::optional<int> node;
  std::optional<int> package;
  // A CPU for each thread, best first: different ones, unless there are more threads than CPUs. Empty where the threads
  // are for no CPUs in particular.
  std::vector<int> cpus;

  // Prints "2 threads on CPUs 0-1, node 0, package 0".
  std::string ToString() const;
};

// Returns the streams of `rows` in order, on the CPUs of `usable`, of which the rows were calculated. A stream takes
// vacant CPUs of its row's place, better kinds of cores first, side by side by package, node and core: each thread a
// core of its own unless the row has siblings and its cores are fewer than its threads; then siblings stay together.
// Where no CPU is left the taken ones are taken again, from the first. InvalidArgument where `usable` has no CPU in the
// place of a row.
absl::StatusOr<std::vector<CpuStream>> AssignCpus(const std::vector<StreamsRow>& rows, const CpuTopology& usable);

// Returns the CPUs of all streams.
CpuSet CpusOf(const std::vector<CpuStream>& streams);

}  // namespace burin::executor

#endif  // BURIN_RUNTIME_EXECUTOR_STREAM_CPUS_H_
