// The file of -trace: when each node ran in the last inference of each request, for chrome://tracing and Perfetto.
//
// Stateless, thread-safe.
#ifndef BURIN_TOOLS_BENCHMARK_TRACE_H_
#define BURIN_TOOLS_BENCHMARK_TRACE_H_

#include <string>
#include <vector>

#include "runtime/dev/profiling_info.h"

namespace burin::benchmark {

// Returns the events in the Trace Event Format: a "complete" one per node that ran, in a track per request; times begin
// with the first. `model` names the process. Bytes of names that are no UTF-8 are replaced.
std::string ToTrace(const std::string& model, const std::vector<std::vector<ProfilingInfo>>& requests);

}  // namespace burin::benchmark

#endif  // BURIN_TOOLS_BENCHMARK_TRACE_H_
