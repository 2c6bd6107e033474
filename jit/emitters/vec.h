// Offers the part of the vector vocabulary that is spelled alike at every width: arithmetic on whole vectors.
//
// Use it through VecAvx2 (jit/emitters/vec_avx2.h) or VecAvx512 (jit/emitters/vec_avx512.h), which add what differs:
// constants, masks, tails, reductions, gathers, transposes. An emitter that works at each width is a function template
// over the class, `template <class V> void EmitFoo(V& v, ...)`, instantiated for both in its own file. What exists at
// one width alone is called on `code()`. Not for choosing the width: the caller has the IsaSet.
//
// Operands are groups of whole vectors of 32-bit elements (jit/emitters/vec_group.h): an operation on groups of four is
// emitted four times, side by side. A destination comes first and may also be a source unless it says otherwise; what
// has one register stands for every vector. `VecSource` arguments may also be whole vectors in memory or constants
// (`v.Const(1.0f)`), which groups of more than one load into a register of their own first. Errors are those of the
// Assembler, found at its Finalize(). An object belongs to one thread, and the Assembler outlives it.
#ifndef BURIN_JIT_EMITTERS_VEC_H_
#define BURIN_JIT_EMITTERS_VEC_H_

#include <cstdint>

#include "absl/base/casts.h"
#include "absl/strings/string_view.h"
#include "jit/asm/assembler.h"
#include "jit/asm/operands.h"
#include "jit/asm/reg_pool.h"
#include "jit/emitters/vec_group.h"

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

// Says how two signed integers are compared. The values are those of the EVEX instruction's immediate.
enum class VecCompareI32 : uint8_t {
  kEqual = 0,
  kLess = 1,
  kLessEqual = 2,
  kNotEqual = 4,
  kGreaterEqual = 5,
  kGreater = 6,
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

  // Lends a vector register of this width, or one for each of `count` vectors.
  VecReg New(absl::string_view name) { return code_.regs().Vec(name, bits_); }
  VecRegs New(absl::string_view name, int count);

  // Returns the source that repeats a constant of 4 bytes in every element.
  template <class T>
  static VecConst Const(T value) {
    static_assert(sizeof(T) == 4, "an element is 32 bits wide");
    return {absl::bit_cast<uint32_t>(value)};
  }

  // Lends a register that holds a constant: for sources that are not the last.
  template <class T>
  VecReg ConstReg(T value) {
    VecReg reg = New("constant");
    BroadcastConst(reg, value);
    return reg;
  }

  // Load and store a whole vector, at any address.
  void Load(const Xmm& to, const Address& from) { code_.vmovups(to, from); }
  void Store(const Address& to, const Xmm& from) { code_.vmovups(to, from); }

  // Copies registers.
  void Copy(const VecGroup& to, const VecGroup& from);

  // Sets every element to 0, or to the 32-bit element in memory, or to element 0 of `from`.
  void Zero(const VecGroup& to);
  void Broadcast(const Xmm& to, const Address& from) { code_.vbroadcastss(to, from); }
  void BroadcastFirst(const Xmm& to, const Xmm& from) { code_.vbroadcastss(to, AsXmm(from)); }

  // Sets every element to a constant of 4 bytes.
  template <class T>
  void BroadcastConst(const VecGroup& to, T value) {
    SetConst(to, Const(value));
  }

