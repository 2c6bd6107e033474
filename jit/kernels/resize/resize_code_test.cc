#include "jit/kernels/resize/resize_code.h"

#include <gtest/gtest.h>

#include "jit/asm/code_blob.h"
#include "jit/isa/isa.h"
#include "jit/isa/target.h"
#include "jit/kernels/pooling/affine_epilogue_testlib.h"
#include "jit/kernels/resize/resize_spec.h"
#include "testing/gtest/status_matchers.h"

namespace burin::jit {
namespace {

TEST(ResizeCodeTest, EveryKernelIsGeneratedForEveryWidth) {
  const AffineEpilogue epilogue;
  for (const IsaLevel level : {IsaLevel::kAvx2, IsaLevel::kAvx512}) {
    ASSERT_OK_AND_ASSIGN(const Target target, Target::ForTesting(IsaSet::From(level)));
    ASSERT_OK_AND_ASSIGN(const CodeBlob sum, GenerateResizeSum(ResizeTerm::kElement, target, nullptr));
    EXPECT_EQ(sum.name, "resize_sum");
    ASSERT_OK_AND_ASSIGN(const CodeBlob squares, GenerateResizeSum(ResizeTerm::kSquare, target, nullptr));
    EXPECT_EQ(squares.name, "resize_sum_squares");
    ASSERT_OK_AND_ASSIGN(const CodeBlob row, GenerateResizeRow(ResizeRowAccess::kTwoVectors, target, nullptr));
    EXPECT_EQ(row.name, "resize_row");
    ASSERT_OK_AND_ASSIGN(const CodeBlob gather, GenerateResizeRow(ResizeRowAccess::kGather, target, nullptr));
    EXPECT_EQ(gather.name, "resize_row_gather");
    for (const ResizeTerm term : {ResizeTerm::kElement, ResizeTerm::kSquare}) {
      EXPECT_OK(GenerateResizeSum(term, target, &epilogue).status());
    }
    for (const ResizeRowAccess access : {ResizeRowAccess::kTwoVectors, ResizeRowAccess::kGather}) {
      EXPECT_OK(GenerateResizeRow(access, target, &epilogue).status());
    }
  }
}

}  // namespace
}  // namespace burin::jit
