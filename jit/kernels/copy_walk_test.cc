#include "jit/kernels/copy_walk.h"

#include <gtest/gtest.h>

#include <cstdint>

#include "absl/status/statusor.h"
#include "jit/asm/assembler.h"
#include "jit/asm/code_blob.h"
#include "jit/asm/executable_code.h"
#include "jit/asm/operands.h"
#include "jit/isa/isa.h"
#include "testing/gtest/status_matchers.h"

namespace burin::jit {
namespace {

// Stores the address of each row, with the walk in another register than the base, and in the same.
TEST(StridedWalkTest, GivesEveryRowInOrder) {
  constexpr int kRows = 11;
  for (const bool apart : {true, false}) {
    Assembler code("walk", IsaSet::From(IsaLevel::kAvx2));
    // As the calling convention has them: base, stride and results.
    code.lea(reg::rcx, ptr[reg::rsi + reg::rsi * 2]);
    StridedWalk walk(code, reg::rsi, reg::rcx);
    walk.Start(reg::rdi, apart ? reg::r8 : reg::rdi);
    for (int row = 0; row < kRows; ++row) {
      code.lea(reg::rax, ptr[walk.At(row)]);
      code.mov(ptr[reg::rdx + 8 * row], reg::rax);
    }
    code.mov(ptr[reg::rdx + 8 * kRows], reg::rdi);
    code.ret();
    ASSERT_OK_AND_ASSIGN(const CodeBlob blob, std::move(code).Finalize());
    ASSERT_OK_AND_ASSIGN(const ExecutableCode executable, ExecutableCode::Load(blob));
    for (const int64_t stride : {int64_t{0}, int64_t{100}, int64_t{-7}}) {
      int64_t results[kRows + 1] = {};
      executable.entry<void (*)(int64_t, int64_t, int64_t*)>()(1000, stride, results);
      for (int row = 0; row < kRows; ++row) EXPECT_EQ(results[row], 1000 + row * stride) << row;
      EXPECT_EQ(results[kRows], apart ? 1000 : 1000 + 8 * stride);
    }
  }
}

}  // namespace
}  // namespace burin::jit
