#include <gtest/gtest.h>

#include <string>

#include "snippets/decompose/decompose_testlib.h"
#include "snippets/decompose/rules.h"

namespace burin::snippets {
namespace {

std::string Reduction(const std::string& op, const std::string& shape, const std::string& attributes) {
  return R"(model "" {
  %0 "x" = Parameter() {element_type = boolean, shape = )" +
         shape + R"(}
  %1 = Constant() {value = i64[2]{-1, 0}}
  %2 = )" +
         op + R"((%0, %1) {)" + attributes + R"(}
  %3 = Result(%2)
})";
}

TEST(DecomposeReduceLogicalTest, AndIsTheLeast) {
  ExpectRewrites(&DecomposeReduceLogical, Reduction("ReduceLogicalAnd", "[n,4,?]", "keep_dims = true"),
                 R"(model "" {
  %0 "x" = Parameter() {element_type = boolean, shape = [n,4,?]}
  %1 = Constant() {value = i64[2]{0, 2}}
  %2 = Convert(%0) {destination_type = u8}
  %3 = ReduceMin(%2, %1) {keep_dims = true}
  %4 = Convert(%3) {destination_type = boolean}
  %5 = Result(%4)
})");
}

TEST(DecomposeReduceLogicalTest, OrIsTheGreatest) {
  ExpectRewrites(&DecomposeReduceLogical, Reduction("ReduceLogicalOr", "[n,4,?]", "keep_dims = false"),
                 R"(model "" {
  %0 "x" = Parameter() {element_type = boolean, shape = [n,4,?]}
  %1 = Constant() {value = i64[2]{0, 2}}
  %2 = Convert(%0) {destination_type = u8}
  %3 = ReduceMax(%2, %1) {keep_dims = true}
  %4 = Convert(%3) {destination_type = boolean}
  %5 = Squeeze(%4, %1)
  %6 = Result(%5)
})");
}

TEST(DecomposeReduceLogicalTest, EverySizeNoElementsAmongThem) {
  for (const char* op : {"ReduceLogicalAnd", "ReduceLogicalOr"}) {
    for (const char* shape : {"[1,1,1]", "[2,3,2]", "[0,3,2]", "[2,3,0]", "[?,3,?]"}) {
      for (const char* keep : {"keep_dims = true", "keep_dims = false"}) ExpectDecomposes(Reduction(op, shape, keep));
    }
  }
}

TEST(DecomposeReduceLogicalTest, NeedsConstantAxes) {
  ExpectRefuses(&DecomposeReduceLogical, R"(model "" {
  %0 "x" = Parameter() {element_type = boolean, shape = [4,3]}
  %1 "axes" = Parameter() {element_type = i64, shape = [1]}
  %2 = ReduceLogicalOr(%0, %1)
  %3 = Result(%2)
})",
                "The axes are not constant");
}

}  // namespace
}  // namespace burin::snippets
