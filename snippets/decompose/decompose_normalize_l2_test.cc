#include <gtest/gtest.h>

#include <string>

#include "ir/ops/op_testlib.h"
#include "ir/tensor.h"
#include "snippets/decompose/decompose_testlib.h"
#include "snippets/decompose/rules.h"

namespace burin::snippets {
namespace {

TEST(DecomposeNormalizeL2Test, EpsilonAdded) {
  ExpectRewrites(&DecomposeNormalizeL2,
                 R"(model "" {
  %0 "x" = Parameter() {shape = [n,4,?]}
  %1 = Constant() {value = i32[]{-2}}
  %2 = NormalizeL2(%0, %1) {eps = 0.25}
  %3 = Result(%2)
})",
                 R"(model "" {
  %0 "x" = Parameter() {shape = [n,4,?]}
  %1 = Constant() {value = i64[1]{1}}
  %2 = Multiply(%0, %0)
  %3 = ReduceSum(%2, %1) {keep_dims = true}
  %4 = Constant() {value = f32[]{0.25}}
  %5 = Add(%3, %4)
  %6 = Sqrt(%5)
  %7 = Constant() {value = f32[]{1}}
  %8 = Divide(%7, %6)
  %9 = Multiply(%0, %8)
  %10 = Result(%9)
})");
}

TEST(DecomposeNormalizeL2Test, EpsilonAsTheLeastSum) {
  ExpectRewrites(&DecomposeNormalizeL2,
                 R"(model "" {
  %0 "x" = Parameter() {shape = [n,4]}
  %1 = Constant() {value = i64[2]{0, 1}}
  %2 = NormalizeL2(%0, %1) {eps = 0.25, eps_mode = max}
  %3 = Result(%2)
})",
                 R"(model "" {
  %0 "x" = Parameter() {shape = [n,4]}
  %1 = Constant() {value = i64[2]{0, 1}}
  %2 = Multiply(%0, %0)
  %3 = ReduceSum(%2, %1) {keep_dims = true}
  %4 = Constant() {value = f32[]{0.25}}
  %5 = Maximum(%3, %4)
  %6 = Sqrt(%5)
  %7 = Constant() {value = f32[]{1}}
  %8 = Divide(%7, %6)
  %9 = Multiply(%0, %8)
  %10 = Result(%9)
})");
}

TEST(DecomposeNormalizeL2Test, EveryTypeModeAndSize) {
  for (const char* axes : {"i64[1]{-1}", "i64[]{1}", "i64[2]{2, 0}", "i64[0]{}"}) {
    for (const char* mode : {"add", "max"}) {
      ExpectDecomposesAll(std::string(R"(model "" {
  %0 "x" = Parameter() {element_type = $T, shape = $S}
  %1 = Constant() {value = )") +
                              axes + R"(}
  %2 = NormalizeL2(%0, %1) {eps = 0.001, eps_mode = )" +
                              mode + R"(}
  %3 = Result(%2)
})",
                          {"[3,4,5]", "[2,0,3]", "[n,?,1..9]", "[2,7,19]"});
    }
  }
}

TEST(DecomposeNormalizeL2Test, ZerosStayZeros) {
  for (const char* mode : {"add", "max"}) {
    ExpectDecomposes(std::string(R"(model "" {
  %0 "x" = Parameter() {shape = [2,2]}
  %1 = Constant() {value = i64[1]{1}}
  %2 = NormalizeL2(%0, %1) {eps = 1e-60, eps_mode = )") +
                         mode + R"(}
  %3 = Result(%2)
})",
                     {{ir::F32({2, 2}, {0, 0, 1, 2})}});
  }
}

TEST(DecomposeNormalizeL2Test, NeedsConstantAxes) {
  ExpectRefuses(&DecomposeNormalizeL2, R"(model "" {
  %0 "x" = Parameter() {shape = [4,3]}
  %1 "axes" = Parameter() {element_type = i64, shape = [1]}
  %2 = NormalizeL2(%0, %1)
  %3 = Result(%2)
})",
                "The axes are not constant");
}

}  // namespace
}  // namespace burin::snippets
