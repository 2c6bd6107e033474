// What a machine could at best do of a node's work: the yardstick of the per-node report.
//
// A node takes at least the time of its floating-point operations at the rate of f32 FMAs, and at least that of its
// bytes at the rate of the memory that holds them: the smallest cache that they fit in, since the nodes before have
// left them there. The greater of both is its limit (S. Williams, A. Waterman, D. Patterson, "Roofline", CACM 52(4),
// 2009). It is a model, not a bound: bytes of constants may have been evicted meanwhile, and an algorithm that does
// fewer operations than the op's definition (Winograd) goes beyond 1. Values; measuring belongs to one thread.
#ifndef BURIN_TOOLS_BENCHMARK_ROOFLINE_H_
#define BURIN_TOOLS_BENCHMARK_ROOFLINE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "jit/isa/cache_info.h"
#include "jit/limits/machine_limits.h"
#include "runtime/dev/profiling_info.h"

namespace burin::benchmark {

// How near a node comes to its limit.
struct NodeLimit {
  // What the limit is of: "fma", "L1", "L2", "L3" or "DRAM".
  std::string of;
  // The least time by the time taken.
  double share = 0;
};

class Roofline {
 public:
  // Takes the rates of one core, for `threads` > 0 of them: caches have as many times the bandwidth, memory that one
  // core saturates has not.
  Roofline(const jit::MachineLimits& core, const jit::CacheSizes& caches, bool one_core_saturates_memory, int threads);

  // Measures this machine, in about a second. Errors as of jit::MachineLimits::Measure().
  static absl::StatusOr<Roofline> Measure(int threads);

  // Returns how near the executions of a node came to the limit; nothing where none ran, or its work is not known.
  std::optional<NodeLimit> LimitOf(const ProfilingInfo& info) const;

  // Prints one line: "2 threads at 3.70 GHz: 236.8 GFLOP/s; L1 465 GB/s to 32 KiB, ... DRAM 20 GB/s".
  std::string ToString() const;

 private:
  struct Level {
    std::string name;
    int64_t bytes = 0;  // The most that it holds, of all threads; -1: any number.
    double rate = 0;    // In bytes per nanosecond.
  };

  int threads_;
  double clock_ghz_ = 0;
  double flops_rate_ = 0;  // In operations per nanosecond; 0 where it was not measured.
  std::vector<Level> levels_;
};

}  // namespace burin::benchmark

#endif  // BURIN_TOOLS_BENCHMARK_ROOFLINE_H_
