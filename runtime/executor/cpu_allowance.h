// What of the machine the process may use: its affinity mask, its cpuset, its quota of CPU time.
//
// Use it to choose numbers of threads; a container with 1.5 CPUs of a machine of 64 sees all 64 in the topology. The
// limits may change while the process runs: read them anew where that matters. A value; the functions are stateless
// and thread-safe.
#ifndef BURIN_RUNTIME_EXECUTOR_CPU_ALLOWANCE_H_
#define BURIN_RUNTIME_EXECUTOR_CPU_ALLOWANCE_H_

#include <optional>
#include <string>
#include <vector>

#include "runtime/executor/cpu_set.h"
#include "runtime/executor/system_files.h"

namespace burin::executor {

// The CPUs and the CPU time of a process.
struct CpuAllowance {
  // The CPUs that its threads may run on; never empty.
  CpuSet cpus;
  // How many CPUs' worth of time its threads get together, such as 1.5; nullopt where nothing limits it.
  std::optional<double> quota_cpus;
  // Whether the kernel keeps processes of other control groups off `cpus`: they are isolated, or the cpuset is a
  // partition of its own (version 2). An affinity mask or a plain cpuset says nothing of others.
  bool exclusive = false;
  // Sentences: what limits the process, and where that was read.
  std::vector<std::string> reasons;
};

// Returns the affinity mask of the calling thread, on a machine of any number of CPUs. Where the kernel does not tell,
// as many CPUs as the C++ library counts, at least one.
CpuSet ReadAffinityMask();

// Returns what the process may use: `affinity`, which is not empty, restricted by the cpuset and the quota of its
// control groups, version 1 or 2, that `files` show. Of nested groups the smallest quota holds; groups above the root
// of the container cannot be seen. What is absent or malformed limits nothing.
CpuAllowance ReadCpuAllowance(const SystemFiles& files, const CpuSet& affinity);

}  // namespace burin::executor

#endif  // BURIN_RUNTIME_EXECUTOR_CPU_ALLOWANCE_H_
