#include "jit/emitters/arithmetic/integer_power.h"

#include <cstdint>

#include "jit/asm/assembler.h"
#include "jit/asm/operands.h"
#include "jit/asm/reg_pool.h"
#include "jit/emitters/vec.h"
#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"
#include "jit/emitters/vec_group.h"

namespace burin::jit {
namespace {

// Jumps to `label` unless all elements of x are 0.
void JumpUnlessZero(VecAvx2& v, const VecGroup& x, const Label& label) {
  Assembler& code = v.code();
  const VecReg any = v.New("any");
  v.Copy(any, x[0]);
  for (int i = 1; i < x.size(); ++i) v.Or(any, any, x[i]);
  code.vptest(AsYmm(any), AsYmm(any));
  code.jnz(label);
}
void JumpUnlessZero(VecAvx512& v, const VecGroup& x, const Label& label) {
  Assembler& code = v.code();
  const VecReg any = v.New("any");
  const MaskReg set = v.NewMask("set");
  v.Copy(any, x[0]);
  for (int i = 1; i < x.size(); ++i) v.Or(any, any, x[i]);
  code.vptestmd(set, any, any);
  code.kortestw(set, set);
  code.jnz(label);
}

// Replaces x by its power of the unsigned `exponent`, which changes.
template <class V>
void RaiseBySquaring(V& v, const VecGroup& x, const VecGroup& exponent) {
  const VecRegs result = v.New("result", x.size());
  Label step;
  v.BroadcastConst(result, int32_t{1});
  v.code().Bind(step);
  {
    const VecRegs product = v.New("product", x.size());
    const typename V::Mask odd = v.NewMask("odd", x.size());
    v.ShiftLeftI32(product, exponent, 31);
    v.MaskOfSigns(odd, product);
    v.MulI32(product, result, x);
    v.Select(result, odd, product, result);
  }
  v.MulI32(x, x, x);
  v.ShiftRightU32(exponent, exponent, 1);
  JumpUnlessZero(v, exponent, step);
  v.Copy(x, result);
}

// Replaces a base and a negative exponent by ones that have the same power: the base by 0 unless it is 1 or -1, the
// exponent by 2 or 3.
template <class V>
void ReplaceNegativeExponents(V& v, const Xmm& base, const Xmm& exponent) {
  const typename V::Mask negative = v.NewMask("negative", 1);
  const VecReg other = v.New("other");
  v.MaskOfSigns(negative, exponent);
  v.And(other, exponent, v.Const(int32_t{1}));
  v.Or(other, other, v.Const(int32_t{2}));
  v.Select(exponent, negative, other, exponent);
  const typename V::Mask vanishes = v.NewMask("vanishes", 1);
  v.AbsI32(other, base);
  v.CompareI32(vanishes, other, v.Const(int32_t{1}), VecCompareI32::kNotEqual);
  v.AndMasks(vanishes, vanishes, negative);
  v.Zero(other);
  v.Select(base, vanishes, other, base);
}

}  // namespace

template <class V>
void EmitPowerI32(V& v, const VecGroup& x, const VecGroup& y) {
  const VecRegs exponent = v.New("exponent", x.size());
  v.Copy(exponent, y);
  for (int i = 0; i < x.size(); ++i) ReplaceNegativeExponents(v, x[i], exponent[i]);
  RaiseBySquaring(v, x, exponent);
}

template <class V>
void EmitPowerU32(V& v, const VecGroup& x, const VecGroup& y) {
  const VecRegs exponent = v.New("exponent", x.size());
  v.Copy(exponent, y);
  RaiseBySquaring(v, x, exponent);
}

template void EmitPowerI32(VecAvx2&, const VecGroup&, const VecGroup&);
template void EmitPowerI32(VecAvx512&, const VecGroup&, const VecGroup&);
template void EmitPowerU32(VecAvx2&, const VecGroup&, const VecGroup&);
template void EmitPowerU32(VecAvx512&, const VecGroup&, const VecGroup&);

}  // namespace burin::jit
