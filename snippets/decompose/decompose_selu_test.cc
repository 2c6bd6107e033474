#include <gtest/gtest.h>

#include "snippets/decompose/decompose_testlib.h"
#include "snippets/decompose/rules.h"

namespace burin::snippets {
namespace {

TEST(DecomposeSeluTest, ParametersThatVary) {
  ExpectRewrites(&DecomposeSelu,
                 R"(model "" {
  %0 "x" = Parameter() {shape = [n,4]}
  %1 "alpha" = Parameter() {shape = []}
  %2 "lambda" = Parameter() {shape = [1]}
  %3 = Selu(%0, %1, %2)
  %4 = Result(%3)
})",
                 R"(model "" {
  %0 "x" = Parameter() {shape = [n,4]}
  %1 "alpha" = Parameter() {shape = []}
  %2 "lambda" = Parameter() {shape = [1]}
  %3 = Constant() {value = i64[1]{0}}
  %4 = Squeeze(%2, %3)
  %5 = Constant() {value = f32[]{0}}
  %6 = Greater(%0, %5)
  %7 = Elu(%0)
  %8 = Multiply(%1, %7)
  %9 = Select(%6, %0, %8)
  %10 = Multiply(%4, %9)
  %11 = Result(%10)
})");
}

TEST(DecomposeSeluTest, EveryTypeAndSize) {
  ExpectDecomposesAll(R"(model "" {
  %0 "x" = Parameter() {element_type = $T, shape = $S}
  %1 "alpha" = Parameter() {element_type = $T, shape = [1]}
  %2 "lambda" = Parameter() {element_type = $T, shape = []}
  %3 = Selu(%0, %1, %2)
  %4 = Result(%3)
})",
                      {"[]", "[17]", "[n,?]"});
}

TEST(DecomposeSeluTest, ConstantParametersStay) {
  ExpectUnchanged(&DecomposeSelu, R"(model "" {
  %0 "x" = Parameter() {shape = [n,4]}
  %1 = Constant() {value = f32[]{1.5}}
  %2 = Constant() {value = f32[1]{2}}
  %3 = Selu(%0, %1, %2)
  %4 = Result(%3)
})");
}

}  // namespace
}  // namespace burin::snippets
