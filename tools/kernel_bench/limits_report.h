// Measures and prints what one core of the machine can do, and which processors share a core.
//
// Use it for `kernel_bench -limits` and at the head of a report. Not for yardsticks, which are measured in the rounds
// of what they are compared with. Values; measuring belongs to one thread.
#ifndef BURIN_TOOLS_KERNEL_BENCH_LIMITS_REPORT_H_
#define BURIN_TOOLS_KERNEL_BENCH_LIMITS_REPORT_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "jit/isa/target.h"
#include "jit/limits/core_sharing.h"
#include "jit/limits/machine_limits.h"
#include "jit/limits/sampler.h"

namespace burin::kernel_bench {

// Holds what was measured.
struct LimitsReport {
  jit::MachineLimits limits;
  // The machine's class with what was measured in its place.
  std::string measured_parameters;
  // Each pair of processors, before the limits were measured and after: a hypervisor may move them meanwhile.
  std::vector<jit::CoreSharing> pairs_before;
  std::vector<jit::CoreSharing> pairs_after;

  // Measures. `cpus` are those whose pairs are measured; none where there are fewer than two. Fails as
  // jit::MachineLimits::Measure() and jit::MeasureCoreSharing() do.
  static absl::StatusOr<LimitsReport> Measure(const jit::Target& target, absl::Span<const int> cpus,
                                              const jit::SamplerOptions& options, const jit::Instruments& instruments);

  // Returns a table and a line for each pair, each line ending in a newline.
  std::string ToString() const;
};

// Returns one line with the rates that a reader needs beside any figure: the widest FMA and reading memory, of those
// that were measured.
std::string PeakLine(const jit::MachineLimits& limits);

}  // namespace burin::kernel_bench

#endif  // BURIN_TOOLS_KERNEL_BENCH_LIMITS_REPORT_H_
