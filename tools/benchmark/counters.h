// The table of -pc: where the time of inferences went, node by node.
//
// Stateless, thread-safe.
#ifndef BURIN_TOOLS_BENCHMARK_COUNTERS_H_
#define BURIN_TOOLS_BENCHMARK_COUNTERS_H_

#include <string>
#include <vector>

#include "runtime/dev/profiling_info.h"

namespace burin::benchmark {

// Adds up the records of several requests of one compiled model, which list the same nodes in the same order.
std::vector<ProfilingInfo> MergeCounters(const std::vector<std::vector<ProfilingInfo>>& requests);

// Returns the records, that with the largest total time first.
std::vector<ProfilingInfo> SortedByTime(std::vector<ProfilingInfo> counters);

// Returns the share of the total time that each record has, in order; all 0 where there is no time.
std::vector<double> TimeShares(const std::vector<ProfilingInfo>& counters);

// Returns the name of a status as the table prints it: "EXECUTED", "NOT_RUN", "OPTIMIZED_OUT".
const char* StatusName(ProfilingInfo::Status status);

// Prints a line per record: node, status, operation, kernel, precision, real and processor time per execution in
// microseconds, GFLOP/s, and the share of the total time; and a last line with the totals.
std::string CounterTable(const std::vector<ProfilingInfo>& counters);

}  // namespace burin::benchmark

#endif  // BURIN_TOOLS_BENCHMARK_COUNTERS_H_
