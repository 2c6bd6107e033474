#include "jit/emitters/sigmoid.h"

#include <cstdint>
#include <limits>

#include "jit/asm/operands.h"
#include "jit/asm/reg_pool.h"
#include "jit/emitters/exp.h"
#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"

namespace burin::jit {
namespace {

// Sets x to numerator / denominator, where 1 <= denominator <= 2.
void Divide(VecAvx2& v, const Xmm& x, const Xmm& numerator, const Xmm& denominator) {
  v.Div(x, numerator, denominator);
}

void Divide(VecAvx512& v, const Xmm& x, const Xmm& numerator, const Xmm& denominator) {
  // A quotient good to 14 bits, then the remainder, which is exact, times the reciprocal: in half the time of vdivps.
  const VecReg reciprocal = v.New("reciprocal");
  v.code().vrcp14ps(reciprocal, denominator);
  v.Mul(x, numerator, reciprocal);
  v.MulSubtractFrom(numerator, denominator, x);
  v.MulAdd(x, numerator, reciprocal);
}

}  // namespace

template <class V>
void EmitSigmoid(V& v, const Xmm& x) {
  const typename V::Mask negative = v.NewMask("negative");
  const VecReg numerator = v.New("numerator");
  v.MaskOfSigns(negative, x);
  v.Or(x, x, v.Const(std::numeric_limits<int32_t>::min()));
  EmitExpOfNonPositive(v, x);
  v.BroadcastConst(numerator, 1.0f);
  const VecReg denominator = v.New("denominator");
  v.Add(denominator, x, numerator);
  v.Select(numerator, negative, x, numerator);
  Divide(v, x, numerator, denominator);
}

template void EmitSigmoid(VecAvx2&, const Xmm&);
template void EmitSigmoid(VecAvx512&, const Xmm&);

}  // namespace burin::jit
