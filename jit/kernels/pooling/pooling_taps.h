// Emits what one tap does to what its window has so far, by kind of pooling.
//
// Use it in the generation of poolings (jit/kernels/pooling/pooling_code.h). V is the vector vocabulary; an object
// belongs to one thread with its Assembler.
//
// A maximum has two forms. The careful one keeps NaNs: max(tap, so far) gives what there is so far where either is NaN,
// hence a NaN once there stays, and one that comes is put there. The quick one leaves that out and watches for NaNs in
// pairs of taps; where one was seen, the caller starts again with the careful one.
#ifndef BURIN_JIT_KERNELS_POOLING_POOLING_TAPS_H_
#define BURIN_JIT_KERNELS_POOLING_POOLING_TAPS_H_

#include <cstdint>
#include <limits>

#include "jit/asm/operands.h"
#include "jit/asm/reg_pool.h"
#include "jit/emitters/vec.h"
#include "jit/emitters/vec_group.h"
#include "jit/kernels/pooling/pooling_spec.h"

namespace burin::jit {

// Watches for NaNs, in pairs of vectors.
template <class V>
class NanWatch {
 public:
  // Takes masks, and one vector register where those are vectors while it looks.
  explicit NanWatch(V& v) : v_(v), seen_(v.NewMask("nan_seen", kChains)) {}

  // Forgets what was seen.
  void Reset() {
    for (int i = 0; i < kChains; ++i) {
      if constexpr (V::kBits == 512) {
        v_.code().kxnorw(seen_[i], seen_[i], seen_[i]);
      } else {
        v_.Zero(VecGroup(seen_[i]));
      }
    }
  }

  // Looks at two vectors, which may be the same.
  void Look(const Xmm& a, const Xmm& b) {
    const auto& seen = seen_[next_];
    next_ = (next_ + 1) % kChains;
    if constexpr (V::kBits == 512) {
      // The mask keeps the elements where neither has been NaN.
      v_.code().vcmpps(Opmask(seen) | seen, a, b, kOrdered);
    } else {
      const VecReg unordered = v_.New("unordered");
      v_.code().vcmpps(unordered, a, b, static_cast<uint8_t>(VecCompare::kUnordered));
      v_.code().vorps(seen, seen, unordered);
    }
  }

  // Jumps to `label` where a NaN was seen.
  void JumpIfSeen(const Label& label) {
    if constexpr (V::kBits == 512) {
      for (int i = 1; i < kChains; ++i) v_.code().kandw(seen_[0], seen_[0], seen_[i]);
      v_.code().kortestw(seen_[0], seen_[0]);
      v_.code().jnc(label);
    } else {
      v_.code().vtestps(seen_[0], seen_[0]);
      v_.code().jnz(label);
    }
  }

 private:
  static constexpr uint8_t kOrdered = 0x07;
  // A comparison into a mask that itself selects takes 4 to 5 cycles, and one a cycle can begin.
  static constexpr int kChains = V::kBits == 512 ? 4 : 1;

  V& v_;
  typename V::Mask seen_;
  int next_ = 0;
};

// Emits taps.
template <class V>
class PoolingTaps {
 public:
  // `p` is that of kLp.
  PoolingTaps(V& v, PoolingKind kind, int p) : v_(v), kind_(kind), p_(p) {}

  // Returns whether there is a quick form.
  bool has_quick_form() const { return kind_ == PoolingKind::kMax; }

  // Sets `so_far` to what a window without taps has.
  void Start(const Xmm& so_far) {
    if (kind_ == PoolingKind::kMax) {
      v_.BroadcastConst(VecGroup(so_far), -std::numeric_limits<float>::infinity());
    } else {
      v_.Zero(VecGroup(so_far));
    }
  }

  // Makes what a window with one tap has of that tap.
  void Begin(const Xmm& tap) {
    if (kind_ != PoolingKind::kLp) return;
    if (p_ == 2) return v_.Mul(tap, tap, tap);
    v_.And(tap, tap, v_.Const(uint32_t{0x7fffffff}));
  }

  // Adds a tap, which may change. Uses two registers at most.
  void Add(const Xmm& so_far, const Xmm& tap, bool careful) {
    if (kind_ == PoolingKind::kMax) return AddMaximum(so_far, tap, careful);
    if (kind_ == PoolingKind::kAverage) return v_.Add(so_far, so_far, tap);
    if (p_ == 2) return v_.MulAdd(so_far, tap, tap);
    v_.And(tap, tap, v_.Const(uint32_t{0x7fffffff}));
    v_.Add(so_far, so_far, tap);
  }

  // Adds what another part of the window has so far, which stays. Uses a register at most.
  void Join(const Xmm& so_far, const Xmm& other, bool careful) {
    if (kind_ == PoolingKind::kMax) return AddMaximum(so_far, other, careful);
    v_.Add(so_far, so_far, other);
  }

  // Makes the result of what is there at last; `scale` is the factor of averages.
  void Finish(const Xmm& so_far, const Xmm& scale) {
    if (kind_ == PoolingKind::kAverage) return v_.Mul(so_far, so_far, scale);
    if (kind_ == PoolingKind::kLp && p_ == 2) v_.Sqrt(so_far, so_far);
  }

 private:
  void AddMaximum(const Xmm& so_far, const Xmm& tap, bool careful) {
    v_.Max(so_far, tap, so_far);
    if (!careful) return;
    const auto unordered = v_.NewMask("unordered", 1);
    v_.Compare(unordered, tap, tap, VecCompare::kUnordered);
    v_.SelectOne(so_far, unordered[0], tap, so_far);
  }

  V& v_;
  const PoolingKind kind_;
  const int p_;
};

}  // namespace burin::jit

#endif  // BURIN_JIT_KERNELS_POOLING_POOLING_TAPS_H_
