#include <gtest/gtest.h>

#include <string>

#include "ir/ops/op_testlib.h"
#include "snippets/decompose/decompose_testlib.h"
#include "snippets/decompose/rules.h"

namespace burin::snippets {
namespace {

TEST(DecomposeReduceL1Test, FloatsThatDropDimensions) {
  ExpectRewrites(&DecomposeReduceL1,
                 R"(model "" {
  %0 "x" = Parameter() {shape = [n,4,?]}
  %1 = Constant() {value = i64[2]{-1, 0}}
  %2 = ReduceL1(%0, %1)
  %3 = Result(%2)
})",
                 R"(model "" {
  %0 "x" = Parameter() {shape = [n,4,?]}
  %1 = Constant() {value = i64[2]{0, 2}}
  %2 = Abs(%0)
  %3 = ReduceSum(%2, %1) {keep_dims = true}
  %4 = Squeeze(%3, %1)
  %5 = Result(%4)
})");
}

TEST(DecomposeReduceL1Test, UnsignedIntegersThatKeepDimensions) {
  ExpectRewrites(&DecomposeReduceL1,
                 R"(model "" {
  %0 "x" = Parameter() {element_type = u8, shape = [n,4]}
  %1 = Constant() {value = i64[1]{1}}
  %2 = ReduceL1(%0, %1) {keep_dims = true}
  %3 = Result(%2)
})",
                 R"(model "" {
  %0 "x" = Parameter() {element_type = u8, shape = [n,4]}
  %1 = Constant() {value = i64[1]{1}}
  %2 = ReduceSum(%0, %1) {keep_dims = true}
  %3 = Result(%2)
})");
}

TEST(DecomposeReduceL1Test, SignedIntegersWrapAlike) {
  const std::string text = R"(model "" {
  %0 "x" = Parameter() {element_type = i8, shape = [?,4]}
  %1 = Constant() {value = i64[1]{1}}
  %2 = ReduceL1(%0, %1)
  %3 = Result(%2)
})";
  ExpectDecomposes(text, {{ir::I8({2, 4}, {-128, 1, 2, -3, -128, -128, 127, -1})}});
}

TEST(DecomposeReduceL1Test, EveryTypeAndSize) {
  for (const char* axes : {"i64[1]{-1}", "i64[]{0}", "i32[2]{2, 0}", "i64[0]{}"}) {
    ExpectDecomposesAll(std::string(R"(model "" {
  %0 "x" = Parameter() {element_type = $T, shape = $S}
  %1 = Constant() {value = )") +
                            axes + R"(}
  %2 = ReduceL1(%0, %1)
  %3 = Result(%2)
})",
                        {"[3,4,5]", "[2,0,3]", "[n,?,1..9]", "[2,7,19]"});
  }
}

TEST(DecomposeReduceL1Test, NeedsConstantAxes) {
  ExpectRefuses(&DecomposeReduceL1, R"(model "" {
  %0 "x" = Parameter() {shape = [4,3]}
  %1 "axes" = Parameter() {element_type = i64, shape = [1]}
  %2 = ReduceL1(%0, %1)
  %3 = Result(%2)
})",
                "The axes are not constant");
}

}  // namespace
}  // namespace burin::snippets
