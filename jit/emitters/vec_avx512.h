// Offers the vector vocabulary at 512 bits: 16 elements, masks in mask registers.
//
// Use it in emitters for machines of level avx512, through templates over it and VecAvx2, or by itself where the
// algorithm differs. See jit/emitters/vec.h for the operations common to both, and for operands, errors and threads.
#ifndef BURIN_JIT_EMITTERS_VEC_AVX512_H_
#define BURIN_JIT_EMITTERS_VEC_AVX512_H_

#include <cstdint>

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

// Says how VecAvx512::DivFast() divides: by vdivps, which runs beside other instructions but takes 6 to 10 cycles, or
// by an approximate reciprocal and its correction, which take 2 cycles of a core with two multipliers and 4 of one with
// one.
enum class VecDivision : uint8_t { kInstruction, kReciprocal };

// Emits vectors of 512 bits.
class VecAvx512 : public VecBase {
 public:
  // The width in bits, and how many 32-bit elements that is.
  static constexpr int kBits = 512;
  static constexpr int kLanes = 16;

  // Selects elements of one vector, and of each vector of a group.
  using MaskRegister = MaskReg;
  using Mask = MaskRegs;

  // Emits to `code`.
  explicit VecAvx512(Assembler& code, VecDivision division = VecDivision::kInstruction)
      : VecBase(code, kBits), division_(division) {}

  // Emits to `code` for processors like that of `target`.
  VecAvx512(Assembler& code, const Target& target);

  // Lends a mask, or one for each of `count` vectors.
  MaskRegister NewMask(absl::string_view name) { return code().regs().Mask(name); }
  Mask NewMask(absl::string_view name, int count);

  // Sets `mask` to a constant, or to the value of a register: its first `count` elements, all of them from kLanes on
  // (at most 255). The second changes `scratch`, which is not `count`.
  void SetMaskFor(const MaskRegister& mask, int count);
  void SetMaskFor(const MaskRegister& mask, const Reg64& count, const Reg64& scratch);

  // Loads the elements of the mask and zeros the rest; stores those of the mask. Memory of other elements is not
  // touched, and need not exist.
  void LoadMasked(const Xmm& to, const MaskRegister& mask, const Address& from) {
    code().vmovups(to | mask | T_z, from);
  }
  void StoreMasked(const Address& to, const MaskRegister& mask, const Xmm& from) { code().vmovups(to | mask, from); }

  // Sets every element to the low 32 bits of a general register.
  void BroadcastGpr(const Xmm& to, const Reg32& from) { code().vpbroadcastd(to, from); }

  // Sets `mask` to where the comparison of floats, or of signed 32-bit integers, holds.
  void Compare(const Mask& mask, const VecGroup& a, const VecSource& b, VecCompare compare);
  void CompareI32(const Mask& mask, const VecGroup& a, const VecSource& b, VecCompareI32 compare);

  // Sets `mask` to the sign bits.
  void MaskOfSigns(const Mask& mask, const VecGroup& from);

  // Combines masks: to = a OP b.
  void AndMasks(const Mask& to, const Mask& a, const Mask& b);
  void OrMasks(const Mask& to, const Mask& a, const Mask& b);

  // Jumps to `label` where no element is set. Uses one mask for more than one vector.
  void JumpIfNone(const Mask& mask, const Label& label);

  // Chooses by element: to = mask ? if_true : if_false.
  void Select(const VecGroup& to, const Mask& mask, const VecGroup& if_true, const VecGroup& if_false);

  // Divides to within 1 ulp: to = a / b, where a, b, 1 / b and the quotient are normal numbers or zeros, or one is NaN.
  // `to` is neither a nor b; a may change, and a quotient of zero may lose its sign. By whichever means suits the
  // processor; uses a register a vector.
  void DivFast(const VecGroup& to, const VecGroup& a, const VecGroup& b);

  // Rounds to an integral float.
  void Round(const VecGroup& to, const VecSource& from, VecRounding rounding);

  // Sets every element to the sum or the extreme of all elements of `x`. The sum adds halves to halves: a tree. Uses
  // one register.
  void ReduceAdd(const Xmm& x);
  void ReduceMax(const Xmm& x);
  void ReduceMin(const Xmm& x);

  // Does the same by any commutative and associative operation: combine(x, other) sets x to x OP other, both registers
  // of the same width: 256 bits, then 128.
  void ReduceBy(const Xmm& x, absl::FunctionRef<void(const VecGroup& x, const VecGroup& other)> combine);

  // Chooses by element, of one vector: to = mask ? if_true : if_false.
  void SelectOne(const Xmm& to, const MaskRegister& mask, const Xmm& if_true, const Xmm& if_false) {
    code().vblendmps(to | mask, if_false, if_true);
  }

  // Loads by index: to[i] = base[indices[i]], 32-bit elements, signed indices. `to` is not `indices`; the second leaves
  // 0 where the mask is not set, and does not touch that memory. Both use one mask.
  void Gather(const Xmm& to, const Reg64& base, const Xmm& indices);
  void GatherMasked(const Xmm& to, const MaskRegister& mask, const Reg64& base, const Xmm& indices);

  // Looks up in a table of kLanes 32-bit elements: to[i] = table[indices[i] modulo kLanes].
  void Lookup(const VecGroup& to, const VecGroup& indices, const VecSource& table) {
    Each(to, table, [&](int i, const Operand& source) { code().vpermps(AsZmm(to[i]), AsZmm(indices[i]), source); });
  }

  // Transposes a matrix of 16 x 16 32-bit elements, row i in rows[i]; `rows` has kLanes registers (BURIN_CHECK). Uses
  // 16 registers more.
  void Transpose(absl::Span<const VecReg> rows);

 private:
  const VecDivision division_;
};

}  // namespace burin::jit

#endif  // BURIN_JIT_EMITTERS_VEC_AVX512_H_
