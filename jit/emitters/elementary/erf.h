// Emits the error function on vectors of floats.
//
// Use it on a register of the vocabulary's width; for gelu there is jit/emitters/activation/gelu.h. Emits to the
// vocabulary's assembler; see jit/emitters/vec.h for errors and threads.
#ifndef BURIN_JIT_EMITTERS_ELEMENTARY_ERF_H_
#define BURIN_JIT_EMITTERS_ELEMENTARY_ERF_H_

#include "jit/emitters/vec_group.h"

namespace burin::jit {

// Replaces x by erf x, at most 1.95 ulp off, near 0 and among denormals too; +-1 beyond +-3.93. NaN stays NaN, zeros
// keep their sign. Uses 5 vector registers.
//
// Method: a polynomial of |x| a piece (jit/emitters/elementary/piecewise.h), of degree 7 on 8 pieces or 5 on 16, from
// jit/emitters/fit_coefficients.py. That of the first piece has no constant term, so that small results are exact to
// their own size.
template <class V>
void EmitErf(V& v, const VecGroup& x);

}  // namespace burin::jit

#endif  // BURIN_JIT_EMITTERS_ELEMENTARY_ERF_H_
