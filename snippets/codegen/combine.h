// Emits one step of a reduction.
//
// Use it in code generation. Stateless.
#ifndef BURIN_SNIPPETS_CODEGEN_COMBINE_H_
#define BURIN_SNIPPETS_CODEGEN_COMBINE_H_

#include "jit/emitters/vec_group.h"
#include "snippets/linear/linear_ir.h"

namespace burin::snippets {

// Emits acc = acc OP x, of floats or of 32-bit integers. Uses up to 2 registers and a mask a vector.
template <class V>
void EmitCombine(V& v, Reduction reduction, bool is_float, const jit::VecGroup& acc, const jit::VecGroup& x);

}  // namespace burin::snippets

#endif  // BURIN_SNIPPETS_CODEGEN_COMBINE_H_
