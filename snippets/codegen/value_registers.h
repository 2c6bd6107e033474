// Knows where the values of a kernel are while its code is generated: in vector registers or on the stack.
//
// Use it in code generation for every value but constants, which have no place and are made where they are read. A
// value is of one vector, or of one for each of those that the loop takes at a time. A vector of a value in wide lanes
// takes two registers (snippets/linear/lane.h); vectors are counted here, and groups have the registers of all. Emits
// to the vocabulary's assembler; used by one thread.
#ifndef BURIN_SNIPPETS_CODEGEN_VALUE_REGISTERS_H_
#define BURIN_SNIPPETS_CODEGEN_VALUE_REGISTERS_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "base/check.h"
#include "jit/asm/abi_frame.h"
#include "jit/asm/reg_pool.h"
#include "jit/emitters/vec_group.h"
#include "jit/emitters/wide/wide_memory.h"
#include "snippets/linear/lane.h"
#include "snippets/linear/linear_ir.h"

namespace burin::snippets {

// Holds the values. V is the vector vocabulary.
template <class V>
class ValueRegisters {
 public:
  // Is some vectors of a value for one use, with the registers that only this use holds. In narrow lanes, one register
  // may stand for all vectors; in wide lanes there are two for each, the same ones where the vectors are alike.
  struct Use {
    jit::VecGroup group;
    std::optional<jit::VecRegs> owned;
  };

  // Holds the values of `ir`, of which those of `on_stack` live on the stack.
  ValueRegisters(V& v, jit::AbiFrame& frame, const LinearIr& ir, const std::set<ValueId>& on_stack)
      : v_(v), frame_(frame), ir_(ir), homes_(ir.values.size()), on_stack_(on_stack) {}

  // Returns the registers that a vector of the value takes.
  int PerVector(ValueId id) const { return RegistersOfVector(ir_.values[static_cast<size_t>(id)].type); }

  // Makes the value a constant with these bits in its lanes.
  void SetConstant(ValueId id, uint64_t bits) { home(id).constant = bits; }

  // Say of an accumulator that has registers whether nothing is in them yet.
  void SetFresh(ValueId id, bool is_fresh) { home(id).is_fresh = is_fresh; }
  bool IsFresh(ValueId id) const { return home(id).is_fresh; }

  // Returns whether the value is to live on the stack.
  bool IsOnStack(ValueId id) const { return on_stack_.count(id) != 0; }

  // Gives registers to a value that is not to live on the stack.
  void Define(ValueId id, jit::VecRegs regs) { home(id).regs.emplace(std::move(regs)); }

  // Gives room on the stack for `vectors` vectors to a value that is to live there; stores some of them.
  void DefineOnStack(ValueId id, int vectors) {
    home(id).slot.emplace(frame_.Slot(vectors * PerVector(id) * kBytes, "spilled"));
    home(id).vectors = vectors;
  }
  void StoreOnStack(ValueId id, int first, const jit::VecGroup& group) {
    const int base = first * PerVector(id);
    for (int i = 0; i < group.size(); ++i) v_.Store(home(id).slot->At((base + i) * kBytes), group[i]);
  }

  // Returns how many registers Get() of `count` vectors takes.
  int RegistersToGet(ValueId id, int count) const {
    const Home& h = home(id);
    if (h.constant.has_value()) return 1;
    return h.slot.has_value() ? std::min(count, h.vectors) * PerVector(id) : 0;
  }

