// What a rewrite did to a model: which nodes differ between the model before and after it.
//
// Node ids are stable, so that both models are compared id by id; nothing is guessed from names. Stateless,
// thread-safe.
#ifndef BURIN_TOOLS_BISECT_DIFFERENCE_H_
#define BURIN_TOOLS_BISECT_DIFFERENCE_H_

#include <set>
#include <string>

#include "ir/model.h"

namespace burin::bisect {

using NodeSet = std::set<ir::NodeId>;

struct Difference {
  NodeSet gone;     // In the model before alone.
  NodeSet came;     // In the model after alone.
  NodeSet rewired;  // In both; reads other values, and is the same otherwise.
  NodeSet changed;  // In both; other attributes or runtime info.
};

// Compares two states of one model. Bodies are not looked into.
Difference DifferenceOf(const ir::Model& before, const ir::Model& after);

// Returns the nodes and those that they read or that read them.
NodeSet WithRing(const ir::Model& model, const NodeSet& nodes);

// Prints the nodes of `core` that the model has, and a ring around them, a line each in topological order; those of
// `core` are marked by "* ".
std::string DescribeRegion(const ir::Model& model, const NodeSet& core);

}  // namespace burin::bisect

#endif  // BURIN_TOOLS_BISECT_DIFFERENCE_H_
