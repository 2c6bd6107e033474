#include "jit/emitters/elementary/cos.h"

#include "jit/emitters/elementary/reduce_angle.h"
#include "jit/emitters/elementary/sin.h"
#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"
#include "jit/emitters/vec_group.h"

namespace burin::jit {

template <class V>
void EmitCos(V& v, const VecGroup& x) {
  const VecRegs r = v.New("cos_r", x.size());
  const VecRegs odd = v.New("cos_odd", x.size());
  EmitReduceAngle(v, r, odd, x, AngleReduction::kCosine);
  EmitSinOfReduced(v, r, odd, x);
  v.Copy(x, r);
}

template void EmitCos(VecAvx2&, const VecGroup&);
template void EmitCos(VecAvx512&, const VecGroup&);

}  // namespace burin::jit
