// Checks every invariant that ir/model.h lists. Stateless, thread-safe.
#ifndef BURIN_IR_VERIFIER_H_
#define BURIN_IR_VERIFIER_H_

#include "absl/status/status.h"
#include "ir/model.h"

namespace burin::ir {

// Returns Internal whose message begins with the label of the first broken invariant ("M2: ...") and names the node.
absl::Status Verify(const Model& model);

}  // namespace burin::ir

#endif  // BURIN_IR_VERIFIER_H_
