#include "jit/emitters/convert/bfloat16.h"

#include <cstdint>

#include "jit/asm/assembler.h"
#include "jit/asm/operands.h"
#include "jit/asm/reg_pool.h"
#include "jit/emitters/memory/raw_store.h"
#include "jit/emitters/vec.h"
#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"
#include "jit/emitters/vec_group.h"
#include "jit/isa/isa.h"

namespace burin::jit {
namespace {

// Replaces floats by codes, in 16-bit lanes.
template <class V>
void ConvertByIntegers(V& v, const VecGroup& x) {
  const VecRegs rounded = v.New("rounded", x.size());
  const typename V::Mask nan = v.NewMask("nan", x.size());
  v.Compare(nan, x, x, VecCompare::kUnordered);
  v.ShiftRightU32(rounded, x, 16);
  v.And(rounded, rounded, v.Const(1));
  v.AddI32(rounded, rounded, x);
  v.AddI32(rounded, rounded, v.Const(0x7FFF));
  // A NaN is made quiet instead.
  v.Or(x, x, v.Const(0x00400000));
  v.Select(x, nan, x, rounded);
  v.ShiftRightU32(x, x, 16);
  internal::EmitNarrow(v, 2, internal::Narrowing::kWrap, x);
}

void Convert(VecAvx2& v, const VecGroup& x) { ConvertByIntegers(v, x); }

void Convert(VecAvx512& v, const VecGroup& x) {
  Assembler& code = v.code();
  if (!code.isa().Has(IsaFeature::kAvx512Bf16)) {
    ConvertByIntegers(v, x);
    return;
  }
  // Of vfpclassps.
  constexpr uint8_t kDenormal = 0x20;
  Label direct;
  Label end;
  {
    const MaskReg any = v.NewMask("denormal");
    const MaskReg one = v.NewMask("denormal");
    for (int i = 0; i < x.size(); ++i) {
      code.vfpclassps(i == 0 ? any : one, x[i], kDenormal);
      if (i > 0) code.korw(any, any, one);
    }
    code.kortestw(any, any);
  }
  code.jz(direct);
  ConvertByIntegers(v, x);
  code.jmp(end);
  code.Bind(direct);
  for (int i = 0; i < x.size(); ++i) code.vcvtneps2bf16(AsYmm(x[i]), AsZmm(x[i]));
  code.Bind(end);
}

}  // namespace

template <class V>
void EmitConvertF32ToBF16(V& v, const VecGroup& x) {
  Convert(v, x);
}

template void EmitConvertF32ToBF16(VecAvx2&, const VecGroup&);
template void EmitConvertF32ToBF16(VecAvx512&, const VecGroup&);

}  // namespace burin::jit
