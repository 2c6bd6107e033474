// Knows at run time how many elements there are of the last vector of a row.
//
// Use it in code generation wherever a row may end within a vector: for the tail behind a loop, or for all accesses of
// a row that has no loop. Emits to the vocabulary's assembler; used by one thread.
#ifndef BURIN_SNIPPETS_CODEGEN_LAST_VECTOR_H_
#define BURIN_SNIPPETS_CODEGEN_LAST_VECTOR_H_

#include "jit/asm/abi_frame.h"
#include "jit/asm/operands.h"
#include "jit/asm/reg_pool.h"
#include "jit/emitters/memory/vec_part.h"
#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"
#include "jit/emitters/vec_group.h"
#include "jit/emitters/wide/wide_function.h"
#include "jit/emitters/wide/wide_masks.h"

namespace burin::snippets {

template <class V>
class LastVector;

// Keeps the number and its mask on the stack.
template <>
class LastVector<jit::VecAvx2> {
 public:
  // Takes the number, 0 to 8, from a register, which is not needed afterwards.
  LastVector(jit::VecAvx2& v, jit::AbiFrame& frame, const jit::Reg64& count)
      : count_(frame.Slot(8, "tail_count")), mask_(frame.Slot(jit::VecAvx2::kBits / 8, "tail_mask")) {
    v.code().mov(count_.At(), count);
    const jit::VecReg mask = v.New("tail_mask");
    const jit::GprReg scratch = v.code().regs().Gpr("scratch");
    v.SetMaskFor(mask, count, scratch);
    v.Store(mask_.At(), mask);
  }

  // Returns the elements, as a part of a vector.
  jit::VecPart<jit::VecAvx2> Part(jit::VecAvx2& v) const {
    return jit::VecPart<jit::VecAvx2>::First(v, count_.At(), mask_.At());
  }

  // Chooses: to = there is such an element ? if_there : if_not. Uses one vector register.
  void Select(jit::VecAvx2& v, const jit::Xmm& to, const jit::Xmm& if_there, const jit::Xmm& if_not) const {
    const jit::VecReg mask = v.New("tail_mask");
    v.Load(mask, mask_.At());
    v.SelectOne(to, mask, if_there, if_not);
  }

  // Does the same for both registers of a vector in wide lanes. Uses one vector register.
  void SelectWide(jit::VecAvx2& v, const jit::VecGroup& to, const jit::VecGroup& if_there,
                  const jit::VecGroup& if_not) const {
    const jit::VecReg mask = v.New("tail_mask");
    for (int half = 0; half < jit::kWideRegs; ++half) {
      v.code().vpmovsxdq(mask, mask_.At(half * jit::VecAvx2::kBits / 16));
      jit::SelectWide(v, to[half], mask, if_there[half], if_not[half]);
    }
  }

  // Returns the memory of the number, of 8 bytes.
  jit::Address Count() const { return count_.At(); }

 private:
  jit::StackSlot count_;
  jit::StackSlot mask_;
};

// Keeps the number on the stack and its mask in a register.
template <>
class LastVector<jit::VecAvx512> {
 public:
  // Takes the number, 0 to 16, from a register, which is not needed afterwards.
  LastVector(jit::VecAvx512& v, jit::AbiFrame& frame, const jit::Reg64& count)
      : count_(frame.Slot(8, "tail_count")), mask_(v.NewMask("tail_mask")) {
    v.code().mov(count_.At(), count);
    const jit::GprReg scratch = v.code().regs().Gpr("scratch");
    v.SetMaskFor(mask_, count, scratch);
  }

  // Returns the elements, as a part of a vector.
  jit::VecPart<jit::VecAvx512> Part(jit::VecAvx512&) const { return jit::VecPart<jit::VecAvx512>::Of(mask_); }

  // Chooses: to = there is such an element ? if_there : if_not.
  void Select(jit::VecAvx512& v, const jit::Xmm& to, const jit::Xmm& if_there, const jit::Xmm& if_not) const {
    v.SelectOne(to, mask_, if_there, if_not);
  }

  // Does the same for both registers of a vector in wide lanes. Uses one mask.
  void SelectWide(jit::VecAvx512& v, const jit::VecGroup& to, const jit::VecGroup& if_there,
                  const jit::VecGroup& if_not) const {
    const jit::MaskReg upper = v.NewMask("upper");
    v.code().kshiftrw(upper, mask_, jit::VecAvx512::kLanes / 2);
    jit::SelectWide(v, to[0], mask_, if_there[0], if_not[0]);
    jit::SelectWide(v, to[1], upper, if_there[1], if_not[1]);
  }

  // Returns the memory of the number, of 8 bytes.
  jit::Address Count() const { return count_.At(); }

 private:
  jit::StackSlot count_;
  jit::MaskReg mask_;
};

}  // namespace burin::snippets

#endif  // BURIN_SNIPPETS_CODEGEN_LAST_VECTOR_H_
