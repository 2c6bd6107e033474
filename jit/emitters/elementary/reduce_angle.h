// Emits the first step of the trigonometric functions: the angle less a multiple of pi or of pi / 2.
//
// Use it inside the emitters of sin, cos and tan. Not for angles in other units. Emits to the vocabulary's assembler;
// see jit/emitters/vec.h for errors and threads.
#ifndef BURIN_JIT_EMITTERS_ELEMENTARY_REDUCE_ANGLE_H_
#define BURIN_JIT_EMITTERS_ELEMENTARY_REDUCE_ANGLE_H_

#include <cstdint>

#include "jit/emitters/vec_group.h"

namespace burin::jit {

// Names what is left of x, with an integer q; it may exceed its range by 6 %.
enum class AngleReduction : uint8_t {
  kSine,     // x - q pi, in +-pi / 2: sin x = (-1)^q sin r.
  kCosine,   // x - (q - 1/2) pi, in +-pi / 2: cos x = (-1)^q sin r; or -r, with q + 1 for q.
  kTangent,  // x - q pi / 2, in +-pi / 4: tan x is tan r for even q, -1 / tan r for odd q.
};

// Sets r to what is left of x, at most 1.5 ulp off, and the sign bits of `odd` to whether q is odd; its other bits are
// zero. Of the registers, x stays; r is zero only for zeros, whose sign it keeps, and NaN for infinities and NaN. Uses
// 1 vector register, later 7 in all and 1 mask, with VecAvx2 8.
//
// Method: up to 2^20, x - n pi with pi in three parts of 24 bits: the first product and difference are exact, each
// further one is rounded once (W. J. Cody and W. Waite, Software Manual for the Elementary Functions, 1980). Where an
// element is beyond that, the code branches to the exact product of its mantissa and those bits of 1 / (2 pi) that
// make the fraction, in 64-bit integers (M. H. Payne and R. N. Hanek, Radian reduction for trigonometric functions,
// SIGNUM Newsletter 18, 1983); the fraction of no float is below 2^-32.
template <class V>
void EmitReduceAngle(V& v, const VecGroup& r, const VecGroup& odd, const VecGroup& x, AngleReduction reduction);

}  // namespace burin::jit

#endif  // BURIN_JIT_EMITTERS_ELEMENTARY_REDUCE_ANGLE_H_
