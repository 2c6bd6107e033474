// Removes what a linear IR computes for nobody.
//
// Use it once lowering has placed everything: what is computed again in the loop of its reader may not be needed where
// it was computed first. Stateless.
#ifndef BURIN_SNIPPETS_LINEAR_DEAD_CODE_H_
#define BURIN_SNIPPETS_LINEAR_DEAD_CODE_H_

#include "snippets/linear/linear_ir.h"

namespace burin::snippets {

// Removes expressions whose value is not used by a store, in the end, and loops without any, and numbers the rest of
// the expressions and values in the order in which they stand. Operands stay.
void RemoveDeadCode(LinearIr& ir);

}  // namespace burin::snippets

#endif  // BURIN_SNIPPETS_LINEAR_DEAD_CODE_H_
