#include "jit/emitters/logic/logical.h"

#include <cstdint>

#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"
#include "jit/emitters/vec_group.h"

namespace burin::jit {

template <class V>
void EmitLogicalAnd(V& v, const VecGroup& x, const VecSource& y) {
  v.And(x, x, y);
}

template <class V>
void EmitLogicalOr(V& v, const VecGroup& x, const VecSource& y) {
  v.Or(x, x, y);
}

template <class V>
void EmitLogicalXor(V& v, const VecGroup& x, const VecSource& y) {
  v.Xor(x, x, y);
}

template <class V>
void EmitLogicalNot(V& v, const VecGroup& x) {
  v.Xor(x, x, v.Const(int32_t{1}));
}

template void EmitLogicalAnd(VecAvx2&, const VecGroup&, const VecSource&);
template void EmitLogicalAnd(VecAvx512&, const VecGroup&, const VecSource&);
template void EmitLogicalOr(VecAvx2&, const VecGroup&, const VecSource&);
template void EmitLogicalOr(VecAvx512&, const VecGroup&, const VecSource&);
template void EmitLogicalXor(VecAvx2&, const VecGroup&, const VecSource&);
template void EmitLogicalXor(VecAvx512&, const VecGroup&, const VecSource&);
template void EmitLogicalNot(VecAvx2&, const VecGroup&);
template void EmitLogicalNot(VecAvx512&, const VecGroup&);

}  // namespace burin::jit
