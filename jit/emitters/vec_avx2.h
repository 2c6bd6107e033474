// Offers the vector vocabulary at 256 bits: 8 elements, masks in vector registers.
//
// Use it in emitters for machines of level avx2, through templates over it and VecAvx512, or by itself where the
// algorithm differs. See jit/emitters/vec.h for the operations common to both, and for operands, errors and threads.
#ifndef BURIN_JIT_EMITTERS_VEC_AVX2_H_
#define BURIN_JIT_EMITTERS_VEC_AVX2_H_

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "jit/asm/assembler.h"
#include "jit/asm/operands.h"
#include "jit/asm/reg_pool.h"
#include "jit/emitters/vec.h"

namespace burin::jit {

// Emits vectors of 256 bits.
class VecAvx2 : public VecBase {
 public:
  // The width in bits, and how many 32-bit elements that is.
  static constexpr int kBits = 256;
  static constexpr int kLanes = 8;

  // Selects elements: by their sign bit in loads and Select, and all bits are set where it is set.
  using Mask = VecReg;

  // Emits to `code`.
  explicit VecAvx2(Assembler& code) : VecBase(code, kBits) {}

  // Returns the operand that repeats a constant of 4 bytes: the last source of an instruction on 32-bit elements.
  template <class T>
  Address Const(T value) {
    static_assert(sizeof(T) == 4, "an element is 32 bits wide");
    return code().Repeated(value, kBits / 8);
  }

  // Lends a mask.
  Mask NewMask(absl::string_view name) { return New(name); }

  // Sets `mask` to a constant, or to the value of a register: its first `count` elements, all of them from kLanes on.
  // The count of the second is 0 to kLanes; it changes `scratch`, which is not `count`.
  void SetMaskFor(const Mask& mask, int count);
  void SetMaskFor(const Mask& mask, const Reg64& count, const Reg64& scratch);

  // Loads the elements of the mask and zeros the rest; stores those of the mask. Memory of other elements is not
  // touched, and need not exist.
  void LoadMasked(const Xmm& to, const Mask& mask, const Address& from) { code().vmaskmovps(to, mask, from); }
  void StoreMasked(const Address& to, const Mask& mask, const Xmm& from) { code().vmaskmovps(to, mask, from); }

  // Sets every element to the low 32 bits of a general register.
  void BroadcastGpr(const Xmm& to, const Reg32& from) {
    code().vmovd(AsXmm(to), from);
    code().vpbroadcastd(to, AsXmm(to));
  }

  // Sets `mask` to where the comparison holds.
  void Compare(const Mask& mask, const Xmm& a, const Operand& b, VecCompare compare);

  // Sets `mask` to the sign bits.
  void MaskOfSigns(const Mask& mask, const Xmm& from) { code().vpsrad(mask, from, 31); }

  // Chooses by element: to = mask ? if_true : if_false.
  void Select(const Xmm& to, const Mask& mask, const Xmm& if_true, const Xmm& if_false);

  // Rounds to an integral float.
  void Round(const Xmm& to, const Operand& from, VecRounding rounding);

  // Sets every element to the sum or the extreme of all elements of `x`. The sum adds halves to halves: a tree. Uses
  // one register.
  void ReduceAdd(const Xmm& x);
  void ReduceMax(const Xmm& x);
  void ReduceMin(const Xmm& x);

  // Loads by index: to[i] = base[indices[i]], 32-bit elements, signed indices. `to` is not `indices`; the second leaves
  // 0 where the mask is not set, and does not touch that memory. Both use one register.
  void Gather(const Xmm& to, const Reg64& base, const Xmm& indices);
  void GatherMasked(const Xmm& to, const Mask& mask, const Reg64& base, const Xmm& indices);

  // Looks up in a table of kLanes 32-bit elements: to[i] = table[indices[i] modulo kLanes].
  void Lookup(const Xmm& to, const Xmm& indices, const Operand& table) {
    code().vpermps(AsYmm(to), AsYmm(indices), table);
  }

  // Transposes a matrix of 8 x 8 32-bit elements, row i in rows[i]; `rows` has kLanes registers (BURIN_CHECK). Uses
  // 8 registers more.
  void Transpose(absl::Span<const VecReg> rows);

 private:
  enum class Reduction { kAdd, kMax, kMin };

  void Reduce(const Xmm& x, Reduction reduction);
};

}  // namespace burin::jit

#endif  // BURIN_JIT_EMITTERS_VEC_AVX2_H_
