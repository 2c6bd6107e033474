#include <gtest/gtest.h>

#include <string>

#include "snippets/decompose/decompose_testlib.h"
#include "snippets/decompose/rules.h"

namespace burin::snippets {
namespace {

TEST(DecomposePReluTest, ASlopePerChannel) {
  ExpectRewrites(&DecomposePRelu,
                 R"(model "" {
  %0 "x" = Parameter() {shape = [n,4,?,4]}
  %1 "slope" = Parameter() {shape = [4]}
  %2 = PRelu(%0, %1)
  %3 = Result(%2)
})",
                 R"(model "" {
  %0 "x" = Parameter() {shape = [n,4,?,4]}
  %1 "slope" = Parameter() {shape = [4]}
  %2 = Constant() {value = i64[2]{1, 2}}
  %3 = Unsqueeze(%1, %2)
  %4 = PRelu(%0, %3)
  %5 = Result(%4)
})");
}

TEST(DecomposePReluTest, ChannelsOfUnknownNumberThatNothingElseFits) {
  ExpectRewrites(&DecomposePRelu,
                 R"(model "" {
  %0 "x" = Parameter() {element_type = f16, shape = [n,3..5,7]}
  %1 "slope" = Parameter() {element_type = f16, shape = [c]}
  %4 "y" = Parameter() {element_type = f16, shape = [n,c,7]}
  %2 = PRelu(%4, %1)
  %3 = Result(%2)
})",
                 R"(model "" {
  %0 "x" = Parameter() {element_type = f16, shape = [n,3..5,7]}
  %1 "slope" = Parameter() {element_type = f16, shape = [c]}
  %6 "y" = Parameter() {element_type = f16, shape = [n,c,7]}
  %2 = Constant() {value = i64[1]{1}}
  %3 = Unsqueeze(%1, %2)
  %4 = PRelu(%6, %3)
  %5 = Result(%4)
})");
}

TEST(DecomposePReluTest, NumPysRuleStays) {
  for (const char* shapes : {"[2,4] [4]", "[n,?,5] [1]", "[2,3,4] [4]", "[2,4,5] [4,1]", "[4] [4]", "[2,4,5] []"}) {
    const std::string text = shapes;
    const size_t space = text.find(' ');
    ExpectUnchanged(&DecomposePRelu, R"(model "" {
  %0 "x" = Parameter() {shape = )" + text.substr(0, space) +
                                         R"(}
  %1 "slope" = Parameter() {shape = )" + text.substr(space + 1) +
                                         R"(}
  %2 = PRelu(%0, %1)
  %3 = Result(%2)
})");
  }
}

TEST(DecomposePReluTest, RefusesWhatMayBeEither) {
  ExpectRefuses(&DecomposePRelu, R"(model "" {
  %0 "x" = Parameter() {shape = [2,?,?]}
  %1 "slope" = Parameter() {shape = [4]}
  %2 = PRelu(%0, %1)
  %3 = Result(%2)
})",
                "which dimension the slope runs along");
}

}  // namespace
}  // namespace burin::snippets
