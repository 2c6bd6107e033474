// Offers the vector vocabulary at 256 bits: 8 elements, masks in vector registers.
//
// Use it in emitters for machines of level avx2, through templates over it and VecAvx512, or by itself where the
// algorithm differs. See jit/emitters/vec.h for the operations common to both, and for operands, errors and threads.
#ifndef BURIN_JIT_EMITTERS_VEC_AVX2_H_
#define BURIN_JIT_EMITTERS_VEC_AVX2_H_

#include "absl/functional/function_ref.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "jit/asm/assembler.h"
#include "jit/asm/operands.h"
#include "jit/asm/reg_pool.h"
#include "jit/emitters/vec.h"
#include "jit/emitters/vec_group.h"
#include "jit/isa/target.h"

namespace burin::jit {

// Emits vectors of 256 bits.
class VecAvx2 : public VecBase {
 public:
  // The width in bits, and how many 32-bit elements that is.
  static constexpr int kBits = 256;
  static constexpr int kLanes = 8;

  // Selects elements of one vector, and of each vector of a group: by their sign bit in loads and Select, and all bits
  // are set where it is set.
  using MaskRegister = VecReg;
  using Mask = VecRegs;

  // Emits to `code`.
  explicit VecAvx2(Assembler& code) : VecBase(code, kBits) {}

  // Emits to `code`: the same for all processors.
  VecAvx2(Assembler& code, const Target&) : VecAvx2(code) {}

  // Lends a mask, or one for each of `count` vectors.
  MaskRegister NewMask(absl::string_view name) { return New(name); }
  Mask NewMask(absl::string_view name, int count) { return New(name, count); }

  // Sets `mask` to a constant, or to the value of a register: its first `count` elements, all of them from kLanes on.
  // The count of the second is 0 to kLanes; it changes `scratch`, which is not `count`.
  void SetMaskFor(const MaskRegister& mask, int count);
  void SetMaskFor(const MaskRegister& mask, const Reg64& count, const Reg64& scratch);

  // Loads the elements of the mask and zeros the rest; stores those of the mask. Memory of other elements is not
  // touched, and need not exist.
  void LoadMasked(const Xmm& to, const MaskRegister& mask, const Address& from) { code().vmaskmovps(to, mask, from); }
  void StoreMasked(const Address& to, const MaskRegister& mask, const Xmm& from) { code().vmaskmovps(to, mask, from); }

  // Sets every element to the low 32 bits of a general register.
  void BroadcastGpr(const Xmm& to, const Reg32& from) {
    code().vmovd(AsXmm(to), from);
    code().vpbroadcastd(to, AsXmm(to));
  }

  // Sets `mask` to where the comparison of floats, or of signed 32-bit integers, holds.
  void Compare(const Mask& mask, const VecGroup& a, const VecSource& b, VecCompare compare);
  void CompareI32(const Mask& mask, const VecGroup& a, const VecSource& b, VecCompareI32 compare);

  // Sets `mask` to the sign bits.
  void MaskOfSigns(const Mask& mask, const VecGroup& from) { ShiftRightI32(mask, from, 31); }

  // Combines masks: to = a OP b.
  void AndMasks(const Mask& to, const Mask& a, const Mask& b) { And(to, a, b); }
  void OrMasks(const Mask& to, const Mask& a, const Mask& b) { Or(to, a, b); }

  // Jumps to `label` where no element is set. Uses one mask for more than one vector.
  void JumpIfNone(const Mask& mask, const Label& label);

  // Chooses by element: to = mask ? if_true : if_false.
  void Select(const VecGroup& to, const Mask& mask, const VecGroup& if_true, const VecGroup& if_false);

  // Divides: to = a / b, of which `to` is neither; a may change.
  void DivFast(const VecGroup& to, const VecGroup& a, const VecGroup& b) { Div(to, a, b); }

  // Rounds to an integral float.
  void Round(const VecGroup& to, const VecSource& from, VecRounding rounding);

  // Sets every element to the sum or the extreme of all elements of `x`. The sum adds halves to halves: a tree. Uses
  // one register.
  void ReduceAdd(const Xmm& x);
  void ReduceMax(const Xmm& x);
  void ReduceMin(const Xmm& x);

  // Does the same by any commutative and associative operation: combine(x, other) sets x to x OP other.
  void ReduceBy(const Xmm& x, absl::FunctionRef<void(const VecGroup& x, const VecGroup& other)> combine);

  // Chooses by element, of one vector: to = mask ? if_true : if_false.
  void SelectOne(const Xmm& to, const MaskRegister& mask, const Xmm& if_true, const Xmm& if_false) {
    code().vblendvps(to, if_false, if_true, mask);
  }

  // Loads by index: to[i] = base[indices[i]], 32-bit elements, signed indices. `to` is not `indices`; the second leaves
  // 0 where the mask is not set, and does not touch that memory. Both use one register.
  void Gather(const Xmm& to, const Reg64& base, const Xmm& indices);
  void GatherMasked(const Xmm& to, const MaskRegister& mask, const Reg64& base, const Xmm& indices);

  // Looks up in a table of kLanes 32-bit elements: to[i] = table[indices[i] modulo kLanes].
  void Lookup(const VecGroup& to, const VecGroup& indices, const VecSource& table) {
    Each(to, table, [&](int i, const Operand& source) { code().vpermps(AsYmm(to[i]), AsYmm(indices[i]), source); });
  }

  // Transposes a matrix of 8 x 8 32-bit elements, row i in rows[i]; `rows` has kLanes registers (BURIN_CHECK). Uses
  // 8 registers more.
  void Transpose(absl::Span<const VecReg> rows);
};

}  // namespace burin::jit

#endif  // BURIN_JIT_EMITTERS_VEC_AVX2_H_
