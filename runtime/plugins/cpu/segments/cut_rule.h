// Which operations run by themselves, between graphs, and which only wait until an input is computed.
//
// For SegmentPlanner. Stateless, thread-safe.
#ifndef BURIN_RUNTIME_PLUGINS_CPU_SEGMENTS_CUT_RULE_H_
#define BURIN_RUNTIME_PLUGINS_CPU_SEGMENTS_CUT_RULE_H_

#include <vector>

#include "ir/model.h"
#include "runtime/plugins/cpu/graph/known_values.h"

namespace burin::cpu {

// Returns whether a node runs by itself whatever is known of it: what has bodies of its own that it may run or not, and
// what reads or sets a variable.
bool AlwaysCuts(const ir::Node& node);

// Returns the inputs whose content is worth waiting for: with it the outputs' shapes follow, so that a kernel can be
// planned. For a node with static inputs and dynamic outputs. None where the content would not tell, is known already,
// or changes with the data while the reference costs next to nothing: a view, or few elements.
std::vector<ir::Value> ContentsToWaitFor(const ir::Node& node, const KnownValues& known);

}  // namespace burin::cpu

#endif  // BURIN_RUNTIME_PLUGINS_CPU_SEGMENTS_CUT_RULE_H_
