// Which nodes of a model a segment takes, given what is known by then.
//
// A step of SegmentPlanner: decides only, and makes nothing. Stateless, thread-safe.
#ifndef BURIN_RUNTIME_PLUGINS_CPU_SEGMENTS_NODE_GROUPING_H_
#define BURIN_RUNTIME_PLUGINS_CPU_SEGMENTS_NODE_GROUPING_H_

#include <vector>

#include "absl/types/span.h"
#include "ir/model.h"
#include "runtime/plugins/cpu/graph/known_values.h"

namespace burin::cpu {

struct NodeGrouping {
  // What runs in the graph, and what by itself afterwards; in their order.
  std::vector<ir::NodeId> planned;
  std::vector<ir::NodeId> cuts;
  // What runs later.
  std::vector<ir::NodeId> waiting;
  // Values that will be computed then, for whose content some of these wait.
  std::vector<ir::Value> wanted;
};

// Groups the nodes of `model`, in topological `order`, that are not `done` (by node id) and compute what is not known.
// Cuts that need no graph run before all else: what they tell makes the graph a larger one. At least one node runs,
// or a content is wanted, unless nothing is left.
NodeGrouping GroupNodes(const ir::Model& model, absl::Span<const ir::NodeId> order, const std::vector<bool>& done,
                        const KnownValues& known);

}  // namespace burin::cpu

#endif  // BURIN_RUNTIME_PLUGINS_CPU_SEGMENTS_NODE_GROUPING_H_
