// Multiplies by the small constants of Winograd's transforms, kept in registers where there are enough.
//
// Use it in the generators of the transforms (jit/kernels/winograd/input_transform.h, output_transform.h). At 512 bits
// the constants take a register each; at 256 bits, where registers are few, they are operands in memory. Emits to the
// vocabulary's assembler; used by one thread.
#ifndef BURIN_JIT_KERNELS_WINOGRAD_TRANSFORM_FACTORS_H_
#define BURIN_JIT_KERNELS_WINOGRAD_TRANSFORM_FACTORS_H_

#include <map>
#include <utility>

#include "absl/types/span.h"
#include "jit/asm/reg_pool.h"
#include "jit/emitters/vec_group.h"

namespace burin::jit {

// Holds the registers. V is VecAvx2 or VecAvx512.
template <class V>
class TransformFactors {
 public:
  // Takes a register for each of `factors` where vectors have 512 bits.
  TransformFactors(V& v, absl::Span<const float> factors) : v_(v) {
    if (V::kBits < 512) return;
    for (const float factor : factors) held_.emplace(factor, v.ConstReg(factor));
  }

  // Emit acc += a * factor, and acc -= a * factor, rounded once.
  void MulAdd(const VecReg& acc, const VecReg& a, float factor) const {
    const auto found = held_.find(factor);
    if (found != held_.end()) {
      v_.MulAdd(acc, a, found->second);
    } else {
      v_.MulAdd(acc, a, V::Const(factor));
    }
  }
  void MulSubtractFrom(const VecReg& acc, const VecReg& a, float factor) const {
    const auto found = held_.find(factor);
    if (found != held_.end()) {
      v_.MulSubtractFrom(acc, a, found->second);
    } else {
      v_.MulSubtractFrom(acc, a, V::Const(factor));
    }
  }

 private:
  V& v_;
  std::map<float, VecReg> held_;
};

}  // namespace burin::jit

#endif  // BURIN_JIT_KERNELS_WINOGRAD_TRANSFORM_FACTORS_H_
