#include "snippets/linear/dead_code.h"

#include <gtest/gtest.h>

#include <string>

#include "absl/status/statusor.h"
#include "snippets/linear/linear_ir.h"
#include "snippets/linear/linear_ir_parser.h"
#include "testing/gtest/status_matchers.h"

namespace burin::snippets {
namespace {

TEST(DeadCodeTest, RemovesLoopsThatNobodyReads) {
  ASSERT_OK_AND_ASSIGN(LinearIr ir, ParseLinearIr(R"(axis a0 parallel
axis a1 vector
input0: f32 [a0,a1]
input1: f32 [a1]
output0: f32 [a0,a1]
for a1 by vectors {
  %7 f32[a1] = Load(input1)
  %8 f32[a1] = Exp %7
}
for a0 {
  %3 f32[a0] = Begin(sum a1)
  for a1 by vectors {
    %0 f32[a0,a1] = Load(input0)
    Step(sum a1) %3, %0
  }
  %2 f32[a0] = End(sum a1) %3
  for a1 by vectors {
    %4 f32[a0,a1] = Load(input0)
    %5 f32[a0,a1] = Load(input1)
    Store(output0) %4
  }
}
)"));
  RemoveDeadCode(ir);
  EXPECT_OK(ir.Verify());
  EXPECT_EQ(ir.ToString(), R"(axis a0 parallel
axis a1 vector
input0: f32 [a0,a1]
input1: f32 [a1]
output0: f32 [a0,a1]
for a0 {
  for a1 by vectors {
    %0 f32[a0,a1] = Load(input0)
    Store(output0) %0
  }
}
)");
}

TEST(DeadCodeTest, KeepsReductionsThatAreRead) {
  ASSERT_OK_AND_ASSIGN(LinearIr ir, ParseLinearIr(R"(axis a0 parallel
axis a1 vector
input0: f32 [a0,a1]
output0: f32 [a0]
for a0 {
  %0 f32[a0] = Begin(sum a1)
  for a1 by vectors {
    %1 f32[a0,a1] = Load(input0)
    Step(sum a1) %0, %1
  }
  %2 f32[a0] = End(sum a1) %0
  Store(output0) %2
}
)"));
  const std::string before = ir.ToString();
  RemoveDeadCode(ir);
  EXPECT_EQ(ir.ToString(), before);
}

}  // namespace
}  // namespace burin::snippets
