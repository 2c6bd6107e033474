// How the logical CPUs of a machine, or of a part of it, are grouped: packages, dies, NUMA nodes, cores, SMT siblings,
// kinds of cores.
//
// Use it to decide where threads go. It says nothing of caches and instruction sets (jit/isa), nor of what the process
// may use (runtime/executor/cpu_allowance.h), but can be restricted to that. A value; safe to read from any thread.
#ifndef BURIN_RUNTIME_EXECUTOR_CPU_TOPOLOGY_H_
#define BURIN_RUNTIME_EXECUTOR_CPU_TOPOLOGY_H_

#include <string>
#include <vector>

#include "base/enum_names.h"
#include "runtime/executor/cpu_set.h"

namespace burin::executor {

// What a core is built for. On a machine whose cores are all alike each is kPerformance. kLowPower cores, of which
// hybrid processors have a few outside the last-level cache, are slower than kEfficiency ones.
enum class CoreKind { kPerformance, kEfficiency, kLowPower };

// One logical CPU that is online.
struct LogicalCpu {
  // The kernel's number of the CPU.
  int id = 0;
  // The kernel's numbers of the socket, of the die in it, and of the NUMA node.
  int package = 0;
  int die = 0;
  int node = 0;
  // Which physical core, numbered from 0 over the whole topology.
  int core = 0;
  // Which of the core's threads in this topology: 0, or 1 for the SMT sibling.
  int thread = 0;
  CoreKind kind = CoreKind::kPerformance;

  friend bool operator==(const LogicalCpu& a, const LogicalCpu& b) {
    return a.id == b.id && a.package == b.package && a.die == b.die && a.node == b.node && a.core == b.core &&
           a.thread == b.thread && a.kind == b.kind;
  }
};

// The CPUs of a machine or of a part of one.
//
// Invariants:
//   T1  There is at least one CPU; ids ascend.
//   T2  The CPUs of a core agree in package, die, node and kind.
//   T3  Cores are numbered 0, 1, ... by their lowest CPU.
//   T4  The threads of a core are numbered 0, 1, ... by their ids.
class CpuTopology {
 public:
  // Makes a topology of `cpus`, whose `core` may be any number that siblings share and whose `thread` is ignored. What
  // breaks the invariants is mended: of two CPUs with one id the first stays, a core is where its lowest CPU is, and
  // without CPUs it is CPU 0 alone. `offline` lists CPUs that are present but not online; `notes` say in sentences what
  // was not known and what was taken instead.
  explicit CpuTopology(std::vector<LogicalCpu> cpus, CpuSet offline = {}, std::vector<std::string> notes = {});

  // Returns `cpus` as cores of their own in one package and node.
  static CpuTopology Flat(const CpuSet& cpus, std::vector<std::string> notes = {});

  // Returns the CPUs, ascending by id.
  const std::vector<LogicalCpu>& cpus() const { return cpus_; }
  // Returns the CPUs that are present but not online.
  const CpuSet& offline() const { return offline_; }
  // Returns what was not known.
  const std::vector<std::string>& notes() const { return notes_; }

  // Returns the ids of the CPUs.
  CpuSet ids() const;
  // Returns the CPU with `id`, or null.
  const LogicalCpu* Find(int id) const;
  // Returns the numbers of the packages, ascending; those of the NUMA nodes.
  std::vector<int> packages() const;
  std::vector<int> nodes() const;
  // Returns the number of physical cores.
  int core_count() const { return core_count_; }
  // Returns whether a core has more than one thread.
  bool has_smt() const { return core_count_ < static_cast<int>(cpus_.size()); }
  // Returns whether there are cores of different kinds.
  bool is_hybrid() const;

  // Returns the part of this topology that is in `allowed`. A core of which one thread is allowed becomes a core with
  // one thread. If nothing known is allowed, the allowed CPUs come back as Flat does, with a note.
  CpuTopology RestrictedTo(const CpuSet& allowed) const;

  // Prints a line such as "1 package, 2 NUMA nodes, 8 cores, 16 CPUs: 0-15".
  std::string ToString() const;

  // Compares the CPUs, online and not.
  friend bool operator==(const CpuTopology& a, const CpuTopology& b) {
    return a.cpus_ == b.cpus_ && a.offline_ == b.offline_;
  }

 private:
  std::vector<LogicalCpu> cpus_;
  CpuSet offline_;
  std::vector<std::string> notes_;
  int core_count_ = 0;
};

}  // namespace burin::executor

namespace burin {

template <>
struct EnumNames<executor::CoreKind> {
  static constexpr EnumEntry<executor::CoreKind> kEntries[] = {
      {executor::CoreKind::kPerformance, "performance"},
      {executor::CoreKind::kEfficiency, "efficiency"},
      {executor::CoreKind::kLowPower, "low power"},
  };
};

}  // namespace burin

#endif  // BURIN_RUNTIME_EXECUTOR_CPU_TOPOLOGY_H_
