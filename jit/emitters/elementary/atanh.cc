#include "jit/emitters/elementary/atanh.h"

#include <cstdint>
#include <limits>

#include "jit/emitters/elementary/log1p.h"
#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"
#include "jit/emitters/vec_group.h"

namespace burin::jit {

template <class V>
void EmitAtanh(V& v, const VecGroup& x) {
  const VecRegs z = v.New("atanh_z", x.size());
  {
    const VecRegs divisor = v.New("divisor", x.size());
    v.And(z, x, v.Const(std::numeric_limits<int32_t>::max()));
    {
      const VecReg one = v.ConstReg(1.0f);
      v.Sub(divisor, one, z);
    }
    v.Add(z, z, z);
    // Also by zero, and of denormals.
    v.Div(z, z, divisor);
  }
  EmitLog1p(v, z);
  v.Mul(z, z, v.Const(0.5f));
  v.And(x, x, v.Const(std::numeric_limits<int32_t>::min()));
  v.Or(x, x, z);
}

template void EmitAtanh(VecAvx2&, const VecGroup&);
template void EmitAtanh(VecAvx512&, const VecGroup&);

}  // namespace burin::jit
