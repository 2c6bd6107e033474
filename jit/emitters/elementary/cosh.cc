#include "jit/emitters/elementary/cosh.h"

#include <cstdint>
#include <limits>

#include "jit/emitters/elementary/exp.h"
#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"
#include "jit/emitters/vec_group.h"

namespace burin::jit {
namespace {

// Where the reciprocal is still a normal float, and counts for nothing.
constexpr float kHighestDivisor = 0x1p+100f;

}  // namespace

template <class V>
void EmitCosh(V& v, const VecGroup& x) {
  v.And(x, x, v.Const(std::numeric_limits<int32_t>::max()));
  EmitHalfExpOfNonNegative(v, x);
  const VecRegs quarter = v.New("quarter", x.size());
  const VecRegs divisor = v.New("divisor", x.size());
  const VecRegs quotient = v.New("quotient", x.size());
  v.BroadcastConst(quarter, 0.25f);
  v.Min(divisor, x, v.Const(kHighestDivisor));
  v.DivFast(quotient, quarter, divisor);
  v.Add(x, x, quotient);
}

template void EmitCosh(VecAvx2&, const VecGroup&);
template void EmitCosh(VecAvx512&, const VecGroup&);

}  // namespace burin::jit
