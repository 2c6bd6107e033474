#include "snippets/codegen/emit_function.h"

#include <gtest/gtest.h>

#include "absl/types/span.h"
#include "jit/emitters/row_kernel.h"
#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"
#include "jit/emitters/vec_group.h"
#include "jit/emitters/wide/wide_function.h"
#include "jit/isa/isa.h"

namespace burin::snippets {
namespace {

TEST(EmitFunctionTest, CountsTheRegistersBeyondTheOperands) {
  // Takes one register a vector, and one for all.
  const auto emit = [](auto& v, absl::Span<const jit::VecGroup> o) {
    const jit::VecRegs squares = v.New("square", o[0].size());
    v.Mul(squares, o[0], o[0]);
    v.Mul(o[0], squares, v.ConstReg(2.0f));
    v.Add(o[0], o[0], o[1]);
  };
  const jit::RowFunction function = jit::RowFunction::Of("square", 2, emit);
  const jit::IsaSet narrow = jit::IsaSet::From(jit::IsaLevel::kAvx2);
  const jit::IsaSet wide = jit::IsaSet::From(jit::IsaLevel::kAvx512);
  for (const int vectors : {1, 2, 4}) {
    EXPECT_EQ(TemporariesOf<jit::VecAvx2>(function, vectors, narrow), vectors + 1);
    EXPECT_EQ(TemporariesOf<jit::VecAvx512>(function, vectors, wide), vectors + 1);
  }
}

TEST(EmitFunctionTest, CountsThoseOfWideLanes) {
  // Takes one register for all, and one register a vector, of a narrow result.
  const auto emit = [](auto& v, const jit::VecGroup& to, absl::Span<const jit::VecGroup> in) {
    EXPECT_EQ(in[0].size(), 2 * to.size());
    const jit::VecRegs copies = v.New("copy", to.size());
    const jit::VecReg one = v.ConstReg(1.0f);
    for (int i = 0; i < to.size(); ++i) v.Add(jit::VecGroup(copies[i]), jit::VecGroup(in[0][2 * i]), one);
    v.Copy(to, copies);
  };
  const jit::WideFunction function = jit::WideFunction::Of("halves", {true}, false, emit);
  for (const int vectors : {1, 2, 4}) {
    EXPECT_EQ(TemporariesOf<jit::VecAvx2>(function, vectors, jit::IsaSet::From(jit::IsaLevel::kAvx2)), vectors + 1);
    EXPECT_EQ(TemporariesOf<jit::VecAvx512>(function, vectors, jit::IsaSet::From(jit::IsaLevel::kAvx512)), vectors + 1);
  }
}

}  // namespace
}  // namespace burin::snippets
