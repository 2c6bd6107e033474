#include <gtest/gtest.h>

#include <string>

#include "snippets/decompose/decompose_testlib.h"
#include "snippets/decompose/rules.h"

namespace burin::snippets {
namespace {

// A merge %5 of Relu(x), of groups [n, 2, 3, w], and those lines, of which %9 is the last.
std::string Merged(const std::string& lines) {
  return R"(model "" {
  %0 "x" = Parameter() {shape = [n,2,3,w]}
  %1 = Relu(%0)
  %2 = Constant() {value = i64[4]{0, 1, 6, 0}}
  %3 = Reshape(%1, %2) {special_zero = true}
  %4 = Constant() {value = i64[1]{1}}
  %5 = Squeeze(%3, %4)
)" + lines +
         "\n  %10 = Result(%9)\n}";
}

TEST(SinkMergeTest, BelowElementwise) {
  ExpectRewrites(&SinkMerge, Merged(R"(
  %6 = Constant() {value = f32[]{2}}
  %7 "y" = Parameter() {shape = [1,w]}
  %8 = Multiply(%5, %6)
  %9 = Add(%8, %7))"),
                 R"(model "" {
  %0 "x" = Parameter() {shape = [n,2,3,w]}
  %1 = Relu(%0)
  %2 = Constant() {value = f32[]{2}}
  %3 = Multiply(%1, %2)
  %4 "y" = Parameter() {shape = [1,w]}
  %5 = Constant() {value = i64[1]{0}}
  %6 = Unsqueeze(%4, %5)
  %7 = Add(%3, %6)
  %8 = Constant() {value = i64[4]{0, 1, 6, 0}}
  %9 = Reshape(%7, %8) {special_zero = true}
  %10 = Constant() {value = i64[1]{1}}
  %11 = Squeeze(%9, %10)
  %12 = Result(%11)
})");
}

TEST(SinkMergeTest, SplitsTheOtherOperand) {
  ExpectRewrites(&SinkMerge, Merged(R"(
  %7 "y" = Parameter() {shape = [n,6,w]}
  %9 = Greater(%7, %5))"),
                 R"(model "" {
  %0 "x" = Parameter() {shape = [n,2,3,w]}
  %1 = Relu(%0)
  %2 "y" = Parameter() {shape = [n,6,w]}
  %3 = Constant() {value = i64[1]{1}}
  %4 = Unsqueeze(%2, %3)
  %5 = Constant() {value = i64[4]{0, 2, 3, 0}}
  %6 = Reshape(%4, %5) {special_zero = true}
  %7 = Greater(%6, %1)
  %8 = Constant() {value = i64[4]{0, 1, 6, 0}}
  %9 = Reshape(%7, %8) {special_zero = true}
  %10 = Squeeze(%9, %3)
  %11 = Result(%10)
})");
}

TEST(SinkMergeTest, BelowReductions) {
  ExpectRewrites(&SinkMerge, Merged(R"(
  %7 = Constant() {value = i64[2]{0, 2}}
  %9 = ReduceSum(%5, %7) {keep_dims = true})"),
                 R"(model "" {
  %0 "x" = Parameter() {shape = [n,2,3,w]}
  %1 = Relu(%0)
  %2 = Constant() {value = i64[2]{0, 3}}
  %3 = ReduceSum(%1, %2) {keep_dims = true}
  %4 = Constant() {value = i64[4]{0, 1, 6, 0}}
  %5 = Reshape(%3, %4) {special_zero = true}
  %6 = Constant() {value = i64[1]{1}}
  %7 = Squeeze(%5, %6)
  %8 = Result(%7)
})");
  ExpectRewrites(&SinkMerge, Merged(R"(
  %7 = Constant() {value = i64[2]{1, 2}}
  %9 = ReduceMax(%5, %7) {keep_dims = true})"),
                 R"(model "" {
  %0 "x" = Parameter() {shape = [n,2,3,w]}
  %1 = Relu(%0)
  %2 = Constant() {value = i64[3]{1, 2, 3}}
  %3 = ReduceMax(%1, %2) {keep_dims = true}
  %4 = Constant() {value = i64[1]{1}}
  %5 = Squeeze(%3, %4)
  %6 = Result(%5)
})");
}

TEST(SinkMergeTest, StaysAtResultsAndOtherOperations) {
  ExpectUnchanged(&SinkMerge, Merged("  %8 = Constant() {value = i64[3]{1, 0, 2}}\n  %9 = Transpose(%5, %8)"));
  ExpectUnchanged(&SinkMerge, Merged("  %8 = Constant() {value = i64[1]{0}}\n  %9 = Unsqueeze(%5, %8)"));
}

TEST(SinkMergeTest, StaysWhereTheChannelsOfAnotherOperandAreNotKnown) {
  ExpectUnchanged(&SinkMerge, Merged("  %8 \"y\" = Parameter() {shape = [1,c,1]}\n  %9 = Add(%5, %8)"));
}

// A whole residual block: what stands before and behind a group normalisation.
TEST(SinkMergeTest, GroupNormalisationWithNeighbours) {
  ExpectDecomposesAll(R"(model "" {
  %0 "x" = Parameter() {element_type = $T, shape = $S}
  %1 "time" = Parameter() {element_type = $T, shape = [6,1,1]}
  %2 "scale" = Parameter() {element_type = $T, shape = [6]}
  %3 "bias" = Parameter() {element_type = $T, shape = [6]}
  %4 = Add(%0, %1)
  %5 = GroupNormalization(%4, %2, %3) {num_groups = 3}
  %6 = Swish(%5)
  %7 = Constant() {value = $T[]{0.5}}
  %8 = Multiply(%6, %7)
  %9 = Add(%8, %0)
  %10 = Result(%9)
  %11 = GroupNormalization(%9, %3, %2) {num_groups = 3}
  %12 = Result(%11)
})",
                      {"[2,6,4,5]", "[n,6,h,w]"});
}

TEST(SinkMergeTest, OtherGroupsAreRefused) {
  ExpectCannotDecompose(R"(model "" {
  %0 "x" = Parameter() {shape = [2,6,4]}
  %1 "scale" = Parameter() {shape = [6]}
  %2 = GroupNormalization(%0, %1, %1) {num_groups = 3}
  %3 = GroupNormalization(%2, %1, %1) {num_groups = 2}
  %4 = Result(%3)
})",
                        "splits or merges dimensions");
}

}  // namespace
}  // namespace burin::snippets
