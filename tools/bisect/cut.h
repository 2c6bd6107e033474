// Cuts some nodes out of a model, to a model of their own.
//
// Values that the nodes read from elsewhere become parameters, constants come along, and values that are read elsewhere
// become results. Stateless, thread-safe.
#ifndef BURIN_TOOLS_BISECT_CUT_H_
#define BURIN_TOOLS_BISECT_CUT_H_

#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "ir/model.h"
#include "tools/bisect/difference.h"

namespace burin::bisect {

struct Cut {
  std::unique_ptr<ir::Model> model;
  // The values of the whole model that its parameters stand for, in the parameters' order.
  std::vector<ir::Value> inputs;
};

// Cuts `nodes` out of `whole`; parameters and results among them are left out. Nodes keep names, provenance, runtime
// info and bodies. InvalidArgument where nothing is left to be computed, or where inference knows less of a parameter
// than a node needs.
absl::StatusOr<Cut> CutOut(const ir::Model& whole, const NodeSet& nodes);

}  // namespace burin::bisect

#endif  // BURIN_TOOLS_BISECT_CUT_H_
