#include "jit/emitters/arithmetic/sums_and_products.h"

#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"
#include "jit/emitters/vec_group.h"

namespace burin::jit {

template <class V>
void EmitAdd(V& v, const VecGroup& x, const VecSource& y) {
  v.Add(x, x, y);
}

template <class V>
void EmitSubtract(V& v, const VecGroup& x, const VecSource& y) {
  v.Sub(x, x, y);
}

template <class V>
void EmitMultiply(V& v, const VecGroup& x, const VecSource& y) {
  v.Mul(x, x, y);
}

template <class V>
void EmitSquaredDifference(V& v, const VecGroup& x, const VecSource& y) {
  v.Sub(x, x, y);
  v.Mul(x, x, x);
}

template <class V>
void EmitMultiplyAdd(V& v, const VecGroup& x, const VecGroup& y, const VecSource& z) {
  v.ScaleAdd(x, y, z);
}

template <class V>
void EmitAddI32(V& v, const VecGroup& x, const VecSource& y) {
  v.AddI32(x, x, y);
}

template <class V>
void EmitSubtractI32(V& v, const VecGroup& x, const VecSource& y) {
  v.SubI32(x, x, y);
}

template <class V>
void EmitMultiplyI32(V& v, const VecGroup& x, const VecSource& y) {
  v.MulI32(x, x, y);
}

template <class V>
void EmitSquaredDifferenceI32(V& v, const VecGroup& x, const VecSource& y) {
  v.SubI32(x, x, y);
  v.MulI32(x, x, x);
}

template void EmitAdd(VecAvx2&, const VecGroup&, const VecSource&);
template void EmitAdd(VecAvx512&, const VecGroup&, const VecSource&);
template void EmitSubtract(VecAvx2&, const VecGroup&, const VecSource&);
template void EmitSubtract(VecAvx512&, const VecGroup&, const VecSource&);
template void EmitMultiply(VecAvx2&, const VecGroup&, const VecSource&);
template void EmitMultiply(VecAvx512&, const VecGroup&, const VecSource&);
template void EmitSquaredDifference(VecAvx2&, const VecGroup&, const VecSource&);
template void EmitSquaredDifference(VecAvx512&, const VecGroup&, const VecSource&);
template void EmitMultiplyAdd(VecAvx2&, const VecGroup&, const VecGroup&, const VecSource&);
template void EmitMultiplyAdd(VecAvx512&, const VecGroup&, const VecGroup&, const VecSource&);
template void EmitAddI32(VecAvx2&, const VecGroup&, const VecSource&);
template void EmitAddI32(VecAvx512&, const VecGroup&, const VecSource&);
template void EmitSubtractI32(VecAvx2&, const VecGroup&, const VecSource&);
template void EmitSubtractI32(VecAvx512&, const VecGroup&, const VecSource&);
template void EmitMultiplyI32(VecAvx2&, const VecGroup&, const VecSource&);
template void EmitMultiplyI32(VecAvx512&, const VecGroup&, const VecSource&);
template void EmitSquaredDifferenceI32(VecAvx2&, const VecGroup&, const VecSource&);
template void EmitSquaredDifferenceI32(VecAvx512&, const VecGroup&, const VecSource&);

}  // namespace burin::jit
