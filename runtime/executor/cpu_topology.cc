#include "runtime/executor/cpu_topology.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "runtime/executor/cpu_set.h"

namespace burin::executor {
namespace {

// A core as it is numbered anew: its number, its lowest CPU, and how many threads were met.
struct NumberedCore {
  int number;
  LogicalCpu lowest;
  int threads;
};

std::string Counted(int count, absl::string_view what) { return absl::StrCat(count, " ", what, count == 1 ? "" : "s"); }

}  // namespace

CpuTopology::CpuTopology(std::vector<LogicalCpu> cpus, CpuSet offline, std::vector<std::string> notes)
    : cpus_(std::move(cpus)), offline_(std::move(offline)), notes_(std::move(notes)) {
  if (cpus_.empty()) cpus_.emplace_back();
  std::stable_sort(cpus_.begin(), cpus_.end(), [](const LogicalCpu& a, const LogicalCpu& b) { return a.id < b.id; });
  cpus_.erase(
      std::unique(cpus_.begin(), cpus_.end(), [](const LogicalCpu& a, const LogicalCpu& b) { return a.id == b.id; }),
      cpus_.end());
  absl::flat_hash_map<int, NumberedCore> cores;
  for (LogicalCpu& cpu : cpus_) {
    NumberedCore& core = cores.try_emplace(cpu.core, NumberedCore{core_count_, cpu, 0}).first->second;
    if (core.threads == 0) ++core_count_;
    const int id = cpu.id;
    cpu = core.lowest;
    cpu.id = id;
    cpu.core = core.number;
    cpu.thread = core.threads++;
  }
}

CpuTopology CpuTopology::Flat(const CpuSet& cpus, std::vector<std::string> notes) {
  std::vector<LogicalCpu> flat;
  for (int id : cpus.cpus()) {
    LogicalCpu cpu;
    cpu.id = id;
    cpu.core = id;
    flat.push_back(cpu);
  }
  return CpuTopology(std::move(flat), CpuSet(), std::move(notes));
}

CpuSet CpuTopology::ids() const {
  std::vector<int> ids;
  for (const LogicalCpu& cpu : cpus_) ids.push_back(cpu.id);
  return CpuSet(std::move(ids));
}

const LogicalCpu* CpuTopology::Find(int id) const {
  const auto it = std::lower_bound(cpus_.begin(), cpus_.end(), id,
                                   [](const LogicalCpu& cpu, int wanted) { return cpu.id < wanted; });
  return it != cpus_.end() && it->id == id ? &*it : nullptr;
}

std::vector<int> CpuTopology::packages() const {
  std::set<int> packages;
  for (const LogicalCpu& cpu : cpus_) packages.insert(cpu.package);
  return std::vector<int>(packages.begin(), packages.end());
}

std::vector<int> CpuTopology::nodes() const {
  std::set<int> nodes;
  for (const LogicalCpu& cpu : cpus_) nodes.insert(cpu.node);
  return std::vector<int>(nodes.begin(), nodes.end());
}

bool CpuTopology::is_hybrid() const {
  return std::any_of(cpus_.begin(), cpus_.end(), [&](const LogicalCpu& cpu) { return cpu.kind != cpus_[0].kind; });
}

CpuTopology CpuTopology::RestrictedTo(const CpuSet& allowed) const {
  if (allowed.empty()) return *this;
  std::vector<LogicalCpu> kept;
  for (const LogicalCpu& cpu : cpus_) {
    if (allowed.Contains(cpu.id)) kept.push_back(cpu);
  }
  std::vector<std::string> notes = notes_;
  if (kept.empty()) {
    notes.push_back(absl::StrCat("No allowed CPU is described; all are taken as one package: ", allowed.ToString()));
    return Flat(allowed, std::move(notes));
  }
  return CpuTopology(std::move(kept), offline_, std::move(notes));
}

std::string CpuTopology::ToString() const {
  return absl::StrCat(Counted(static_cast<int>(packages().size()), "package"), ", ",
                      Counted(static_cast<int>(nodes().size()), "NUMA node"), ", ", Counted(core_count_, "core"), ", ",
                      Counted(static_cast<int>(cpus_.size()), "CPU"), ": ", ids().ToString());
}

}  // namespace burin::executor
