#include "jit/emitters/arithmetic/division.h"

#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"
#include "jit/emitters/vec_group.h"

namespace burin::jit {

template <class V>
void EmitDivide(V& v, const VecGroup& x, const VecSource& y) {
  v.Div(x, x, y);
}

template <class V>
void EmitReciprocal(V& v, const VecGroup& x) {
  v.Div(x, v.ConstReg(1.0f), x);
}

template void EmitDivide(VecAvx2&, const VecGroup&, const VecSource&);
template void EmitDivide(VecAvx512&, const VecGroup&, const VecSource&);
template void EmitReciprocal(VecAvx2&, const VecGroup&);
template void EmitReciprocal(VecAvx512&, const VecGroup&);

}  // namespace burin::jit
