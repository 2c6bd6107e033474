// Where the time of inferences went, node by node: the table of -pc, and the CSV of -report_type.
//
// Stateless, thread-safe.
#ifndef BURIN_TOOLS_BENCHMARK_COUNTERS_H_
#define BURIN_TOOLS_BENCHMARK_COUNTERS_H_

#include <string>
#include <vector>

#include "runtime/dev/profiling_info.h"
#include "tools/benchmark/roofline.h"
#include "tools/benchmark/settings.h"

namespace burin::benchmark {

// Adds up the records of several requests of one compiled model, node by node. Where one request has run what another
// has not, as with other shapes, it comes behind the rest.
std::vector<ProfilingInfo> MergeCounters(const std::vector<std::vector<ProfilingInfo>>& requests);

// Returns the records, that with the largest total time first.
std::vector<ProfilingInfo> SortedByTime(std::vector<ProfilingInfo> counters);

// Returns the records that `order` asks for, of those in order of execution.
std::vector<ProfilingInfo> Ordered(std::vector<ProfilingInfo> counters, CounterOrder order);

// Returns the share of the total time that each record has, in order; all 0 where there is no time.
std::vector<double> TimeShares(const std::vector<ProfilingInfo>& counters);

// Returns the name of a status as the table prints it: "EXECUTED", "NOT_RUN", "OPTIMIZED_OUT".
const char* StatusName(ProfilingInfo::Status status);

// Returns the time of all executions of nodes that run by reference code, and of all nodes, in microseconds.
struct ReferenceTime {
  double reference_us = 0;
  double all_us = 0;
};
ReferenceTime SumReferenceTime(const std::vector<ProfilingInfo>& counters);

// Prints a line per record: node, status, operation, kernel, instruction set, layout, precision, real and processor
// time per execution in microseconds, the share of the total time, GFLOP/s, megabytes, and what share of which limit of
// the machine is reached; then a line with the totals, one with the machine's rates, and one with the time in reference
// code.
std::string CounterTable(const std::vector<ProfilingInfo>& counters, const Roofline& roofline);

// Returns one table of fields separated by semicolons per element of `tables`: a header, a line per record with the
// time per execution in milliseconds, "Total", and an empty line. Columns are benchmark_app's.
std::string CounterCsv(const std::vector<std::vector<ProfilingInfo>>& tables);

}  // namespace burin::benchmark

#endif  // BURIN_TOOLS_BENCHMARK_COUNTERS_H_
