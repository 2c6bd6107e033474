#include "jit/emitters/arithmetic/extremes.h"

#include <cstdint>

#include "jit/asm/reg_pool.h"
#include "jit/emitters/vec.h"
#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"
#include "jit/emitters/vec_group.h"

namespace burin::jit {
namespace {

// Replaces x by `extreme`, which is y where x is NaN, except there.
template <class V>
void TakeUnlessNan(V& v, const VecGroup& x, const VecGroup& extreme) {
  const typename V::Mask nan = v.NewMask("nan", x.size());
  v.Compare(nan, x, x, VecCompare::kUnordered);
  v.Select(x, nan, x, extreme);
}

}  // namespace

template <class V>
void EmitMinimum(V& v, const VecGroup& x, const VecGroup& y) {
  const VecRegs smaller = v.New("smaller", x.size());
  v.Min(smaller, x, y);
  TakeUnlessNan(v, x, smaller);
}

template <class V>
void EmitMaximum(V& v, const VecGroup& x, const VecGroup& y) {
  const VecRegs larger = v.New("larger", x.size());
  v.Max(larger, x, y);
  TakeUnlessNan(v, x, larger);
}

template <class V>
void EmitClamp(V& v, const VecGroup& x, float min, float max) {
  // The second source comes back where one is NaN.
  v.Max(x, v.ConstReg(min), x);
  v.Min(x, v.ConstReg(max), x);
}

template <class V>
void EmitMinimumI32(V& v, const VecGroup& x, const VecSource& y) {
  v.MinI32(x, x, y);
}

template <class V>
void EmitMaximumI32(V& v, const VecGroup& x, const VecSource& y) {
  v.MaxI32(x, x, y);
}

template <class V>
void EmitMinimumU32(V& v, const VecGroup& x, const VecSource& y) {
  v.MinU32(x, x, y);
}

template <class V>
void EmitMaximumU32(V& v, const VecGroup& x, const VecSource& y) {
  v.MaxU32(x, x, y);
}

template <class V>
void EmitClampI32(V& v, const VecGroup& x, int32_t min, int32_t max) {
  v.MaxI32(x, x, v.Const(min));
  v.MinI32(x, x, v.Const(max));
}

template void EmitMinimum(VecAvx2&, const VecGroup&, const VecGroup&);
template void EmitMinimum(VecAvx512&, const VecGroup&, const VecGroup&);
template void EmitMaximum(VecAvx2&, const VecGroup&, const VecGroup&);
template void EmitMaximum(VecAvx512&, const VecGroup&, const VecGroup&);
template void EmitClamp(VecAvx2&, const VecGroup&, float, float);
template void EmitClamp(VecAvx512&, const VecGroup&, float, float);
template void EmitMinimumI32(VecAvx2&, const VecGroup&, const VecSource&);
template void EmitMinimumI32(VecAvx512&, const VecGroup&, const VecSource&);
template void EmitMaximumI32(VecAvx2&, const VecGroup&, const VecSource&);
template void EmitMaximumI32(VecAvx512&, const VecGroup&, const VecSource&);
template void EmitMinimumU32(VecAvx2&, const VecGroup&, const VecSource&);
template void EmitMinimumU32(VecAvx512&, const VecGroup&, const VecSource&);
template void EmitMaximumU32(VecAvx2&, const VecGroup&, const VecSource&);
template void EmitMaximumU32(VecAvx512&, const VecGroup&, const VecSource&);
template void EmitClampI32(VecAvx2&, const VecGroup&, int32_t, int32_t);
template void EmitClampI32(VecAvx512&, const VecGroup&, int32_t, int32_t);

}  // namespace burin::jit
