#include "jit/emitters/elementary/piecewise.h"

#include <cstddef>

#include "absl/types/span.h"
#include "base/check.h"
#include "jit/asm/assembler.h"
#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"
#include "jit/emitters/vec_group.h"

namespace burin::jit {
namespace {

// Added to a float below 2^22, leaves the nearest integer in the low bits of the sum. A lookup takes no more than
// those bits.
constexpr float kRounder = 0x1.8p+23f;

}  // namespace

template <class V>
void EmitPiecewise(V& v, const VecGroup& result, const VecGroup& t, const PiecewiseTable& table) {
  BURIN_CHECK(table.coefficients.size() >= 3 * V::kLanes && table.coefficients.size() % V::kLanes == 0)
      << "coefficients: " << table.coefficients.size();
  const VecRegs index = v.New("piece", t.size());
  const VecRegs coefficient = v.New("coefficient", t.size());
  v.BroadcastConst(index, kRounder);
  v.MulAdd(index, t, v.Const(1 / table.width));
  v.Sub(result, index, v.Const(kRounder));
  v.MulSubtractFrom(t, result, v.Const(table.width));
  const size_t powers = table.coefficients.size() / V::kLanes;
  const auto lookup = [&](const VecGroup& to, size_t power) {
    v.Lookup(to, index, v.code().Table(table.coefficients.subspan(power * V::kLanes, V::kLanes)));
  };
  lookup(result, powers - 1);
  const auto add = [&](const VecGroup& factor, size_t power) {
    lookup(coefficient, power);
    v.ScaleAdd(result, factor, coefficient);
  };
  if (!table.linear_term_last) {
    for (size_t power = powers - 1; power-- > 0;) add(t, power);
    return;
  }
  for (size_t power = powers - 1; power-- > 2;) add(t, power);
  const VecRegs square = v.New("square", t.size());
  v.Mul(square, t, t);
  add(square, 0);
  lookup(coefficient, 1);
  v.MulAdd(result, t, coefficient);
}

template void EmitPiecewise(VecAvx2&, const VecGroup&, const VecGroup&, const PiecewiseTable&);
template void EmitPiecewise(VecAvx512&, const VecGroup&, const VecGroup&, const PiecewiseTable&);

}  // namespace burin::jit
