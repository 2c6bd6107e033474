#include "runtime/executor/core_pools.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <map>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "runtime/executor/cpu_topology.h"

namespace burin::executor {
namespace {

constexpr CoreKind kKinds[] = {CoreKind::kPerformance, CoreKind::kEfficiency, CoreKind::kLowPower};

void DropEmpty(std::vector<CorePool>* pools) {
  pools->erase(std::remove_if(pools->begin(), pools->end(), [](const CorePool& pool) { return pool.cpus() == 0; }),
               pools->end());
}

}  // namespace

std::vector<CorePool> MakeCorePools(const CpuTopology& topology, std::optional<int> first_node) {
  std::optional<int> first_package;
  for (const LogicalCpu& cpu : topology.cpus()) {
    if (cpu.node == first_node && !first_package.has_value()) first_package = cpu.package;
  }
  // False sorts before true.
  std::map<std::tuple<bool, int, bool, int, CoreKind>, CorePool> sorted;
  for (const LogicalCpu& cpu : topology.cpus()) {
    CorePool& pool = sorted[{cpu.package != first_package, cpu.package, cpu.node != first_node, cpu.node, cpu.kind}];
    pool.package = cpu.package;
    pool.node = cpu.node;
    pool.kind = cpu.kind;
    ++(cpu.thread == 0 ? pool.cores : pool.siblings);
  }
  std::vector<CorePool> pools;
  for (const auto& entry : sorted) pools.push_back(entry.second);
  return pools;
}

int CoreCount(const std::vector<CorePool>& pools) {
  int count = 0;
  for (const CorePool& pool : pools) count += pool.cores;
  return count;
}

int SiblingCount(const std::vector<CorePool>& pools) {
  int count = 0;
  for (const CorePool& pool : pools) count += pool.siblings;
  return count;
}

int CpuCount(const std::vector<CorePool>& pools) { return CoreCount(pools) + SiblingCount(pools); }

void KeepOnePackage(int threads, std::vector<CorePool>* pools) {
  for (const CorePool& candidate : *pools) {
    const int package = candidate.package;
    std::vector<CorePool> kept;
    std::copy_if(pools->begin(), pools->end(), std::back_inserter(kept),
                 [package](const CorePool& pool) { return pool.package == package; });
    if (CoreCount(kept) < threads) continue;
    *pools = std::move(kept);
    return;
  }
}

void LimitPools(int threads, std::vector<CorePool>* pools) {
  for (int CorePool::*count : {&CorePool::cores, &CorePool::siblings}) {
    for (CoreKind kind : kKinds) {
      for (CorePool& pool : *pools) {
        if (pool.kind != kind) continue;
        pool.*count = std::min(pool.*count, threads);
        threads -= pool.*count;
      }
    }
  }
  DropEmpty(pools);
}

void LimitPoolsEvenly(int threads, std::vector<CorePool>* pools) {
  std::vector<std::pair<int, std::vector<CorePool>>> nodes;
  for (const CorePool& pool : *pools) {
    auto it = std::find_if(nodes.begin(), nodes.end(), [&](const auto& node) { return node.first == pool.node; });
    if (it == nodes.end()) it = nodes.insert(nodes.end(), {pool.node, {}});
    it->second.push_back(pool);
  }
  std::vector<int> given(nodes.size(), 0);
  for (bool more = true; more && threads > 0;) {
    more = false;
    for (size_t i = 0; i < nodes.size() && threads > 0; ++i) {
      if (given[i] == CpuCount(nodes[i].second)) continue;
      ++given[i];
      --threads;
      more = true;
    }
  }
  pools->clear();
  for (size_t i = 0; i < nodes.size(); ++i) {
    LimitPools(given[i], &nodes[i].second);
    pools->insert(pools->end(), nodes[i].second.begin(), nodes[i].second.end());
  }
}

}  // namespace burin::executor
