// Decodes one VEX-encoded instruction of the kinds that the emulator carries out.
//
// For the emulator's signal handler: allocates nothing, takes no lock, calls nothing but system calls, so that it is
// async-signal-safe. Reads the code and registers that it is given and nothing else; stateless.
#ifndef BURIN_TESTING_EMULATION_VEX_INSTRUCTION_H_
#define BURIN_TESTING_EMULATION_VEX_INSTRUCTION_H_

#include <cstdint>

namespace burin::emulation {

// The mandatory prefix, as the two bits of the VEX prefix spell it.
enum class Prefix : uint8_t { kNone = 0, k66 = 1, kF3 = 2, kF2 = 3 };

// The registers that an address may be made of.
struct AddressRegisters {
  uint64_t general[16] = {};  // In the order of their encoding: rax, rcx, rdx, rbx, rsp, rbp, rsi, rdi, r8, ...
  uint64_t fs_base = 0;
  uint64_t gs_base = 0;
};

struct VexInstruction {
  int length = 0;  // In bytes, prefixes included.
  int map = 0;     // 2: 0F 38.
  Prefix prefix = Prefix::kNone;
  uint8_t opcode = 0;
  bool is_256 = false;   // VEX.L
  bool is_wide = false;  // VEX.W
  // The three register operands: ModRM.reg, VEX.vvvv, and ModRM.rm unless that is memory.
  int reg = 0;
  int vvvv = 0;
  int rm = 0;
  bool is_memory = false;
  bool has_sib = false;
  // The memory operand: `address` is `base` (with displacement and segment) plus `stride` (the scaled index register,
  // 0 without one). Tile loads and stores read the two apart.
  uint64_t base = 0;
  int64_t stride = 0;
  uint64_t address = 0;
};

// Decodes the instruction at `code`, which has a three-byte VEX prefix, perhaps after segment and address-size
// prefixes. Returns false for anything else. Reads at most 15 bytes, and none beyond the instruction.
bool DecodeVex(const uint8_t* code, const AddressRegisters& registers, VexInstruction* instruction);

}  // namespace burin::emulation

#endif  // BURIN_TESTING_EMULATION_VEX_INSTRUCTION_H_
