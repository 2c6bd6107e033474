// Tells whether two logical processors run on one core.
//
// Use it before and after a measurement on two threads: under a hypervisor the processors float over the host's
// hyper-threads, and what the system says of cores need not hold. It starts two threads, pinned, for a fraction of a
// second. May be called from any thread.
#ifndef BURIN_JIT_LIMITS_CORE_SHARING_H_
#define BURIN_JIT_LIMITS_CORE_SHARING_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "jit/isa/isa.h"

namespace burin::jit {

// Holds what two processors did: FMAs per nanosecond of the thread's own time, of each alone and of each while both
// ran.
struct CoreSharing {
  int cpus[2] = {0, 0};
  double alone[2] = {0, 0};
  double together[2] = {0, 0};

  // Returns what both do together as a share of what they do alone: 1 on two cores, one half on one.
  double Ratio() const;

  // Returns whether the two run on one core: the ratio is nearer to one half than to one.
  bool shared() const { return Ratio() < 0.75; }

  // Returns one line.
  std::string ToString() const;
};

// Returns the logical processors that this thread may run on, ascending.
std::vector<int> UsableCpus();

// Measures two different processors that this process may use, with the widest FMAs of `isa`; takes the best of
// `rounds` rounds of about 50 ms, since a neighbour only ever slows a thread down. InvalidArgument for a processor that
// may not be used or twice the same; else fails as RegisterLoop::Create() does.
absl::StatusOr<CoreSharing> MeasureCoreSharing(const IsaSet& isa, int first_cpu, int second_cpu, int rounds = 5);

}  // namespace burin::jit

#endif  // BURIN_JIT_LIMITS_CORE_SHARING_H_
