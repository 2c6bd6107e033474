// Names what instructions operate on: registers, addresses, labels and modifiers.
//
// Use it wherever code is emitted. The types are xbyak's own, under names of this namespace, and nobody else includes
// xbyak: its operands are small values with a rich algebra (`ptr[base + index * 4 + 16]`, `acc | mask | T_z`) that each
// of 900 instructions overloads on, so that wrappers would repeat all of it and add nothing. Its code generator, which
// does need a wrapper, is hidden behind jit/asm/assembler.h. Values and constants, hence thread-safe; a Label belongs
// to one Assembler.
#ifndef BURIN_JIT_ASM_OPERANDS_H_
#define BURIN_JIT_ASM_OPERANDS_H_

#include <xbyak/xbyak.h>

namespace burin::jit {

// Hold any operand, an address in memory, and a place in the code.
using Xbyak::Address;
using Xbyak::Label;
using Xbyak::Operand;

// Hold general registers of 8 to 64 bits.
using Xbyak::Reg32;
using Xbyak::Reg64;
using Xbyak::Reg8;

// Hold vector registers. An Xmm is the base of the others and may be of any width: `Xmm(Operand::ZMM, 3)` is zmm3.
using Xbyak::Xmm;
using Xbyak::Ymm;
using Xbyak::Zmm;

// Hold mask registers and tiles.
using Xbyak::Opmask;
using Xbyak::Tmm;

// Make addresses: `ptr[...]` takes its size from the other operand, `ptr_b[...]` is a broadcast element, the rest have
// a size of 1, 2, 4, 8, 16, 32 or 64 bytes.
using Xbyak::util::byte;
using Xbyak::util::dword;
using Xbyak::util::ptr;
using Xbyak::util::ptr_b;
using Xbyak::util::qword;
using Xbyak::util::rip;
using Xbyak::util::word;
using Xbyak::util::xword;
using Xbyak::util::yword;
using Xbyak::util::zword;

// Modify an EVEX instruction: zeroing masks, rounding modes, no exceptions.
using Xbyak::util::T_rd_sae;
using Xbyak::util::T_rn_sae;
using Xbyak::util::T_ru_sae;
using Xbyak::util::T_rz_sae;
using Xbyak::util::T_sae;
using Xbyak::util::T_z;

// Name the registers to which the calling convention gives a role.
namespace reg {
using Xbyak::util::cl;
using Xbyak::util::r10;
using Xbyak::util::r11;
using Xbyak::util::r12;
using Xbyak::util::r13;
using Xbyak::util::r14;
using Xbyak::util::r15;
using Xbyak::util::r8;
using Xbyak::util::r9;
using Xbyak::util::rax;
using Xbyak::util::rbp;
using Xbyak::util::rbx;
using Xbyak::util::rcx;
using Xbyak::util::rdi;
using Xbyak::util::rdx;
using Xbyak::util::rsi;
using Xbyak::util::rsp;
}  // namespace reg

// Makes a forward jump short: two bytes, over at most 127. A label further away is an error of the Assembler.
inline constexpr Xbyak::CodeGenerator::LabelType kShortJump = Xbyak::CodeGenerator::T_SHORT;

}  // namespace burin::jit

#endif  // BURIN_JIT_ASM_OPERANDS_H_
