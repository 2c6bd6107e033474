#include "testing/emulation/vex_instruction.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <vector>

#include "testing/emulation/code_bytes_testlib.h"

namespace burin::emulation {
namespace {

TEST(VexInstructionTest, DecodesRegisters) {
  // tdpbssd tmm1, tmm2, tmm3
  const uint8_t code[] = {0xc4, 0xe2, 0x63, 0x5e, 0xca};
  VexInstruction instruction;
  ASSERT_TRUE(DecodeVex(code, {}, &instruction));
  EXPECT_EQ(instruction.length, 5);
  EXPECT_EQ(instruction.map, 2);
  EXPECT_EQ(instruction.prefix, Prefix::kF2);
  EXPECT_EQ(instruction.opcode, 0x5e);
  EXPECT_EQ(instruction.reg, 1);
  EXPECT_EQ(instruction.rm, 2);
  EXPECT_EQ(instruction.vvvv, 3);
  EXPECT_FALSE(instruction.is_memory || instruction.is_256 || instruction.is_wide);
}

TEST(VexInstructionTest, AddressesFollowEveryRegisterScaleAndDisplacement) {
  std::mt19937_64 random(7);
  AddressRegisters registers;
  for (uint64_t& value : registers.general) value = random();
  for (int base = 0; base < 16; ++base) {
    for (int index = 0; index < 16; ++index) {
      for (int scale = 0; scale < 4; ++scale) {
        for (const int displacement_bytes : {0, 1, 4}) {
          const int32_t displacement = displacement_bytes == 0 ? 0 : displacement_bytes == 1 ? -77 : -1234567;
          CodeBytes code;
          code.Memory(Prefix::kF2, 0x4b, 5, 0, base, index, scale, displacement, displacement_bytes);
          VexInstruction instruction;
          ASSERT_TRUE(DecodeVex(code.bytes().data(), registers, &instruction));
          EXPECT_EQ(instruction.length, static_cast<int>(code.bytes().size()));
          EXPECT_TRUE(instruction.is_memory && instruction.has_sib);
          EXPECT_EQ(instruction.reg, 5);
          const uint64_t wanted_base =
              registers.general[base] + static_cast<uint64_t>(static_cast<int64_t>(displacement));
          const uint64_t wanted_stride = index == kRsp ? 0 : registers.general[index] << scale;
          EXPECT_EQ(instruction.base, wanted_base) << base << ' ' << index;
          EXPECT_EQ(instruction.stride, static_cast<int64_t>(wanted_stride));
          EXPECT_EQ(instruction.address, wanted_base + wanted_stride);
        }
      }
    }
  }
}

TEST(VexInstructionTest, AddressesRelativeToTheInstruction) {
  // ldtilecfg [rip + 0x10]
  const uint8_t code[] = {0xc4, 0xe2, 0x78, 0x49, 0x05, 0x10, 0, 0, 0};
  VexInstruction instruction;
  ASSERT_TRUE(DecodeVex(code, {}, &instruction));
  EXPECT_EQ(instruction.length, 9);
  EXPECT_EQ(instruction.address, reinterpret_cast<uintptr_t>(code) + 9 + 0x10);
  EXPECT_FALSE(instruction.has_sib);
}

TEST(VexInstructionTest, AddressesWithoutABase) {
  // ldtilecfg [rcx * 4 + 0x20]
  const uint8_t code[] = {0xc4, 0xe2, 0x78, 0x49, 0x04, 0x8d, 0x20, 0, 0, 0};
  AddressRegisters registers;
  registers.general[kRcx] = 0x100;
  registers.general[5] = 0xdead0000;
  VexInstruction instruction;
  ASSERT_TRUE(DecodeVex(code, registers, &instruction));
  EXPECT_EQ(instruction.length, 10);
  EXPECT_EQ(instruction.address, 0x420U);
}

TEST(VexInstructionTest, HonoursSegmentAndAddressSizePrefixes) {
  // fs: and 32-bit: ldtilecfg [eax]
  const uint8_t code[] = {0x64, 0x67, 0xc4, 0xe2, 0x78, 0x49, 0x00};
  AddressRegisters registers;
  registers.general[kRax] = 0x1'0000'1000;
  registers.fs_base = 0x7000'0000'0000;
  registers.gs_base = 1;
  VexInstruction instruction;
  ASSERT_TRUE(DecodeVex(code, registers, &instruction));
  EXPECT_EQ(instruction.length, 7);
  EXPECT_EQ(instruction.address, 0x7000'0000'1000U);
}

TEST(VexInstructionTest, RefusesWhatHasNoThreeByteVexPrefix) {
  VexInstruction instruction;
  const uint8_t ud2[] = {0x0f, 0x0b};
  EXPECT_FALSE(DecodeVex(ud2, {}, &instruction));
  const uint8_t evex[] = {0x62, 0xf2, 0x75, 0x48, 0x50, 0xc2};
  EXPECT_FALSE(DecodeVex(evex, {}, &instruction));
}

}  // namespace
}  // namespace burin::emulation
