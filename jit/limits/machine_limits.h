// Measures what one core of this machine can do: instructions per cycle and bytes per cycle from each level of memory.
//
// Use it to print a machine's limits beside its class, and to describe a processor that jit/isa/microarch.inc does not
// know. Not for yardsticks of a benchmark, which belong into the same round as what they measure
// (jit/limits/sampler.h). Takes a few seconds and up to half a gigabyte. Values; measuring may happen on several
// threads at once, each disturbing the others.
#ifndef BURIN_JIT_LIMITS_MACHINE_LIMITS_H_
#define BURIN_JIT_LIMITS_MACHINE_LIMITS_H_

#include <cstdint>
#include <map>
#include <string>

#include "absl/status/statusor.h"
#include "base/enum_names.h"
#include "jit/isa/microarch.h"
#include "jit/isa/target.h"
#include "jit/limits/sampler.h"

namespace burin::jit {

// Names what is measured. Rates are instructions per cycle, `kFmaLatency` the cycles of one that waits for itself,
// reads bytes per cycle.
enum class Limit : uint8_t {
  kFma256,
  kFma512,
  // FMAs and additions in turn, both counted: more than FMAs alone where they run beside them.
  kFmaAndAdd256,
  kFmaAndAdd512,
  kFmaLatency,
  kDotBf16_512,
  kDotInt8_256,
  kDotInt8_512,
  kReadL1,
  kReadL2,
  kReadL3,
  kReadDram,
};

// Holds what one limit was measured as.
struct MeasuredLimit {
  // By the lower quartile of the cycles.
  double value = 0;
  // By the upper and by the median of the cycles, hence `slow` <= `median` <= `value` for what is better when higher.
  double slow = 0;
  double median = 0;
  int accepted = 0;
  int rejected = 0;
};

// Holds the limits of one core. What the machine has no instructions or cache for, or what was disturbed throughout,
// has no entry.
struct MachineLimits {
  // Median clock of the core during the measurement, in cycles per nanosecond.
  double clock_ghz = 0;
  std::map<Limit, MeasuredLimit> limits;

  // Measures with the instructions and cache sizes of `target`, which runs on this machine. Errors as of code
  // generation, and ResourceExhausted where there is not the memory.
  static absl::StatusOr<MachineLimits> Measure(const Target& target, const SamplerOptions& options,
                                               const Instruments& instruments);

  // Returns `base` with every parameter that was measured put in its place. The class stays that of `base`, and so does
  // whether one core saturates the memory, which one core cannot tell.
  Microarch Apply(const Microarch& base) const;

  // Returns a table, each line ending in a newline.
  std::string ToString() const;
};

// Returns how many bytes a working set has that lies in the level of a read limit (kReadL1 to kReadDram) and not above;
// 0 where there is no such level. A multiple of ReadLoop::kBlockBytes.
int64_t WorkingSetBytes(Limit limit, const CacheSizes& caches);

}  // namespace burin::jit

namespace burin {

template <>
struct EnumNames<jit::Limit> {
  static constexpr EnumEntry<jit::Limit> kEntries[] = {
      {jit::Limit::kFma256, "fma_256"},
      {jit::Limit::kFma512, "fma_512"},
      {jit::Limit::kFmaAndAdd256, "fma_and_add_256"},
      {jit::Limit::kFmaAndAdd512, "fma_and_add_512"},
      {jit::Limit::kFmaLatency, "fma_latency"},
      {jit::Limit::kDotBf16_512, "dot_bf16_512"},
      {jit::Limit::kDotInt8_256, "dot_int8_256"},
      {jit::Limit::kDotInt8_512, "dot_int8_512"},
      {jit::Limit::kReadL1, "read_l1"},
      {jit::Limit::kReadL2, "read_l2"},
      {jit::Limit::kReadL3, "read_l3"},
      {jit::Limit::kReadDram, "read_dram"},
  };
};

}  // namespace burin

#endif  // BURIN_JIT_LIMITS_MACHINE_LIMITS_H_