  // Gives vectors first to first + count of a value to one use that does not change them. A value of one vector gives
  // that for each.
  Use Get(ValueId id, int first, int count) {
    const Home& h = home(id);
    Use use;
    if (h.constant.has_value()) {
      use.owned.emplace(v_.New("constant", 1));
      BroadcastBits(*use.owned, PerVector(id), *h.constant);
      const int repeats = PerVector(id) == 1 ? 1 : PerVector(id) * count;
      for (int i = 0; i < repeats; ++i) use.group.Append((*use.owned)[0]);
    } else if (h.slot.has_value()) {
      const bool one = h.vectors == 1;
      const int base = one ? 0 : first * PerVector(id);
      use.owned.emplace(v_.New("reload", PerVector(id) * (one ? 1 : count)));
      for (int i = 0; i < use.owned->size(); ++i) v_.Load((*use.owned)[i], h.slot->At((base + i) * kBytes));
      use.group = Part(*use.owned, PerVector(id), 0, count);
    } else {
      BURIN_CHECK(h.regs.has_value()) << "value " << id << " is nowhere";
      use.group = Part(*h.regs, PerVector(id), first, count);
    }
    return use;
  }

  // Copies vectors of a value from `first` on into as many as `to` has registers for.
  void CopyTo(const jit::VecGroup& to, ValueId id, int first) {
    const Home& h = home(id);
    const int per_vector = PerVector(id);
    if (h.constant.has_value()) {
      BroadcastBits(to, per_vector, *h.constant);
    } else if (h.slot.has_value()) {
      for (int i = 0; i < to.size(); ++i) {
        v_.Load(to[i], h.slot->At((h.vectors == 1 ? i % per_vector : first * per_vector + i) * kBytes));
      }
    } else {
      BURIN_CHECK(h.regs.has_value()) << "value " << id << " is nowhere";
      v_.Copy(to, Part(*h.regs, per_vector, first, to.size() / per_vector));
    }
  }

  // Returns whether the value has registers of exactly so many vectors.
  bool HasRegisters(ValueId id, int vectors) const {
    return home(id).regs.has_value() && home(id).regs->size() == vectors * PerVector(id);
  }

  // Takes the registers of a value away: it is nowhere then. Requires HasRegisters() of some number.
  jit::VecRegs Take(ValueId id) {
    jit::VecRegs regs = *std::move(home(id).regs);
    Forget(id);
    return regs;
  }

  // Returns the registers or the first byte of the stack where the value lives.
  const std::optional<jit::VecRegs>& regs(ValueId id) const { return home(id).regs; }
  jit::Address OnStack(ValueId id) const { return home(id).slot->At(); }

  // Gives back what the value has.
  void Forget(ValueId id) {
    home(id).regs.reset();
    home(id).slot.reset();
  }

 private:
  // Is where a value is.
  struct Home {
    std::optional<uint64_t> constant;
    std::optional<jit::VecRegs> regs;
    std::optional<jit::StackSlot> slot;
    // Of the slot.
    int vectors = 1;
    bool is_fresh = false;
  };

  static constexpr int kBytes = V::kBits / 8;

  // Returns vectors first to first + count of some registers, of which each takes `per_vector`; those of the only one
  // for each where there is one.
  static jit::VecGroup Part(const jit::VecRegs& regs, int per_vector, int first, int count) {
    if (regs.size() == 1) return regs[0];
    const bool one = regs.size() == per_vector;
    jit::VecGroup group;
    for (int i = 0; i < count * per_vector; ++i) group.Append(regs[one ? i % per_vector : first * per_vector + i]);
    return group;
  }

  void BroadcastBits(const jit::VecGroup& to, int per_vector, uint64_t bits) {
    if (per_vector == 1) {
      v_.BroadcastConst(to, static_cast<uint32_t>(bits));
    } else {
      jit::EmitConstantWide(v_, to, bits);
    }
  }

  Home& home(ValueId id) { return homes_[static_cast<size_t>(id)]; }
  const Home& home(ValueId id) const { return homes_[static_cast<size_t>(id)]; }

  V& v_;
  jit::AbiFrame& frame_;
  const LinearIr& ir_;
  std::vector<Home> homes_;
  const std::set<ValueId>& on_stack_;
};

}  // namespace burin::snippets

#endif  // BURIN_SNIPPETS_CODEGEN_VALUE_REGISTERS_H_
