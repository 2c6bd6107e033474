// Measures work that several threads share, against one thread that does it alone.
//
// Use it for entrants with items (tools/kernel_bench/bench_case.h). Each thread takes ranges of neighbouring items
// until none is left. By wall time, in turn, on processors of the caller's choice; what other processes take of those
// shows as a smaller gain. Starts threads for the duration of a call; one call at a time.
#ifndef BURIN_TOOLS_KERNEL_BENCH_SHARED_RUN_H_
#define BURIN_TOOLS_KERNEL_BENCH_SHARED_RUN_H_

#include <vector>

#include "tools/kernel_bench/bench_case.h"
#include "tools/kernel_bench/comparison.h"

namespace burin::kernel_bench {

// Says how to measure.
struct SharedRunOptions {
  // The processors of the threads, one each; the first is that of the caller during the call.
  std::vector<int> cpus;
  int rounds = 21;
  // Of each sample at least.
  double seconds_per_sample = 2e-3;
  // No round begins after so many seconds, but for the first three.
  double max_seconds = 3;
};

// Holds the outcome. Times are those of one repeat, by the median, in seconds.
struct SharedRun {
  int threads = 1;
  double alone_seconds = 0;
  double shared_seconds = 0;
  // How many times as fast the threads are together.
  Comparison gain;
};

// Measures an entrant with items, by as many threads as there are processors, two at least (BURIN_CHECK).
SharedRun MeasureSharedRun(const Entrant& entrant, const SharedRunOptions& options);

}  // namespace burin::kernel_bench

#endif  // BURIN_TOOLS_KERNEL_BENCH_SHARED_RUN_H_
