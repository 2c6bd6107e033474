// Writes a few machine instructions by hand and runs them, so that tests of the emulator depend on no assembler.
//
// For tests only. Not thread-safe.
#ifndef BURIN_TESTING_EMULATION_CODE_BYTES_TESTLIB_H_
#define BURIN_TESTING_EMULATION_CODE_BYTES_TESTLIB_H_

#include <cstdint>
#include <vector>

#include "testing/emulation/vex_instruction.h"

namespace burin::emulation {

// Register numbers as instructions encode them.
inline constexpr int kRax = 0;
inline constexpr int kRcx = 1;
inline constexpr int kRsp = 4;

class CodeBytes {
 public:
  CodeBytes& Byte(int value);
  CodeBytes& Push(int reg);
  CodeBytes& Pop(int reg);
  // mov reg, value
  CodeBytes& Move(int reg, uint64_t value);
  // An instruction of map 0F 38 with three registers.
  CodeBytes& Registers(Prefix prefix, int opcode, int reg, int vvvv, int rm, bool is_256 = false);
  // As above with the memory operand [base + index * 2^scale + displacement], which always gets a SIB byte. An index of
  // rsp means none. `displacement_bytes`: 0 (only without a displacement), 1 or 4.
  CodeBytes& Memory(Prefix prefix, int opcode, int reg, int vvvv, int base, int index, int scale, int32_t displacement,
                    int displacement_bytes, bool is_256 = false);
  // vmovdqu ymm, [rax] and vmovdqu [rax], ymm
  CodeBytes& LoadYmm(int reg);
  CodeBytes& StoreYmm(int reg);

  const std::vector<uint8_t>& bytes() const { return bytes_; }
  // Calls the code, with a `ret` behind it.
  void Run() const;

 private:
  void VexPrefix(Prefix prefix, int opcode, int reg, int vvvv, int index, int base, bool is_256);

  std::vector<uint8_t> bytes_;
};

}  // namespace burin::emulation

#endif  // BURIN_TESTING_EMULATION_CODE_BYTES_TESTLIB_H_
