#include "runtime/executor/read_cpu_topology.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "runtime/executor/cpu_set.h"
#include "runtime/executor/cpu_topology.h"
#include "runtime/executor/system_files.h"

namespace burin::executor {
namespace {

constexpr char kCpuFolder[] = "/sys/devices/system/cpu/";
constexpr char kNodeFolder[] = "/sys/devices/system/node/";

std::optional<CpuSet> ReadList(const SystemFiles& files, const std::string& path) {
  const std::optional<std::string> text = files.Read(path);
  return text.has_value() ? CpuSet::ParseList(*text) : std::nullopt;
}

// Reads a number that is not negative: the kernel writes -1 where it does not know.
std::optional<int64_t> ReadNumber(const SystemFiles& files, const std::string& path) {
  const std::optional<std::string> text = files.Read(path);
  int64_t number = 0;
  if (!text.has_value() || !absl::SimpleAtoi(absl::StripAsciiWhitespace(*text), &number) || number < 0) {
    return std::nullopt;
  }
  return number;
}

// The same for the kernel's numbers of packages and dies, which fit an int.
std::optional<int> ReadId(const SystemFiles& files, const std::string& path) {
  const std::optional<int64_t> number = ReadNumber(files, path);
  constexpr int64_t kMaxId = INT32_MAX;
  return number.has_value() && *number <= kMaxId ? std::optional<int>(static_cast<int>(*number)) : std::nullopt;
}

// Returns the CPUs whose folders name an existing core, package and so on.
std::vector<LogicalCpu> ReadPackages(const SystemFiles& files, const CpuSet& online, std::vector<std::string>* notes) {
  std::vector<LogicalCpu> cpus;
  std::vector<int> unknown;
  for (int id : online.cpus()) {
    const std::string folder = absl::StrCat(kCpuFolder, "cpu", id, "/topology/");
    const std::optional<int> package = ReadId(files, folder + "physical_package_id");
    if (!package.has_value()) unknown.push_back(id);
    LogicalCpu cpu;
    cpu.id = id;
    cpu.package = package.value_or(0);
    cpu.die = ReadId(files, folder + "die_id").value_or(0);
    cpus.push_back(cpu);
  }
  if (!unknown.empty()) {
    notes->push_back(
        absl::StrCat("The package is unknown, taken as package 0, of CPUs ", CpuSet(std::move(unknown)).ToString()));
  }
  return cpus;
}

// Sets the cores: a core's number is its lowest CPU's.
void ReadCores(const SystemFiles& files, std::vector<LogicalCpu>* cpus, std::vector<std::string>* notes) {
  absl::flat_hash_map<int, int> package_of;
  for (const LogicalCpu& cpu : *cpus) package_of[cpu.id] = cpu.package;
  std::vector<int> unknown;
  for (LogicalCpu& cpu : *cpus) {
    const std::string folder = absl::StrCat(kCpuFolder, "cpu", cpu.id, "/topology/");
    std::optional<CpuSet> siblings = ReadList(files, folder + "core_cpus_list");
    // The name before Linux 5.3.
    if (!siblings.has_value()) siblings = ReadList(files, folder + "thread_siblings_list");
    cpu.core = cpu.id;
    if (!siblings.has_value() || !siblings->Contains(cpu.id)) {
      unknown.push_back(cpu.id);
      continue;
    }
    for (int sibling : siblings->cpus()) {
      const auto it = package_of.find(sibling);
      if (it == package_of.end() || it->second != cpu.package) continue;
      cpu.core = sibling;
      break;
    }
  }
  if (!unknown.empty()) {
    notes->push_back(
        absl::StrCat("The SMT siblings are unknown, taken as none, of CPUs ", CpuSet(std::move(unknown)).ToString()));
  }
}

// Sets the NUMA nodes.
void ReadNodes(const SystemFiles& files, std::vector<LogicalCpu>* cpus, std::vector<std::string>* notes) {
  // Linux is built for at most 1024 nodes; a malformed list must not cost more.
  const CpuSet nodes =
      ReadList(files, absl::StrCat(kNodeFolder, "online")).value_or(CpuSet()).Intersection(CpuSet::FirstCpus(1024));
  absl::flat_hash_map<int, int> node_of;
  for (int node : nodes.cpus()) {
    const CpuSet members = ReadList(files, absl::StrCat(kNodeFolder, "node", node, "/cpulist")).value_or(CpuSet());
    for (int cpu : members.cpus()) node_of.try_emplace(cpu, node);
  }
  absl::flat_hash_map<int, int> node_of_package;
  for (const LogicalCpu& cpu : *cpus) {
    const auto it = node_of.find(cpu.id);
    if (it != node_of.end()) node_of_package.try_emplace(cpu.package, it->second);
  }
  std::vector<int> unknown;
  for (LogicalCpu& cpu : *cpus) {
    const auto it = node_of.find(cpu.id);
    if (it == node_of.end()) unknown.push_back(cpu.id);
    const auto of_package = node_of_package.find(cpu.package);
    cpu.node = it != node_of.end() ? it->second : of_package != node_of_package.end() ? of_package->second : 0;
  }
  if (!unknown.empty()) {
    notes->push_back(absl::StrCat("The NUMA node is unknown, taken as the package's or 0, of CPUs ",
                                  CpuSet(std::move(unknown)).ToString()));
  }
}

// Sets the kinds from the performance monitors; returns whether there are several.
bool ReadKindsFromMonitors(const SystemFiles& files, std::vector<LogicalCpu>* cpus) {
  const CpuSet performance = ReadList(files, "/sys/devices/cpu_core/cpus").value_or(CpuSet());
  const CpuSet efficiency = ReadList(files, "/sys/devices/cpu_atom/cpus").value_or(CpuSet());
  const CpuSet low_power = ReadList(files, "/sys/devices/cpu_lowpower/cpus").value_or(CpuSet());
  if (performance.empty() && efficiency.empty() && low_power.empty()) return false;
  for (LogicalCpu& cpu : *cpus) {
    if (efficiency.Contains(cpu.id)) cpu.kind = CoreKind::kEfficiency;
    if (low_power.Contains(cpu.id)) cpu.kind = CoreKind::kLowPower;
    if (performance.Contains(cpu.id)) cpu.kind = CoreKind::kPerformance;
  }
  return true;
}

// Sets the kinds from a file of each CPU that grows with its speed; returns whether all CPUs have it and they differ.
bool ReadKindsFromSpeed(const SystemFiles& files, absl::string_view file, std::vector<LogicalCpu>* cpus) {
  std::vector<int64_t> speeds;
  for (const LogicalCpu& cpu : *cpus) {
    const std::optional<int64_t> speed = ReadNumber(files, absl::StrCat(kCpuFolder, "cpu", cpu.id, file));
    if (!speed.has_value() || *speed == 0) return false;
    speeds.push_back(*speed);
  }
  const double limit = 0.85 * static_cast<double>(*std::max_element(speeds.begin(), speeds.end()));
  bool differ = false;
  for (size_t i = 0; i < speeds.size(); ++i) {
    if (static_cast<double>(speeds[i]) >= limit) continue;
    (*cpus)[i].kind = CoreKind::kEfficiency;
    differ = true;
  }
  return differ;
}

}  // namespace

CpuTopology ReadCpuTopology(const SystemFiles& files, const CpuSet& affinity) {
  const std::optional<CpuSet> present = ReadList(files, absl::StrCat(kCpuFolder, "present"));
  std::optional<CpuSet> online = ReadList(files, absl::StrCat(kCpuFolder, "online"));
  std::vector<std::string> notes;
  if (!online.has_value() || online->empty()) {
    const CpuSet offline = ReadList(files, absl::StrCat(kCpuFolder, "offline")).value_or(CpuSet());
    online = present.value_or(CpuSet()).Difference(offline);
    if (!online->empty()) notes.push_back("The online CPUs are unknown, taken as those present and not offline");
  }
  if (online->empty()) {
    notes.push_back("The machine is not described; the CPUs that the process may use are taken as one package");
    return CpuTopology::Flat(affinity, std::move(notes));
  }
  std::vector<LogicalCpu> cpus = ReadPackages(files, *online, &notes);
  ReadCores(files, &cpus, &notes);
  ReadNodes(files, &cpus, &notes);
  if (!ReadKindsFromMonitors(files, &cpus) && !ReadKindsFromSpeed(files, "/cpu_capacity", &cpus)) {
    ReadKindsFromSpeed(files, "/cpufreq/cpuinfo_max_freq", &cpus);
  }
  return CpuTopology(std::move(cpus), present.value_or(CpuSet()).Difference(*online), std::move(notes));
}

}  // namespace burin::executor
