// Lends the registers of one kernel by RAII and reports how many were wanted.
//
// Use it (as Assembler::regs()) for every register that an emitter touches: a handle is the register, as an operand,
// for as long as it lives, so that no two holders share one. Not for storing registers beyond an emitter's scope by
// copying the operand out of the handle. A pool belongs to one thread, and outlives its handles.
//
//   auto acc = regs.Vec("acc");
//   code.vaddps(acc, acc, ptr[input]);
//
// Where a class is used up, the handle names its first register, the pool's status says who holds what, and the
// kernel's Finalize() fails with it; the peak goes on counting, and tells how many would have to be spilled.
#ifndef BURIN_JIT_ASM_REG_POOL_H_
#define BURIN_JIT_ASM_REG_POOL_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "jit/asm/operands.h"
#include "jit/isa/isa.h"

namespace burin::jit {

// Tells the register files apart.
enum class RegClass { kGpr, kVec, kMask, kTile };

// Records that `name` held a register of this name (for dumps).
struct RegLoan {
  std::string name;
  std::string reg;
};

class RegPool;

namespace internal {

// Is a register on loan: the operand itself, given back at the end of its life. Move-only; a moved-from handle is no
// register, and an instruction that is given one fails.
template <class Base, RegClass kClass>
class BorrowedReg : public Base {
 public:
  BorrowedReg(BorrowedReg&& other) noexcept
      : Base(other), pool_(std::exchange(other.pool_, nullptr)), index_(other.index_) {
    static_cast<Operand&>(other) = Operand();
  }
  BorrowedReg& operator=(BorrowedReg&& other) noexcept {
    if (this != &other) {
      Return();
      static_cast<Operand&>(*this) = static_cast<Operand&>(other);
      static_cast<Operand&>(other) = Operand();
      pool_ = std::exchange(other.pool_, nullptr);
      index_ = other.index_;
    }
    return *this;
  }
  ~BorrowedReg() { Return(); }

  // Gives the register back before the handle's end; the handle is no register afterwards.
  void Return();

 private:
  friend class ::burin::jit::RegPool;

  BorrowedReg(const Base& reg, RegPool* pool, int index) : Base(reg), pool_(pool), index_(index) {}

  RegPool* pool_;
  // Of the register; negative where there was none left.
  int index_;
};

}  // namespace internal

// Hold a general register, a vector register of the width that was asked for, a mask and a tile on loan.
using GprReg = internal::BorrowedReg<Reg64, RegClass::kGpr>;
using VecReg = internal::BorrowedReg<Xmm, RegClass::kVec>;
using MaskReg = internal::BorrowedReg<Opmask, RegClass::kMask>;
using TileReg = internal::BorrowedReg<Tmm, RegClass::kTile>;

// Adds a mask, zeroing or a rounding mode to a vector register on loan; the result is a plain operand.
inline Xmm operator|(const VecReg& vec, const Opmask& mask) { return static_cast<const Xmm&>(vec) | mask; }
inline Xmm operator|(const VecReg& vec, const Xbyak::EvexModifierZero& zero) {
  return static_cast<const Xmm&>(vec) | zero;
}
inline Xmm operator|(const VecReg& vec, const Xbyak::EvexModifierRounding& rounding) {
  return static_cast<const Xmm&>(vec) | rounding;
}

// Return the same register at another width.
inline Xmm AsXmm(const Xmm& vec) { return Xmm(vec.getIdx()); }
inline Ymm AsYmm(const Xmm& vec) { return Ymm(vec.getIdx()); }
inline Zmm AsZmm(const Xmm& vec) { return Zmm(vec.getIdx()); }

// Lends registers. rsp and rbp are never lent (the frame has them), nor k0, which cannot mask.
class RegPool {
 public:
  // Lends what a machine with `isa` has: 32 vector registers of 512 bits and 7 masks with level avx512, else 16 of 256
  // bits and none; 8 tiles with AMX.
  explicit RegPool(const IsaSet& isa);
  RegPool(const RegPool&) = delete;
  RegPool& operator=(const RegPool&) = delete;
  // All handles have been destroyed (BURIN_CHECK).
  ~RegPool();

