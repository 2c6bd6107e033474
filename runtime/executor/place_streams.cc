#include "runtime/executor/place_streams.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "base/check.h"
#include "runtime/executor/core_pools.h"
#include "runtime/executor/cpu_topology.h"

namespace burin::executor {
namespace {

using Pools = std::vector<CorePool>;

// Groups pools that agree in a member, in the order of their first ones.
template <class Member>
std::vector<Pools> GroupBy(const Pools& pools, Member CorePool::*member) {
  std::vector<Pools> groups;
  for (const CorePool& pool : pools) {
    const auto it = std::find_if(groups.begin(), groups.end(),
                                 [&](const Pools& group) { return group[0].*member == pool.*member; });
    if (it == groups.end()) {
      groups.push_back({pool});
    } else {
      it->push_back(pool);
    }
  }
  return groups;
}

// Returns what all pools have in common, or nothing.
template <class Member>
std::optional<Member> InCommon(const Pools& pools, Member CorePool::*member) {
  for (const CorePool& pool : pools) {
    if (pool.*member != pools[0].*member) return std::nullopt;
  }
  return pools[0].*member;
}

// Appends `streams` streams that share all CPUs of `pools`, whole cores where these suffice.
void SplitPools(const Pools& pools, int streams, std::vector<StreamsRow>* rows) {
  const int cpus = CpuCount(pools);
  const int cores = CoreCount(pools);
  // The threads of a core stay in one stream where all cores have as many.
  const bool whole_cores = cores > 0 && cpus % cores == 0 && streams <= cores;
  const int unit = whole_cores ? cpus / cores : 1;
  const int units = cpus / unit;
  StreamsRow row;
  row.kind = InCommon(pools, &CorePool::kind);
  row.node = InCommon(pools, &CorePool::node);
  row.package = InCommon(pools, &CorePool::package);
  row.siblings = SiblingCount(pools) > 0;
  const int larger = streams <= units ? units % streams : 0;
  for (const auto& [count, size] :
       {std::make_pair(larger, units / streams + 1), std::make_pair(streams - larger, std::max(1, units / streams))}) {
    row.streams = count;
    row.threads_per_stream = size * unit;
    if (count > 0) rows->push_back(row);
  }
}

// Returns how many of `streams` each group gets: one, and the others in proportion to their CPUs (d'Hondt's rule).
std::vector<int> Share(const std::vector<Pools>& groups, int streams) {
  std::vector<int> shares(groups.size(), 1);
  for (int left = streams - static_cast<int>(groups.size()); left > 0; --left) {
    size_t best = 0;
    double best_cpus = 0;
    for (size_t i = 0; i < groups.size(); ++i) {
      const double cpus = static_cast<double>(CpuCount(groups[i])) / (shares[i] + 1);
      if (cpus <= best_cpus) continue;
      best = i;
      best_cpus = cpus;
    }
    ++shares[best];
  }
  return shares;
}

void PlaceInNode(const Pools& pools, int streams, std::vector<StreamsRow>* rows) {
  const std::vector<Pools> kinds = GroupBy(pools, &CorePool::kind);
  if (streams < static_cast<int>(kinds.size())) return SplitPools(pools, streams, rows);
  const std::vector<int> shares = Share(kinds, streams);
  for (size_t i = 0; i < kinds.size(); ++i) SplitPools(kinds[i], shares[i], rows);
}

void PlaceInPackage(const Pools& pools, int streams, std::vector<StreamsRow>* rows) {
  const std::vector<Pools> nodes = GroupBy(pools, &CorePool::node);
  if (streams < static_cast<int>(nodes.size())) return SplitPools(pools, streams, rows);
  const std::vector<int> shares = Share(nodes, streams);
  for (size_t i = 0; i < nodes.size(); ++i) PlaceInNode(nodes[i], shares[i], rows);
}

}  // namespace

int StreamCount(const std::vector<StreamsRow>& rows) {
  return std::accumulate(rows.begin(), rows.end(), 0, [](int sum, const StreamsRow& row) { return sum + row.streams; });
}

int ThreadCount(const std::vector<StreamsRow>& rows) {
  return std::accumulate(rows.begin(), rows.end(), 0,
                         [](int sum, const StreamsRow& row) { return sum + row.streams * row.threads_per_stream; });
}

std::vector<StreamsRow> PlaceStreams(const std::vector<CorePool>& pools, int streams, bool may_span_packages) {
  BURIN_CHECK(!pools.empty());
  BURIN_CHECK_GT(streams, 0);
  std::vector<StreamsRow> rows;
  std::vector<Pools> packages = GroupBy(pools, &CorePool::package);
  if (streams < static_cast<int>(packages.size())) {
    if (may_span_packages) {
      SplitPools(pools, streams, &rows);
      return rows;
    }
    std::stable_sort(packages.begin(), packages.end(),
                     [](const Pools& a, const Pools& b) { return CpuCount(a) > CpuCount(b); });
    packages.resize(static_cast<size_t>(streams));
  }
  const std::vector<int> shares = Share(packages, streams);
  for (size_t i = 0; i < packages.size(); ++i) PlaceInPackage(packages[i], shares[i], &rows);
  return rows;
}

std::vector<StreamsRow> PlaceStreamPerNode(const std::vector<CorePool>& pools) {
  std::vector<StreamsRow> rows;
  for (const Pools& node : GroupBy(pools, &CorePool::node)) SplitPools(node, 1, &rows);
  return rows;
}

std::vector<StreamsRow> PlaceStreamsOfSize(const std::vector<CorePool>& pools,
                                           const std::vector<int>& cores_per_stream) {
  BURIN_CHECK_EQ(pools.size(), cores_per_stream.size());
  std::vector<StreamsRow> rows;
  for (size_t i = 0; i < pools.size(); ++i) {
    SplitPools({pools[i]}, std::max(1, pools[i].cores / cores_per_stream[i]), &rows);
  }
  return rows;
}

}  // namespace burin::executor
