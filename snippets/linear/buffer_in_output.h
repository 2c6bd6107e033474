// Gives buffers the memory of outputs.
//
// Use it once everything is placed into loops: a value that goes through a buffer and then into an output (the
// exponentials of a softmax) needs no memory of its own, and the output's is brought into the cache while there is
// something to compute. Stateless.
#ifndef BURIN_SNIPPETS_LINEAR_BUFFER_IN_OUTPUT_H_
#define BURIN_SNIPPETS_LINEAR_BUFFER_IN_OUTPUT_H_

#include "snippets/linear/linear_ir.h"

namespace burin::snippets {

// Puts a buffer into an output of the same type (LinearOperand::in_output) where all three, its store, its loads and
// the store into the output, run in loops over the output's axes and no others, and the output is stored last: then
// each element of the buffer is done with when that of the output at its place is written. At most one buffer an
// output.
void PutBuffersIntoOutputs(LinearIr& ir);

}  // namespace burin::snippets

#endif  // BURIN_SNIPPETS_LINEAR_BUFFER_IN_OUTPUT_H_
