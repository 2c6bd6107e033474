#include "runtime/executor/cpu_allowance.h"

#include <sched.h>

#include <cerrno>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "runtime/executor/control_groups.h"
#include "runtime/executor/cpu_set.h"
#include "runtime/executor/system_files.h"

namespace burin::executor {
namespace {

// A quota and the folder that sets it.
struct Quota {
  double cpus;
  std::string folder;
};

std::optional<std::string> ReadLine(const SystemFiles& files, const std::string& path) {
  const std::optional<std::string> text = files.Read(path);
  if (!text.has_value()) return std::nullopt;
  return std::string(absl::StripAsciiWhitespace(*text));
}

// Returns the CPUs' worth of time of `quota` microseconds in each `period`; nullopt where these are no such numbers.
std::optional<double> QuotaCpus(absl::string_view quota, absl::string_view period) {
  double quota_us = 0;
  double period_us = 0;
  if (!absl::SimpleAtod(quota, &quota_us) || !absl::SimpleAtod(period, &period_us)) return std::nullopt;
  const double cpus = quota_us / period_us;
  if (!(quota_us > 0) || !(period_us > 0) || !std::isfinite(cpus)) return std::nullopt;
  return cpus;
}

// Reads the quota that one group sets. Version 2 writes "max" where there is none, version 1 writes -1.
std::optional<double> ReadGroupQuota(const SystemFiles& files, const std::string& folder, bool unified) {
  if (!unified) {
    return QuotaCpus(ReadLine(files, folder + "/cpu.cfs_quota_us").value_or(""),
                     ReadLine(files, folder + "/cpu.cfs_period_us").value_or(""));
  }
  const std::string line = ReadLine(files, folder + "/cpu.max").value_or("");
  const std::pair<absl::string_view, absl::string_view> fields = absl::StrSplit(line, absl::MaxSplits(' ', 1));
  return QuotaCpus(fields.first, fields.second);
}

// Returns the smallest quota of the process's groups.
std::optional<Quota> ReadQuota(const SystemFiles& files) {
  std::optional<Quota> smallest;
  for (const ControlGroup& group : FindControlGroups(files, "cpu")) {
    for (const std::string& folder : group.folders) {
      const std::optional<double> cpus = ReadGroupQuota(files, folder, group.unified);
      if (cpus.has_value() && (!smallest.has_value() || *cpus < smallest->cpus)) smallest = Quota{*cpus, folder};
    }
  }
  return smallest;
}

// Returns the cpuset of one group; nullopt where it says nothing.
std::optional<CpuSet> ReadGroupCpus(const SystemFiles& files, const std::string& folder, bool unified) {
  for (const char* name : {unified ? "/cpuset.cpus.effective" : "/cpuset.effective_cpus", "/cpuset.cpus"}) {
    const std::optional<std::string> text = files.Read(folder + name);
    const std::optional<CpuSet> cpus = text.has_value() ? CpuSet::ParseList(*text) : std::nullopt;
    if (cpus.has_value() && !cpus->empty()) return cpus;
  }
  return std::nullopt;
}

// Returns whether no process outside of the group runs on its CPUs. What version 1 calls exclusive keeps off other such
// groups, but not the processes of the parent group.
bool IsExclusiveGroup(const SystemFiles& files, const std::string& folder, bool unified) {
  const std::string partition = ReadLine(files, folder + "/cpuset.cpus.partition").value_or("");
  return unified && (partition == "root" || partition == "isolated");
}

// Restricts the CPUs by the process's cpusets.
void ApplyCpusets(const SystemFiles& files, CpuAllowance* allowance) {
  for (const ControlGroup& group : FindControlGroups(files, "cpuset")) {
    for (const std::string& folder : group.folders) {
      const std::optional<CpuSet> cpus = ReadGroupCpus(files, folder, group.unified);
      if (!cpus.has_value()) continue;
      const CpuSet left = allowance->cpus.Intersection(*cpus);
      if (left.empty()) break;  // What contradicts the mask that the kernel applies is not what the kernel applies.
      if (left != allowance->cpus) {
        allowance->reasons.push_back(absl::StrCat("The cpuset of ", folder, " allows CPUs ", cpus->ToString()));
      }
      allowance->cpus = left;
      if (IsExclusiveGroup(files, folder, group.unified)) {
        allowance->exclusive = true;
        allowance->reasons.push_back(absl::StrCat("The cpuset of ", folder, " keeps other processes off"));
      }
      break;  // A group's effective CPUs are within its parents'.
    }
  }
}

}  // namespace

CpuSet ReadAffinityMask() {
  // The kernel refuses a mask shorter than its own, whose length it does not tell.
  for (int count = 1024; count <= CpuSet::kMaxCpus; count *= 2) {
    cpu_set_t* mask = CPU_ALLOC(static_cast<size_t>(count));
    if (mask == nullptr) break;
    const size_t bytes = CPU_ALLOC_SIZE(static_cast<size_t>(count));
    CPU_ZERO_S(bytes, mask);
    const bool read = sched_getaffinity(0, bytes, mask) == 0;
    const int error = errno;
    std::vector<int> cpus;
    for (int cpu = 0; read && cpu < count; ++cpu) {
      if (CPU_ISSET_S(static_cast<size_t>(cpu), bytes, mask)) cpus.push_back(cpu);
    }
    CPU_FREE(mask);
    if (!cpus.empty()) return CpuSet(std::move(cpus));
    if (read || error != EINVAL) break;
  }
  const unsigned count = std::thread::hardware_concurrency();
  return CpuSet::FirstCpus(count == 0 ? 1 : static_cast<int>(count));
}

CpuAllowance ReadCpuAllowance(const SystemFiles& files, const CpuSet& affinity) {
  CpuAllowance allowance;
  allowance.cpus = affinity;
  allowance.reasons.push_back(absl::StrCat("The affinity mask allows CPUs ", affinity.ToString()));
  ApplyCpusets(files, &allowance);
  const CpuSet isolated =
      CpuSet::ParseList(files.Read("/sys/devices/system/cpu/isolated").value_or("")).value_or(CpuSet());
  if (!allowance.exclusive && allowance.cpus.IsSubsetOf(isolated)) {
    allowance.exclusive = true;
    allowance.reasons.push_back(absl::StrCat("The kernel isolates CPUs ", isolated.ToString()));
  }
  if (const std::optional<Quota> quota = ReadQuota(files); quota.has_value()) {
    allowance.quota_cpus = quota->cpus;
    allowance.reasons.push_back(absl::StrCat("The quota of ", quota->folder, " is ", quota->cpus, " CPUs"));
  }
  return allowance;
}

}  // namespace burin::executor
