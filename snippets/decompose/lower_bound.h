// Says how small the elements of a value can be, whatever the inputs are.
//
// Use it in rules that are exact only away from zero. Stateless, thread-safe.
#ifndef BURIN_SNIPPETS_DECOMPOSE_LOWER_BOUND_H_
#define BURIN_SNIPPETS_DECOMPOSE_LOWER_BOUND_H_

#include "ir/model.h"

namespace burin::snippets {

// Returns a number that no element of a float value is below, but for NaN; minus infinity where nothing is known.
double LowerBound(const ir::Model& model, ir::Value value);

}  // namespace burin::snippets

#endif  // BURIN_SNIPPETS_DECOMPOSE_LOWER_BOUND_H_
