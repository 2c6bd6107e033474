#include "jit/emitters/comparison/comparison.h"

#include <cstdint>
#include <limits>

#include "jit/asm/reg_pool.h"
#include "jit/emitters/logic/boolean.h"
#include "jit/emitters/vec.h"
#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"
#include "jit/emitters/vec_group.h"

namespace burin::jit {
namespace {

template <class V>
void EmitCompare(V& v, const VecGroup& x, const VecSource& y, VecCompare compare) {
  const typename V::Mask holds = v.NewMask("holds", x.size());
  v.Compare(holds, x, y, compare);
  BooleansOfMask(v, x, holds);
}

template <class V>
void EmitCompareI32(V& v, const VecGroup& x, const VecSource& y, VecCompareI32 compare) {
  const typename V::Mask holds = v.NewMask("holds", x.size());
  v.CompareI32(holds, x, y, compare);
  BooleansOfMask(v, x, holds);
}

// Moves both ranges down by half, so that they compare as signed numbers.
template <class V>
void EmitCompareU32(V& v, const VecGroup& x, const VecGroup& y, VecCompareI32 compare) {
  const VecRegs moved = v.New("moved", x.size());
  {
    const VecReg half = v.ConstReg(std::numeric_limits<int32_t>::min());
    v.Xor(x, x, half);
    v.Xor(moved, y, half);
  }
  EmitCompareI32(v, x, moved, compare);
}

}  // namespace

template <class V>
void EmitEqual(V& v, const VecGroup& x, const VecSource& y) {
  EmitCompare(v, x, y, VecCompare::kEqual);
}

template <class V>
void EmitNotEqual(V& v, const VecGroup& x, const VecSource& y) {
  EmitCompare(v, x, y, VecCompare::kNotEqual);
}

template <class V>
void EmitLess(V& v, const VecGroup& x, const VecSource& y) {
  EmitCompare(v, x, y, VecCompare::kLess);
}

template <class V>
void EmitLessEqual(V& v, const VecGroup& x, const VecSource& y) {
  EmitCompare(v, x, y, VecCompare::kLessEqual);
}

template <class V>
void EmitGreater(V& v, const VecGroup& x, const VecSource& y) {
  EmitCompare(v, x, y, VecCompare::kGreater);
}

template <class V>
void EmitGreaterEqual(V& v, const VecGroup& x, const VecSource& y) {
  EmitCompare(v, x, y, VecCompare::kGreaterEqual);
}

template <class V>
void EmitEqualI32(V& v, const VecGroup& x, const VecSource& y) {
  EmitCompareI32(v, x, y, VecCompareI32::kEqual);
}

template <class V>
void EmitNotEqualI32(V& v, const VecGroup& x, const VecSource& y) {
  EmitCompareI32(v, x, y, VecCompareI32::kNotEqual);
}

template <class V>
void EmitLessI32(V& v, const VecGroup& x, const VecSource& y) {
  EmitCompareI32(v, x, y, VecCompareI32::kLess);
}

template <class V>
void EmitLessEqualI32(V& v, const VecGroup& x, const VecSource& y) {
  EmitCompareI32(v, x, y, VecCompareI32::kLessEqual);
}

template <class V>
void EmitGreaterI32(V& v, const VecGroup& x, const VecSource& y) {
  EmitCompareI32(v, x, y, VecCompareI32::kGreater);
}

template <class V>
void EmitGreaterEqualI32(V& v, const VecGroup& x, const VecSource& y) {
  EmitCompareI32(v, x, y, VecCompareI32::kGreaterEqual);
}

template <class V>
void EmitLessU32(V& v, const VecGroup& x, const VecGroup& y) {
  EmitCompareU32(v, x, y, VecCompareI32::kLess);
}

template <class V>
void EmitLessEqualU32(V& v, const VecGroup& x, const VecGroup& y) {
  EmitCompareU32(v, x, y, VecCompareI32::kLessEqual);
}

template <class V>
void EmitGreaterU32(V& v, const VecGroup& x, const VecGroup& y) {
  EmitCompareU32(v, x, y, VecCompareI32::kGreater);
}

template <class V>
void EmitGreaterEqualU32(V& v, const VecGroup& x, const VecGroup& y) {
  EmitCompareU32(v, x, y, VecCompareI32::kGreaterEqual);
}

template void EmitEqual(VecAvx2&, const VecGroup&, const VecSource&);
template void EmitEqual(VecAvx512&, const VecGroup&, const VecSource&);
template void EmitNotEqual(VecAvx2&, const VecGroup&, const VecSource&);
template void EmitNotEqual(VecAvx512&, const VecGroup&, const VecSource&);
template void EmitLess(VecAvx2&, const VecGroup&, const VecSource&);
template void EmitLess(VecAvx512&, const VecGroup&, const VecSource&);
template void EmitLessEqual(VecAvx2&, const VecGroup&, const VecSource&);
template void EmitLessEqual(VecAvx512&, const VecGroup&, const VecSource&);
template void EmitGreater(VecAvx2&, const VecGroup&, const VecSource&);
template void EmitGreater(VecAvx512&, const VecGroup&, const VecSource&);
template void EmitGreaterEqual(VecAvx2&, const VecGroup&, const VecSource&);
template void EmitGreaterEqual(VecAvx512&, const VecGroup&, const VecSource&);
template void EmitEqualI32(VecAvx2&, const VecGroup&, const VecSource&);
template void EmitEqualI32(VecAvx512&, const VecGroup&, const VecSource&);
template void EmitNotEqualI32(VecAvx2&, const VecGroup&, const VecSource&);
template void EmitNotEqualI32(VecAvx512&, const VecGroup&, const VecSource&);
template void EmitLessI32(VecAvx2&, const VecGroup&, const VecSource&);
template void EmitLessI32(VecAvx512&, const VecGroup&, const VecSource&);
template void EmitLessEqualI32(VecAvx2&, const VecGroup&, const VecSource&);
template void EmitLessEqualI32(VecAvx512&, const VecGroup&, const VecSource&);
template void EmitGreaterI32(VecAvx2&, const VecGroup&, const VecSource&);
template void EmitGreaterI32(VecAvx512&, const VecGroup&, const VecSource&);
template void EmitGreaterEqualI32(VecAvx2&, const VecGroup&, const VecSource&);
template void EmitGreaterEqualI32(VecAvx512&, const VecGroup&, const VecSource&);
template void EmitLessU32(VecAvx2&, const VecGroup&, const VecGroup&);
template void EmitLessU32(VecAvx512&, const VecGroup&, const VecGroup&);
template void EmitLessEqualU32(VecAvx2&, const VecGroup&, const VecGroup&);
template void EmitLessEqualU32(VecAvx512&, const VecGroup&, const VecGroup&);
template void EmitGreaterU32(VecAvx2&, const VecGroup&, const VecGroup&);
template void EmitGreaterU32(VecAvx512&, const VecGroup&, const VecGroup&);
template void EmitGreaterEqualU32(VecAvx2&, const VecGroup&, const VecGroup&);
template void EmitGreaterEqualU32(VecAvx512&, const VecGroup&, const VecGroup&);

}  // namespace burin::jit
