#include "jit/emitters/logic/select.h"

#include "jit/emitters/logic/boolean.h"
#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"
#include "jit/emitters/vec_group.h"

namespace burin::jit {

template <class V>
void EmitSelect(V& v, const VecGroup& condition, const VecGroup& if_true, const VecGroup& if_false) {
  const typename V::Mask is_false = v.NewMask("is_false", condition.size());
  MaskOfZeros(v, is_false, condition);
  v.Select(condition, is_false, if_false, if_true);
}

template void EmitSelect(VecAvx2&, const VecGroup&, const VecGroup&, const VecGroup&);
template void EmitSelect(VecAvx512&, const VecGroup&, const VecGroup&, const VecGroup&);

}  // namespace burin::jit
