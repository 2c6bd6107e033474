#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "ir/ops/op_testlib.h"
#include "ir/tensor.h"
#include "snippets/decompose/decompose_testlib.h"
#include "snippets/decompose/rules.h"

namespace burin::snippets {
namespace {

std::string Mvn(const std::string& axes, const std::string& attributes) {
  return R"(model "" {
  %0 "x" = Parameter() {element_type = $T, shape = $S}
  %1 = Constant() {value = )" +
         axes + R"(}
  %2 = MVN(%0, %1) {)" +
         attributes + R"(}
  %3 = Result(%2)
})";
}

TEST(DecomposeMVNTest, EpsilonInsideTheRoot) {
  ExpectRewrites(&DecomposeMVN,
                 R"(model "" {
  %0 "x" = Parameter() {shape = [n,4,?]}
  %1 = Constant() {value = i32[2]{-1, 1}}
  %2 = MVN(%0, %1) {eps = 0.25}
  %3 = Result(%2)
})",
                 R"(model "" {
  %0 "x" = Parameter() {shape = [n,4,?]}
  %1 = Constant() {value = i64[2]{1, 2}}
  %2 = ReduceMean(%0, %1) {keep_dims = true}
  %3 = Subtract(%0, %2)
  %4 = Multiply(%3, %3)
  %5 = ReduceMean(%4, %1) {keep_dims = true}
  %6 = Constant() {value = f32[]{0.25}}
  %7 = Add(%5, %6)
  %8 = Sqrt(%7)
  %9 = Constant() {value = f32[]{1}}
  %10 = Divide(%9, %8)
  %11 = Multiply(%3, %10)
  %12 = Result(%11)
})");
}

TEST(DecomposeMVNTest, EpsilonOutsideTheRoot) {
  ExpectRewrites(&DecomposeMVN,
                 R"(model "" {
  %0 "x" = Parameter() {shape = [n,4,?]}
  %1 = Constant() {value = i64[1]{2}}
  %2 = MVN(%0, %1) {eps = 0.25, eps_mode = outside_sqrt}
  %3 = Result(%2)
})",
                 R"(model "" {
  %0 "x" = Parameter() {shape = [n,4,?]}
  %1 = Constant() {value = i64[1]{2}}
  %2 = ReduceMean(%0, %1) {keep_dims = true}
  %3 = Subtract(%0, %2)
  %4 = Multiply(%3, %3)
  %5 = ReduceMean(%4, %1) {keep_dims = true}
  %6 = Constant() {value = f32[]{0.25}}
  %7 = Sqrt(%5)
  %8 = Add(%7, %6)
  %9 = Constant() {value = f32[]{1}}
  %10 = Divide(%9, %8)
  %11 = Multiply(%3, %10)
  %12 = Result(%11)
})");
}

TEST(DecomposeMVNTest, MeanAlone) {
  ExpectRewrites(&DecomposeMVN,
                 R"(model "" {
  %0 "x" = Parameter() {element_type = bf16, shape = [n,4]}
  %1 = Constant() {value = i64[1]{1}}
  %2 = MVN(%0, %1) {normalize_variance = false}
  %3 = Result(%2)
})",
                 R"(model "" {
  %0 "x" = Parameter() {element_type = bf16, shape = [n,4]}
  %1 = Constant() {value = i64[1]{1}}
  %2 = Convert(%0) {destination_type = f32}
  %3 = ReduceMean(%2, %1) {keep_dims = true}
  %4 = Subtract(%2, %3)
  %5 = Convert(%4) {destination_type = bf16}
  %6 = Result(%5)
})");
}

TEST(DecomposeMVNTest, EveryTypeModeAndSize) {
  for (const char* axes : {"i64[1]{-1}", "i64[2]{1, 2}", "i32[3]{0, 2, 1}", "i64[0]{}"}) {
    for (const char* mode : {"eps = 0.00001", "eps = 0.01, eps_mode = outside_sqrt", "normalize_variance = false"}) {
      ExpectDecomposesAll(Mvn(axes, mode), {"[3,4,5]", "[2,0,3]", "[n,?,1..9]", "[2,7,19]"});
    }
  }
}

TEST(DecomposeMVNTest, ConstantSlicesAreZeroHoweverSmallEpsilonIs) {
  const std::vector<std::vector<ir::Tensor>> inputs = {{ir::F32({2, 3}, {7, 7, 7, 1, 2, 3})}};
  for (const char* eps : {"1e-9", "1e-45", "1e-300"}) {
    ExpectDecomposes(std::string(R"(model "" {
  %0 "x" = Parameter() {shape = [2,3]}
  %1 = Constant() {value = i64[1]{1}}
  %2 = MVN(%0, %1) {eps = )") +
                         eps + R"(}
  %3 = Result(%2)
})",
                     inputs);
  }
}

TEST(DecomposeMVNTest, NeedsConstantAxesAndARank) {
  ExpectRefuses(&DecomposeMVN, R"(model "" {
  %0 "x" = Parameter() {shape = [4,3]}
  %1 "axes" = Parameter() {element_type = i64, shape = [1]}
  %2 = MVN(%0, %1)
  %3 = Result(%2)
})",
                "The axes are not constant");
  ExpectRefuses(&DecomposeMVN, R"(model "" {
  %0 "x" = Parameter() {shape = [...]}
  %1 = Constant() {value = i64[1]{1}}
  %2 = MVN(%0, %1)
  %3 = Result(%2)
})",
                "The rank is not known");
}

}  // namespace
}  // namespace burin::snippets
