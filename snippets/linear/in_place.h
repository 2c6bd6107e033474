// Says whether a kernel may write an output over one of its inputs.
//
// Use it before an output is given the memory of an input that dies. Stateless.
#ifndef BURIN_SNIPPETS_LINEAR_IN_PLACE_H_
#define BURIN_SNIPPETS_LINEAR_IN_PLACE_H_

#include <cstdint>

#include "snippets/linear/linear_ir.h"

namespace burin::snippets {

// Returns whether every element of `input` is loaded before the element of `output` at the same place is stored, and
// not again afterwards, where both operands have the same memory, type and strides. A buffer in the output counts as
// it. All operands of one input have to be asked for.
bool MayShareMemory(const LinearIr& ir, int32_t input, int32_t output);

}  // namespace burin::snippets

#endif  // BURIN_SNIPPETS_LINEAR_IN_PLACE_H_
