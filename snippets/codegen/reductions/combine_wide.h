// Emits one step of a reduction in wide lanes (snippets/linear/lane.h).
//
// Use it in code generation, as snippets/codegen/reductions/combine.h for narrow ones. Groups have all registers of
// their vectors. Stateless.
#ifndef BURIN_SNIPPETS_CODEGEN_REDUCTIONS_COMBINE_WIDE_H_
#define BURIN_SNIPPETS_CODEGEN_REDUCTIONS_COMBINE_WIDE_H_

#include "jit/emitters/vec_group.h"
#include "snippets/linear/linear_ir.h"

namespace burin::snippets {

// Emits acc = acc OP x, of doubles or of 64-bit integers. A NaN of x or acc stays in acc. Uses up to 2 registers and 1
// mask.
template <class V>
void EmitCombineWide(V& v, Reduction reduction, bool is_float, const jit::VecGroup& acc, const jit::VecGroup& x);

// Emits acc = acc + x * y, or acc = x * y where there is nothing in acc yet, of doubles, rounded once.
template <class V>
void EmitAddProductWide(V& v, bool fresh, const jit::VecGroup& acc, const jit::VecGroup& x, const jit::VecGroup& y);

// Sets every lane of the first register to the reduction of all lanes of all registers; changes the others. Uses up to
// 3 registers and 1 mask.
template <class V>
void EmitCombineLanesWide(V& v, Reduction reduction, bool is_float, const jit::VecGroup& x);

}  // namespace burin::snippets

#endif  // BURIN_SNIPPETS_CODEGEN_REDUCTIONS_COMBINE_WIDE_H_
