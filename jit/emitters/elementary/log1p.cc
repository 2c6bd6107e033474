#include "jit/emitters/elementary/log1p.h"

#include <cstdint>
#include <limits>

#include "jit/emitters/elementary/log_parts.h"
#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"
#include "jit/emitters/vec_group.h"

namespace burin::jit {
namespace {

// From here on 1 + x is x, and 2^-k would not be a normal float at the end.
constexpr float kLarge = 0x1p+30f;

constexpr int32_t kSignBit = std::numeric_limits<int32_t>::min();
constexpr int32_t kOne = 0x3f800000;
constexpr int kMantissaBits = 23;

}  // namespace

template <class V>
void EmitLog1p(V& v, const VecGroup& x) {
  const VecRegs sum = v.New("log1p_sum", x.size());
  const VecRegs f = v.New("log1p_f", x.size());
  const VecRegs k = v.New("log1p_k", x.size());
  {
    const VecRegs spare = v.New("log1p_spare", x.size());
    v.Add(sum, x, v.Const(1.0f));
    EmitSplitForLog(v, f, k, sum, spare);
    v.Sub(f, f, v.Const(1.0f));
    // x - ((1 + x) - 1), exact; of no account where it is made 0.
    const VecRegs lost = v.New("log1p_lost", x.size());
    {
      const VecReg large = v.ConstReg(kLarge);
      v.Min(lost, large, x);
    }
    v.Add(spare, lost, v.Const(1.0f));
    v.Sub(spare, spare, v.Const(1.0f));
    v.Sub(lost, lost, spare);
    // 2^-k, where k is not greater than that of `large`.
    v.Min(spare, k, v.Const(30.0f));
    v.FloatToI32(spare, spare);
    v.ShiftLeftI32(spare, spare, kMantissaBits);
    {
      const VecReg one = v.ConstReg(kOne);
      v.SubI32(spare, one, spare);
    }
    v.MulAdd(f, lost, spare);
  }
  const VecRegs result = v.New("log1p", x.size());
  EmitLogOfParts(v, result, f, k);
  EmitFinishLog(v, result, sum);
  // The sum of zeros of either sign is +0.
  v.And(x, x, v.Const(kSignBit));
  v.Or(x, x, result);
}

template void EmitLog1p(VecAvx2&, const VecGroup&);
template void EmitLog1p(VecAvx512&, const VecGroup&);

}  // namespace burin::jit
