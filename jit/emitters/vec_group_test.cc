#include "jit/emitters/vec_group.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "jit/asm/operands.h"
#include "jit/asm/reg_pool.h"
#include "jit/isa/isa.h"

namespace burin::jit {
namespace {

TEST(VecGroupTest, OfOneRegisterStandsForEveryVector) {
  const VecGroup group = Ymm(3);
  EXPECT_EQ(group.size(), 1);
  EXPECT_EQ(group[0], Ymm(3));
  EXPECT_EQ(group[5], Ymm(3));
}

TEST(VecGroupTest, NamesTheRegistersOfItsOwner) {
  RegPool pool(IsaSet::From(IsaLevel::kAvx2));
  std::vector<VecReg> regs;
  regs.push_back(pool.VecAt(4, "a"));
  regs.push_back(pool.VecAt(9, "b"));
  const VecRegs owner(std::move(regs));
  const VecGroup group = owner;
  EXPECT_EQ(group.size(), 2);
  EXPECT_EQ(group[0], Ymm(4));
  EXPECT_EQ(group[1], Ymm(9));
}

TEST(VecSourceTest, IsOneOfThree) {
  const VecGroup group = Ymm(3);
  const VecSource of_group(group);
  EXPECT_NE(of_group.group(), nullptr);
  EXPECT_EQ(of_group.constant(), nullptr);
  EXPECT_EQ(of_group.address(), nullptr);
  const VecSource of_constant(VecConst{5});
  EXPECT_EQ(of_constant.group(), nullptr);
  ASSERT_NE(of_constant.constant(), nullptr);
  EXPECT_EQ(of_constant.constant()->bits, 5u);
  const Address address = ptr[reg::rax];
  const VecSource of_address(address);
  EXPECT_EQ(of_address.group(), nullptr);
  EXPECT_EQ(of_address.address(), &address);
}

TEST(VecGroupDeathTest, HasALimit) {
  VecGroup group;
  for (int i = 0; i < VecGroup::kMaxSize; ++i) group.Append(Ymm(i));
  EXPECT_DEATH(group.Append(Ymm(8)), "registers: 8");
}

}  // namespace
}  // namespace burin::jit