  // Compute on floats, rounded to nearest-even: to = a OP b. Min and Max return b where either is NaN or both are zero.
  void Add(const VecGroup& to, const VecGroup& a, const VecSource& b) {
    Each(to, b, [&](int i, const Operand& source) { code_.vaddps(to[i], a[i], source); });
  }
  void Sub(const VecGroup& to, const VecGroup& a, const VecSource& b) {
    Each(to, b, [&](int i, const Operand& source) { code_.vsubps(to[i], a[i], source); });
  }
  void Mul(const VecGroup& to, const VecGroup& a, const VecSource& b) {
    Each(to, b, [&](int i, const Operand& source) { code_.vmulps(to[i], a[i], source); });
  }
  void Div(const VecGroup& to, const VecGroup& a, const VecSource& b) {
    Each(to, b, [&](int i, const Operand& source) { code_.vdivps(to[i], a[i], source); });
  }
  void Min(const VecGroup& to, const VecGroup& a, const VecSource& b) {
    Each(to, b, [&](int i, const Operand& source) { code_.vminps(to[i], a[i], source); });
  }
  void Max(const VecGroup& to, const VecGroup& a, const VecSource& b) {
    Each(to, b, [&](int i, const Operand& source) { code_.vmaxps(to[i], a[i], source); });
  }
  void Sqrt(const VecGroup& to, const VecSource& from) {
    Each(to, from, [&](int i, const Operand& source) { code_.vsqrtps(to[i], source); });
  }

  // Compute on floats with one rounding: acc += a * b; acc -= a * b; x = x * factor + addend; x = addend - x * factor;
  // x = x * factor - subtrahend.
  void MulAdd(const VecGroup& acc, const VecGroup& a, const VecSource& b) {
    Each(acc, b, [&](int i, const Operand& source) { code_.vfmadd231ps(acc[i], a[i], source); });
  }
  void MulSubtractFrom(const VecGroup& acc, const VecGroup& a, const VecSource& b) {
    Each(acc, b, [&](int i, const Operand& source) { code_.vfnmadd231ps(acc[i], a[i], source); });
  }
  void ScaleAdd(const VecGroup& x, const VecGroup& factor, const VecSource& addend) {
    Each(x, addend, [&](int i, const Operand& source) { code_.vfmadd213ps(x[i], factor[i], source); });
  }
  void NegativeScaleAdd(const VecGroup& x, const VecGroup& factor, const VecSource& addend) {
    Each(x, addend, [&](int i, const Operand& source) { code_.vfnmadd213ps(x[i], factor[i], source); });
  }
  void ScaleSub(const VecGroup& x, const VecGroup& factor, const VecSource& subtrahend) {
    Each(x, subtrahend, [&](int i, const Operand& source) { code_.vfmsub213ps(x[i], factor[i], source); });
  }

  // Combine bits: to = a OP b; AndNot is ~a & b.
  void And(const VecGroup& to, const VecGroup& a, const VecSource& b) {
    Each(to, b, [&](int i, const Operand& source) { code_.vandps(to[i], a[i], source); });
  }
  void AndNot(const VecGroup& to, const VecGroup& a, const VecSource& b) {
    Each(to, b, [&](int i, const Operand& source) { code_.vandnps(to[i], a[i], source); });
  }
  void Or(const VecGroup& to, const VecGroup& a, const VecSource& b) {
    Each(to, b, [&](int i, const Operand& source) { code_.vorps(to[i], a[i], source); });
  }
  void Xor(const VecGroup& to, const VecGroup& a, const VecSource& b) {
    Each(to, b, [&](int i, const Operand& source) { code_.vxorps(to[i], a[i], source); });
  }

  // Compute on 32-bit integers, which wrap around: to = a OP b.
  void AddI32(const VecGroup& to, const VecGroup& a, const VecSource& b) {
    Each(to, b, [&](int i, const Operand& source) { code_.vpaddd(to[i], a[i], source); });
  }
  void SubI32(const VecGroup& to, const VecGroup& a, const VecSource& b) {
    Each(to, b, [&](int i, const Operand& source) { code_.vpsubd(to[i], a[i], source); });
  }
  void MulI32(const VecGroup& to, const VecGroup& a, const VecSource& b) {
    Each(to, b, [&](int i, const Operand& source) { code_.vpmulld(to[i], a[i], source); });
  }
  void MinI32(const VecGroup& to, const VecGroup& a, const VecSource& b) {
    Each(to, b, [&](int i, const Operand& source) { code_.vpminsd(to[i], a[i], source); });
  }
  void MaxI32(const VecGroup& to, const VecGroup& a, const VecSource& b) {
    Each(to, b, [&](int i, const Operand& source) { code_.vpmaxsd(to[i], a[i], source); });
  }
  void MinU32(const VecGroup& to, const VecGroup& a, const VecSource& b) {
    Each(to, b, [&](int i, const Operand& source) { code_.vpminud(to[i], a[i], source); });
  }
  void MaxU32(const VecGroup& to, const VecGroup& a, const VecSource& b) {
    Each(to, b, [&](int i, const Operand& source) { code_.vpmaxud(to[i], a[i], source); });
  }
  void AbsI32(const VecGroup& to, const VecSource& from) {
    Each(to, from, [&](int i, const Operand& source) { code_.vpabsd(to[i], source); });
  }

