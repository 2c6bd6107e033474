// Emits an element-wise function, and says how many registers that takes.
//
// Use it in code generation, which has to know before it emits whether there are enough. Stateless.
#ifndef BURIN_SNIPPETS_CODEGEN_EMIT_FUNCTION_H_
#define BURIN_SNIPPETS_CODEGEN_EMIT_FUNCTION_H_

#include "absl/types/span.h"
#include "jit/emitters/row_kernel.h"
#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"
#include "jit/emitters/vec_group.h"
#include "jit/emitters/wide/wide_function.h"
#include "jit/isa/isa.h"

namespace burin::snippets {

// Emits the function at the width of the vocabulary.
inline void EmitFunction(jit::VecAvx2& v, const jit::RowFunction& function, absl::Span<const jit::VecGroup> operands) {
  function.avx2(v, operands);
}
inline void EmitFunction(jit::VecAvx512& v, const jit::RowFunction& function,
                         absl::Span<const jit::VecGroup> operands) {
  function.avx512(v, operands);
}

// Does the same with a result in registers of its own.
inline void EmitFunction(jit::VecAvx2& v, const jit::WideFunction& function, const jit::VecGroup& to,
                         absl::Span<const jit::VecGroup> inputs) {
  function.avx2(v, to, inputs);
}
inline void EmitFunction(jit::VecAvx512& v, const jit::WideFunction& function, const jit::VecGroup& to,
                         absl::Span<const jit::VecGroup> inputs) {
  function.avx512(v, to, inputs);
}

// Return the most vector registers that the function takes at a time beyond its operands, for groups of `vectors`
// vectors: it is emitted to nowhere.
template <class V>
int TemporariesOf(const jit::RowFunction& function, int vectors, const jit::IsaSet& isa);
template <class V>
int TemporariesOf(const jit::WideFunction& function, int vectors, const jit::IsaSet& isa);

}  // namespace burin::snippets

#endif  // BURIN_SNIPPETS_CODEGEN_EMIT_FUNCTION_H_
