#include "jit/emitters/vec.h"

#include <cstddef>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "jit/asm/assembler.h"
#include "jit/asm/operands.h"
#include "jit/asm/reg_pool.h"
#include "jit/emitters/vec_group.h"

namespace burin::jit {

VecRegs VecBase::New(absl::string_view name, int count) {
  std::vector<VecReg> regs;
  regs.reserve(static_cast<size_t>(count));
  for (int i = 0; i < count; ++i) regs.push_back(New(name));
  return VecRegs(std::move(regs));
}

void VecBase::Copy(const VecGroup& to, const VecGroup& from) {
  for (int i = 0; i < to.size(); ++i) code_.vmovaps(to[i], from[i]);
}

void VecBase::Zero(const VecGroup& to) {
  for (int i = 0; i < to.size(); ++i) code_.vxorps(AsXmm(to[i]), AsXmm(to[i]), AsXmm(to[i]));
}

void VecBase::SetConst(const VecGroup& to, VecConst constant) {
  code_.vbroadcastss(to[0], code_.Scalar(constant.bits));
  // A copy costs no execution port.
  for (int i = 1; i < to.size(); ++i) code_.vmovaps(to[i], to[0]);
}

Address VecBase::Repeated(VecConst constant) {
  constexpr int kEvexBits = 512;
  return bits_ == kEvexBits ? code_.BroadcastAt(code_.constants().Scalar(constant.bits))
                            : code_.Repeated(constant.bits, static_cast<size_t>(bits_ / 8));
}

}  // namespace burin::jit
