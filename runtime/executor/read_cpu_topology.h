// Reads the topology of a Linux machine from /sys.
//
// Read it once and keep the value: each CPU costs some files. Stateless, hence thread-safe.
#ifndef BURIN_RUNTIME_EXECUTOR_READ_CPU_TOPOLOGY_H_
#define BURIN_RUNTIME_EXECUTOR_READ_CPU_TOPOLOGY_H_

#include "runtime/executor/cpu_set.h"
#include "runtime/executor/cpu_topology.h"
#include "runtime/executor/system_files.h"

namespace burin::executor {

// Returns the CPUs that are online, as `files` describe them. What is absent or malformed is made up as harmlessly as
// can be, with a note: without a list of CPUs, `affinity` (what the process may run on) as one package; a CPU without
// siblings is a core of its own, one without a package is in package 0, one without a NUMA node in that of its package.
//
// Kinds of cores come from the first source that knows them: the processor's performance monitors (/sys/devices/
// cpu_core, cpu_atom, cpu_lowpower), cpu_capacity, the highest frequencies. By the latter two a core below 85 % of the
// best one is an efficiency core: between a hybrid's kinds lie 20 % and more, between cores of one kind a few.
CpuTopology ReadCpuTopology(const SystemFiles& files, const CpuSet& affinity);

}  // namespace burin::executor

#endif  // BURIN_RUNTIME_EXECUTOR_READ_CPU_TOPOLOGY_H_
