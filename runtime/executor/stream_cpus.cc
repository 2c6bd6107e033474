#include "runtime/executor/stream_cpus.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "base/enum_names.h"
#include "base/status_macros.h"
#include "runtime/executor/cpu_set.h"
#include "runtime/executor/cpu_topology.h"
#include "runtime/executor/place_streams.h"

namespace burin::executor {
namespace {

// The threads of a core that are vacant, by id.
using Core = std::vector<int>;

bool Matches(const StreamsRow& row, const LogicalCpu& cpu) {
  return row.package.value_or(cpu.package) == cpu.package && row.node.value_or(cpu.node) == cpu.node &&
         row.kind.value_or(cpu.kind) == cpu.kind && (row.siblings || cpu.thread == 0);
}

// Returns the CPUs of `topology` in the place of `row` that are not `taken`, by core, best first: cores of which a
// thread is taken come last.
std::vector<Core> VacantCores(const CpuTopology& topology, const StreamsRow& row, const std::set<int>& taken) {
  std::set<int> shared;
  for (int id : taken) shared.insert(topology.Find(id)->core);
  std::map<std::tuple<bool, CoreKind, int, int, int>, Core> cores;
  for (const LogicalCpu& cpu : topology.cpus()) {
    if (!Matches(row, cpu) || taken.count(cpu.id) != 0) continue;
    cores[{shared.count(cpu.core) != 0, cpu.kind, cpu.package, cpu.node, cpu.core}].push_back(cpu.id);
  }
  std::vector<Core> sorted;
  for (auto& entry : cores) sorted.push_back(std::move(entry.second));
  return sorted;
}

// Appends CPUs for up to `threads` threads, of the first of `cores`: one of each, then their siblings. As many cores
// count as are the part of one of `streams`, or as hold the threads.
void TakeCpus(const std::vector<Core>& cores, size_t threads, size_t streams, std::vector<int>* cpus) {
  const size_t part = std::max<size_t>(1, cores.size() / streams);
  size_t count = 0;
  for (size_t room = 0; count < cores.size() && (count < part || room < threads); ++count) room += cores[count].size();
  const size_t wanted = cpus->size() + threads;
  bool more = true;
  for (size_t sibling = 0; more; ++sibling) {
    more = false;
    for (size_t i = 0; i < count && cpus->size() < wanted; ++i) {
      if (sibling >= cores[i].size()) continue;
      cpus->push_back(cores[i][sibling]);
      more = true;
    }
  }
}

std::string PlaceOf(const StreamsRow& row) {
  std::string place;
  if (row.kind.has_value()) absl::StrAppend(&place, " kind ", EnumName(*row.kind));
  if (row.node.has_value()) absl::StrAppend(&place, " node ", *row.node);
  if (row.package.has_value()) absl::StrAppend(&place, " package ", *row.package);
  return place;
}

// Returns what all CPUs of `cpus` have in common in a member, or nothing.
template <class Member>
std::optional<Member> InCommon(const CpuTopology& topology, const std::vector<int>& cpus, Member LogicalCpu::*member) {
  const Member first = topology.Find(cpus[0])->*member;
  for (int cpu : cpus) {
    if (topology.Find(cpu)->*member != first) return std::nullopt;
  }
  return first;
}

// Returns a stream of `row`, the first of `streams` that are still to get CPUs in its place; adds its CPUs to `taken`.
absl::StatusOr<CpuStream> AssignStream(const StreamsRow& row, size_t streams, const CpuTopology& usable,
                                       std::set<int>* taken) {
  CpuStream stream;
  stream.threads = row.threads_per_stream;
  const size_t threads = static_cast<size_t>(stream.threads);
  while (stream.cpus.size() < threads) {
    const size_t before = stream.cpus.size();
    TakeCpus(VacantCores(usable, row, *taken), threads - before, streams, &stream.cpus);
    taken->insert(stream.cpus.begin() + static_cast<std::ptrdiff_t>(before), stream.cpus.end());
    if (stream.cpus.size() > before) continue;
    // All are taken: from the first again.
    const std::vector<Core> all = VacantCores(usable, row, {});
    if (all.empty()) {
      return absl::InvalidArgumentError(absl::StrCat("There is no CPU in the place of a stream:", PlaceOf(row),
                                                     "; the model may use ", usable.ToString()));
    }
    for (const Core& core : all) {
      for (int cpu : core) taken->erase(cpu);
    }
  }
  stream.kind = InCommon(usable, stream.cpus, &LogicalCpu::kind);
  stream.node = InCommon(usable, stream.cpus, &LogicalCpu::node);
  stream.package = InCommon(usable, stream.cpus, &LogicalCpu::package);
  return stream;
}

bool SamePlace(const StreamsRow& a, const StreamsRow& b) {
  return a.kind == b.kind && a.node == b.node && a.package == b.package && a.siblings == b.siblings;
}

}  // namespace

std::string CpuStream::ToString() const {
  std::string text = absl::StrCat(threads, threads == 1 ? " thread" : " threads");
  if (!cpus.empty()) absl::StrAppend(&text, " on CPUs ", CpuSet(cpus).ToString());
  if (node.has_value()) absl::StrAppend(&text, ", node ", *node);
  if (package.has_value()) absl::StrAppend(&text, ", package ", *package);
  return text;
}

absl::StatusOr<std::vector<CpuStream>> AssignCpus(const std::vector<StreamsRow>& rows, const CpuTopology& usable) {
  std::vector<CpuStream> streams;
  std::set<int> taken;
  for (size_t i = 0; i < rows.size(); ++i) {
    size_t left = 0;
    for (size_t j = i; j < rows.size(); ++j)
      left += SamePlace(rows[i], rows[j]) ? static_cast<size_t>(rows[j].streams) : 0;
    for (int k = 0; k < rows[i].streams; ++k, --left) {
      BURIN_ASSIGN_OR_RETURN(CpuStream stream, AssignStream(rows[i], left, usable, &taken));
      streams.push_back(std::move(stream));
    }
  }
  return streams;
}

CpuSet CpusOf(const std::vector<CpuStream>& streams) {
  std::vector<int> cpus;
  for (const CpuStream& stream : streams) cpus.insert(cpus.end(), stream.cpus.begin(), stream.cpus.end());
  return CpuSet(std::move(cpus));
}

}  // namespace burin::executor
