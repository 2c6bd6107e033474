// Names the registers that hold one value over several vectors, so that an emitter interleaves their instructions.
//
// Use it for every operand of an emitter: a dependent chain of one vector leaves the core idle, four side by side do
// not, and a constant is then loaded once for all four. How many vectors a loop takes at a time is the caller's
// business; an emitter is written once, for any number. A VecGroup only names registers: they belong to a VecRegs, or
// to whoever else borrowed them, and outlive it. Values, used by one thread with their Assembler.
#ifndef BURIN_JIT_EMITTERS_VEC_GROUP_H_
#define BURIN_JIT_EMITTERS_VEC_GROUP_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/check.h"
#include "jit/asm/operands.h"
#include "jit/asm/reg_pool.h"

namespace burin::jit {

// Owns the registers of a group, of one class.
template <class Reg>
class RegGroup {
 public:
  // Holds these registers.
  explicit RegGroup(std::vector<Reg> regs) : regs_(std::move(regs)) {}

  // Returns how many there are, and one of them.
  int size() const { return static_cast<int>(regs_.size()); }
  const Reg& operator[](int i) const { return regs_[static_cast<size_t>(i)]; }

 private:
  std::vector<Reg> regs_;
};

// Own vector registers and mask registers.
using VecRegs = RegGroup<VecReg>;
using MaskRegs = RegGroup<MaskReg>;

// Names vector registers.
class VecGroup {
 public:
  // The most registers of a group.
  static constexpr int kMaxSize = 8;

  // Names no register; Append() adds one, up to kMaxSize (BURIN_CHECK).
  VecGroup() = default;
  void Append(const Xmm& reg) {
    BURIN_CHECK(size_ < kMaxSize) << "registers: " << size_;
    regs_[static_cast<size_t>(size_++)] = reg;
  }

  // Names one register, or those of `regs`.
  VecGroup(const Xmm& reg) { Append(reg); }  // NOLINT: a register is a group
  VecGroup(const VecRegs& regs) {            // NOLINT: its owner stands for it
    for (int i = 0; i < regs.size(); ++i) Append(regs[i]);
  }

  // Returns how many there are, and the one of vector i: a group of one register has that for every vector.
  int size() const { return size_; }
  const Xmm& operator[](int i) const { return regs_[size_ == 1 ? 0 : static_cast<size_t>(i)]; }

 private:
  std::array<Xmm, kMaxSize> regs_;
  int size_ = 0;
};

// Is an element of 4 bytes that every vector repeats.
struct VecConst {
  uint32_t bits = 0;
};

// Is the last source of an operation on groups: registers, a constant, or a whole vector in memory that all vectors
// share. It refers to its argument, and is not kept.
class VecSource {
 public:
  // Stand for registers: as many as there are vectors, or one for all of them.
  VecSource(const VecGroup& group) : group_(group) {}  // NOLINT: a group is a source
  VecSource(const VecRegs& regs) : group_(regs) {}     // NOLINT: likewise
  VecSource(const Xmm& reg) : group_(reg) {}           // NOLINT: likewise

  // Stand for a constant, and for a vector in memory.
  VecSource(VecConst constant) : constant_(constant), is_constant_(true) {}  // NOLINT: likewise
  VecSource(const Address& address) : address_(&address) {}                  // NOLINT: likewise

  VecSource(const VecSource&) = delete;
  VecSource& operator=(const VecSource&) = delete;

  // Return what it is: exactly one of them is not null.
  const VecGroup* group() const { return address_ == nullptr && !is_constant_ ? &group_ : nullptr; }
  const VecConst* constant() const { return is_constant_ ? &constant_ : nullptr; }
  const Address* address() const { return address_; }

 private:
  const VecGroup group_;
  const VecConst constant_;
  const bool is_constant_ = false;
  const Address* const address_ = nullptr;
};

}  // namespace burin::jit

#endif  // BURIN_JIT_EMITTERS_VEC_GROUP_H_
