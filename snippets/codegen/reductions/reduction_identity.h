// Says what a reduction of no elements is.
//
// Use it to begin an accumulator. Stateless.
#ifndef BURIN_SNIPPETS_CODEGEN_REDUCTIONS_REDUCTION_IDENTITY_H_
#define BURIN_SNIPPETS_CODEGEN_REDUCTIONS_REDUCTION_IDENTITY_H_

#include <cstdint>

#include "base/element_type.h"
#include "snippets/linear/linear_ir.h"

namespace burin::snippets {

// Returns the bits of a lane that leaves every other as it is: 0 of a sum, 1 of a product, the greatest or least number
// of the type (an infinity of floats) of a minimum or maximum. `type` is one that has lanes (snippets/linear/lane.h);
// of lanes of 32 bits the lower half counts.
uint64_t ReductionIdentity(Reduction reduction, ElementType type);

}  // namespace burin::snippets

#endif  // BURIN_SNIPPETS_CODEGEN_REDUCTIONS_REDUCTION_IDENTITY_H_
