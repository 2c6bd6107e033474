// Says how many vector registers the values of a linear IR fill.
//
// Use it to decide between forms of a kernel before any code is generated. Stateless.
#ifndef BURIN_SNIPPETS_LINEAR_VECTOR_PRESSURE_H_
#define BURIN_SNIPPETS_LINEAR_VECTOR_PRESSURE_H_

#include "snippets/linear/linear_ir.h"

namespace burin::snippets {

// Returns the most vectors that hold values at any one time: of a value that varies along the vector axis as many as
// `ir` takes at a time (LinearIr::block_vectors, or one where there are loops), of any other one. Constants are not
// held, and what emitters take beyond their operands is not counted.
int VectorPressure(const LinearIr& ir);

}  // namespace burin::snippets

#endif  // BURIN_SNIPPETS_LINEAR_VECTOR_PRESSURE_H_