  // Lend any free register under `name`, which errors and dumps show. Registers that a callee may change come first.
  GprReg Gpr(absl::string_view name);
  MaskReg Mask(absl::string_view name);
  TileReg Tile(absl::string_view name);

  // Lends a vector register of `bits` = 128, 256 or 512; 0 means vector_bits().
  VecReg Vec(absl::string_view name, int bits = 0);

  // Lend this very register: rcx for a shift, an argument, the implicit operand of an instruction. Fails as exhaustion
  // does where it is on loan or not of this pool.
  GprReg GprAt(const Reg64& reg, absl::string_view name);
  VecReg VecAt(int index, absl::string_view name, int bits = 0);
  MaskReg MaskAt(int index, absl::string_view name);
  TileReg TileAt(int index, absl::string_view name);

  // Returns whether the register of that index (as encoded in instructions) can be lent now.
  bool IsFree(RegClass reg_class, int index) const;

  // Returns the width of vectors in bits: 512 or 256.
  int vector_bits() const { return vector_bits_; }

  // Returns how many registers of the class there are, how many are on loan, and how many can be lent now.
  int capacity(RegClass reg_class) const { return File(reg_class).capacity; }
  int in_use(RegClass reg_class) const { return File(reg_class).in_use; }
  int available(RegClass reg_class) const;

  // Returns the most that was wanted at one time; above the capacity by what would have to be spilled.
  int peak(RegClass reg_class) const { return File(reg_class).peak; }

  // Returns, as bits by index, the general registers that were ever lent.
  uint32_t touched_gprs() const { return File(RegClass::kGpr).touched; }

  // Returns OK, or the first failure to lend: ResourceExhausted, naming what was wanted and who holds what.
  const absl::Status& status() const { return status_; }

  // Describes each class in a line: capacity, peak, what would spill, and the present holders.
  std::string Report() const;

  // Gives up the list of loans, in their order; a register lent again under the name it had appears once.
  std::vector<RegLoan> TakeLoans() { return std::move(loans_); }

 private:
  template <class Base, RegClass kClass>
  friend class internal::BorrowedReg;

  static constexpr int kMaxRegs = 32;

  struct RegFile {
    int capacity = 0;
    int in_use = 0;
    // Wanted beyond the capacity and still in life.
    int missing = 0;
    int peak = 0;
    // Bits by index: of this pool, free, ever lent.
    uint32_t members = 0;
    uint32_t free = 0;
    uint32_t touched = 0;
    std::array<std::string, kMaxRegs> holders;
  };

  const RegFile& File(RegClass reg_class) const { return files_[static_cast<size_t>(reg_class)]; }
  RegFile& File(RegClass reg_class) { return files_[static_cast<size_t>(reg_class)]; }
  void Define(RegClass reg_class, uint32_t members);
  // Return the index lent, or -1.
  int Take(RegClass reg_class, absl::string_view name);
  int TakeAt(RegClass reg_class, int index, absl::string_view name);
  void Grant(RegFile& file, RegClass reg_class, int index, absl::string_view name);
  void Fail(RegFile& file, RegClass reg_class, absl::string_view wanted, absl::string_view name);
  void GiveBack(RegClass reg_class, int index);
  std::string DescribeHolders(RegClass reg_class) const;
  std::string RegName(RegClass reg_class, int index) const;
  VecReg MakeVec(int index, int bits);

  int vector_bits_;
  std::array<RegFile, 4> files_;
  std::vector<RegLoan> loans_;
  absl::Status status_;
};

namespace internal {

template <class Base, RegClass kClass>
void BorrowedReg<Base, kClass>::Return() {
  if (pool_ == nullptr) return;
  pool_->GiveBack(kClass, index_);
  pool_ = nullptr;
  static_cast<Operand&>(*this) = Operand();
}

}  // namespace internal
}  // namespace burin::jit

#endif  // BURIN_JIT_ASM_REG_POOL_H_
