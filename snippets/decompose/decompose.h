// Rewrites the body of a Subgraph into the few operations that lowering knows.
//
// Use it on a body before it is lowered; what is below knows neither softmax nor a normalisation. Not for whole models:
// their passes are in transformations/. Stateless, thread-safe.
#ifndef BURIN_SNIPPETS_DECOMPOSE_DECOMPOSE_H_
#define BURIN_SNIPPETS_DECOMPOSE_DECOMPOSE_H_

#include "absl/status/status.h"
#include "ir/model.h"

namespace burin::snippets {

// Decomposes every operation that is not primitive, as primitive.h has it. Parameters and Results stay, in their order;
// so do symbols, and the names of the original operations. What the body computes stays within the tolerances of its
// operations (ir/tolerance.h). Unimplemented, naming the node and the reason, where something cannot be decomposed, and
// the body is unchanged then.
absl::Status Decompose(ir::Model& body);

}  // namespace burin::snippets

#endif  // BURIN_SNIPPETS_DECOMPOSE_DECOMPOSE_H_
