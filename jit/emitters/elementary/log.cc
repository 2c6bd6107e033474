#include "jit/emitters/elementary/log.h"

#include "jit/emitters/elementary/log_parts.h"
#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"
#include "jit/emitters/vec_group.h"

namespace burin::jit {
template <class V>
void EmitLog(V& v, const VecGroup& x) {
  const VecRegs f = v.New("log_f", x.size());
  const VecRegs k = v.New("log_k", x.size());
  const VecRegs p = v.New("log_p", x.size());
  EmitSplitForLog(v, f, k, x, p);
  v.Sub(f, f, v.Const(1.0f));
  EmitLogOfParts(v, p, f, k);
  EmitFinishLog(v, p, x);
  v.Copy(x, p);
}

template void EmitLog(VecAvx2&, const VecGroup&);
template void EmitLog(VecAvx512&, const VecGroup&);

}  // namespace burin::jit
