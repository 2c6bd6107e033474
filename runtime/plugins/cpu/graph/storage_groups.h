// Which values of a graph share memory, and from when to when they need it.
//
// A step of GraphPlan::Activate. Stateless, thread-safe.
#ifndef BURIN_RUNTIME_PLUGINS_CPU_GRAPH_STORAGE_GROUPS_H_
#define BURIN_RUNTIME_PLUGINS_CPU_GRAPH_STORAGE_GROUPS_H_

#include <cstdint>
#include <vector>

#include "runtime/plugins/cpu/graph/graph_draft.h"

namespace burin::cpu {

// Values that are the same memory, as views or because one is written over another.
struct StorageGroup {
  // The value that it began with.
  int value = 0;
  // The steps that write it first and read it last, as numbers; kForever where the user reads it.
  int64_t first = 0;
  int64_t last = 0;
  // The parameter or result whose memory it is; -1.
  int parameter = -1;
  int result = -1;
  bool is_constant = false;

  static constexpr int64_t kForever = int64_t{1} << 62;
};

struct StorageGroups {
  std::vector<StorageGroup> groups;
  // By value.
  std::vector<int> group_of;
};

// Groups the values of `graph`, whose steps are in their order of execution. An output that may overwrite an input does
// so where no later step, and no other input of its own step, reads that memory, and it belongs to the graph.
StorageGroups GroupStorage(const GraphDraft& graph);

}  // namespace burin::cpu

#endif  // BURIN_RUNTIME_PLUGINS_CPU_GRAPH_STORAGE_GROUPS_H_
