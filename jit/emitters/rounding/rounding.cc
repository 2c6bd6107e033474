#include "jit/emitters/rounding/rounding.h"

#include <cstdint>
#include <limits>

#include "jit/asm/reg_pool.h"
#include "jit/emitters/vec.h"
#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"
#include "jit/emitters/vec_group.h"

namespace burin::jit {

template <class V>
void EmitFloor(V& v, const VecGroup& x) {
  v.Round(x, x, VecRounding::kDown);
}

template <class V>
void EmitCeiling(V& v, const VecGroup& x) {
  v.Round(x, x, VecRounding::kUp);
}

template <class V>
void EmitTruncate(V& v, const VecGroup& x) {
  v.Round(x, x, VecRounding::kTowardsZero);
}

template <class V>
void EmitRoundHalfToEven(V& v, const VecGroup& x) {
  v.Round(x, x, VecRounding::kNearestEven);
}

template <class V>
void EmitRoundHalfAwayFromZero(V& v, const VecGroup& x) {
  // The float below 1/2: added to a half, it makes a tie, which rounds to the even integer above, and it never takes
  // what is below a half there.
  constexpr float kBelowHalf = 0x1.fffffep-2f;
  const VecRegs half = v.New("half", x.size());
  v.And(half, x, v.Const(std::numeric_limits<int32_t>::min()));
  v.Or(half, half, v.Const(kBelowHalf));
  v.Add(x, x, half);
  v.Round(x, x, VecRounding::kTowardsZero);
}

template void EmitFloor(VecAvx2&, const VecGroup&);
template void EmitFloor(VecAvx512&, const VecGroup&);
template void EmitCeiling(VecAvx2&, const VecGroup&);
template void EmitCeiling(VecAvx512&, const VecGroup&);
template void EmitTruncate(VecAvx2&, const VecGroup&);
template void EmitTruncate(VecAvx512&, const VecGroup&);
template void EmitRoundHalfToEven(VecAvx2&, const VecGroup&);
template void EmitRoundHalfToEven(VecAvx512&, const VecGroup&);
template void EmitRoundHalfAwayFromZero(VecAvx2&, const VecGroup&);
template void EmitRoundHalfAwayFromZero(VecAvx512&, const VecGroup&);

}  // namespace burin::jit
