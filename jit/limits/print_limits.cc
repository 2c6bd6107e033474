// print_limits: prints the target, the limits of one core, what a table of its own would say of the processor, and
// whether two processors share a core. Exit status 1, with the reason on standard error, where that cannot be measured.
#include <iostream>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/status_macros.h"
#include "jit/isa/target.h"
#include "jit/limits/core_sharing.h"
#include "jit/limits/machine_limits.h"
#include "jit/limits/sampler.h"

namespace burin::jit {
namespace {

absl::Status PrintLimits() {
  BURIN_ASSIGN_OR_RETURN(const Target target, Target::Host());
  std::cout << target.ToString() << '\n';
  BURIN_ASSIGN_OR_RETURN(const Instruments instruments, Instruments::Host(target.isa()));
  BURIN_ASSIGN_OR_RETURN(const MachineLimits limits, MachineLimits::Measure(target, SamplerOptions(), instruments));
  std::cout << limits.ToString() << "measured as " << limits.Apply(target.microarch()).ToString() << '\n';
  const std::vector<int> cpus = UsableCpus();
  if (cpus.size() < 2) {
    std::cout << "only one processor may be used\n";
    return absl::OkStatus();
  }
  BURIN_ASSIGN_OR_RETURN(const CoreSharing sharing, MeasureCoreSharing(target.isa(), cpus[0], cpus[1]));
  std::cout << sharing.ToString() << '\n';
  return absl::OkStatus();
}

}  // namespace
}  // namespace burin::jit

int main() {
  const absl::Status status = burin::jit::PrintLimits();
  if (status.ok()) return 0;
  std::cerr << status << '\n';
  return 1;
}
