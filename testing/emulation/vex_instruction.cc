#include "testing/emulation/vex_instruction.h"

#include <cstring>

namespace burin::emulation {
namespace {

constexpr uint8_t kThreeByteVex = 0xc4;

// What stands before the VEX prefix.
struct LegacyPrefixes {
  uint64_t segment_base = 0;
  bool is_address_32 = false;
};

const uint8_t* SkipLegacyPrefixes(const uint8_t* at, const AddressRegisters& registers, LegacyPrefixes* prefixes) {
  for (;; ++at) {
    switch (*at) {
      case 0x67:
        prefixes->is_address_32 = true;
        break;
      case 0x64:
        prefixes->segment_base = registers.fs_base;
        break;
      case 0x65:
        prefixes->segment_base = registers.gs_base;
        break;
      case 0x26:  // es, cs, ss and ds have no base in 64-bit mode.
      case 0x2e:
      case 0x36:
      case 0x3e:
        break;
      default:
        return at;
    }
  }
}

int64_t SignedByte(const uint8_t* at) { return static_cast<int8_t>(*at); }

int64_t SignedDword(const uint8_t* at) {
  int32_t value = 0;
  std::memcpy(&value, at, sizeof(value));
  return value;
}

// Decodes the memory operand after the ModRM byte; returns where the instruction ends. `index_high` and `base_high` are
// the fourth bits of the register numbers.
const uint8_t* DecodeMemory(const uint8_t* at, int mod, int rm, int index_high, int base_high,
                            const AddressRegisters& registers, const LegacyPrefixes& prefixes,
                            VexInstruction* instruction) {
  bool has_base = true;
  bool is_rip_relative = false;
  int base_register = rm | base_high << 3;
  if (rm == 4) {
    const int sib = *at++;
    instruction->has_sib = true;
    base_register = (sib & 7) | base_high << 3;
    has_base = (sib & 7) != 5 || mod != 0;
    const int index = (sib >> 3 & 7) | index_high << 3;
    if (index != 4) instruction->stride = static_cast<int64_t>(registers.general[index] << (sib >> 6));
  } else if (rm == 5 && mod == 0) {
    is_rip_relative = true;
  }
  int64_t displacement = 0;
  if (mod == 1) {
    displacement = SignedByte(at);
    at += 1;
  } else if (mod == 2 || is_rip_relative || !has_base) {
    displacement = SignedDword(at);
    at += 4;
  }
  uint64_t base = static_cast<uint64_t>(displacement);
  if (is_rip_relative) {
    base += reinterpret_cast<uintptr_t>(at);
  } else if (has_base) {
    base += registers.general[base_register];
  }
  instruction->base = base;
  instruction->address = base + static_cast<uint64_t>(instruction->stride);
  if (prefixes.is_address_32) {
    instruction->base = static_cast<uint32_t>(instruction->base);
    instruction->address = static_cast<uint32_t>(instruction->address);
    instruction->stride = static_cast<int32_t>(instruction->stride);
  }
  instruction->base += prefixes.segment_base;
  instruction->address += prefixes.segment_base;
  return at;
}

}  // namespace

bool DecodeVex(const uint8_t* code, const AddressRegisters& registers, VexInstruction* instruction) {
  LegacyPrefixes prefixes;
  const uint8_t* at = SkipLegacyPrefixes(code, registers, &prefixes);
  if (*at++ != kThreeByteVex) return false;
  *instruction = VexInstruction();
  const int first = *at++;
  const int second = *at++;
  // The prefix holds the high bits of register numbers inverted.
  const int reg_high = first >> 7 ^ 1;
  const int index_high = (first >> 6 & 1) ^ 1;
  const int base_high = (first >> 5 & 1) ^ 1;
  instruction->map = first & 31;
  instruction->is_wide = (second & 0x80) != 0;
  instruction->vvvv = (second >> 3 & 15) ^ 15;
  instruction->is_256 = (second & 4) != 0;
  instruction->prefix = static_cast<Prefix>(second & 3);
  instruction->opcode = *at++;
  const int modrm = *at++;
  const int mod = modrm >> 6;
  instruction->reg = (modrm >> 3 & 7) | reg_high << 3;
  instruction->rm = (modrm & 7) | base_high << 3;
  instruction->is_memory = mod != 3;
  if (instruction->is_memory) {
    at = DecodeMemory(at, mod, modrm & 7, index_high, base_high, registers, prefixes, instruction);
  }
  instruction->length = static_cast<int>(at - code);
  return true;
}

}  // namespace burin::emulation
