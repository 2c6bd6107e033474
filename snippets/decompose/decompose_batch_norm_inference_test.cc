#include <gtest/gtest.h>

#include "snippets/decompose/decompose_testlib.h"
#include "snippets/decompose/rules.h"

namespace burin::snippets {
namespace {

TEST(DecomposeBatchNormInferenceTest, ScalesEachChannel) {
  ExpectRewrites(&DecomposeBatchNormInference,
                 R"(model "" {
  %0 "x" = Parameter() {shape = [n,4,?,?]}
  %1 "gamma" = Parameter() {shape = [4]}
  %2 "beta" = Parameter() {shape = [4]}
  %3 "mean" = Parameter() {shape = [4]}
  %4 "variance" = Parameter() {shape = [4]}
  %8 = Abs(%4)
  %5 = BatchNormInference(%0, %1, %2, %3, %8) {epsilon = 0.25}
  %6 = Result(%5)
})",
                 R"(model "" {
  %0 "x" = Parameter() {shape = [n,4,?,?]}
  %1 "gamma" = Parameter() {shape = [4]}
  %2 "beta" = Parameter() {shape = [4]}
  %3 "mean" = Parameter() {shape = [4]}
  %4 "variance" = Parameter() {shape = [4]}
  %20 = Abs(%4)
  %5 = Constant() {value = i64[2]{1, 2}}
  %6 = Unsqueeze(%1, %5)
  %7 = Unsqueeze(%2, %5)
  %8 = Unsqueeze(%3, %5)
  %9 = Unsqueeze(%20, %5)
  %10 = Constant() {value = f32[]{0.25}}
  %11 = Add(%9, %10)
  %12 = Sqrt(%11)
  %13 = Divide(%6, %12)
  %14 = Subtract(%0, %8)
  %15 = Multiply(%14, %13)
  %16 = Add(%15, %7)
  %17 = Result(%16)
})");
}

TEST(DecomposeBatchNormInferenceTest, EveryTypeAndSize) {
  ExpectDecomposesAll(R"(model "" {
  %0 "x" = Parameter() {element_type = $T, shape = $S}
  %1 = Constant() {value = $T[3]{1, -2, 0.5}}
  %2 = Constant() {value = $T[3]{0.25, 0, -1}}
  %3 = Constant() {value = $T[3]{4, -1, 0.125}}
  %4 = Constant() {value = $T[3]{1, 0.5, 7}}
  %5 = BatchNormInference(%0, %1, %2, %3, %4)
  %6 = Result(%5)
})",
                      {"[2,3]", "[2,3,5]", "[n,3,?,?]", "[?,3,2,2,2]", "[0,3,1]"});
}

TEST(DecomposeBatchNormInferenceTest, NeedsARank) {
  ExpectRefuses(&DecomposeBatchNormInference, R"(model "" {
  %0 "x" = Parameter() {shape = [...]}
  %1 "c" = Parameter() {shape = [4]}
  %2 = BatchNormInference(%0, %1, %1, %1, %1)
  %3 = Result(%2)
})",
                "The rank is not known");
}

}  // namespace
}  // namespace burin::snippets
