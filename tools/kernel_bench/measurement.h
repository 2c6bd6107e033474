// Runs a case: checks what every entrant computes, then measures all of them side by side.
//
// Use it for every case of every family. The same process, the same buffers, in each round all entrants once in random
// order (jit/limits/sampler.h). An entrant whose result is wrong is not measured. Stateless; one thread.
#ifndef BURIN_TOOLS_KERNEL_BENCH_MEASUREMENT_H_
#define BURIN_TOOLS_KERNEL_BENCH_MEASUREMENT_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "jit/limits/sampler.h"
#include "tools/kernel_bench/bench_case.h"
#include "tools/kernel_bench/comparison.h"
#include "tools/kernel_bench/shared_run.h"

namespace burin::kernel_bench {

// Holds how much of a yardstick's units per cycle an entrant reached: median and interval over the rounds.
struct Share {
  std::string yardstick;
  Comparison comparison;
};

// Holds what is known of an entrant.
struct EntrantResult {
  Role role = Role::kOwn;
  std::string name;
  std::string implementation;
  std::string timed;
  int64_t bytes_per_repeat = 0;
  // Of what has a check.
  std::optional<Accuracy> accuracy;
  // Without rounds where the result is wrong.
  jit::Samples samples;
  // Of each yardstick; empty for a yardstick, and where nothing was measured.
  std::vector<Share> shares;

  // Returns whether the line counts: the result is not wrong and there are samples.
  bool measured() const { return samples.accepted() > 0; }

  // Return the time of one repeat in seconds; 0 without samples.
  double MedianSeconds() const;
  double MinSeconds() const;

  // Returns units per cycle by the median; 0 without samples.
  double UnitsPerCycle() const;
};

// Compares two entrants, numbered as in the result.
struct Pair {
  size_t first = 0;
  size_t second = 0;
  Comparison comparison;
};

// Holds how an entrant fares when threads share its work.
struct SharedResult {
  std::string name;
  SharedRun run;
};

// Holds what is known of a case.
struct CaseResult {
  std::string family;
  std::string name;
  std::string unit;
  std::string buffers;
  std::vector<EntrantResult> entrants;
  // Each of our own kernels with each one behind it, and with each peer; the first of our own with the fastest
  // candidate.
  std::vector<Pair> pairs;
  // Of entrants whose work threads can share, where that was measured.
  std::vector<SharedResult> shared;

  // Returns whether every result was right.
  bool right() const;
};

// Checks and measures.
CaseResult MeasureCase(const BenchCase& bench_case, const jit::SamplerOptions& options,
                       const jit::Instruments& instruments);

// Adds what threads gain, to the result of the same case.
void MeasureShared(const BenchCase& bench_case, const SharedRunOptions& options, CaseResult& result);

}  // namespace burin::kernel_bench

#endif  // BURIN_TOOLS_KERNEL_BENCH_MEASUREMENT_H_
