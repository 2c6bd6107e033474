// Prints what was measured as text.
//
// Stateless, thread-safe.
#ifndef BURIN_TOOLS_KERNEL_BENCH_REPORT_H_
#define BURIN_TOOLS_KERNEL_BENCH_REPORT_H_

#include <string>

#include "tools/kernel_bench/measurement.h"

namespace burin::kernel_bench {

// Returns a table of the entrants, what each is and what is timed, and a line for each pair. Lines end in newlines.
std::string FormatCase(const CaseResult& result);

}  // namespace burin::kernel_bench

#endif  // BURIN_TOOLS_KERNEL_BENCH_REPORT_H_
