#include "runtime/executor/broker/core_sharing.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "runtime/executor/cpu_set.h"
#include "runtime/executor/cpu_topology.h"

namespace burin::executor {
namespace {

// A core and those who have a CPU of it.
struct Core {
  std::vector<int> cpus;
  CoreKind kind = CoreKind::kPerformance;
  int package = 0;
  int node = 0;
  int models = 0;
  bool reserved = false;
};

using Cores = std::vector<Core>;

Cores MakeCores(const CpuTopology& usable, const std::vector<CoreHolding>& holdings, const CoreDemand& demand) {
  Cores cores(static_cast<size_t>(usable.core_count()));
  for (const LogicalCpu& cpu : usable.cpus()) {
    Core& core = cores[static_cast<size_t>(cpu.core)];
    core.cpus.push_back(cpu.id);
    core.kind = cpu.kind;
    core.package = cpu.package;
    core.node = cpu.node;
  }
  const auto is_other = [&](const Core& core) { return core.kind != demand.kind; };
  // Where there is no core of the kind, CalculateStreams says so.
  if (demand.kind.has_value() && !std::all_of(cores.begin(), cores.end(), is_other)) {
    cores.erase(std::remove_if(cores.begin(), cores.end(), is_other), cores.end());
  }
  for (Core& core : cores) {
    for (const CoreHolding& holding : holdings) {
      if (CpuSet(core.cpus).Intersection(holding.cpus).empty()) continue;
      ++core.models;
      core.reserved |= holding.reserved;
    }
  }
  return cores;
}

CpuSet CpusOf(const Cores& cores) {
  std::vector<int> cpus;
  for (const Core& core : cores) cpus.insert(cpus.end(), core.cpus.begin(), core.cpus.end());
  return CpuSet(std::move(cpus));
}

template <class Predicate>
Cores Those(const Cores& cores, Predicate wanted) {
  Cores kept;
  std::copy_if(cores.begin(), cores.end(), std::back_inserter(kept), wanted);
  return kept;
}

// Returns the models that have CPUs of `cores`.
std::vector<std::string> OwnersOf(const Cores& cores, const std::vector<CoreHolding>& holdings) {
  std::vector<std::string> owners;
  for (const CoreHolding& holding : holdings) {
    if (!CpusOf(cores).Intersection(holding.cpus).empty()) owners.push_back(holding.owner);
  }
  return owners;
}

// Returns the `count` cores that fewest models have, the best first among equals.
Cores LeastShared(Cores cores, size_t count) {
  std::stable_sort(cores.begin(), cores.end(), [](const Core& a, const Core& b) {
    return std::tie(a.models, a.kind, a.package, a.node) < std::tie(b.models, b.kind, b.package, b.node);
  });
  cores.resize(std::min(count, cores.size()));
  return cores;
}

// Returns how often the cores are had.
int Load(const Cores& cores) {
  int load = 0;
  for (const Core& core : cores) load += core.models;
  return load;
}

// Returns the `count` cores of a package that fewest models have; of several packages where they do not fit in one.
Cores LeastSharedOfOnePackage(const Cores& cores, size_t count) {
  std::map<int, Cores> packages;
  for (const Core& core : cores) packages[core.package].push_back(core);
  Cores best;
  for (const auto& entry : packages) {
    Cores candidate = LeastShared(entry.second, count);
    if (candidate.size() < count) continue;
    if (best.empty() || Load(candidate) < Load(best)) best = std::move(candidate);
  }
  return best.empty() ? LeastShared(cores, count) : best;
}

std::string CoresText(size_t count, size_t of) { return absl::StrCat(count, " of ", of, of == 1 ? " core" : " cores"); }

// Offers what can be reserved: cores that nobody has.
absl::StatusOr<CoreOffer> OfferReservation(const Cores& cores, const std::vector<CoreHolding>& holdings,
                                           const CoreDemand& demand) {
  const Cores vacant = Those(cores, [](const Core& core) { return core.models == 0; });
  const int wanted = std::min(demand.threads.value_or(1), CpusOf(cores).size());
  if (CpusOf(vacant).size() < wanted) {
    return absl::ResourceExhaustedError(
        absl::StrCat("Too few CPUs are left to be reserved: threads ", wanted, ", CPUs left ", CpusOf(vacant).size(),
                     "; models with CPUs: ", absl::StrJoin(OwnersOf(cores, holdings), ", ")));
  }
  return CoreOffer{CpusOf(vacant), false, absl::StrCat("No other model has ", CoresText(vacant.size(), cores.size()))};
}

}  // namespace

absl::StatusOr<CoreOffer> OfferCores(const CpuTopology& usable, const std::vector<CoreHolding>& holdings,
                                     const CoreDemand& demand) {
  const Cores all = MakeCores(usable, holdings, demand);
  if (demand.reserve) return OfferReservation(all, holdings, demand);
  const Cores cores = Those(all, [](const Core& core) { return !core.reserved; });
  const std::vector<std::string> reserving =
      OwnersOf(Those(all, [](const Core& core) { return core.reserved; }), holdings);
  if (cores.empty()) {
    return absl::ResourceExhaustedError(
        absl::StrCat("All CPUs are reserved by other models: ", absl::StrJoin(reserving, ", ")));
  }
  const std::string reserved =
      reserving.empty() ? "" : absl::StrCat("; the others are reserved by ", absl::StrJoin(reserving, ", "));
  const Cores vacant = Those(cores, [](const Core& core) { return core.models == 0; });
  const std::string of_all = CoresText(vacant.size(), all.size());
  if (vacant.size() == all.size()) return CoreOffer{CpusOf(vacant), false, "No other model has CPUs"};

  const std::vector<std::string> owners = OwnersOf(cores, holdings);
  const size_t fair = std::max<size_t>(1, cores.size() / (owners.size() + 1));
  const size_t wanted = demand.threads.has_value() ? static_cast<size_t>(std::max(1, *demand.threads)) : fair;
  if (vacant.size() >= std::min(wanted, cores.size())) {
    return CoreOffer{CpusOf(vacant), false, absl::StrCat("Other models leave ", of_all, reserved)};
  }
  const Cores chosen = LeastSharedOfOnePackage(cores, std::min(wanted, cores.size()));
  const std::string sharers = absl::StrJoin(OwnersOf(chosen, holdings), ", ");
  return CoreOffer{CpusOf(chosen), true,
                   absl::StrCat(demand.threads.has_value() ? "As many as are asked for, " : "An even share, ",
                                CoresText(chosen.size(), all.size()), ", of which other models leave ", vacant.size(),
                                "; shared with ", sharers, reserved)};
}

}  // namespace burin::executor
