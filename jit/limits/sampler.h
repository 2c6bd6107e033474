// Measures contenders side by side in cycles of the core, on a machine that others use too.
//
// In each round every contender takes one sample, in random order; a sample is bracketed by two readings of the core's
// clock, counts the time of its thread alone, and is rejected where the thread was preempted or the clock changed. Not
// for work over several threads. A Sampler and its contenders belong to one thread.
#ifndef BURIN_JIT_LIMITS_SAMPLER_H_
#define BURIN_JIT_LIMITS_SAMPLER_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "jit/isa/isa.h"

namespace burin::jit {

// Reads the instruments that a sample needs; tests hand in their own.
struct Instruments {
  // Returns the seconds that this thread has run.
  std::function<double()> thread_seconds;
  // Returns how often this thread was preempted.
  std::function<int64_t()> preemptions;
  // Returns the clock of the core in cycles per nanosecond.
  std::function<double()> clock_ghz;

  // Returns those of the machine: the thread's CPU time, the kernel's count of involuntary switches, and the time of a
  // chain of dependent additions. Fails as RegisterLoop::Create() does.
  static absl::StatusOr<Instruments> Host(const IsaSet& isa);
};

// Is what is measured.
struct Contender {
  std::string name;
  // Does the work `repeats` > 0 times.
  std::function<void(int64_t repeats)> run;
  // What one repeat does, in the unit of the result: instructions, bytes.
  double units_per_repeat = 1;
};

// Holds the samples of one contender.
struct Samples {
  std::string name;
  double units_per_repeat = 1;
  // Cycles per repeat by round; nullopt for a round all of whose attempts were rejected. Equal indexes are neighbours
  // in time, so that ratios between contenders are taken round by round.
  std::vector<std::optional<double>> cycles;
  // Seconds per repeat, likewise.
  std::vector<std::optional<double>> seconds;
  int rejected = 0;

  // Returns the number of rounds with a sample.
  int accepted() const;

  // Returns the cycles per repeat below which the share `quantile` (0 to 1) of the accepted samples lies, by linear
  // interpolation; nullopt without samples.
  std::optional<double> CyclesAt(double quantile) const;

  // Returns the units done per cycle by the lower quartile of the cycles (a neighbour on the same core only ever slows
  // a sample down); nullopt without samples.
  std::optional<double> UnitsPerCycle() const;
};

// Says how long to measure.
struct SamplerOptions {
  int rounds = 21;
  double seconds_per_sample = 5e-4;
  // No round begins after this many seconds of this thread, but for the first three.
  double max_seconds = 3;
  // How often a sample is tried in a round.
  int attempts = 3;
  // Of the order in the rounds.
  uint32_t seed = 1;
};

// Takes the samples of all contenders, which come back in their order. Each contender is run once before each sample.
std::vector<Samples> SampleInterleaved(absl::Span<const Contender> contenders, const SamplerOptions& options,
                                       const Instruments& instruments);

}  // namespace burin::jit

#endif  // BURIN_JIT_LIMITS_SAMPLER_H_
