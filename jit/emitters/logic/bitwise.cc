#include "jit/emitters/logic/bitwise.h"

#include <cstdint>

#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"
#include "jit/emitters/vec_group.h"

namespace burin::jit {

template <class V>
void EmitBitwiseAnd(V& v, const VecGroup& x, const VecSource& y) {
  v.And(x, x, y);
}

template <class V>
void EmitBitwiseOr(V& v, const VecGroup& x, const VecSource& y) {
  v.Or(x, x, y);
}

template <class V>
void EmitBitwiseXor(V& v, const VecGroup& x, const VecSource& y) {
  v.Xor(x, x, y);
}

template <class V>
void EmitBitwiseNot(V& v, const VecGroup& x) {
  v.Xor(x, x, v.Const(int32_t{-1}));
}

// The instructions take counts as unsigned numbers: a negative one is above 31.
template <class V>
void EmitBitwiseLeftShift(V& v, const VecGroup& x, const VecSource& y) {
  v.ShiftLeftI32(x, x, y);
}

template <class V>
void EmitBitwiseRightShift(V& v, const VecGroup& x, const VecSource& y) {
  v.ShiftRightI32(x, x, y);
}

template <class V>
void EmitBitwiseRightShiftU32(V& v, const VecGroup& x, const VecSource& y) {
  v.ShiftRightU32(x, x, y);
}

template void EmitBitwiseAnd(VecAvx2&, const VecGroup&, const VecSource&);
template void EmitBitwiseAnd(VecAvx512&, const VecGroup&, const VecSource&);
template void EmitBitwiseOr(VecAvx2&, const VecGroup&, const VecSource&);
template void EmitBitwiseOr(VecAvx512&, const VecGroup&, const VecSource&);
template void EmitBitwiseXor(VecAvx2&, const VecGroup&, const VecSource&);
template void EmitBitwiseXor(VecAvx512&, const VecGroup&, const VecSource&);
template void EmitBitwiseNot(VecAvx2&, const VecGroup&);
template void EmitBitwiseNot(VecAvx512&, const VecGroup&);
template void EmitBitwiseLeftShift(VecAvx2&, const VecGroup&, const VecSource&);
template void EmitBitwiseLeftShift(VecAvx512&, const VecGroup&, const VecSource&);
template void EmitBitwiseRightShift(VecAvx2&, const VecGroup&, const VecSource&);
template void EmitBitwiseRightShift(VecAvx512&, const VecGroup&, const VecSource&);
template void EmitBitwiseRightShiftU32(VecAvx2&, const VecGroup&, const VecSource&);
template void EmitBitwiseRightShiftU32(VecAvx512&, const VecGroup&, const VecSource&);

}  // namespace burin::jit
