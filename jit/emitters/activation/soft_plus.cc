#include "jit/emitters/activation/soft_plus.h"

#include <cstdint>
#include <limits>

#include "jit/emitters/elementary/exp.h"
#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"
#include "jit/emitters/vec_group.h"

namespace burin::jit {
namespace {

// Of log(1 + e) / e for 0 <= e <= 1; the greatest relative error is 5.3e-9.
constexpr int kDegree = 9;
constexpr float kCoefficients[kDegree + 1] = {1.0f,          -0.499999315f,  0.333304644f, -0.24958019f,
                                              0.196921036f,  -0.153448939f,  0.106611729f, -0.0574579351f,
                                              0.0200867727f, -0.00329062343f};

// Sets e to e^-|x| and p to log(1 + e) / e.
template <class V>
void EmitTerms(V& v, const VecGroup& x, const VecGroup& e, const VecGroup& p) {
  v.Or(e, x, v.Const(std::numeric_limits<int32_t>::min()));
  EmitExpOfNonPositive(v, e);
  v.BroadcastConst(p, kCoefficients[kDegree]);
  for (int i = kDegree - 1; i >= 0; --i) v.ScaleAdd(p, e, v.Const(kCoefficients[i]));
}

}  // namespace

template <class V>
void EmitSoftPlus(V& v, const VecGroup& x) {
  const VecRegs e = v.New("soft_plus_e", x.size());
  const VecRegs p = v.New("soft_plus_p", x.size());
  EmitTerms(v, x, e, p);
  // In this order of operands, NaN stays.
  v.Max(x, v.ConstReg(0.0f), x);
  v.MulAdd(x, e, p);
}

template <class V>
void EmitLogSigmoid(V& v, const VecGroup& x) {
  const VecRegs e = v.New("soft_plus_e", x.size());
  const VecRegs p = v.New("soft_plus_p", x.size());
  EmitTerms(v, x, e, p);
  // In this order of operands, NaN stays; a result of zero is -0, since it stands for a negative number.
  v.Min(x, v.ConstReg(-0.0f), x);
  v.MulSubtractFrom(x, e, p);
}

template void EmitSoftPlus(VecAvx2&, const VecGroup&);
template void EmitSoftPlus(VecAvx512&, const VecGroup&);
template void EmitLogSigmoid(VecAvx2&, const VecGroup&);
template void EmitLogSigmoid(VecAvx512&, const VecGroup&);

}  // namespace burin::jit
