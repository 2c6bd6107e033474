#include "jit/emitters/elementary/asinh.h"

#include <cstdint>
#include <limits>

#include "jit/emitters/elementary/log1p.h"
#include "jit/emitters/vec.h"
#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"
#include "jit/emitters/vec_group.h"

namespace burin::jit {
namespace {

// From here on asinh x is log(2 x), and log(1 + x) is log x.
constexpr float kLarge = 0x1p+30f;
constexpr float kLog2 = 0x1.62e43p-1f;

}  // namespace

template <class V>
void EmitAsinh(V& v, const VecGroup& x) {
  const VecRegs z = v.New("asinh_z", x.size());
  v.And(z, x, v.Const(std::numeric_limits<int32_t>::max()));
  {
    const VecRegs square = v.New("square", x.size());
    const VecRegs root = v.New("asinh_root", x.size());
    const VecRegs quotient = v.New("quotient", x.size());
    {
      const VecReg large = v.ConstReg(kLarge);
      v.Min(root, large, z);
    }
    v.Mul(square, root, root);
    v.Add(root, square, v.Const(1.0f));
    v.Sqrt(root, root);
    v.Add(root, root, v.Const(1.0f));
    // A square that is no normal float counts for nothing.
    v.DivFast(quotient, square, root);
    const typename V::Mask large = v.NewMask("large", x.size());
    v.Compare(large, z, v.Const(kLarge), VecCompare::kGreater);
    v.Add(quotient, quotient, z);
    v.Select(z, large, z, quotient);
  }
  EmitLog1p(v, z);
  const VecRegs addend = v.New("addend", x.size());
  const VecRegs zero = v.New("zero", x.size());
  const typename V::Mask large = v.NewMask("large", x.size());
  v.And(addend, x, v.Const(std::numeric_limits<int32_t>::max()));
  v.Compare(large, addend, v.Const(kLarge), VecCompare::kGreater);
  v.Zero(zero);
  v.BroadcastConst(addend, kLog2);
  v.Select(addend, large, addend, zero);
  v.Add(z, z, addend);
  v.And(x, x, v.Const(std::numeric_limits<int32_t>::min()));
  v.Or(x, x, z);
}

template void EmitAsinh(VecAvx2&, const VecGroup&);
template void EmitAsinh(VecAvx512&, const VecGroup&);

}  // namespace burin::jit
