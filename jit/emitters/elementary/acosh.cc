#include "jit/emitters/elementary/acosh.h"

#include "jit/emitters/elementary/log1p.h"
#include "jit/emitters/vec.h"
#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"
#include "jit/emitters/vec_group.h"

namespace burin::jit {
namespace {

// From here on acosh x is log(2 x), and log(1 + x) is log x.
constexpr float kLarge = 0x1p+30f;
constexpr float kLog2 = 0x1.62e43p-1f;

}  // namespace

template <class V>
void EmitAcosh(V& v, const VecGroup& x) {
  const VecRegs z = v.New("acosh_z", x.size());
  {
    const VecRegs root = v.New("acosh_root", x.size());
    {
      const VecReg large = v.ConstReg(kLarge);
      v.Min(z, large, x);
    }
    // z is -2 below -1, where log(1 + z) is NaN; between -1 and 1, the root is NaN.
    v.Max(z, v.ConstReg(-1.0f), z);
    v.Sub(z, z, v.Const(1.0f));
    v.Add(root, z, v.Const(2.0f));
    v.Mul(root, root, z);
    v.Sqrt(root, root);
    v.Add(z, z, root);
    const typename V::Mask large = v.NewMask("large", x.size());
    v.Compare(large, x, v.Const(kLarge), VecCompare::kGreater);
    v.Select(z, large, x, z);
  }
  EmitLog1p(v, z);
  const VecRegs addend = v.New("addend", x.size());
  const typename V::Mask large = v.NewMask("large", x.size());
  v.Compare(large, x, v.Const(kLarge), VecCompare::kGreater);
  v.Zero(x);
  v.BroadcastConst(addend, kLog2);
  v.Select(addend, large, addend, x);
  v.Add(x, z, addend);
}

template void EmitAcosh(VecAvx2&, const VecGroup&);
template void EmitAcosh(VecAvx512&, const VecGroup&);

}  // namespace burin::jit
