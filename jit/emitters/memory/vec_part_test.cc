#include "jit/emitters/memory/vec_part.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <optional>

#include "jit/asm/assembler.h"
#include "jit/asm/operands.h"
#include "jit/asm/reg_pool.h"
#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"
#include "jit/isa/isa.h"
#include "testing/gtest/status_matchers.h"

namespace burin::jit {
namespace {

TEST(VecPartTest, CountsElementsWithoutRegistersAt256Bits) {
  Assembler code("part", IsaSet::From(IsaLevel::kAvx2));
  VecAvx2 v(code);
  EXPECT_TRUE(VecPart<VecAvx2>().whole());
  EXPECT_TRUE(VecPart<VecAvx2>::First(v, 8).whole());
  EXPECT_TRUE(VecPart<VecAvx2>::First(v, 99).whole());
  const VecPart<VecAvx2> five = VecPart<VecAvx2>::First(v, 5);
  EXPECT_FALSE(five.whole());
  EXPECT_EQ(five.count(), 5);
  EXPECT_EQ(five.count_reg(), std::nullopt);
  EXPECT_EQ(VecPart<VecAvx2>::First(v, -1).count(), 0);
  const GprReg count = code.regs().Gpr("count");
  const VecPart<VecAvx2> some = VecPart<VecAvx2>::First(v, count);
  EXPECT_FALSE(some.whole());
  EXPECT_EQ(some.count(), std::nullopt);
  EXPECT_EQ(some.count_reg()->getIdx(), count.getIdx());
  const VecPart<VecAvx2> stored = VecPart<VecAvx2>::First(v, ptr[count + 64], ptr[count]);
  EXPECT_FALSE(stored.whole());
  EXPECT_EQ(stored.count(), std::nullopt);
  EXPECT_EQ(stored.count_reg(), std::nullopt);
  EXPECT_TRUE(stored.count_memory().has_value() && stored.mask_memory().has_value());
  EXPECT_EQ(code.offset(), size_t{0}) << "emits nothing";
}

TEST(VecPartTest, HoldsAMaskAt512Bits) {
  Assembler code("part", IsaSet::From(IsaLevel::kAvx512));
  VecAvx512 v(code);
  EXPECT_TRUE(VecPart<VecAvx512>().whole());
  EXPECT_TRUE(VecPart<VecAvx512>::First(v, 16).whole());
  EXPECT_EQ(code.regs().in_use(RegClass::kMask), 0);
  {
    const GprReg count = code.regs().Gpr("count");
    const VecPart<VecAvx512> five = VecPart<VecAvx512>::First(v, 5);
    const VecPart<VecAvx512> some = VecPart<VecAvx512>::First(v, count);
    EXPECT_FALSE(five.whole());
    EXPECT_FALSE(some.whole());
    EXPECT_NE(five.mask().getIdx(), some.mask().getIdx());
    EXPECT_EQ(code.regs().in_use(RegClass::kMask), 2);
    EXPECT_EQ(code.regs().in_use(RegClass::kGpr), 1);
  }
  EXPECT_EQ(code.regs().in_use(RegClass::kMask), 0);
  {
    const MaskReg mask = code.regs().Mask("lent");
    const VecPart<VecAvx512> part = VecPart<VecAvx512>::Of(mask);
    EXPECT_FALSE(part.whole());
    EXPECT_EQ(part.mask().getIdx(), mask.getIdx());
    EXPECT_EQ(code.regs().in_use(RegClass::kMask), 1);
  }
  EXPECT_OK(code.status());
}

}  // namespace
}  // namespace burin::jit
