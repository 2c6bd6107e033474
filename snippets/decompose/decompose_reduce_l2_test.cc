#include <gtest/gtest.h>

#include <string>

#include "snippets/decompose/decompose_testlib.h"
#include "snippets/decompose/rules.h"

namespace burin::snippets {
namespace {

TEST(DecomposeReduceL2Test, IsARootOfASum) {
  ExpectRewrites(&DecomposeReduceL2,
                 R"(model "" {
  %0 "x" = Parameter() {element_type = f16, shape = [n,4,?]}
  %1 = Constant() {value = i64[1]{-1}}
  %2 = ReduceL2(%0, %1)
  %3 = Result(%2)
})",
                 R"(model "" {
  %0 "x" = Parameter() {element_type = f16, shape = [n,4,?]}
  %1 = Constant() {value = i64[1]{2}}
  %2 = Convert(%0) {destination_type = f32}
  %3 = Multiply(%2, %2)
  %4 = ReduceSum(%3, %1) {keep_dims = true}
  %5 = Sqrt(%4)
  %6 = Squeeze(%5, %1)
  %7 = Convert(%6) {destination_type = f16}
  %8 = Result(%7)
})");
}

TEST(DecomposeReduceL2Test, EveryTypeAndSize) {
  for (const char* axes : {"i64[1]{-1}", "i64[]{0}", "i32[2]{2, 0}", "i64[0]{}"}) {
    for (const char* keep : {"true", "false"}) {
      ExpectDecomposesAll(std::string(R"(model "" {
  %0 "x" = Parameter() {element_type = $T, shape = $S}
  %1 = Constant() {value = )") +
                              axes + R"(}
  %2 = ReduceL2(%0, %1) {keep_dims = )" +
                              keep + R"(}
  %3 = Result(%2)
})",
                          {"[3,4,5]", "[2,0,3]", "[n,?,1..9]", "[2,7,19]"});
    }
  }
}

TEST(DecomposeReduceL2Test, SumsOfSquaresOfIntegersAreRefused) {
  ExpectRefuses(&DecomposeReduceL2, R"(model "" {
  %0 "x" = Parameter() {element_type = i32, shape = [4,3]}
  %1 = Constant() {value = i64[1]{1}}
  %2 = ReduceL2(%0, %1)
  %3 = Result(%2)
})",
                "A sum of squares of integers");
}

TEST(DecomposeReduceL2Test, NeedsConstantAxes) {
  ExpectRefuses(&DecomposeReduceL2, R"(model "" {
  %0 "x" = Parameter() {shape = [4,3]}
  %1 "axes" = Parameter() {element_type = i64, shape = [1]}
  %2 = ReduceL2(%0, %1)
  %3 = Result(%2)
})",
                "The axes are not constant");
}

}  // namespace
}  // namespace burin::snippets
