#include "testing/emulation/trap.h"

#include <asm/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstddef>
#include <cstring>

#include "testing/emulation/avx_vnni.h"
#include "testing/emulation/vex_instruction.h"
#include "testing/emulation/xsave_area.h"

namespace burin::emulation {
namespace {

constexpr int kMap0F38 = 2;

AddressRegisters RegistersOf(const ucontext_t& context) {
  static constexpr int kInOrderOfEncoding[16] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP,
                                                 REG_RSI, REG_RDI, REG_R8,  REG_R9,  REG_R10, REG_R11,
                                                 REG_R12, REG_R13, REG_R14, REG_R15};
  AddressRegisters registers;
  for (int i = 0; i < 16; ++i) {
    registers.general[i] = static_cast<uint64_t>(context.uc_mcontext.gregs[kInOrderOfEncoding[i]]);
  }
  // The system call itself is async-signal-safe; the library has no wrapper that is declared so.
  syscall(SYS_arch_prctl, ARCH_GET_FS, &registers.fs_base);
  syscall(SYS_arch_prctl, ARCH_GET_GS, &registers.gs_base);
  return registers;
}

// 0F 38 49: the configuration, TILERELEASE and TILEZERO.
Fault Configure(const VexInstruction& instruction, TileState* tiles) {
  if (instruction.vvvv != 0) return Fault::kInvalidOpcode;
  if (instruction.is_memory) {
    if (instruction.reg != 0) return Fault::kInvalidOpcode;
    if (instruction.prefix == Prefix::kNone) {
      return tiles->LoadConfig(reinterpret_cast<const uint8_t*>(instruction.address));
    }
    if (instruction.prefix != Prefix::k66) return Fault::kInvalidOpcode;
    tiles->StoreConfig(reinterpret_cast<uint8_t*>(instruction.address));
    return Fault::kNone;
  }
  if (instruction.rm != 0) return Fault::kInvalidOpcode;
  if (instruction.prefix == Prefix::kF2) return tiles->Zero(instruction.reg);
  if (instruction.prefix != Prefix::kNone || instruction.reg != 0) return Fault::kInvalidOpcode;
  tiles->Release();
  return Fault::kNone;
}

// 0F 38 4B: tile loads and stores, which require a SIB byte.
Fault Move(const VexInstruction& instruction, TileState* tiles) {
  if (!instruction.is_memory || !instruction.has_sib || instruction.vvvv != 0) return Fault::kInvalidOpcode;
  switch (instruction.prefix) {
    case Prefix::kF2:  // TILELOADD
    case Prefix::k66:  // TILELOADDT1
      return tiles->Load(instruction.reg, instruction.base, instruction.stride);
    case Prefix::kF3:
      return tiles->Store(instruction.reg, instruction.base, instruction.stride);
    case Prefix::kNone:
      break;
  }
  return Fault::kInvalidOpcode;
}

// 0F 38 5C and 5E: the dot products.
Fault Dot(const VexInstruction& instruction, TileState* tiles) {
  if (instruction.is_memory) return Fault::kInvalidOpcode;
  DotKind kind = DotKind::kU8U8;
  if (instruction.opcode == 0x5c) {
    if (instruction.prefix != Prefix::kF3 && instruction.prefix != Prefix::kF2) return Fault::kInvalidOpcode;
    kind = instruction.prefix == Prefix::kF3 ? DotKind::kBf16 : DotKind::kF16;
  } else if (instruction.prefix == Prefix::k66) {
    kind = DotKind::kU8S8;
  } else if (instruction.prefix == Prefix::kF3) {
    kind = DotKind::kS8U8;
  } else if (instruction.prefix == Prefix::kF2) {
    kind = DotKind::kS8S8;
  }
  return tiles->Dot(kind, instruction.reg, instruction.rm, instruction.vvvv);
}

bool IsAmx(const VexInstruction& instruction) {
  if (instruction.map != kMap0F38 || instruction.is_wide || instruction.is_256) return false;
  return instruction.opcode == 0x49 || instruction.opcode == 0x4b || instruction.opcode == 0x5c ||
         instruction.opcode == 0x5e;
}

Fault CarryOutAmx(const VexInstruction& instruction, TileState* tiles) {
  if (instruction.opcode == 0x49) return Configure(instruction, tiles);
  if (instruction.opcode == 0x4b) return Move(instruction, tiles);
  return Dot(instruction, tiles);
}

bool IsAvxVnni(const VexInstruction& instruction) {
  return instruction.map == kMap0F38 && !instruction.is_wide && instruction.prefix == Prefix::k66 &&
         instruction.opcode >= 0x50 && instruction.opcode <= 0x53;
}

Fault CarryOutAvxVnni(const VexInstruction& instruction, ucontext_t* context) {
  XsaveArea area(context->uc_mcontext.fpregs);
  if (!area.is_valid()) return Fault::kInvalidOpcode;
  const int bytes = instruction.is_256 ? 32 : 16;
  uint8_t sum[32];
  uint8_t a[32];
  uint8_t b[32];
  area.ReadYmm(instruction.reg, sum);
  area.ReadYmm(instruction.vvvv, a);
  if (instruction.is_memory) {
    std::memcpy(b, reinterpret_cast<const void*>(instruction.address), static_cast<size_t>(bytes));
  } else {
    area.ReadYmm(instruction.rm, b);
  }
  const VnniKind kind = instruction.opcode <= 0x51 ? VnniKind::kU8S8 : VnniKind::kS16S16;
  VnniDot(kind, (instruction.opcode & 1) != 0, bytes / 4, a, b, sum);
  // What a VEX instruction does not write of its register becomes zero.
  std::memset(sum + bytes, 0, static_cast<size_t>(32 - bytes));
  area.WriteYmm(instruction.reg, sum);
  return Fault::kNone;
}

}  // namespace

TrapOutcome CarryOut(ucontext_t* context, TileState* tiles) {
  const AddressRegisters registers = RegistersOf(*context);
  const auto* const code = reinterpret_cast<const uint8_t*>(context->uc_mcontext.gregs[REG_RIP]);
  VexInstruction instruction;
  TrapOutcome outcome;
  if (!DecodeVex(code, registers, &instruction)) return outcome;
  if (IsAmx(instruction)) {
    outcome.family = Family::kAmx;
    outcome.fault = CarryOutAmx(instruction, tiles);
  } else if (IsAvxVnni(instruction)) {
    outcome.family = Family::kAvxVnni;
    outcome.fault = CarryOutAvxVnni(instruction, context);
  }
  if (outcome.fault == Fault::kNone) context->uc_mcontext.gregs[REG_RIP] += instruction.length;
  return outcome;
}

}  // namespace burin::emulation
