#include <gtest/gtest.h>

#include <string>

#include "snippets/decompose/decompose_testlib.h"
#include "snippets/decompose/rules.h"

namespace burin::snippets {
namespace {

TEST(NormalizeReductionTest, DimensionsGoBehindTheReduction) {
  ExpectRewrites(&NormalizeReduction,
                 R"(model "" {
  %0 "x" = Parameter() {element_type = f16, shape = [n,4,?]}
  %1 = Constant() {value = i32[2]{-1, 0}}
  %2 = ReduceSum(%0, %1)
  %3 = Result(%2)
})",
                 R"(model "" {
  %0 "x" = Parameter() {element_type = f16, shape = [n,4,?]}
  %1 = Constant() {value = i64[2]{0, 2}}
  %2 = ReduceSum(%0, %1) {keep_dims = true}
  %3 = Squeeze(%2, %1)
  %4 = Result(%3)
})");
}

TEST(NormalizeReductionTest, AScalarAxisFromTheEnd) {
  ExpectRewrites(&NormalizeReduction,
                 R"(model "" {
  %0 "x" = Parameter() {shape = [n,4,?]}
  %1 = Constant() {value = i64[]{-2}}
  %2 = ReduceMax(%0, %1) {keep_dims = true}
  %3 = Result(%2)
})",
                 R"(model "" {
  %0 "x" = Parameter() {shape = [n,4,?]}
  %1 = Constant() {value = i64[1]{1}}
  %2 = ReduceMax(%0, %1) {keep_dims = true}
  %3 = Result(%2)
})");
}

TEST(NormalizeReductionTest, OverNoAxesNothingHappens) {
  for (const char* op : {"ReduceSum", "ReduceMean", "ReduceMax", "ReduceMin", "ReduceProd"}) {
    ExpectRewrites(&NormalizeReduction, std::string(R"(model "" {
  %0 "x" = Parameter() {shape = [n,4,?]}
  %1 = Constant() {value = i64[0]{}}
  %2 = )") + op + R"((%0, %1)
  %3 = Relu(%2)
  %4 = Result(%3)
})",
                   R"(model "" {
  %0 "x" = Parameter() {shape = [n,4,?]}
  %3 = Relu(%0)
  %4 = Result(%3)
})");
  }
}

TEST(NormalizeReductionTest, EveryReductionTypeAndSize) {
  for (const char* op : {"ReduceSum", "ReduceMean", "ReduceMax", "ReduceMin", "ReduceProd"}) {
    for (const char* type : {"f32", "bf16", "i32", "u8"}) {
      for (const char* axes : {"i64[1]{-1}", "i64[2]{2, 0}", "i64[0]{}"}) {
        SCOPED_TRACE(op);
        ExpectDecomposes(std::string(R"(model "" {
  %0 "x" = Parameter() {element_type = )") +
                         type + R"(, shape = [?,3,1..4]}
  %1 = Constant() {value = )" +
                         axes + R"(}
  %2 = )" + op + R"((%0, %1)
  %3 = Result(%2)
})");
      }
    }
  }
}

TEST(NormalizeReductionTest, LeavesANormalOne) {
  ExpectUnchanged(&NormalizeReduction, R"(model "" {
  %0 "x" = Parameter() {shape = [n,4,?]}
  %1 = Constant() {value = i64[2]{0, 2}}
  %2 = ReduceSum(%0, %1) {keep_dims = true}
  %3 = Result(%2)
})");
}

TEST(NormalizeReductionTest, NeedsConstantAxesAndARank) {
  ExpectRefuses(&NormalizeReduction, R"(model "" {
  %0 "x" = Parameter() {shape = [4,3]}
  %1 "axes" = Parameter() {element_type = i64, shape = [1]}
  %2 = ReduceSum(%0, %1) {keep_dims = true}
  %3 = Result(%2)
})",
                "The axes are not constant");
  ExpectRefuses(&NormalizeReduction, R"(model "" {
  %0 "x" = Parameter() {shape = [...]}
  %1 = Constant() {value = i64[1]{0}}
  %2 = ReduceSum(%0, %1) {keep_dims = true}
  %3 = Result(%2)
})",
                "The rank is not known");
}

}  // namespace
}  // namespace burin::snippets
