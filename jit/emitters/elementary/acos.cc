#include "jit/emitters/elementary/acos.h"

#include <cstdint>
#include <limits>

#include "jit/emitters/elementary/asin.h"
#include "jit/emitters/vec.h"
#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"
#include "jit/emitters/vec_group.h"

namespace burin::jit {
namespace {

constexpr int32_t kSignBit = std::numeric_limits<int32_t>::min();
constexpr float kPi = 0x1.921fb6p+1f;
constexpr float kHalfPi = 0x1.921fb6p+0f;
// What those two lack, as a part of them.
constexpr float kLowPart = -0x1.de12cap-26f;

}  // namespace

template <class V>
void EmitAcos(V& v, const VecGroup& x) {
  const VecRegs s = v.New("acos_s", x.size());
  const VecRegs square = v.New("square", x.size());
  const VecRegs p = v.New("acos_p", x.size());
  const typename V::Mask large = v.NewMask("large", x.size());
  v.And(s, x, v.Const(std::numeric_limits<int32_t>::max()));
  {
    const VecReg half = v.ConstReg(0.5f);
    v.Compare(large, s, half, VecCompare::kGreater);
    // (1 - |x|) / 2, exact where |x| is above 1/2, and negative above 1.
    v.Copy(p, s);
    v.NegativeScaleAdd(p, half, half);
  }
  v.Mul(square, s, s);
  v.Select(square, large, p, square);
  v.Sqrt(p, p);
  v.Xor(s, x, v.Const(kSignBit));
  v.Select(s, large, p, s);
  EmitAsinOfSmall(v, p, s, square);
  // What is added: pi / 2 to -asin x; 0 or pi to twice the other, with the sign of x.
  v.Add(s, p, p);
  v.And(square, x, v.Const(kSignBit));
  v.Xor(s, s, square);
  v.Select(p, large, s, p);
  v.ShiftRightI32(x, x, 31);
  v.And(x, x, v.Const(kPi));
  v.BroadcastConst(s, kHalfPi);
  v.Select(x, large, x, s);
  v.MulAdd(p, x, v.Const(kLowPart));
  v.Add(x, x, p);
}

template void EmitAcos(VecAvx2&, const VecGroup&);
template void EmitAcos(VecAvx512&, const VecGroup&);

}  // namespace burin::jit
