#include "jit/kernels/copy_walk.h"

namespace burin::jit {

void StridedWalk::Start(const Reg64& base, const Reg64& walk) {
  at_ = base;
  walk_ = walk;
}

Xbyak::RegExp StridedWalk::At(int number) {
  if (number > 0 && number % 4 == 0) {
    code_.lea(walk_, ptr[at_ + stride_ * 4]);
    at_ = walk_;
  }
  switch (number % 4) {
    case 0:
      return at_;
    case 1:
      return at_ + stride_;
    case 2:
      return at_ + stride_ * 2;
    default:
      return at_ + stride3_;
  }
}

}  // namespace burin::jit
