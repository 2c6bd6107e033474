#include "snippets/linear/buffer_in_output.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/status/statusor.h"
#include "snippets/linear/in_place.h"
#include "snippets/linear/linear_ir.h"
#include "snippets/linear/linear_ir_parser.h"
#include "testing/gtest/status_matchers.h"

namespace burin::snippets {
namespace {

using ::testing::HasSubstr;

TEST(BufferInOutputTest, WhatTheOutputReplacesIsInItsMemory) {
  ASSERT_OK_AND_ASSIGN(LinearIr ir, ParseLinearIr(R"(axis a0 parallel
axis a1 vector
input0: f32 [a0,a1]
buffer0: f32 [a1]
output0: f32 [a0,a1]
for a0 {
  %0 f32[a0] = Begin(sum a1)
  for a1 by vectors {
    %1 f32[a0,a1] = Load(input0)
    %2 f32[a0,a1] = Exp %1
    Store(buffer0) %2
    Step(sum a1) %0, %2
  }
  %3 f32[a0] = End(sum a1) %0
  for a1 by vectors {
    %4 f32[a0,a1] = Load(buffer0)
    %5 f32[a0,a1] = Divide %4, %3
    Store(output0) %5
  }
}
)"));
  EXPECT_TRUE(MayShareMemory(ir, 0, 2));
  PutBuffersIntoOutputs(ir);
  EXPECT_OK(ir.Verify());
  EXPECT_THAT(ir.ToString(), HasSubstr("buffer0: f32 [a0,a1] in output0\n"));
  ASSERT_OK_AND_ASSIGN(const LinearIr again, ParseLinearIr(ir.ToString()));
  EXPECT_EQ(again.ToString(), ir.ToString());
  EXPECT_EQ(again.operands[1].in_output, 2);
  EXPECT_TRUE(MayShareMemory(ir, 0, 2)) << "each element is loaded before the buffer's is stored";
}

TEST(BufferInOutputTest, WhatIsReadAgainIsNot) {
  ASSERT_OK_AND_ASSIGN(LinearIr ir, ParseLinearIr(R"(axis a0 parallel
axis a1 parallel vector
input0: f32 [a1]
input1: f32 [a0,a1]
buffer0: f32 [a1]
output0: f32 [a0,a1]
for a1 by vectors {
  %0 f32[a1] = Load(input0)
  %1 f32[a1] = Exp %0
  Store(buffer0) %1
}
for a0 {
  for a1 by vectors {
    %2 f32[a1] = Load(buffer0)
    %3 f32[a0,a1] = Load(input1)
    %4 f32[a0,a1] = Add %3, %2
    Store(output0) %4
  }
}
)"));
  PutBuffersIntoOutputs(ir);
  EXPECT_EQ(ir.operands[2].in_output, -1);
}

TEST(BufferInOutputTest, NorIsAnOutputOfAnotherTypeOrOneThatIsStoredBefore) {
  ASSERT_OK_AND_ASSIGN(LinearIr ir, ParseLinearIr(R"(axis a0 parallel
axis a1 vector
input0: f32 [a0,a1]
buffer0: f32 [a1]
output0: f16 [a0,a1]
output1: f32 [a0,a1]
for a0 {
  %0 f32[a0] = Begin(sum a1)
  for a1 by vectors {
    %1 f32[a0,a1] = Load(input0)
    %2 f32[a0,a1] = Exp %1
    Store(output1) %1
    Store(buffer0) %2
    Step(sum a1) %0, %2
  }
  %3 f32[a0] = End(sum a1) %0
  for a1 by vectors {
    %4 f32[a0,a1] = Load(buffer0)
    %5 f32[a0,a1] = Divide %4, %3
    Store(output0) %5
  }
}
)"));
  PutBuffersIntoOutputs(ir);
  EXPECT_EQ(ir.operands[1].in_output, -1);
}

}  // namespace
}  // namespace burin::snippets
