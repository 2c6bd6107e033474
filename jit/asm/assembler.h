// Emits the instructions of one kernel into a buffer that grows, and turns whatever goes wrong into a Status.
//
// Use it to generate code: make one Assembler a kernel, call instructions by their mnemonics, then Finalize() and hand
// the blob to ExecutableCode::Load(). Not for code that refers to absolute addresses: pointers come in as arguments and
// constants from the pool, so that the code runs wherever it is loaded. An Assembler belongs to one thread.
//
//   Assembler code("add_f32", isa);
//   code.vaddps(acc, acc, ptr[input + offset * 4]);
//   BURIN_ASSIGN_OR_RETURN(CodeBlob blob, std::move(code).Finalize());
//
// Errors are sticky: emitters need not look after each instruction. The first one is kept, with the kernel's name, the
// instruction and its offset, and Finalize() returns it: a bad combination of operands (vectors of different widths in
// an instruction that has one width among them), a displacement beyond 32 bits, an undefined label, a register that was
// not there, code beyond kMaxCodeBytes, or an instruction that the IsaSet lacks. The last is found from the bytes that
// were emitted: the prefix tells the encoding, and jit/asm/instructions.inc what each encoding of each instruction
// needs.
#ifndef BURIN_JIT_ASM_ASSEMBLER_H_
#define BURIN_JIT_ASM_ASSEMBLER_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "jit/asm/code_blob.h"
#include "jit/asm/constant_pool.h"
#include "jit/asm/operands.h"
#include "jit/asm/reg_pool.h"
#include "jit/isa/isa.h"

namespace burin::jit {
namespace internal {

// Numbers the instructions of the table.
enum class Mnemonic : uint16_t {
#define BURIN_INSTRUCTION(mnemonic, needs, evex_needs) k_##mnemonic,
#define BURIN_JUMP(mnemonic) k_##mnemonic,
#include "jit/asm/instructions.inc"
#undef BURIN_INSTRUCTION
#undef BURIN_JUMP
};

// Holds the buffer that xbyak writes into; a base, so that it exists before xbyak does.
class AssemblerBuffer {
 protected:
  static constexpr size_t kInitialBytes = 4096;

  std::vector<uint8_t> buffer_ = std::vector<uint8_t>(kInitialBytes);
};

// Tells whether T may be an operand: anything but what stands for an absolute address.
template <class T>
inline constexpr bool kIsOperand = !std::is_pointer_v<std::decay_t<const T&>> && !std::is_same_v<T, std::string>;

}  // namespace internal

// Emits code. The instructions are methods named by their mnemonics (jit/asm/instructions.inc), which take operands in
// Intel's order, destination first.
class Assembler : private internal::AssemblerBuffer, private Xbyak::CodeGenerator {
 public:
  // The most code and constants a kernel may have, in bytes.
  static constexpr size_t kMaxCodeBytes = size_t{64} << 20;

  // Starts the code of the kernel `name` for machines with `isa`. Instructions of which both encodings have a
  // feature of their own (AVX-VNNI and AVX512-VNNI) are encoded without EVEX where `isa` has that.
  Assembler(absl::string_view name, const IsaSet& isa);
  Assembler(const Assembler&) = delete;
  Assembler& operator=(const Assembler&) = delete;

  // Returns the kernel's name.
  const std::string& name() const { return name_; }

  // Returns what the code may use.
  const IsaSet& isa() const { return isa_; }

  // Returns the registers of this kernel.
  RegPool& regs() { return regs_; }
  const RegPool& regs() const { return regs_; }

