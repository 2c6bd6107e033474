// Emits the two outer loops that all kernels which move rows have in common.
//
// Use it inside generators of copy kernels. Not for loops whose order or blocking matters: those belong to the kernel.
// Belongs to one Assembler and its thread.
#ifndef BURIN_JIT_KERNELS_COPY_LOOPS_H_
#define BURIN_JIT_KERNELS_COPY_LOOPS_H_

#include "absl/functional/function_ref.h"
#include "jit/asm/abi_frame.h"
#include "jit/asm/assembler.h"
#include "jit/asm/operands.h"
#include "jit/asm/reg_pool.h"

namespace burin::jit {

// Walks dimensions 2 and 1 of the CopyArgs that the frame's argument points to.
class CopyLoops {
 public:
  // Takes registers and stack of `frame`, which lives longer.
  CopyLoops(Assembler& code, AbiFrame& frame);

  // Emits the loops around what `body` emits, which moves one row from source() to destination() and leaves both
  // registers as they are. May be called more than once, for alternatives that jumps select.
  void Emit(absl::FunctionRef<void()> body);

  // Return the registers that hold the addresses of the present row.
  const Reg64& source() const { return source_; }
  const Reg64& destination() const { return destination_; }

 private:
  Assembler& code_;
  AbiFrame& frame_;
  GprReg source_;
  GprReg destination_;
  GprReg rows_;
  StackSlot plane_source_;
  StackSlot plane_destination_;
  StackSlot planes_;
};

}  // namespace burin::jit

#endif  // BURIN_JIT_KERNELS_COPY_LOOPS_H_
