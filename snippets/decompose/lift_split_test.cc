#include <gtest/gtest.h>

#include "snippets/decompose/decompose_testlib.h"
#include "snippets/decompose/rules.h"

namespace burin::snippets {
namespace {

TEST(LiftSplitTest, UpToMemory) {
  ExpectRewrites(&LiftSplit, R"(model "" {
  %0 "x" = Parameter() {shape = [n,6,w]}
  %1 "y" = Parameter() {shape = [6,1]}
  %2 "z" = Parameter() {shape = [1,w]}
  %3 "s" = Parameter() {shape = [w]}
  %4 = Sigmoid(%0)
  %5 = Multiply(%0, %4)
  %6 = Add(%5, %1)
  %7 = Add(%6, %2)
  %8 = Add(%7, %3)
  %9 = Constant() {value = i64[1]{1}}
  %10 = Unsqueeze(%8, %9)
  %11 = Constant() {value = i64[4]{0, 2, 3, 0}}
  %12 = Reshape(%10, %11) {special_zero = true}
  %13 = Result(%12)
})",
                 R"(model "" {
  %0 "x" = Parameter() {shape = [n,6,w]}
  %1 "y" = Parameter() {shape = [6,1]}
  %2 "z" = Parameter() {shape = [1,w]}
  %3 "s" = Parameter() {shape = [w]}
  %4 = Constant() {value = i64[1]{1}}
  %5 = Unsqueeze(%0, %4)
  %6 = Constant() {value = i64[4]{0, 2, 3, 0}}
  %7 = Reshape(%5, %6) {special_zero = true}
  %8 = Sigmoid(%7)
  %9 = Multiply(%7, %8)
  %10 = Constant() {value = i64[1]{0}}
  %11 = Unsqueeze(%1, %10)
  %12 = Constant() {value = i64[3]{2, 3, 0}}
  %13 = Reshape(%11, %12) {special_zero = true}
  %14 = Add(%9, %13)
  %15 = Unsqueeze(%2, %10)
  %16 = Add(%14, %15)
  %17 = Add(%16, %3)
  %18 = Result(%17)
})");
}

TEST(LiftSplitTest, AboveAReductionOfOtherDimensions) {
  ExpectRewrites(&LiftSplit, R"(model "" {
  %0 "x" = Parameter() {shape = [n,6,w]}
  %1 = Constant() {value = i64[2]{0, 2}}
  %2 = ReduceMax(%0, %1) {keep_dims = true}
  %3 = Constant() {value = i64[1]{1}}
  %4 = Unsqueeze(%2, %3)
  %5 = Constant() {value = i64[4]{0, 2, 3, 0}}
  %6 = Reshape(%4, %5) {special_zero = true}
  %7 = Result(%6)
})",
                 R"(model "" {
  %0 "x" = Parameter() {shape = [n,6,w]}
  %1 = Constant() {value = i64[1]{1}}
  %2 = Unsqueeze(%0, %1)
  %3 = Constant() {value = i64[4]{0, 2, 3, 0}}
  %4 = Reshape(%2, %3) {special_zero = true}
  %5 = Constant() {value = i64[2]{0, 3}}
  %6 = ReduceMax(%4, %5) {keep_dims = true}
  %7 = Result(%6)
})");
}

TEST(LiftSplitTest, CancelsAMerge) {
  ExpectRewrites(&LiftSplit, R"(model "" {
  %0 "x" = Parameter() {shape = [n,2,3,w]}
  %1 = Relu(%0)
  %2 = Constant() {value = i64[4]{0, 1, 6, 0}}
  %3 = Reshape(%1, %2) {special_zero = true}
  %4 = Constant() {value = i64[1]{1}}
  %5 = Squeeze(%3, %4)
  %6 = Abs(%5)
  %7 = Unsqueeze(%6, %4)
  %8 = Constant() {value = i64[4]{0, 2, 3, 0}}
  %9 = Reshape(%7, %8) {special_zero = true}
  %10 = Result(%9)
})",
                 R"(model "" {
  %0 "x" = Parameter() {shape = [n,2,3,w]}
  %1 = Relu(%0)
  %2 = Abs(%1)
  %3 = Result(%2)
})");
}

TEST(LiftSplitTest, StaysWhereSomethingCannotBeSplit) {
  ExpectUnchanged(&LiftSplit, R"(model "" {
  %0 "x" = Parameter() {shape = [6,6,4]}
  %1 = Constant() {value = i64[3]{1, 0, 2}}
  %2 = Transpose(%0, %1)
  %3 = Relu(%2)
  %4 = Constant() {value = i64[1]{1}}
  %5 = Unsqueeze(%3, %4)
  %6 = Constant() {value = i64[4]{0, 2, 3, 0}}
  %7 = Reshape(%5, %6) {special_zero = true}
  %8 = Result(%7)
})");
  ExpectUnchanged(&LiftSplit, R"(model "" {
  %0 "x" = Parameter() {shape = [n,6,4]}
  %1 = Constant() {value = i64[1]{1}}
  %2 = Unsqueeze(%0, %1)
  %3 = Constant() {value = i64[4]{0, 2, 3, 0}}
  %4 = Reshape(%2, %3) {special_zero = true}
  %5 = Result(%4)
})");
}

}  // namespace
}  // namespace burin::snippets
