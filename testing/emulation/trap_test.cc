#include "testing/emulation/trap.h"

#include <gtest/gtest.h>
#include <ucontext.h>

#include <cstdint>
#include <cstring>

#include "testing/emulation/code_bytes_testlib.h"
#include "testing/emulation/tile_state.h"

namespace burin::emulation {
namespace {

// A thread that was stopped at some code.
class TrapTest : public ::testing::Test {
 protected:
  TrapOutcome Carry(const CodeBytes& code) {
    code_ = code;
    context_.uc_mcontext.gregs[REG_RIP] = static_cast<greg_t>(reinterpret_cast<uintptr_t>(code_.bytes().data()));
    return CarryOut(&context_, &tiles_);
  }
  int64_t Stepped() const {
    return context_.uc_mcontext.gregs[REG_RIP] - static_cast<greg_t>(reinterpret_cast<uintptr_t>(code_.bytes().data()));
  }
  void SetRax(const void* pointer) {
    context_.uc_mcontext.gregs[REG_RAX] = static_cast<greg_t>(reinterpret_cast<uintptr_t>(pointer));
  }

  ucontext_t context_ = {};
  CodeBytes code_;
  TileState tiles_;
};

TEST_F(TrapTest, LeavesOtherInstructionsAlone) {
  // vfmadd231ps ymm0, ymm1, ymm2
  const TrapOutcome outcome = Carry(CodeBytes().Registers(Prefix::k66, 0xb8, 0, 1, 2, true));
  EXPECT_EQ(outcome.family, Family::kNone);
  EXPECT_EQ(Stepped(), 0);
}

TEST_F(TrapTest, StepsOverWhatItHasCarriedOut) {
  uint8_t config[64] = {1};
  config[16] = 64;
  config[48] = 16;
  SetRax(config);
  TrapOutcome outcome = Carry(CodeBytes().Memory(Prefix::kNone, 0x49, 0, 0, kRax, kRsp, 0, 0, 0));
  EXPECT_EQ(outcome.family, Family::kAmx);
  EXPECT_EQ(outcome.fault, Fault::kNone);
  EXPECT_EQ(Stepped(), 6);
  uint8_t stored[64] = {};
  SetRax(stored);
  outcome = Carry(CodeBytes().Memory(Prefix::k66, 0x49, 0, 0, kRax, kRsp, 0, 0, 0));
  EXPECT_EQ(outcome.fault, Fault::kNone);
  EXPECT_EQ(std::memcmp(stored, config, 64), 0);
}

TEST_F(TrapTest, AFaultLeavesTheInstructionPointer) {
  const TrapOutcome outcome = Carry(CodeBytes().Registers(Prefix::kF2, 0x49, 3, 0, 0));  // tilezero tmm3
  EXPECT_EQ(outcome.family, Family::kAmx);
  EXPECT_EQ(outcome.fault, Fault::kInvalidOpcode);
  EXPECT_EQ(Stepped(), 0);
}

TEST_F(TrapTest, TileLoadsNeedASibByte) {
  uint8_t config[64] = {1};
  config[16] = 4;
  config[48] = 1;
  ASSERT_EQ(tiles_.LoadConfig(config), Fault::kNone);
  const uint32_t source = 42;
  SetRax(&source);
  EXPECT_EQ(Carry(CodeBytes().Memory(Prefix::kF2, 0x4b, 0, 0, kRax, kRcx, 0, 0, 0)).fault, Fault::kNone);
  EXPECT_EQ(tiles_.row(0, 0)[0], 42);
  // tileloadd tmm0, [rax], which cannot be encoded so
  const CodeBytes no_sib = CodeBytes().Byte(0xc4).Byte(0xe2).Byte(0x7b).Byte(0x4b).Byte(0x00);
  EXPECT_EQ(Carry(no_sib).fault, Fault::kInvalidOpcode);
}

TEST_F(TrapTest, AvxVnniNeedsTheVectorRegisters) {
  // The context has no XSAVE area.
  const TrapOutcome outcome = Carry(CodeBytes().Registers(Prefix::k66, 0x50, 0, 1, 2, true));
  EXPECT_EQ(outcome.family, Family::kAvxVnni);
  EXPECT_EQ(outcome.fault, Fault::kInvalidOpcode);
}

}  // namespace
}  // namespace burin::emulation
