// Describes the machine and the moment of a benchmark: what runs, how fast its clock is, who else is busy.
//
// Use it at the head of every report, so that a figure carries where it comes from. Not for choosing kernels. Values;
// functions may be called from any thread.
#ifndef BURIN_TOOLS_KERNEL_BENCH_MACHINE_H_
#define BURIN_TOOLS_KERNEL_BENCH_MACHINE_H_

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "jit/isa/isa.h"
#include "jit/isa/target.h"
#include "jit/limits/core_sharing.h"
#include "jit/limits/sampler.h"

namespace burin::kernel_bench {

// Holds the clock of the core by a chain of dependent additions, in cycles per nanosecond, over some readings.
struct ClockRange {
  double min = 0;
  double median = 0;
  double max = 0;

  // Reads the clock `readings` > 0 times.
  static ClockRange Read(const jit::Instruments& instruments, int readings = 21);

  // Returns a phrase such as "3.70 GHz (3.68 to 3.71)".
  std::string ToString() const;
};

// Holds the description.
struct Machine {
  // The date and time, in UTC.
  std::string time;
  // Of the processor: brand, vendor, family, model, stepping.
  std::string processor;
  bool hypervisor = false;
  // The micro-architecture class, its parameters, and where it comes from.
  std::string microarch;
  std::string parameters;
  std::string microarch_source;
  // Of the target: its highest level, all features, and who capped it ("none").
  std::string level;
  std::string features;
  std::string cap;
  std::string caches;
  // The logical processors that this process may use.
  std::vector<int> cpus;
  ClockRange clock;
  // Of 1, 5 and 15 minutes; zeros where the system does not tell.
  std::array<double, 3> load = {0, 0, 0};

  // Describes this machine as `target` takes it. `cap` is that of the command line, which `target` has been made with.
  static Machine Describe(const jit::Target& target, const std::optional<jit::IsaLevel>& cap,
                          const jit::Instruments& instruments);

  // Returns several lines, each ending in a newline.
  std::string ToString() const;
};

// Measures every pair of `cpus`: each about half a second, or a tenth where there are more than kPairsInDepth. Fails as
// jit::MeasureCoreSharing() does.
inline constexpr int kPairsInDepth = 6;
absl::StatusOr<std::vector<jit::CoreSharing>> MeasurePairs(const jit::IsaSet& isa, absl::Span<const int> cpus);

}  // namespace burin::kernel_bench

#endif  // BURIN_TOOLS_KERNEL_BENCH_MACHINE_H_
