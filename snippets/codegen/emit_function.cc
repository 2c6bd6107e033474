#include "snippets/codegen/emit_function.h"

#include <algorithm>
#include <vector>

#include "jit/asm/assembler.h"
#include "jit/asm/reg_pool.h"
#include "jit/emitters/row_kernel.h"
#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"
#include "jit/emitters/vec_group.h"
#include "jit/emitters/wide/wide_function.h"
#include "jit/isa/isa.h"

namespace burin::snippets {

template <class V>
int TemporariesOf(const jit::RowFunction& function, int vectors, const jit::IsaSet& isa) {
  jit::Assembler nowhere("measure", isa);
  V v(nowhere);
  std::vector<jit::VecRegs> regs;
  std::vector<jit::VecGroup> groups;
  for (int i = 0; i < function.inputs; ++i) {
    regs.push_back(v.New("operand", i == 0 ? vectors : 1));
    groups.emplace_back(regs.back());
  }
  const int before = nowhere.regs().in_use(jit::RegClass::kVec);
  EmitFunction(v, function, groups);
  return std::max(0, nowhere.regs().peak(jit::RegClass::kVec) - before);
}

template <class V>
int TemporariesOf(const jit::WideFunction& function, int vectors, const jit::IsaSet& isa) {
  jit::Assembler nowhere("measure", isa);
  V v(nowhere);
  const jit::VecRegs to = v.New("to", function.output ? jit::kWideRegs * vectors : vectors);
  // Inputs are not written: all may be the same registers.
  const jit::VecRegs shared = v.New("input", jit::kWideRegs);
  std::vector<jit::VecGroup> groups;
  for (const bool wide : function.inputs) {
    groups.emplace_back();
    for (int i = 0; i < (wide ? jit::kWideRegs * vectors : vectors); ++i) groups.back().Append(shared[i % 2]);
  }
  const int before = nowhere.regs().in_use(jit::RegClass::kVec);
  EmitFunction(v, function, to, groups);
  return std::max(0, nowhere.regs().peak(jit::RegClass::kVec) - before);
}

template int TemporariesOf<jit::VecAvx2>(const jit::RowFunction&, int, const jit::IsaSet&);
template int TemporariesOf<jit::VecAvx512>(const jit::RowFunction&, int, const jit::IsaSet&);
template int TemporariesOf<jit::VecAvx2>(const jit::WideFunction&, int, const jit::IsaSet&);
template int TemporariesOf<jit::VecAvx512>(const jit::WideFunction&, int, const jit::IsaSet&);

}  // namespace burin::snippets
