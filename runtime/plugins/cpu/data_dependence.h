// Which nodes of a model have shapes that only the data tells.
//
// A graph is planned before it runs, so a device has to know them when a model is compiled. What counts is not what an
// operation may do but what it does here: a Range up to a dimension of an input has a shape once the inputs have.
// Stateless, thread-safe.
#ifndef BURIN_RUNTIME_PLUGINS_CPU_DATA_DEPENDENCE_H_
#define BURIN_RUNTIME_PLUGINS_CPU_DATA_DEPENDENCE_H_

#include <vector>

#include "ir/model.h"

namespace burin::cpu {

// Returns the nodes some of whose outputs have dynamic shapes where all of their inputs have static ones, in order of
// id. That is found by giving the parameters sizes that they may have, of which the first few that the model takes
// are tried; of a model that takes none of them, all nodes of operations with the trait kDataDependentShape.
std::vector<ir::NodeId> NodesOfUnknownShape(const ir::Model& model);

}  // namespace burin::cpu

#endif  // BURIN_RUNTIME_PLUGINS_CPU_DATA_DEPENDENCE_H_
