#include "runtime/executor/recorded_machine_testlib.h"

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/check.h"
#include "runtime/executor/cpu_set.h"
#include "runtime/executor/cpu_topology.h"
#include "runtime/executor/read_cpu_topology.h"

namespace burin::executor {
namespace {

// Returns `packages` packages of `nodes` nodes of `cores` cores of `threads` threads; all first threads are numbered
// before all second ones.
std::vector<LogicalCpu> Regular(int packages, int nodes, int cores, int threads) {
  std::vector<LogicalCpu> cpus;
  const int core_count = packages * nodes * cores;
  for (int id = 0; id < core_count * threads; ++id) {
    LogicalCpu cpu;
    cpu.id = id;
    cpu.core = id % core_count;
    cpu.node = cpu.core / cores;
    cpu.package = cpu.node / nodes;
    cpus.push_back(cpu);
  }
  return cpus;
}

std::vector<LogicalCpu> Hybrid(int low_power) {
  std::vector<LogicalCpu> cpus;
  for (int id = 0; id < 16 + low_power; ++id) {
    LogicalCpu cpu;
    cpu.id = id;
    cpu.core = id < 8 ? id / 2 : id;
    cpu.kind = id < 8 ? CoreKind::kPerformance : id < 16 ? CoreKind::kEfficiency : CoreKind::kLowPower;
    cpus.push_back(cpu);
  }
  return cpus;
}

RecordedFiles Holes() {
  std::vector<LogicalCpu> cpus = Regular(1, 1, 4, 1);
  cpus[1].id = 2;
  cpus[2].id = 5;
  cpus[3].id = 9;
  return RecordMachine(cpus);
}

RecordedFiles WithOfflineCpus() {
  std::vector<LogicalCpu> cpus;
  for (const LogicalCpu& cpu : Regular(1, 1, 4, 2)) {
    if (cpu.id != 3 && cpu.id != 5 && cpu.id != 7) cpus.push_back(cpu);
  }
  return RecordMachine(cpus, CpuSet({3, 5, 7}));
}

}  // namespace

std::optional<std::string> RecordedFiles::Read(const std::string& path) const {
  const auto it = texts_.find(path);
  return it == texts_.end() ? std::nullopt : std::optional<std::string>(it->second);
}

RecordedFiles RecordMachine(const std::vector<LogicalCpu>& cpus, const CpuSet& offline) {
  std::map<int, std::vector<int>> cores;
  std::map<int, std::vector<int>> nodes;
  std::map<CoreKind, std::vector<int>> kinds;
  std::vector<int> online;
  std::vector<int> present = offline.cpus();
  for (const LogicalCpu& cpu : cpus) {
    cores[cpu.core].push_back(cpu.id);
    nodes[cpu.node].push_back(cpu.id);
    kinds[cpu.kind].push_back(cpu.id);
    online.push_back(cpu.id);
    present.push_back(cpu.id);
  }
  RecordedFiles files;
  const auto set = [&files](const std::string& path, const std::string& text) { files.Set(path, text + "\n"); };
  const std::string root = "/sys/devices/system/";
  set(root + "cpu/online", CpuSet(online).ToString());
  set(root + "cpu/present", CpuSet(present).ToString());
  set(root + "cpu/possible", CpuSet(present).ToString());
  set(root + "cpu/offline", offline.ToString());
  for (const LogicalCpu& cpu : cpus) {
    const std::string folder = absl::StrCat(root, "cpu/cpu", cpu.id, "/topology/");
    set(folder + "physical_package_id", absl::StrCat(cpu.package));
    set(folder + "die_id", absl::StrCat(cpu.die));
    set(folder + "core_id", absl::StrCat(cpu.core));
    set(folder + "core_cpus_list", CpuSet(cores[cpu.core]).ToString());
  }
  std::vector<int> node_ids;
  for (const auto& [node, members] : nodes) {
    node_ids.push_back(node);
    set(absl::StrCat(root, "node/node", node, "/cpulist"), CpuSet(members).ToString());
  }
  set(root + "node/online", CpuSet(node_ids).ToString());
  if (kinds.size() > 1) {
    set("/sys/devices/cpu_core/cpus", CpuSet(kinds[CoreKind::kPerformance]).ToString());
    set("/sys/devices/cpu_atom/cpus", CpuSet(kinds[CoreKind::kEfficiency]).ToString());
    if (kinds.count(CoreKind::kLowPower) != 0) {
      set("/sys/devices/cpu_lowpower/cpus", CpuSet(kinds[CoreKind::kLowPower]).ToString());
    }
  }
  return files;
}

std::vector<RecordedMachine> RecordedMachines() {
  std::vector<RecordedMachine> machines;
  machines.push_back({"laptop", RecordMachine(Regular(1, 1, 4, 1))});
  machines.push_back({"desktop", RecordMachine(Regular(1, 1, 4, 2))});
  machines.push_back({"server", RecordMachine(Regular(2, 1, 8, 2))});
  machines.push_back({"server no smt", RecordMachine(Regular(2, 1, 8, 1))});
  machines.push_back({"sub-numa", RecordMachine(Regular(2, 2, 4, 1))});
  machines.push_back({"hybrid", RecordMachine(Hybrid(0))});
  machines.push_back({"hybrid lp", RecordMachine(Hybrid(2))});
  machines.push_back({"holes", Holes()});
  machines.push_back({"offline", WithOfflineCpus()});
  RecordedFiles bare;
  bare.Set("/sys/devices/system/cpu/online", "0-1\n");
  machines.push_back({"bare", bare});
  return machines;
}

CpuTopology MachineTopology(const std::string& name) {
  for (const RecordedMachine& machine : RecordedMachines()) {
    if (machine.name == name) return ReadCpuTopology(machine.files, CpuSet({0}));
  }
  BURIN_CHECK(false) << "No such machine: " << name;
  return CpuTopology({});
}

}  // namespace burin::executor
