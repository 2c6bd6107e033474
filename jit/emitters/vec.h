// Offers the part of the vector vocabulary that is spelled alike at every width: arithmetic on whole vectors.
//
// Use it through VecAvx2 (jit/emitters/vec_avx2.h) or VecAvx512 (jit/emitters/vec_avx512.h), which add what differs:
// constants, masks, tails, reductions, gathers, transposes. An emitter that works at each width is a function template
// over the class, `template <class V> void EmitFoo(V& v, ...)`, instantiated for both in its own file. What exists at
// one width alone is called on `code()`. Not for choosing the width: the caller has the IsaSet.
//
// Operands are whole vectors of 32-bit elements; a destination comes first and may also be a source unless it says
// otherwise. `Operand` arguments are registers, whole vectors in memory, or constants (`v.Const(1.0f)`). Errors are
// those of the Assembler, found at its Finalize(). An object belongs to one thread, and the Assembler outlives it.
#ifndef BURIN_JIT_EMITTERS_VEC_H_
#define BURIN_JIT_EMITTERS_VEC_H_

#include <cstdint>

#include "absl/strings/string_view.h"
#include "jit/asm/assembler.h"
#include "jit/asm/operands.h"
#include "jit/asm/reg_pool.h"

namespace burin::jit {

// Says how two floats are compared: ordered (false where one is NaN), but for kNotEqual, kNotGreater and kUnordered,
// which are true there. The values are those of the instruction's immediate, all of them quiet.
enum class VecCompare : uint8_t {
  kEqual = 0x00,
  kNotEqual = 0x04,
  kLess = 0x11,
  kLessEqual = 0x12,
  kGreater = 0x1e,
  kGreaterEqual = 0x1d,
  kNotGreater = 0x1a,
  kUnordered = 0x03,
};

// Says how a float becomes an integral value.
enum class VecRounding : uint8_t { kNearestEven = 0, kDown = 1, kUp = 2, kTowardsZero = 3 };

// Is the base of the vocabularies.
class VecBase {
 public:
  VecBase(const VecBase&) = delete;
  VecBase& operator=(const VecBase&) = delete;

  // Returns the assembler that is emitted to.
  Assembler& code() const { return code_; }

  // Lends a vector register of this width.
  VecReg New(absl::string_view name) { return code_.regs().Vec(name, bits_); }

  // Loads and stores a whole vector, at any address.
  void Load(const Xmm& to, const Address& from) { code_.vmovups(to, from); }
  void Store(const Address& to, const Xmm& from) { code_.vmovups(to, from); }

  // Copies a register.
  void Copy(const Xmm& to, const Xmm& from) { code_.vmovaps(to, from); }

  // Sets every element to 0, or to the 32-bit element in memory, or to element 0 of `from`.
  void Zero(const Xmm& to) { code_.vxorps(AsXmm(to), AsXmm(to), AsXmm(to)); }
  void Broadcast(const Xmm& to, const Address& from) { code_.vbroadcastss(to, from); }
  void BroadcastFirst(const Xmm& to, const Xmm& from) { code_.vbroadcastss(to, AsXmm(from)); }

  // Sets every element to a constant of 4 bytes.
  template <class T>
  void BroadcastConst(const Xmm& to, T value) {
    static_assert(sizeof(T) == 4, "an element is 32 bits wide");
    code_.vbroadcastss(to, code_.Scalar(value));
  }

  // Compute on floats, rounded to nearest-even: to = a OP b. Min and Max return b where either is NaN or both are zero.
  void Add(const Xmm& to, const Xmm& a, const Operand& b) { code_.vaddps(to, a, b); }
  void Sub(const Xmm& to, const Xmm& a, const Operand& b) { code_.vsubps(to, a, b); }
  void Mul(const Xmm& to, const Xmm& a, const Operand& b) { code_.vmulps(to, a, b); }
  void Div(const Xmm& to, const Xmm& a, const Operand& b) { code_.vdivps(to, a, b); }
  void Min(const Xmm& to, const Xmm& a, const Operand& b) { code_.vminps(to, a, b); }
  void Max(const Xmm& to, const Xmm& a, const Operand& b) { code_.vmaxps(to, a, b); }
  void Sqrt(const Xmm& to, const Operand& a) { code_.vsqrtps(to, a); }

  // Compute on floats with one rounding: acc += a * b; acc -= a * b; x = x * factor + addend.
  void MulAdd(const Xmm& acc, const Xmm& a, const Operand& b) { code_.vfmadd231ps(acc, a, b); }
  void MulSubtractFrom(const Xmm& acc, const Xmm& a, const Operand& b) { code_.vfnmadd231ps(acc, a, b); }
  void ScaleAdd(const Xmm& x, const Xmm& factor, const Operand& addend) { code_.vfmadd213ps(x, factor, addend); }

  // Combine bits: to = a OP b; AndNot is ~a & b.
  void And(const Xmm& to, const Xmm& a, const Operand& b) { code_.vandps(to, a, b); }
  void AndNot(const Xmm& to, const Xmm& a, const Operand& b) { code_.vandnps(to, a, b); }
  void Or(const Xmm& to, const Xmm& a, const Operand& b) { code_.vorps(to, a, b); }
  void Xor(const Xmm& to, const Xmm& a, const Operand& b) { code_.vxorps(to, a, b); }

  // Compute on 32-bit integers, which wrap around: to = a OP b; shifts by a constant.
  void AddI32(const Xmm& to, const Xmm& a, const Operand& b) { code_.vpaddd(to, a, b); }
  void SubI32(const Xmm& to, const Xmm& a, const Operand& b) { code_.vpsubd(to, a, b); }
  void MulI32(const Xmm& to, const Xmm& a, const Operand& b) { code_.vpmulld(to, a, b); }
  void ShiftLeftI32(const Xmm& to, const Xmm& a, uint8_t bits) { code_.vpslld(to, a, bits); }
  void ShiftRightI32(const Xmm& to, const Xmm& a, uint8_t bits) { code_.vpsrad(to, a, bits); }
  void ShiftRightU32(const Xmm& to, const Xmm& a, uint8_t bits) { code_.vpsrld(to, a, bits); }

  // Convert between floats and 32-bit integers: to nearest-even, or towards zero. A float that no integer can hold, NaN
  // included, becomes INT32_MIN.
  void FloatToI32(const Xmm& to, const Operand& from) { code_.vcvtps2dq(to, from); }
  void TruncateToI32(const Xmm& to, const Operand& from) { code_.vcvttps2dq(to, from); }
  void I32ToFloat(const Xmm& to, const Operand& from) { code_.vcvtdq2ps(to, from); }

 protected:
  // Emits to `code`, with registers of `bits` bits.
  VecBase(Assembler& code, int bits) : code_(code), bits_(bits) {}

 private:
  Assembler& code_;
  const int bits_;
};

}  // namespace burin::jit

#endif  // BURIN_JIT_EMITTERS_VEC_H_
