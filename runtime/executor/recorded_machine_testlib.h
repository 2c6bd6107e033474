// Trees of /sys as Linux shows them on machines of several kinds, for tests without these machines. Everything here is
// a value or stateless.
#ifndef BURIN_RUNTIME_EXECUTOR_RECORDED_MACHINE_TESTLIB_H_
#define BURIN_RUNTIME_EXECUTOR_RECORDED_MACHINE_TESTLIB_H_

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "runtime/executor/cpu_set.h"
#include "runtime/executor/cpu_topology.h"
#include "runtime/executor/system_files.h"

namespace burin::executor {

// Files that are held in memory: path to text.
class RecordedFiles final : public SystemFiles {
 public:
  // Adds or replaces a file; removes one.
  void Set(const std::string& path, const std::string& text) { texts_[path] = text; }
  void Remove(const std::string& path) { texts_.erase(path); }

  std::optional<std::string> Read(const std::string& path) const override;

  // Returns all files.
  const std::map<std::string, std::string>& texts() const { return texts_; }

 private:
  std::map<std::string, std::string> texts_;
};

// Records what /sys says of `cpus`, all of them online, and `offline` ones, which have no topology there. `cores` are
// numbers shared by siblings. Kinds of cores are recorded as the processor's monitors where the CPUs differ in them.
RecordedFiles RecordMachine(const std::vector<LogicalCpu>& cpus, const CpuSet& offline = {});

// A machine that tests go over.
struct RecordedMachine {
  std::string name;
  RecordedFiles files;
};

// Returns the machines, each by its name:
//   "laptop"        1 package of 4 cores without SMT
//   "desktop"       1 package of 4 cores with SMT, siblings numbered last
//   "server"        2 packages of 8 cores with SMT, one NUMA node each, siblings numbered last
//   "server no smt" the same without SMT
//   "sub-numa"      2 packages of 2 NUMA nodes of 4 cores without SMT
//   "hybrid"        4 performance cores with SMT, siblings side by side, and 8 efficiency cores
//   "hybrid lp"     the same and 2 low power cores
//   "holes"         1 package of 4 cores without SMT: CPUs 0, 2, 5, 9
//   "offline"       "desktop", where CPU 3 and its sibling 7, and CPU 5, are offline
//   "bare"          2 CPUs, nothing else said of them
std::vector<RecordedMachine> RecordedMachines();

// Returns the machine with `name`, which must exist, as it is read by a process that may use all of it.
CpuTopology MachineTopology(const std::string& name);

}  // namespace burin::executor

#endif  // BURIN_RUNTIME_EXECUTOR_RECORDED_MACHINE_TESTLIB_H_
