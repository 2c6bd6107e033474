// Gives the addresses of rows at a distance that is known at run time, with one instruction for each four of them.
//
// Use it inside generators of copy kernels. Belongs to one Assembler and its thread.
#ifndef BURIN_JIT_KERNELS_COPY_WALK_H_
#define BURIN_JIT_KERNELS_COPY_WALK_H_

#include "jit/asm/assembler.h"
#include "jit/asm/operands.h"

namespace burin::jit {

// Walks over the rows after one address.
class StridedWalk {
 public:
  // `stride` holds the distance and `stride3` three times that. The registers live longer.
  StridedWalk(Assembler& code, const Reg64& stride, const Reg64& stride3)
      : code_(code), stride_(stride), stride3_(stride3) {}

  // Begins at `base`, with `walk` for what follows; they may be the same register.
  void Start(const Reg64& base, const Reg64& walk);

  // Returns the address of row `number`, and emits what leads there. Asked for in ascending order, without gaps; an
  // address holds until the next multiple of four.
  Xbyak::RegExp At(int number);

 private:
  Assembler& code_;
  const Reg64 stride_;
  const Reg64 stride3_;
  Reg64 at_;
  Reg64 walk_;
};

}  // namespace burin::jit

#endif  // BURIN_JIT_KERNELS_COPY_WALK_H_
