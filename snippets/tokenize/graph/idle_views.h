// Finds the views of a group that idle in it: a kernel without them does the same work.
//
// Use it on nodes that are to be one Subgraph, before they are and whenever they are cut into parts. Stateless,
// thread-safe.
#ifndef BURIN_SNIPPETS_TOKENIZE_GRAPH_IDLE_VIEWS_H_
#define BURIN_SNIPPETS_TOKENIZE_GRAPH_IDLE_VIEWS_H_

#include <vector>

#include "ir/model.h"

namespace burin::snippets {

// Returns those of `nodes`, in topological order, that are worth being in one Subgraph: all but views that nothing in
// it reads, and those of its inputs that something else reads as well. Empty where none computes anything.
std::vector<ir::NodeId> WithoutIdleViews(const ir::Model& model, std::vector<ir::NodeId> nodes);

}  // namespace burin::snippets

#endif  // BURIN_SNIPPETS_TOKENIZE_GRAPH_IDLE_VIEWS_H_
