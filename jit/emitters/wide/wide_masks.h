// Compares, chooses and masks elements of 8 bytes: the vocabulary's masks (jit/emitters/vec.h) at twice their width.
//
// Use it inside emitters of 8-byte elements. A mask is one register of the vocabulary's for each register of elements:
// all bits of an element with VecAvx2, one with VecAvx512. Emits to the vocabulary's assembler; see jit/emitters/vec.h
// for errors and threads.
#ifndef BURIN_JIT_EMITTERS_WIDE_WIDE_MASKS_H_
#define BURIN_JIT_EMITTERS_WIDE_WIDE_MASKS_H_

#include <cstddef>
#include <cstdint>

#include "jit/asm/assembler.h"
#include "jit/asm/operands.h"
#include "jit/asm/reg_pool.h"
#include "jit/emitters/vec.h"
#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"

namespace burin::jit {

// Returns the address of a vector that repeats an element of 8 bytes.
template <class V, class T>
Address WideConst(V& v, T value) {
  static_assert(sizeof(T) == 8, "an element is 64 bits wide");
  return v.code().Repeated(value, static_cast<size_t>(V::kBits / 8));
}

// Set `mask` to where the comparison of doubles, or of signed integers, holds.
template <class V>
void CompareF64(V& v, const typename V::MaskRegister& mask, const Xmm& a, const Operand& b, VecCompare compare) {
  v.code().vcmppd(mask, a, b, static_cast<uint8_t>(compare));
}
void CompareI64(VecAvx2& v, const VecReg& mask, const Xmm& a, const Xmm& b, VecCompareI32 compare);
void CompareI64(VecAvx512& v, const MaskReg& mask, const Xmm& a, const Xmm& b, VecCompareI32 compare);

// Choose by element: to = mask ? if_true : if_false. `to` may be any of them.
void SelectWide(VecAvx2& v, const Xmm& to, const VecReg& mask, const Xmm& if_true, const Xmm& if_false);
void SelectWide(VecAvx512& v, const Xmm& to, const MaskReg& mask, const Xmm& if_true, const Xmm& if_false);

// Zero the elements that the mask does not select.
void KeepWideWhere(VecAvx2& v, const VecReg& mask, const Xmm& x);
void KeepWideWhere(VecAvx512& v, const MaskReg& mask, const Xmm& x);

// Set the 4-byte elements of `to` to the truth values (0 or 1) of the masks of both halves of a vector. May change the
// masks.
void TruthOfMasks(VecAvx2& v, const Xmm& to, const VecReg& low, const VecReg& high);
void TruthOfMasks(VecAvx512& v, const Xmm& to, const MaskReg& low, const MaskReg& high);

// Set the masks of both halves of a vector from 4-byte truth values.
void MasksOfTruth(VecAvx2& v, const VecReg& low, const VecReg& high, const Xmm& from);
void MasksOfTruth(VecAvx512& v, const MaskReg& low, const MaskReg& high, const Xmm& from);

}  // namespace burin::jit

#endif  // BURIN_JIT_EMITTERS_WIDE_WIDE_MASKS_H_
