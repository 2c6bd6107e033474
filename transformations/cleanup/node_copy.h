// Copies a node for a patch that moves it to another place. Stateless, thread-safe.
#ifndef BURIN_TRANSFORMATIONS_CLEANUP_NODE_COPY_H_
#define BURIN_TRANSFORMATIONS_CLEANUP_NODE_COPY_H_

#include <vector>

#include "ir/model.h"

namespace burin::transformations {

// Returns the node, which has no bodies, on other inputs: with its attributes, original names and runtime info, without
// its name and those of its outputs.
ir::NodeSpec CopyOf(const ir::Node& node, std::vector<ir::Value> inputs);

}  // namespace burin::transformations

#endif  // BURIN_TRANSFORMATIONS_CLEANUP_NODE_COPY_H_
