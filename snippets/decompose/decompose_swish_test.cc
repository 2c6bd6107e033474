#include <gtest/gtest.h>

#include "snippets/decompose/decompose_testlib.h"
#include "snippets/decompose/rules.h"

namespace burin::snippets {
namespace {

TEST(DecomposeSwishTest, ABetaThatVaries) {
  ExpectRewrites(&DecomposeSwish,
                 R"(model "" {
  %0 "x" = Parameter() {shape = [n,4]}
  %1 "beta" = Parameter() {shape = []}
  %2 = Swish(%0, %1)
  %3 = Result(%2)
})",
                 R"(model "" {
  %0 "x" = Parameter() {shape = [n,4]}
  %1 "beta" = Parameter() {shape = []}
  %2 = Multiply(%1, %0)
  %3 = Sigmoid(%2)
  %4 = Multiply(%0, %3)
  %5 = Result(%4)
})");
}

TEST(DecomposeSwishTest, EveryTypeAndSize) {
  ExpectDecomposesAll(R"(model "" {
  %0 "x" = Parameter() {element_type = $T, shape = $S}
  %1 "beta" = Parameter() {element_type = $T, shape = []}
  %2 = Swish(%0, %1)
  %3 = Result(%2)
})",
                      {"[]", "[17]", "[n,?]"});
}

TEST(DecomposeSwishTest, AConstantBetaStays) {
  ExpectUnchanged(&DecomposeSwish, R"(model "" {
  %0 "x" = Parameter() {shape = [n,4]}
  %1 = Constant() {value = f32[]{1.5}}
  %2 = Swish(%0, %1)
  %3 = Swish(%2)
  %4 = Result(%3)
})");
}

}  // namespace
}  // namespace burin::snippets