  // Returns the constants of this kernel.
  ConstantPool& constants() { return constants_; }

#define BURIN_INSTRUCTION(mnemonic, needs, evex_needs)                                                           \
  template <class... Operands>                                                                                   \
  void mnemonic(const Operands&... operands) {                                                                   \
    static_assert((internal::kIsOperand<Operands> && ...), #mnemonic ": an absolute address is no operand");     \
    static_assert((!std::is_same_v<Operands, Label> && ...), #mnemonic ": address a label by ptr[rip + label]"); \
    BeginInstruction(internal::Mnemonic::k_##mnemonic);                                                          \
    (CheckOperand(operands), ...);                                                                               \
    Xbyak::CodeGenerator::mnemonic(operands...);                                                                 \
    EndInstruction();                                                                                            \
  }
#define BURIN_JUMP(mnemonic)                                                                             \
  template <class... Operands>                                                                           \
  void mnemonic(const Operands&... operands) {                                                           \
    static_assert((internal::kIsOperand<Operands> && ...), #mnemonic ": jump to a label or a register"); \
    BeginInstruction(internal::Mnemonic::k_##mnemonic);                                                  \
    (CheckOperand(operands), ...);                                                                       \
    Xbyak::CodeGenerator::mnemonic(operands...);                                                         \
    EndInstruction();                                                                                    \
  }
#include "jit/asm/instructions.inc"
#undef BURIN_INSTRUCTION
#undef BURIN_JUMP

  // Makes `label` name the present place. Each label is bound once; a jump to it may stand before or behind.
  void Bind(Label& label);

  // Pads with no-operations up to a multiple of `alignment` bytes from the start, a power of two up to 64
  // (BURIN_CHECK).
  void Align(size_t alignment);

  // Emits `bytes` bytes of no-operations, in as few instructions as there can be.
  void Nops(size_t bytes);

  // Emits bytes as they are, for what no mnemonic gives. They are not checked against the IsaSet.
  void Bytes(absl::Span<const uint8_t> bytes);

  // Overwrites bytes emitted before, from `offset` on; all lie inside what was emitted (BURIN_CHECK).
  void Patch(size_t offset, absl::Span<const uint8_t> bytes);

  // Returns the address of a constant, plus `extra` bytes: a memory operand of any size.
  Address At(const Constant& constant, int extra = 0);

  // Returns the address of a constant as the operand of an embedded broadcast (EVEX), `{1toN}`.
  Address BroadcastAt(const Constant& constant);

  // Return the address of an element kept in the pool, of a vector of `bytes` bytes that repeats it, and of a table.
  template <class T>
  Address Scalar(T value) {
    return At(constants_.Scalar(value));
  }
  template <class T>
  Address Repeated(T value, size_t bytes) {
    return At(constants_.Repeated(value, bytes));
  }
  template <class T>
  Address Table(absl::Span<const T> values) {
    return At(constants_.Table(values));
  }

  // Notes `text` at the present place, for dumps. Emits nothing.
  void Mark(absl::string_view text);

  // Makes `status`, which is not OK (BURIN_CHECK), the kernel's error unless it has one. For emitters that find
  // themselves asked for what they cannot emit.
  void Fail(const absl::Status& status);

  // Returns the first error so far, that of the registers included.
  absl::Status status() const;

  // Returns the number of bytes emitted.
  size_t offset() const { return getSize(); }

  // Returns whether an instruction so far may have set the upper halves of vector registers.
  bool uses_upper_halves() const { return uses_upper_halves_; }

  // Ends the code: appends the constants, resolves the labels and returns the result, or the first error. Internal for
  // an emitter's mistakes, ResourceExhausted for want of registers or too much code, or what was given to Fail().
  // FailedPrecondition the second time.
  absl::StatusOr<CodeBlob> Finalize() &&;

 private:
  void BeginInstruction(internal::Mnemonic mnemonic);
  void EndInstruction();
  template <class T>
  void CheckOperand(const T& operand) {
    if constexpr (std::is_base_of_v<Operand, T>) {
      // xbyak takes it for an operand that was left out.
      if (operand.isNone()) RefuseNoRegister();
      kinds_ |= operand.getKind();
    }
  }
  void CheckOperand(const Address& address);
  void RefuseNoRegister();
  // Returns whether `bytes` more can be written, growing the buffer where needed.
  bool Reserve(size_t bytes);
  // Records an error of xbyak, at an instruction or at `what`.
  void TakeXbyakError(absl::string_view what, size_t offset);
  // Checks what xbyak takes as it comes: the kinds of registers of a vector instruction.
  void CheckKinds();
  void CheckEncoding(absl::Span<const uint8_t> bytes);
  void SetError(absl::StatusCode code, absl::string_view what, absl::string_view why, size_t offset);

  const std::string name_;
  const IsaSet isa_;
  // Bits of what instructions may need; see assembler.cc.
  uint64_t allowed_ = 0;
  RegPool regs_;
  ConstantPool constants_;
  Label constants_label_;
  std::vector<CodeMark> marks_;
  absl::Status status_;
  size_t start_ = 0;
  // Of the register operands of the present instruction, as bits (Operand::Kind).
  int kinds_ = 0;
  internal::Mnemonic mnemonic_ = internal::Mnemonic::k_ret;
  bool uses_upper_halves_ = false;
  bool finalized_ = false;
};

}  // namespace burin::jit

#endif  // BURIN_JIT_ASM_ASSEMBLER_H_
