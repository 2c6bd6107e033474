#include "snippets/linear/in_place.h"

#include <gtest/gtest.h>

#include "absl/status/statusor.h"
#include "snippets/linear/linear_ir.h"
#include "snippets/linear/linear_ir_parser.h"
#include "testing/gtest/status_matchers.h"

namespace burin::snippets {
namespace {

TEST(InPlaceTest, WhatIsLoadedJustBeforeMayBeOverwritten) {
  ASSERT_OK_AND_ASSIGN(const LinearIr ir, ParseLinearIr(R"(axis a0 parallel
axis a1 parallel vector
input0: f32 [a0,a1]
input1: f32 [a1]
output0: f32 [a0,a1]
for a0 {
  for a1 by vectors {
    %0 f32[a0,a1] = Load(input0)
    %1 f32[a1] = Load(input1)
    %2 f32[a0,a1] = Add %0, %1
    Store(output0) %2
  }
}
)"));
  EXPECT_TRUE(MayShareMemory(ir, 0, 2));
  EXPECT_FALSE(MayShareMemory(ir, 1, 2)) << "other axes";
}

TEST(InPlaceTest, WhatIsLoadedAgainMayNot) {
  ASSERT_OK_AND_ASSIGN(const LinearIr ir, ParseLinearIr(R"(axis a0 parallel
axis a1 vector
input0: f32 [a0,a1]
output0: f32 [a0,a1]
output1: f32 [a0,a1]
for a0 {
  %3 f32[a0] = Begin(sum a1)
  for a1 by vectors {
    %0 f32[a0,a1] = Load(input0)
    %1 f32[a0,a1] = Exp %0
    Store(output0) %1
    Step(sum a1) %3, %1
  }
  %2 f32[a0] = End(sum a1) %3
  for a1 by vectors {
    %4 f32[a0,a1] = Load(input0)
    %5 f32[a0,a1] = Multiply %4, %2
    Store(output1) %5
  }
}
)"));
  EXPECT_FALSE(MayShareMemory(ir, 0, 1)) << "the second loop loads what the first has overwritten";
  EXPECT_TRUE(MayShareMemory(ir, 0, 2));
}

TEST(InPlaceTest, WhatComesAgainMayNot) {
  ASSERT_OK_AND_ASSIGN(const LinearIr ir, ParseLinearIr(R"(axis a0 parallel
axis a1 parallel vector
input0: f32 [a1]
input1: f32 [a0,a1]
output0: f32 [a1]
output1: f32 [a0,a1]
for a0 {
  for a1 by vectors {
    %0 f32[a1] = Load(input0)
    Store(output0) %0
    %1 f32[a0,a1] = Load(input1)
    %2 f32[a0,a1] = Add %1, %0
    Store(output1) %2
  }
}
)"));
  EXPECT_FALSE(MayShareMemory(ir, 0, 2));
}

}  // namespace
}  // namespace burin::snippets
