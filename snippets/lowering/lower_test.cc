#include "snippets/lowering/lower.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "base/status_macros.h"
#include "ir/model.h"
#include "ir/text.h"
#include "snippets/linear/linear_ir.h"
#include "snippets/lowering/body_graph.h"
#include "testing/gtest/status_matchers.h"

namespace burin::snippets {
namespace {

using ::testing::HasSubstr;

// Without registers, every row has loops.
constexpr VectorFile kNoRegisters = {16, 0};

absl::StatusOr<LoweredKernel> LowerText(absl::string_view text, const VectorFile& vectors = kNoRegisters) {
  BURIN_ASSIGN_OR_RETURN(const std::unique_ptr<ir::Model> body, ir::ParseModel(text));
  BURIN_ASSIGN_OR_RETURN(const BodyGraph graph, BodyGraph::Create(*body));
  return Lower(graph, *body, vectors, "test");
}

int CountOf(const std::string& text, const std::string& word) {
  int count = 0;
  for (size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++count;
  return count;
}

TEST(LowerTest, RunsAChainInOneLoop) {
  ASSERT_OK_AND_ASSIGN(const LoweredKernel kernel, LowerText(R"(model "" {
    %0 "x" = Parameter() {element_type = f32, shape = [3,5]}
    %1 = Exp(%0)
    %2 = Negative(%1)
    %3 "out" = Result(%2)
  })"));
  EXPECT_EQ(kernel.ir.ToString(), R"(axis a0 parallel vector
input0: f32 [a0]
output0: f32 [a0]
for a0 by vectors {
  %0 f32[a0] = Load(input0)
  %1 f32[a0] = Exp %0
  %2 f32[a0] = Negative %1
  Store(output0) %2
}
)");
}

TEST(LowerTest, ElementsLieAStepApart) {
  ASSERT_OK_AND_ASSIGN(const LoweredKernel kernel, LowerText(R"(model "" {
    %0 "x" = Parameter() {element_type = f32, shape = [5,40,3]}
    %1 = Constant() {value = i64[1]{1}}
    %2 = Constant() {value = i64[1]{2}}
    %3 = Constant() {value = i64[1]{-1}}
    %4 = Slice(%0, %1, %2, %1, %3)
    %5 = Exp(%4)
    %6 "out" = Result(%5)
  })"));
  EXPECT_THAT(kernel.ir.ToString(), HasSubstr("input0: f32 [a0] strided by 3\n"));
}

TEST(LowerTest, LoadsWhatIsBroadcastOutsideOfTheLoop) {
  ASSERT_OK_AND_ASSIGN(const LoweredKernel kernel, LowerText(R"(model "" {
    %0 "x" = Parameter() {element_type = f32, shape = [3,5]}
    %1 "y" = Parameter() {element_type = f32, shape = [3,1]}
    %2 = Add(%0, %1)
    %3 "out" = Result(%2)
  })"));
  EXPECT_THAT(kernel.ir.ToString(), HasSubstr(R"(for a0 {
  %0 f32[a0] = Load(input1)
  for a1 by vectors {
    %1 f32[a0,a1] = Load(input0)
    %2 f32[a0,a1] = Add)"));
}

TEST(LowerTest, RepeatsWhatIsCheap) {
  ASSERT_OK_AND_ASSIGN(const LoweredKernel kernel, LowerText(R"(model "" {
    %0 "x" = Parameter() {element_type = f32, shape = [3,5]}
    %1 = Constant() {value = i64[1]{1}}
    %2 = Negative(%0)
    %3 = ReduceMax(%2, %1) {keep_dims = true}
    %4 = Subtract(%2, %3)
    %5 "out" = Result(%4)
  })"));
  const std::string text = kernel.ir.ToString();
  EXPECT_EQ(CountOf(text, "Negative"), 2) << text;
  EXPECT_EQ(CountOf(text, "buffer"), 0) << text;
}

TEST(LowerTest, KeepsWhatIsDearInABuffer) {
  ASSERT_OK_AND_ASSIGN(const LoweredKernel kernel, LowerText(R"(model "" {
    %0 "x" = Parameter() {element_type = f32, shape = [3,5]}
    %1 = Constant() {value = i64[1]{1}}
    %2 = Exp(%0)
    %3 = ReduceSum(%2, %1) {keep_dims = true}
    %4 = Divide(%2, %3)
    %5 "out" = Result(%4)
  })"));
  const std::string text = kernel.ir.ToString();
  EXPECT_EQ(CountOf(text, "Exp"), 1) << text;
  EXPECT_EQ(CountOf(text, "Store(buffer0)"), 1) << text;
  EXPECT_EQ(CountOf(text, "Load(buffer0)"), 1) << text;
}

TEST(LowerTest, ReducesOuterAxesInsideOfTheVectorLoop) {
  ASSERT_OK_AND_ASSIGN(const LoweredKernel kernel, LowerText(R"(model "" {
    %0 "x" = Parameter() {element_type = f32, shape = [3,5,7]}
    %1 = Constant() {value = i64[1]{1}}
    %2 = ReduceSum(%0, %1) {keep_dims = true}
    %3 "out" = Result(%2)
  })"));
  EXPECT_THAT(kernel.ir.ToString(), HasSubstr(R"(for a0 {
  for a2 by vectors {
    %0 f32[a0,a2] = Begin(sum a1)
    for a1 {)"));
}

TEST(LowerTest, EqualBodiesOfOtherSizesAreTheSameKernel) {
  const auto body = [](const std::string& shape) {
    return "model \"\" {\n%0 \"x\" = Parameter() {element_type = f32, shape = " + shape +
           "}\n%1 = Constant() {value = i64[1]{1}}\n%2 = ReduceMean(%0, %1) {keep_dims = true}\n%3 = Subtract(%0, %2)\n"
           "%4 \"out\" = Result(%3)\n}";
  };
  ASSERT_OK_AND_ASSIGN(const LoweredKernel small, LowerText(body("[3,5]")));
  ASSERT_OK_AND_ASSIGN(const LoweredKernel large, LowerText(body("[700,1001]")));
  EXPECT_EQ(small.ir.ToString(), large.ir.ToString());
}

constexpr absl::string_view kCentred = R"(model "" {
  %0 "x" = Parameter() {element_type = f32, shape = [9,40]}
  %1 = Constant() {value = i64[1]{1}}
  %2 = ReduceMean(%0, %1) {keep_dims = true}
  %3 = Subtract(%0, %2)
  %4 "out" = Result(%3)
})";

TEST(LowerTest, KeepsShortRowsInRegisters) {
  ASSERT_OK_AND_ASSIGN(const LoweredKernel kernel, LowerText(kCentred, {16, 32}));
  EXPECT_EQ(kernel.ir.ToString(), R"(axis a0 parallel
axis a1 vector in 3
input0: f32 [a0,a1]
output0: f32 [a0,a1]
%0 f32[] = Constant(0x3f800000)
%1 f32[] = Count(a1)
%2 f32[] = Divide %0, %1
for a0 {
  %3 f32[a0,a1] = Load(input0)
  %4 f32[a0] = Begin(sum a1)
  Step(sum a1) %4, %3
  %5 f32[a0] = End(sum a1) %4
  %6 f32[a0] = Multiply %5, %2
  %7 f32[a0,a1] = Subtract %3, %6
  Store(output0) %7
}
)");
  ASSERT_OK_AND_ASSIGN(const LoweredKernel narrow, LowerText(kCentred, {8, 16}));
  EXPECT_EQ(narrow.ir.block_vectors, 5);
  EXPECT_TRUE(narrow.ir.whole_vectors);
  ASSERT_OK_AND_ASSIGN(const LoweredKernel scarce, LowerText(kCentred, {8, 6}));
  EXPECT_EQ(scarce.ir.block_vectors, 0);
  ASSERT_OK_AND_ASSIGN(const LoweredKernel longer, LowerText(kCentred, {4, 32}));
  EXPECT_EQ(longer.ir.block_vectors, 0);
}

// What all rows share stays in registers only while there are enough.
TEST(LowerTest, KeepsWhatRowsShareWhereThereIsRoom) {
  constexpr absl::string_view kText = R"(model "" {
    %0 "x" = Parameter() {element_type = f32, shape = [9,40]}
    %1 "y" = Parameter() {element_type = f32, shape = [40]}
    %2 "z" = Parameter() {element_type = f32, shape = [40]}
    %3 = Multiply(%0, %1)
    %4 = Add(%3, %2)
    %5 "out" = Result(%4)
  })";
  ASSERT_OK_AND_ASSIGN(const LoweredKernel roomy, LowerText(kText, {16, 32}));
  EXPECT_THAT(roomy.ir.ToString(), HasSubstr("\n%0 f32[a1] = Load(input1)\n"));
  EXPECT_EQ(roomy.ir.block_vectors, 3);
  ASSERT_OK_AND_ASSIGN(const LoweredKernel tight, LowerText(kText, {8, 16}));
  EXPECT_EQ(tight.ir.block_vectors, 5);
  EXPECT_THAT(tight.ir.ToString(), HasSubstr("  %1 f32[a1] = Load(input1)\n"));
}

}  // namespace
}  // namespace burin::snippets