  // Shift 32-bit integers, by a constant or by the elements of b: left, right with the sign, right with zeros. Counts
  // above 31 leave no bit but copies of the sign.
  void ShiftLeftI32(const VecGroup& to, const VecGroup& a, uint8_t bits) {
    for (int i = 0; i < to.size(); ++i) code_.vpslld(to[i], a[i], bits);
  }
  void ShiftRightI32(const VecGroup& to, const VecGroup& a, uint8_t bits) {
    for (int i = 0; i < to.size(); ++i) code_.vpsrad(to[i], a[i], bits);
  }
  void ShiftRightU32(const VecGroup& to, const VecGroup& a, uint8_t bits) {
    for (int i = 0; i < to.size(); ++i) code_.vpsrld(to[i], a[i], bits);
  }
  void ShiftLeftI32(const VecGroup& to, const VecGroup& a, const VecSource& b) {
    Each(to, b, [&](int i, const Operand& source) { code_.vpsllvd(to[i], a[i], source); });
  }
  void ShiftRightI32(const VecGroup& to, const VecGroup& a, const VecSource& b) {
    Each(to, b, [&](int i, const Operand& source) { code_.vpsravd(to[i], a[i], source); });
  }
  void ShiftRightU32(const VecGroup& to, const VecGroup& a, const VecSource& b) {
    Each(to, b, [&](int i, const Operand& source) { code_.vpsrlvd(to[i], a[i], source); });
  }

  // Convert between floats and 32-bit integers: to nearest-even, or towards zero. A float that no integer can hold, NaN
  // included, becomes INT32_MIN.
  void FloatToI32(const VecGroup& to, const VecSource& from) {
    Each(to, from, [&](int i, const Operand& source) { code_.vcvtps2dq(to[i], source); });
  }
  void TruncateToI32(const VecGroup& to, const VecSource& from) {
    Each(to, from, [&](int i, const Operand& source) { code_.vcvttps2dq(to[i], source); });
  }
  void I32ToFloat(const VecGroup& to, const VecSource& from) {
    Each(to, from, [&](int i, const Operand& source) { code_.vcvtdq2ps(to[i], source); });
  }

 protected:
  // Emits to `code`, with registers of `bits` bits.
  VecBase(Assembler& code, int bits) : code_(code), bits_(bits) {}

  // Calls emit(i, operand) for each vector i of `to`, with the operand that `source` is for it.
  template <class Emit>
  void Each(const VecGroup& to, const VecSource& source, const Emit& emit) {
    if (const VecGroup* const group = source.group()) {
      for (int i = 0; i < to.size(); ++i) emit(i, (*group)[i]);
      return;
    }
    if (to.size() == 1) {
      if (source.constant() != nullptr) emit(0, Repeated(*source.constant()));
      if (source.address() != nullptr) emit(0, *source.address());
      return;
    }
    const VecReg shared = New("source");
    if (source.constant() != nullptr) SetConst(shared, *source.constant());
    if (source.address() != nullptr) code_.vmovups(shared, *source.address());
    for (int i = 0; i < to.size(); ++i) emit(i, shared);
  }

 private:
  void SetConst(const VecGroup& to, VecConst constant);
  // Returns the operand that repeats a constant: the last source of an instruction on 32-bit elements.
  Address Repeated(VecConst constant);

  Assembler& code_;
  const int bits_;
};

}  // namespace burin::jit

#endif  // BURIN_JIT_EMITTERS_VEC_H_
