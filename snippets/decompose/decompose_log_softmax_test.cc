#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "ir/ops/op_testlib.h"
#include "ir/tensor.h"
#include "snippets/decompose/decompose_testlib.h"
#include "snippets/decompose/rules.h"

namespace burin::snippets {
namespace {

TEST(DecomposeLogSoftmaxTest, IsPrimitiveArithmetic) {
  ExpectRewrites(&DecomposeLogSoftmax,
                 R"(model "" {
  %0 "x" = Parameter() {shape = [n,?,5]}
  %1 = LogSoftmax(%0) {axis = 1}
  %2 = Result(%1)
})",
                 R"(model "" {
  %0 "x" = Parameter() {shape = [n,?,5]}
  %1 = Constant() {value = i64[1]{1}}
  %2 = ReduceMax(%0, %1) {keep_dims = true}
  %3 = Subtract(%0, %2)
  %4 = Exp(%3)
  %5 = ReduceSum(%4, %1) {keep_dims = true}
  %6 = Log(%5)
  %7 = Subtract(%3, %6)
  %8 = Result(%7)
})");
}

TEST(DecomposeLogSoftmaxTest, EveryTypeAxisAndSize) {
  for (const char* axis : {"0", "1", "-1"}) {
    SCOPED_TRACE(axis);
    ExpectDecomposesAll(std::string(R"(model "" {
  %0 "x" = Parameter() {element_type = $T, shape = $S}
  %1 = LogSoftmax(%0) {axis = )") +
                            axis + R"(}
  %2 = Result(%1)
})",
                        {"[3,4,5]", "[1,1,1]", "[2,0,3]", "[n,?,1..9]", "[2,n,n,3]"});
  }
}

TEST(DecomposeLogSoftmaxTest, InfinitiesAndNaNs) {
  const double inf = std::numeric_limits<double>::infinity();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const ir::Tensor special = ir::F32({5, 3}, {-inf, -inf, -inf, -inf, 1, 2, inf, 1, 2, nan, 1, 2, 3e38, -3e38, 0});
  ExpectDecomposes(R"(model "" {
  %0 "x" = Parameter() {shape = [?,3]}
  %1 = LogSoftmax(%0)
  %2 = Result(%1)
})",
                   {{special}});
}

TEST(DecomposeLogSoftmaxTest, NeedsARank) {
  ExpectRefuses(&DecomposeLogSoftmax, R"(model "" {
  %0 "x" = Parameter() {shape = [...]}
  %1 = LogSoftmax(%0)
  %2 = Result(%1)
})",
                "The rank is not known");
}

TEST(DecomposeLogSoftmaxTest, LeavesOtherOperations) {
  ExpectUnchanged(&DecomposeLogSoftmax, R"(model "" {
  %0 "x" = Parameter() {shape = [4,3]}
  %1 = Softmax(%0)
  %2 = Result(%1)
})");
}

}  // namespace
}  // namespace burin::snippets
