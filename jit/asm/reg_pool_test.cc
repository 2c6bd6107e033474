#include "jit/asm/reg_pool.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "jit/asm/assembler.h"
#include "jit/asm/operands.h"
#include "jit/isa/isa.h"
#include "testing/gtest/status_matchers.h"

namespace burin::jit {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

IsaSet Avx2() { return IsaSet::From(IsaLevel::kAvx2); }
IsaSet Avx512() { return IsaSet::From(IsaLevel::kAvx512); }
IsaSet Amx() { return IsaSet::From(IsaLevel::kAmxInt8); }

TEST(RegPoolTest, CapacitiesFollowTheMachine) {
  const RegPool avx2(Avx2());
  EXPECT_EQ(avx2.capacity(RegClass::kGpr), 14);
  EXPECT_EQ(avx2.capacity(RegClass::kVec), 16);
  EXPECT_EQ(avx2.capacity(RegClass::kMask), 0);
  EXPECT_EQ(avx2.capacity(RegClass::kTile), 0);
  EXPECT_EQ(avx2.vector_bits(), 256);
  const RegPool avx512(Avx512());
  EXPECT_EQ(avx512.capacity(RegClass::kVec), 32);
  EXPECT_EQ(avx512.capacity(RegClass::kMask), 7);
  EXPECT_EQ(avx512.vector_bits(), 512);
  EXPECT_EQ(RegPool(Amx()).capacity(RegClass::kTile), 8);
}

TEST(RegPoolTest, NoRegisterIsLentTwice) {
  RegPool pool(Avx512());
  std::vector<GprReg> gprs;
  std::set<int> indices;
  for (int i = 0; i < 14; ++i) {
    gprs.push_back(pool.Gpr("g"));
    indices.insert(gprs.back().getIdx());
  }
  EXPECT_EQ(indices.size(), 14u);
  EXPECT_EQ(indices.count(Operand::RSP), 0u);
  EXPECT_EQ(indices.count(Operand::RBP), 0u);
  std::vector<MaskReg> masks;
  std::set<int> mask_indices;
  for (int i = 0; i < 7; ++i) {
    masks.push_back(pool.Mask("m"));
    mask_indices.insert(masks.back().getIdx());
  }
  EXPECT_EQ(mask_indices, (std::set<int>{1, 2, 3, 4, 5, 6, 7}));
  EXPECT_OK(pool.status());
}

TEST(RegPoolTest, ScratchRegistersComeFirst) {
  RegPool pool(Avx2());
  std::vector<GprReg> held;
  for (int i = 0; i < 9; ++i) held.push_back(pool.Gpr("scratch"));
  const uint32_t saved =
      1u << Operand::RBX | 1u << Operand::R12 | 1u << Operand::R13 | 1u << Operand::R14 | 1u << Operand::R15;
  EXPECT_EQ(pool.touched_gprs() & saved, 0u);
  held.push_back(pool.Gpr("saved"));
  EXPECT_EQ(pool.touched_gprs() & saved, 1u << Operand::RBX);
  held.clear();
  // What was touched stays so.
  EXPECT_EQ(pool.touched_gprs() & saved, 1u << Operand::RBX);
}

TEST(RegPoolTest, HandlesGiveBack) {
  RegPool pool(Avx2());
  {
    VecReg a = pool.Vec("a");
    const VecReg b = pool.Vec("b");
    EXPECT_EQ(a.getIdx(), 0);
    EXPECT_EQ(b.getIdx(), 1);
    EXPECT_EQ(pool.in_use(RegClass::kVec), 2);
    a.Return();
    EXPECT_TRUE(pool.IsFree(RegClass::kVec, 0));
    EXPECT_TRUE(a.isNone());
    const VecReg c = pool.Vec("c");
    EXPECT_EQ(c.getIdx(), 0);
  }
  EXPECT_EQ(pool.in_use(RegClass::kVec), 0);
  EXPECT_EQ(pool.available(RegClass::kVec), 16);
  EXPECT_EQ(pool.peak(RegClass::kVec), 2);
}

TEST(RegPoolTest, HandlesMove) {
  RegPool pool(Avx2());
  VecReg a = pool.Vec("a");
  VecReg b = std::move(a);
  EXPECT_TRUE(a.isNone());  // NOLINT(bugprone-use-after-move): a moved-from handle is no register.
  EXPECT_EQ(b.getIdx(), 0);
  VecReg c = pool.Vec("c");
  b = std::move(c);
  EXPECT_EQ(b.getIdx(), 1);
  EXPECT_TRUE(pool.IsFree(RegClass::kVec, 0));
  EXPECT_EQ(pool.in_use(RegClass::kVec), 1);
}

TEST(RegPoolTest, MovedFromHandlesDoNotEncode) {
  Assembler code("moved", Avx2());
  {
    VecReg a = code.regs().Vec("a");
    const VecReg b = std::move(a);
    code.vaddps(b, b, a);  // NOLINT(bugprone-use-after-move): the error is the point.
  }
  EXPECT_THAT(code.status(), StatusIs(absl::StatusCode::kInternal, HasSubstr("register was given back, at vaddps")));
}

TEST(RegPoolTest, WidthsAreOfTheLoan) {
  RegPool pool(Avx512());
  EXPECT_TRUE(pool.Vec("z").isZMM());
  EXPECT_TRUE(pool.Vec("y", 256).isYMM());
  EXPECT_TRUE(pool.Vec("x", 128).isXMM());
  const VecReg high = pool.VecAt(20, "high");
  EXPECT_STREQ(high.toString(), "zmm20");
  EXPECT_STREQ(AsYmm(high).toString(), "ymm20");
  EXPECT_STREQ(AsXmm(high).toString(), "xmm20");
  RegPool narrow(Avx2());
  EXPECT_TRUE(narrow.Vec("y").isYMM());
}

TEST(RegPoolTest, HandlesTakeModifiers) {
  Assembler code("modifiers", Avx512());
  {
    const VecReg a = code.regs().Vec("a");
    const VecReg b = code.regs().Vec("b");
    const MaskReg k = code.regs().Mask("k");
    const GprReg p = code.regs().Gpr("p");
    code.vaddps(a | k | T_z, b, ptr[p + p * 4 + 8]);
    code.vaddps(a, b, b | T_rn_sae);
    code.vmovups(ptr[p] | k, a);
    code.vcmpps(k, a, b, 1);
  }
  EXPECT_OK(code.status());
}

TEST(RegPoolTest, ParticularRegisters) {
  RegPool pool(Avx2());
  const GprReg count = pool.GprAt(reg::rcx, "count");
  EXPECT_EQ(count.getIdx(), Operand::RCX);
  EXPECT_FALSE(pool.IsFree(RegClass::kGpr, Operand::RCX));
  EXPECT_FALSE(pool.IsFree(RegClass::kGpr, Operand::RSP));
  EXPECT_FALSE(pool.IsFree(RegClass::kVec, 16));
  EXPECT_FALSE(pool.IsFree(RegClass::kVec, -1));
  EXPECT_OK(pool.status());
  const GprReg again = pool.GprAt(reg::rcx, "shift");
  EXPECT_THAT(pool.status(), StatusIs(absl::StatusCode::kResourceExhausted,
                                      AllOf(HasSubstr("rcx"), HasSubstr("\"shift\""), HasSubstr("rcx=count"))));
}

TEST(RegPoolTest, RegistersThatAreNotThePools) {
  RegPool pool(Avx2());
  {
    const GprReg stack = pool.GprAt(reg::rsp, "stack");
    EXPECT_THAT(pool.status(), StatusIs(absl::StatusCode::kResourceExhausted, HasSubstr("rsp")));
  }
  RegPool masks(Avx512());
  const MaskReg k0 = masks.MaskAt(0, "all");
  EXPECT_THAT(masks.status(), StatusIs(absl::StatusCode::kResourceExhausted, HasSubstr("k0")));
  RegPool vectors(Avx2());
  const VecReg far = vectors.VecAt(99, "far");
  EXPECT_THAT(vectors.status(), StatusIs(absl::StatusCode::kResourceExhausted, HasSubstr("vector register 99")));
}

TEST(RegPoolTest, ExhaustionSaysWhoHoldsWhat) {
  RegPool pool(Avx2());
  std::vector<VecReg> held;
  for (int i = 0; i < 16; ++i) held.push_back(pool.Vec("acc" + std::to_string(i)));
  EXPECT_OK(pool.status());
  {
    const VecReg more = pool.Vec("bias");
    const VecReg most = pool.Vec("scale");
    EXPECT_TRUE(more.isYMM());
  }
  EXPECT_THAT(pool.status(),
              StatusIs(absl::StatusCode::kResourceExhausted,
                       AllOf(HasSubstr("a vector register for \"bias\""), HasSubstr("ymm0=acc0, ymm1=acc1"),
                             HasSubstr("ymm15=acc15"), Not(HasSubstr("scale")))));
  // The peak counts what was wanted, so that the report says how much would spill.
  EXPECT_EQ(pool.peak(RegClass::kVec), 18);
  EXPECT_EQ(pool.in_use(RegClass::kVec), 16);
  held.clear();
  EXPECT_THAT(pool.Report(), HasSubstr("vector: capacity 16, peak 18, spills 2, on loan: none\n"));
  // Sticky.
  const VecReg later = pool.Vec("later");
  EXPECT_FALSE(pool.status().ok());
}

TEST(RegPoolTest, LoansAreListedForDumps) {
  RegPool pool(Avx2());
  { const VecReg a = pool.Vec("a"); }
  { const VecReg a = pool.Vec("a"); }
  { const VecReg b = pool.Vec("b"); }
  { const GprReg p = pool.Gpr("p"); }
  std::string text;
  for (const RegLoan& loan : pool.TakeLoans()) text += loan.reg + "=" + loan.name + ";";
  EXPECT_EQ(text, "ymm0=a;ymm0=b;rax=p;");
}

TEST(RegPoolDeathTest, HandlesMayNotOutliveTheirPool) {
  EXPECT_DEATH(
      {
        std::optional<VecReg> held;
        RegPool pool(Avx2());
        held.emplace(pool.Vec("held"));
      },
      "registers outlive their pool.*ymm0=held");
}

}  // namespace
}  // namespace burin::jit
