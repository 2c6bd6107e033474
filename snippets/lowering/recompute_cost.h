// Says what it costs to compute an operation again rather than to keep its result.
//
// Use it where lowering chooses between repeating an operation and a buffer. Stateless.
#ifndef BURIN_SNIPPETS_LOWERING_RECOMPUTE_COST_H_
#define BURIN_SNIPPETS_LOWERING_RECOMPUTE_COST_H_

#include "base/element_type.h"
#include "ir/op_def.h"

namespace burin::snippets {

// Returns about how many vector instructions the operation takes on elements of `type`.
// Those on wide lanes (snippets/linear/lane.h) are counted twice.
int RecomputeCost(const ir::OpDef& op, ElementType type);

}  // namespace burin::snippets

#endif  // BURIN_SNIPPETS_LOWERING_RECOMPUTE_COST_H_
