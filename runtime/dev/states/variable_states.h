// The states of a model's variables as users see them, over the store in which a request keeps their values.
//
// For devices whose requests keep values by ir::MapVariableStore. Stateless; a state is as thread-safe as the store.
#ifndef BURIN_RUNTIME_DEV_STATES_VARIABLE_STATES_H_
#define BURIN_RUNTIME_DEV_STATES_VARIABLE_STATES_H_

#include <memory>
#include <vector>

#include "ir/evaluator.h"
#include "ir/model.h"
#include "runtime/dev/sync_infer_request.h"

namespace burin {

// Returns a state for each of `variables`, in their order; each keeps `store` alive.
std::vector<std::shared_ptr<IVariableState>> MakeVariableStates(const std::vector<ir::Variable>& variables,
                                                                const std::shared_ptr<ir::MapVariableStore>& store);

}  // namespace burin

#endif  // BURIN_RUNTIME_DEV_STATES_VARIABLE_STATES_H_
