// Emits one step of a reduction.
//
// Use it in code generation. Stateless.
#ifndef BURIN_SNIPPETS_CODEGEN_REDUCTIONS_COMBINE_H_
#define BURIN_SNIPPETS_CODEGEN_REDUCTIONS_COMBINE_H_

#include "jit/emitters/vec_group.h"
#include "snippets/linear/linear_ir.h"

namespace burin::snippets {

// Emits acc = acc OP x, of floats or of 32-bit integers. A NaN of x or acc stays in acc. Where `lanes_meet`, all lanes
// of all vectors are combined in the end, and a NaN may come to be in another vector's. Uses up to 2 registers or masks
// a vector.
template <class V>
void EmitCombine(V& v, Reduction reduction, bool is_float, bool lanes_meet, const jit::VecGroup& acc,
                 const jit::VecGroup& x);

// Sets every lane of the first of some vectors to the reduction of all lanes of all; changes the others. Uses up to 3
// registers.
template <class V>
void EmitCombineLanes(V& v, Reduction reduction, bool is_float, const jit::VecGroup& x);

}  // namespace burin::snippets

#endif  // BURIN_SNIPPETS_CODEGEN_REDUCTIONS_COMBINE_H_
