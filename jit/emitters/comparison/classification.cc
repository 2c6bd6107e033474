#include "jit/emitters/comparison/classification.h"

#include <cstdint>
#include <limits>

#include "jit/emitters/comparison/comparison.h"
#include "jit/emitters/logic/boolean.h"
#include "jit/emitters/vec.h"
#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"
#include "jit/emitters/vec_group.h"

namespace burin::jit {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr int32_t kAllButSign = std::numeric_limits<int32_t>::max();

}  // namespace

template <class V>
void EmitIsNaN(V& v, const VecGroup& x) {
  const typename V::Mask nan = v.NewMask("nan", x.size());
  v.Compare(nan, x, x, VecCompare::kUnordered);
  BooleansOfMask(v, x, nan);
}

template <class V>
void EmitIsInf(V& v, const VecGroup& x, InfinitySigns signs) {
  if (!signs.negative && !signs.positive) {
    v.Zero(x);
    return;
  }
  if (signs.negative && signs.positive) v.And(x, x, v.Const(kAllButSign));
  EmitEqual(v, x, v.Const(signs.positive ? kInfinity : -kInfinity));
}

template <class V>
void EmitIsFinite(V& v, const VecGroup& x) {
  v.And(x, x, v.Const(kAllButSign));
  EmitLess(v, x, v.Const(kInfinity));
}

template void EmitIsNaN(VecAvx2&, const VecGroup&);
template void EmitIsNaN(VecAvx512&, const VecGroup&);
template void EmitIsInf(VecAvx2&, const VecGroup&, InfinitySigns);
template void EmitIsInf(VecAvx512&, const VecGroup&, InfinitySigns);
template void EmitIsFinite(VecAvx2&, const VecGroup&);
template void EmitIsFinite(VecAvx512&, const VecGroup&);

}  // namespace burin::jit
