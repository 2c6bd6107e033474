#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "ir/ops/op_testlib.h"
#include "ir/tensor.h"
#include "snippets/decompose/decompose_testlib.h"
#include "snippets/decompose/rules.h"

namespace burin::snippets {
namespace {

TEST(DecomposeSoftmaxTest, IsPrimitiveArithmetic) {
  ExpectRewrites(&DecomposeSoftmax,
                 R"(model "" {
  %0 "x" = Parameter() {shape = [n,?,5]}
  %1 = Softmax(%0) {axis = -1}
  %2 = Result(%1)
})",
                 R"(model "" {
  %0 "x" = Parameter() {shape = [n,?,5]}
  %1 = Constant() {value = i64[1]{2}}
  %2 = ReduceMax(%0, %1) {keep_dims = true}
  %3 = Subtract(%0, %2)
  %4 = Exp(%3)
  %5 = ReduceSum(%4, %1) {keep_dims = true}
  %6 = Constant() {value = f32[]{1}}
  %7 = Divide(%6, %5)
  %8 = Multiply(%4, %7)
  %9 = Result(%8)
})");
}

TEST(DecomposeSoftmaxTest, ComputesInF32) {
  ExpectRewrites(&DecomposeSoftmax,
                 R"(model "" {
  %0 "x" = Parameter() {element_type = f16, shape = [4,5]}
  %1 = Softmax(%0) {axis = 0}
  %2 = Result(%1)
})",
                 R"(model "" {
  %0 "x" = Parameter() {element_type = f16, shape = [4,5]}
  %10 = Convert(%0) {destination_type = f32}
  %1 = Constant() {value = i64[1]{0}}
  %2 = ReduceMax(%10, %1) {keep_dims = true}
  %3 = Subtract(%10, %2)
  %4 = Exp(%3)
  %5 = ReduceSum(%4, %1) {keep_dims = true}
  %6 = Constant() {value = f32[]{1}}
  %7 = Divide(%6, %5)
  %8 = Multiply(%4, %7)
  %11 = Convert(%8) {destination_type = f16}
  %9 = Result(%11)
})");
}

TEST(DecomposeSoftmaxTest, EveryTypeAxisAndSize) {
  for (const char* axis : {"0", "1", "-1", "-3"}) {
    SCOPED_TRACE(axis);
    ExpectDecomposesAll(std::string(R"(model "" {
  %0 "x" = Parameter() {element_type = $T, shape = $S}
  %1 = Softmax(%0) {axis = )") +
                            axis + R"(}
  %2 = Result(%1)
})",
                        {"[3,4,5]", "[1,1,1]", "[2,0,3]", "[n,?,1..9]", "[?,?,37]", "[2,n,n,3]"});
  }
}

TEST(DecomposeSoftmaxTest, InfinitiesAndNaNs) {
  const double inf = std::numeric_limits<double>::infinity();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const ir::Tensor special = ir::F32({6, 3}, {-inf, -inf, -inf, -inf, 1, 2, inf, 1, 2, nan, 1, 2,  //
                                              1, nan, 2, 3e38, -3e38, 0});
  ExpectDecomposes(R"(model "" {
  %0 "x" = Parameter() {shape = [?,3]}
  %1 = Softmax(%0)
  %2 = Result(%1)
})",
                   {{special}});
}

TEST(DecomposeSoftmaxTest, NeedsARank) {
  ExpectRefuses(&DecomposeSoftmax, R"(model "" {
  %0 "x" = Parameter() {shape = [...]}
  %1 = Softmax(%0)
  %2 = Result(%1)
})",
                "The rank is not known");
}

TEST(DecomposeSoftmaxTest, LeavesOtherOperations) {
  ExpectUnchanged(&DecomposeSoftmax, R"(model "" {
  %0 "x" = Parameter() {shape = [4,3]}
  %1 = LogSoftmax(%0)
  %2 = Result(%1)
})");
}

}  // namespace
}  // namespace burin::snippets
