#include <gtest/gtest.h>

#include "snippets/decompose/decompose_testlib.h"
#include "snippets/decompose/rules.h"

namespace burin::snippets {
namespace {

TEST(DecomposeHardSigmoidTest, ParametersThatVary) {
  ExpectRewrites(&DecomposeHardSigmoid,
                 R"(model "" {
  %0 "x" = Parameter() {shape = [n,4]}
  %1 "alpha" = Parameter() {shape = []}
  %2 = Constant() {value = f32[]{0.5}}
  %3 = HardSigmoid(%0, %1, %2)
  %4 = Result(%3)
})",
                 R"(model "" {
  %0 "x" = Parameter() {shape = [n,4]}
  %1 "alpha" = Parameter() {shape = []}
  %2 = Constant() {value = f32[]{0.5}}
  %3 = Multiply(%1, %0)
  %4 = Add(%3, %2)
  %5 = Constant() {value = f32[]{1}}
  %6 = Minimum(%5, %4)
  %7 = Constant() {value = f32[]{0}}
  %8 = Maximum(%7, %6)
  %9 = Result(%8)
})");
}

TEST(DecomposeHardSigmoidTest, EveryTypeAndSize) {
  ExpectDecomposesAll(R"(model "" {
  %0 "x" = Parameter() {element_type = $T, shape = $S}
  %1 "alpha" = Parameter() {element_type = $T, shape = []}
  %2 "beta" = Parameter() {element_type = $T, shape = []}
  %3 = HardSigmoid(%0, %1, %2)
  %4 = Result(%3)
})",
                      {"[]", "[7]", "[n,?]"});
}

TEST(DecomposeHardSigmoidTest, ConstantParametersStay) {
  ExpectUnchanged(&DecomposeHardSigmoid, R"(model "" {
  %0 "x" = Parameter() {shape = [n,4]}
  %1 = Constant() {value = f32[]{0.2}}
  %2 = Constant() {value = f32[]{0.5}}
  %3 = HardSigmoid(%0, %1, %2)
  %4 = Result(%3)
})");
}

}  // namespace
}  // namespace burin::snippets
