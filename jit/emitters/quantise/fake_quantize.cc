#include "jit/emitters/quantise/fake_quantize.h"

#include <cmath>
#include <cstdint>

#include "jit/asm/reg_pool.h"
#include "jit/emitters/arithmetic/extremes.h"
#include "jit/emitters/vec.h"
#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"
#include "jit/emitters/vec_group.h"

namespace burin::jit {
namespace {

// Up to here the product for input_high, which is less than 2 ulp off, rounds to the last level.
constexpr int32_t kMostLevelsByProduct = 1 << 21;

// Replaces x, which is between the limits, by (x - low) / (high - low) * steps.
template <class V>
void ScaleToSteps(V& v, const VecGroup& x, float low, float high, int32_t levels) {
  if (low != 0) v.Sub(x, x, v.Const(low));
  const double range = static_cast<double>(high) - static_cast<double>(low);
  const auto scale = static_cast<float>((levels - 1) / range);
  if (std::isfinite(scale)) {
    v.Mul(x, x, v.Const(scale));
  } else {
    v.Div(x, x, v.Const(high - low));
    v.Mul(x, x, v.Const(static_cast<float>(levels - 1)));
  }
}

}  // namespace

template <class V>
void EmitFakeQuantize(V& v, const VecGroup& x, const FakeQuantizeLimits<VecGroup>& limits, int32_t levels) {
  const VecRegs result = v.New("result", x.size());
  const VecRegs other = v.New("other", x.size());
  v.Sub(result, x, limits.input_low);
  v.Sub(other, limits.input_high, limits.input_low);
  v.Div(result, result, other);
  {
    const VecReg steps = v.ConstReg(static_cast<float>(levels - 1));
    v.Mul(result, result, steps);
    v.Round(result, result, VecRounding::kNearestEven);
    v.Div(result, result, steps);
  }
  v.Sub(other, limits.output_high, limits.output_low);
  v.Mul(result, result, other);
  v.Add(result, result, limits.output_low);
  const typename V::Mask outside = v.NewMask("outside", x.size());
  v.Min(other, limits.input_high, limits.input_low);
  v.Compare(outside, x, other, VecCompare::kLessEqual);
  v.Select(result, outside, limits.output_low, result);
  v.Max(other, limits.input_high, limits.input_low);
  v.Compare(outside, x, other, VecCompare::kGreater);
  v.Select(x, outside, limits.output_high, result);
}

template <class V>
void EmitFakeQuantize(V& v, const VecGroup& x, const FakeQuantizeLimits<float>& limits, int32_t levels) {
  if (!(limits.input_low < limits.input_high) || levels > kMostLevelsByProduct) {
    const VecReg input_low = v.ConstReg(limits.input_low);
    const VecReg input_high = v.ConstReg(limits.input_high);
    const VecReg output_low = v.ConstReg(limits.output_low);
    const VecReg output_high = v.ConstReg(limits.output_high);
    EmitFakeQuantize(v, x, FakeQuantizeLimits<VecGroup>{input_low, input_high, output_low, output_high}, levels);
    return;
  }
  EmitClamp(v, x, limits.input_low, limits.input_high);
  ScaleToSteps(v, x, limits.input_low, limits.input_high, levels);
  v.Round(x, x, VecRounding::kNearestEven);
  const double range = static_cast<double>(limits.output_high) - static_cast<double>(limits.output_low);
  const auto step = static_cast<float>(range / (levels - 1));
  v.ScaleAdd(x, v.ConstReg(step), v.Const(limits.output_low));
}

template <class V>
void EmitFakeQuantizeLevel(V& v, const VecGroup& x, float input_low, float input_high, int32_t levels) {
  // The limit comes back for NaN.
  v.Max(x, x, v.Const(input_low));
  v.Min(x, x, v.Const(input_high));
  ScaleToSteps(v, x, input_low, input_high, levels);
  v.FloatToI32(x, x);
}

template void EmitFakeQuantize(VecAvx2&, const VecGroup&, const FakeQuantizeLimits<VecGroup>&, int32_t);
template void EmitFakeQuantize(VecAvx512&, const VecGroup&, const FakeQuantizeLimits<VecGroup>&, int32_t);
template void EmitFakeQuantize(VecAvx2&, const VecGroup&, const FakeQuantizeLimits<float>&, int32_t);
template void EmitFakeQuantize(VecAvx512&, const VecGroup&, const FakeQuantizeLimits<float>&, int32_t);
template void EmitFakeQuantizeLevel(VecAvx2&, const VecGroup&, float, float, int32_t);
template void EmitFakeQuantizeLevel(VecAvx512&, const VecGroup&, float, float, int32_t);

}  // namespace burin::jit
