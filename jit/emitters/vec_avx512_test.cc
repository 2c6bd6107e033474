#include "jit/emitters/vec_avx512.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "jit/asm/assembler.h"
#include "jit/asm/reg_pool.h"
#include "jit/isa/isa.h"
#include "testing/gtest/status_matchers.h"

// What the widths have in common is tested in vec_test.cc.
namespace burin::jit {
namespace {

TEST(VecAvx512Test, TransposesInTheRegistersThatThereAre) {
  Assembler code("transpose", IsaSet::From(IsaLevel::kAvx512));
  {
    VecAvx512 v(code);
    std::vector<VecReg> rows;
    for (int i = 0; i < VecAvx512::kLanes; ++i) rows.push_back(v.New("row"));
    v.Transpose(rows);
  }
  EXPECT_EQ(code.regs().peak(RegClass::kVec), 32);
  EXPECT_OK(std::move(code).Finalize());
}

TEST(VecAvx512Test, KeepsAConstantOnce) {
  Assembler code("constants", IsaSet::From(IsaLevel::kAvx512));
  VecAvx512 v(code);
  {
    const VecReg x = v.New("x");
    v.Add(x, x, v.Const(1.0f));
    v.Mul(x, x, v.Const(1.0f));
  }
  EXPECT_EQ(code.constants().bytes().size(), 4u);
  EXPECT_OK(std::move(code).Finalize());
}

}  // namespace
}  // namespace burin::jit
