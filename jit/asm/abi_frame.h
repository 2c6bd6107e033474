// Makes a kernel a function of the System V calling convention: entry, exit, arguments and stack.
//
// Use it for every kernel: a kernel takes the address of one argument struct (jit/asm/arg_field.h) and returns nothing.
// Not for code that calls other functions: rsp is aligned for that only where there are stack slots. A frame belongs to
// one thread and to one Assembler, which lives longer.
//
//   AbiFrame frame(code);
//   auto out = code.regs().Gpr("out");
//   frame.Load(out, BURIN_ARG_FIELD(AddArgs, out));
//   ...
//   frame.Finish();
//
// The entry is written last, over no-operations kept for it: only then is it known which registers a callee must save,
// and how much stack there is. rbp is the frame's, so that profilers can follow the chain of frames.
//
// Stack, from high addresses to low: return address, the caller's rbp (where rbp points), saved registers, slots (from
// rsp up, a multiple of 64 bytes).
#ifndef BURIN_JIT_ASM_ABI_FRAME_H_
#define BURIN_JIT_ASM_ABI_FRAME_H_

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

#include "absl/strings/string_view.h"
#include "jit/asm/arg_field.h"
#include "jit/asm/assembler.h"
#include "jit/asm/operands.h"
#include "jit/asm/reg_pool.h"

namespace burin::jit {

class AbiFrame;

// Holds a piece of the stack; gives it back when destroyed. Move-only.
class StackSlot {
 public:
  StackSlot(StackSlot&& other) noexcept
      : frame_(std::exchange(other.frame_, nullptr)), offset_(other.offset_), bytes_(other.bytes_) {}
  StackSlot& operator=(StackSlot&& other) = delete;
  ~StackSlot();

  // Returns the address of byte `extra` of the slot: a memory operand of any size.
  Address At(int extra = 0) const { return ptr[reg::rsp + (offset_ + extra)]; }

  // Returns the number of bytes of the slot.
  int bytes() const { return bytes_; }

 private:
  friend class AbiFrame;

  StackSlot(AbiFrame* frame, int offset, int bytes) : frame_(frame), offset_(offset), bytes_(bytes) {}

  AbiFrame* frame_;
  int offset_;
  int bytes_;
};

// Emits entry and exit of one function.
class AbiFrame {
 public:
  // The most bytes of slots at one time: less than a page, so that the guard page below the stack cannot be stepped
  // over.
  static constexpr int kMaxSlotBytes = 4032;

  // Begins the function at the present place of `code`, which is its start (BURIN_CHECK), and takes rdi for the
  // arguments.
  explicit AbiFrame(Assembler& code);
  AbiFrame(const AbiFrame&) = delete;
  AbiFrame& operator=(const AbiFrame&) = delete;
  // Makes it the kernel's error if Finish() was not called.
  ~AbiFrame();

  // Returns the register that holds the address of the argument struct, until ReleaseArgs().
  const Reg64& args() const { return args_; }

  // Gives rdi back: no field is read any more.
  void ReleaseArgs() { args_.Return(); }

  // Returns the address of a field: a memory operand of any size.
  template <class T>
  Address Arg(const ArgField<T>& field) const {
    return ptr[args_ + field.offset];
  }

  // Loads an integer, enumeration, boolean or pointer into a general register, extended to 64 bits as its type says.
  template <class T>
  void Load(const Reg64& to, const ArgField<T>& field) {
    static_assert(std::is_integral_v<T> || std::is_enum_v<T> || std::is_pointer_v<T>,
                  "floats are loaded by vector instructions, from Arg()");
    LoadInteger(to, field.offset, ArgField<T>::kBytes, IsSigned<T>());
  }

  // Takes `bytes` bytes of stack, uninitialised, aligned to 64 where there are that many, else to the next power of two
  // of at least 8. More than kMaxSlotBytes in all makes it the kernel's error (ResourceExhausted), naming `name`.
  StackSlot Slot(int bytes, absl::string_view name);

  // Returns the label of the function's exit, to which code may jump from anywhere.
  const Label& exit() const { return exit_; }

  // Ends the function: clears the upper halves of vectors where they were used, restores the registers that were lent,
  // returns to the caller, and writes the entry. All slots and registers may still be held. Called once, last.
  void Finish();

  // Returns the bytes of stack that slots take at most.
  int slot_bytes() const { return peak_units_ * kUnitBytes; }

 private:
  friend class StackSlot;

  static constexpr int kUnitBytes = 8;
  static constexpr int kUnits = kMaxSlotBytes / kUnitBytes;

  template <class T>
  static constexpr bool IsSigned() {
    if constexpr (std::is_enum_v<T>) {
      return std::is_signed_v<std::underlying_type_t<T>>;
    } else {
      return std::is_integral_v<T> && std::is_signed_v<T>;
    }
  }

  void LoadInteger(const Reg64& to, int32_t offset, int32_t bytes, bool is_signed);
  void ReturnSlot(int offset, int bytes);
  // Returns the stack to take below the saved registers.
  int StackBytes() const;
  void EmitEntry(Assembler& code, uint32_t saved) const;

  Assembler& code_;
  GprReg args_;
  Label exit_;
  std::bitset<kUnits> units_;
  int peak_units_ = 0;
  bool finished_ = false;
};

}  // namespace burin::jit

#endif  // BURIN_JIT_ASM_ABI_FRAME_H_
