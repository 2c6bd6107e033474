// The CPUs that inference may use, counted by socket, NUMA node and kind of core.
//
// A step of CalculateStreams (runtime/executor/streams_table.h) between the topology and the placement of streams: it
// counts and limits, and chooses no single CPU. Values and stateless functions; thread-safe.
#ifndef BURIN_RUNTIME_EXECUTOR_CORE_POOLS_H_
#define BURIN_RUNTIME_EXECUTOR_CORE_POOLS_H_

#include <optional>
#include <vector>

#include "runtime/executor/cpu_topology.h"

namespace burin::executor {

// Cores of one kind in one NUMA node of one package.
struct CorePool {
  int package = 0;
  int node = 0;
  CoreKind kind = CoreKind::kPerformance;
  // How many cores there are, and how many threads of these cores besides the first one of each.
  int cores = 0;
  int siblings = 0;

  // Returns the number of CPUs.
  int cpus() const { return cores + siblings; }
};

// Returns the pools of `topology`, by package, node and kind; the package of `first_node` comes first, and in it that
// node, where the topology has it.
std::vector<CorePool> MakeCorePools(const CpuTopology& topology, std::optional<int> first_node);

// Return the sums over `pools`.
int CoreCount(const std::vector<CorePool>& pools);
int SiblingCount(const std::vector<CorePool>& pools);
int CpuCount(const std::vector<CorePool>& pools);

// Drops all packages but the first one that has `threads` cores; keeps all where none has.
void KeepOnePackage(int threads, std::vector<CorePool>* pools);

// Limits `pools` to `threads` CPUs: cores of the better kinds first, pool by pool in order, then siblings in the same
// order. Pools left without CPUs are dropped.
void LimitPools(int threads, std::vector<CorePool>* pools);

// Limits `pools` to `threads` CPUs, of every NUMA node as many as of the others where it has them; within a node as
// LimitPools does.
void LimitPoolsEvenly(int threads, std::vector<CorePool>* pools);

}  // namespace burin::executor

#endif  // BURIN_RUNTIME_EXECUTOR_CORE_POOLS_H_
