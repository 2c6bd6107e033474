// Knows where the values of a kernel are while its code is generated: in vector registers or on the stack.
//
// Use it in code generation for every value but constants, which have no place and are made where they are read. A
// value is of one vector, or of one for each of those that the loop takes at a time. Emits to the vocabulary's
// assembler; used by one thread.
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
#include "snippets/linear/linear_ir.h"

namespace burin::snippets {

// Holds the values. V is the vector vocabulary.
template <class V>
class ValueRegisters {
 public:
  // Is some vectors of a value for one use, with the registers that only this use holds.
  struct Use {
    jit::VecGroup group;
    std::optional<jit::VecRegs> owned;
  };

  // Holds `count` values, of which those of `on_stack` live on the stack.
  ValueRegisters(V& v, jit::AbiFrame& frame, size_t count, const std::set<ValueId>& on_stack)
      : v_(v), frame_(frame), homes_(count), on_stack_(on_stack) {}

  // Makes the value a constant of 4 bytes.
  void SetConstant(ValueId id, uint32_t bits) { home(id).constant = bits; }

  // Say of an accumulator that has registers whether nothing is in them yet.
  void SetFresh(ValueId id, bool is_fresh) { home(id).is_fresh = is_fresh; }
  bool IsFresh(ValueId id) const { return home(id).is_fresh; }

  // Returns whether the value is to live on the stack.
  bool IsOnStack(ValueId id) const { return on_stack_.count(id) != 0; }

  // Gives registers to a value that is not to live on the stack.
  void Define(ValueId id, jit::VecRegs regs) { home(id).regs.emplace(std::move(regs)); }

  // Gives room on the stack for `vectors` vectors to a value that is to live there; stores some of them.
  void DefineOnStack(ValueId id, int vectors) {
    home(id).slot.emplace(frame_.Slot(vectors * kBytes, "spilled"));
    home(id).vectors = vectors;
  }
  void StoreOnStack(ValueId id, int first, const jit::VecGroup& group) {
    for (int i = 0; i < group.size(); ++i) v_.Store(home(id).slot->At((first + i) * kBytes), group[i]);
  }

  // Returns how many registers Get() of `count` vectors takes.
  int RegistersToGet(ValueId id, int count) const {
    const Home& h = home(id);
    if (h.constant.has_value()) return 1;
    return h.slot.has_value() ? std::min(count, h.vectors) : 0;
  }

  // Gives vectors first to first + count of a value to one use that does not change them. A value of one vector gives
  // that for each.
  Use Get(ValueId id, int first, int count) {
    const Home& h = home(id);
    Use use;
    if (h.constant.has_value()) {
      use.owned.emplace(v_.New("constant", 1));
      v_.BroadcastConst(*use.owned, *h.constant);
      use.group = *use.owned;
    } else if (h.slot.has_value()) {
      const bool one = h.vectors == 1;
      use.owned.emplace(v_.New("reload", one ? 1 : count));
      for (int i = 0; i < use.owned->size(); ++i) v_.Load((*use.owned)[i], h.slot->At((one ? 0 : first + i) * kBytes));
      use.group = *use.owned;
    } else {
      BURIN_CHECK(h.regs.has_value()) << "value " << id << " is nowhere";
      use.group = Part(*h.regs, first, count);
    }
    return use;
  }

  // Copies vectors first to first + to.size() of a value.
  void CopyTo(const jit::VecGroup& to, ValueId id, int first) {
    const Home& h = home(id);
    if (h.constant.has_value()) {
      v_.BroadcastConst(to, *h.constant);
    } else if (h.slot.has_value()) {
      for (int i = 0; i < to.size(); ++i) v_.Load(to[i], h.slot->At((h.vectors == 1 ? 0 : first + i) * kBytes));
    } else {
      BURIN_CHECK(h.regs.has_value()) << "value " << id << " is nowhere";
      v_.Copy(to, Part(*h.regs, first, to.size()));
    }
  }

  // Returns whether the value has exactly so many registers.
  bool HasRegisters(ValueId id, int vectors) const {
    return home(id).regs.has_value() && home(id).regs->size() == vectors;
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

  // Returns vectors first to first + count of some registers; the one for each where there is one.
  static jit::VecGroup Part(const jit::VecRegs& regs, int first, int count) {
    if (regs.size() == 1) return regs[0];
    jit::VecGroup group;
    for (int i = 0; i < count; ++i) group.Append(regs[first + i]);
    return group;
  }

 private:
  // Is where a value is.
  struct Home {
    std::optional<uint32_t> constant;
    std::optional<jit::VecRegs> regs;
    std::optional<jit::StackSlot> slot;
    // Of the slot.
    int vectors = 1;
    bool is_fresh = false;
  };

  static constexpr int kBytes = V::kBits / 8;

  Home& home(ValueId id) { return homes_[static_cast<size_t>(id)]; }
  const Home& home(ValueId id) const { return homes_[static_cast<size_t>(id)]; }

  V& v_;
  jit::AbiFrame& frame_;
  std::vector<Home> homes_;
  const std::set<ValueId>& on_stack_;
};

}  // namespace burin::snippets

#endif  // BURIN_SNIPPETS_CODEGEN_VALUE_REGISTERS_H_
