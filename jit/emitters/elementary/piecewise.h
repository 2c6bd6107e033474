// Emits a function that is approximated by one polynomial a piece, as many pieces as a vector has lanes.
//
// Use it for smooth functions on a short range whose polynomial would need a high degree: a lookup in a register takes
// one instruction a coefficient. Not for functions of a wide range. Emits to the vocabulary's assembler; see
// jit/emitters/vec.h for errors and threads.
#ifndef BURIN_JIT_EMITTERS_ELEMENTARY_PIECEWISE_H_
#define BURIN_JIT_EMITTERS_ELEMENTARY_PIECEWISE_H_

#include "absl/types/span.h"
#include "jit/emitters/vec_group.h"

namespace burin::jit {

// Describes the polynomials of `V::kLanes` pieces. Piece k covers (k - 1/2) width to (k + 1/2) width, in the variable
// t - k width.
struct PiecewiseTable {
  // Of one piece, such that k width is exact for every k.
  float width = 0;
  // From the constant term on, of each power the coefficients of all pieces: `lanes` a power.
  absl::Span<const float> coefficients;
  // Adds the linear term last, by a multiplication more: where the constant term is 0, the rounding of the sum of the
  // other coefficients then costs nothing.
  bool linear_term_last = false;
};

// Sets `result` to the function of t, and changes t. 0 <= t <= (lanes - 1/2) width, or t is NaN, and so is the result.
// Uses 3 vector registers. The coefficients are those of at least
// 3 powers, the same number for each piece (BURIN_CHECK).
template <class V>
void EmitPiecewise(V& v, const VecGroup& result, const VecGroup& t, const PiecewiseTable& table);

}  // namespace burin::jit

#endif  // BURIN_JIT_EMITTERS_ELEMENTARY_PIECEWISE_H_
