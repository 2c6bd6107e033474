#include "jit/emitters/activation/elu.h"

#include <cmath>

#include "jit/emitters/elementary/expm1.h"
#include "jit/emitters/vec.h"
#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"
#include "jit/emitters/vec_group.h"

namespace burin::jit {
namespace {

// From here to 0, e^x - 1 rounds to x.
constexpr float kLinear = -0x1p-25f;

}  // namespace

template <class V>
void EmitElu(V& v, const VecGroup& x, float alpha) {
  const VecRegs decay = v.New("decay", x.size());
  v.Copy(decay, x);
  EmitExpm1(v, decay);
  const typename V::Mask negative = v.NewMask("negative", x.size());
  v.Compare(negative, x, v.Const(0.0f), VecCompare::kLess);
  if (alpha != 1) v.Mul(decay, decay, v.Const(alpha));
  v.Select(x, negative, decay, x);
}

template <class V>
void EmitSelu(V& v, const VecGroup& x, float alpha, float gamma) {
  const VecRegs decay = v.New("decay", x.size());
  v.Copy(decay, x);
  EmitExpm1(v, decay);
  const typename V::Mask negative = v.NewMask("negative", x.size());
  v.Compare(negative, x, v.Const(0.0f), VecCompare::kLess);
  v.Mul(decay, decay, v.Const(alpha * gamma));
  v.Mul(x, x, v.Const(gamma));
  v.Select(x, negative, decay, x);
}

template <class V>
void EmitCelu(V& v, const VecGroup& x, float alpha) {
  const VecRegs decay = v.New("decay", x.size());
  if (std::isnormal(1 / alpha)) {
    v.Mul(decay, x, v.Const(1 / alpha));
  } else {
    v.Div(decay, x, v.Const(alpha));
  }
  EmitExpm1(v, decay);
  const typename V::Mask negative = v.NewMask("negative", x.size());
  // Nearer to zero, where the quotient may lose bits among the denormals, the result is x.
  v.Compare(negative, x, v.Const(kLinear * alpha), VecCompare::kLess);
  v.Mul(decay, decay, v.Const(alpha));
  v.Select(x, negative, decay, x);
}

template void EmitElu(VecAvx2&, const VecGroup&, float);
template void EmitElu(VecAvx512&, const VecGroup&, float);
template void EmitSelu(VecAvx2&, const VecGroup&, float, float);
template void EmitSelu(VecAvx512&, const VecGroup&, float, float);
template void EmitCelu(VecAvx2&, const VecGroup&, float);
template void EmitCelu(VecAvx512&, const VecGroup&, float);

}  // namespace burin::jit
