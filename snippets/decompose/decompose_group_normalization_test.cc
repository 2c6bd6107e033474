#include <gtest/gtest.h>

#include <string>

#include "snippets/decompose/decompose_testlib.h"
#include "snippets/decompose/rules.h"

namespace burin::snippets {
namespace {

std::string Normalization(const std::string& groups, const std::string& channels) {
  return R"(model "" {
  %0 "x" = Parameter() {element_type = $T, shape = $S}
  %1 "scale" = Parameter() {element_type = $T, shape = [)" +
         channels + R"(]}
  %2 "bias" = Parameter() {element_type = $T, shape = [)" +
         channels + R"(]}
  %3 = GroupNormalization(%0, %1, %2) {num_groups = )" +
         groups + R"(}
  %4 = Result(%3)
})";
}

TEST(DecomposeGroupNormalizationTest, NormalisesAViewByGroups) {
  ExpectRewrites(&DecomposeGroupNormalization, R"(model "" {
  %0 "x" = Parameter() {shape = [n,6,?]}
  %1 "scale" = Parameter() {shape = [6]}
  %2 "bias" = Parameter() {shape = [6]}
  %3 = GroupNormalization(%0, %1, %2) {num_groups = 2, epsilon = 0.25}
  %4 = Result(%3)
})",
                 R"(model "" {
  %0 "x" = Parameter() {shape = [n,6,?]}
  %1 "scale" = Parameter() {shape = [6]}
  %2 "bias" = Parameter() {shape = [6]}
  %3 = Constant() {value = i64[1]{1}}
  %4 = Constant() {value = i64[4]{0, 2, 3, 0}}
  %5 = Unsqueeze(%0, %3)
  %6 = Reshape(%5, %4) {special_zero = true}
  %7 = Constant() {value = i64[2]{2, 3}}
  %8 = ReduceMean(%6, %7) {keep_dims = true}
  %9 = Subtract(%6, %8)
  %10 = Multiply(%9, %9)
  %11 = ReduceMean(%10, %7) {keep_dims = true}
  %12 = Constant() {value = f32[]{0.25}}
  %13 = Add(%11, %12)
  %14 = Sqrt(%13)
  %15 = Constant() {value = f32[]{1}}
  %16 = Divide(%15, %14)
  %17 = Multiply(%9, %16)
  %18 = Constant() {value = i64[1]{0}}
  %19 = Unsqueeze(%1, %3)
  %20 = Unsqueeze(%19, %18)
  %31 = Constant() {value = i64[3]{2, 3, 0}}
  %21 = Reshape(%20, %31) {special_zero = true}
  %22 = Multiply(%17, %21)
  %23 = Unsqueeze(%2, %3)
  %24 = Unsqueeze(%23, %18)
  %25 = Reshape(%24, %31) {special_zero = true}
  %26 = Add(%22, %25)
  %27 = Constant() {value = i64[4]{0, 1, 6, 0}}
  %28 = Reshape(%26, %27) {special_zero = true}
  %29 = Squeeze(%28, %3)
  %30 = Result(%29)
})");
}

TEST(DecomposeGroupNormalizationTest, EveryTypeAndSize) {
  for (const char* groups : {"1", "2", "6"}) {
    ExpectDecomposesAll(Normalization(groups, "6"),
                        {"[2,6]", "[2,6,5]", "[n,6,h,w]", "[?,6,2,?,3]", "[0,6,3]", "[1,6,1,1]"});
  }
}

TEST(DecomposeGroupNormalizationTest, ConstantScaleAndBias) {
  ExpectDecomposesAll(R"(model "" {
  %0 "x" = Parameter() {element_type = $T, shape = $S}
  %1 = Constant() {value = $T[4]{1, -2, 0.5, 3}}
  %2 = Constant() {value = $T[4]{0.25, 0, -1, 2}}
  %3 = GroupNormalization(%0, %1, %2) {num_groups = 2}
  %4 = Result(%3)
})",
                      {"[2,4,5]", "[n,4,h,w]"});
}

TEST(DecomposeGroupNormalizationTest, NeedsTheNumberOfChannels) {
  ExpectRefuses(&DecomposeGroupNormalization, R"(model "" {
  %0 "x" = Parameter() {shape = [2,c,5]}
  %1 "scale" = Parameter() {shape = [c]}
  %2 = GroupNormalization(%0, %1, %1) {num_groups = 2}
  %3 = Result(%2)
})",
                "The number of channels is not known, or 0");
  ExpectRefuses(&DecomposeGroupNormalization, R"(model "" {
  %0 "x" = Parameter() {shape = [...]}
  %1 "scale" = Parameter() {shape = [4]}
  %2 = GroupNormalization(%0, %1, %1) {num_groups = 2}
  %3 = Result(%2)
})",
                "The rank is not known");
}

}  // namespace
}  // namespace burin::snippets
