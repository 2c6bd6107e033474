#include "runtime/plugins/cpu/nodes/matmul_node.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "jit/kernels/gemm/gemm_spec.h"
#include "runtime/plugins/cpu/nodes/node_runner_testlib.h"

namespace burin::cpu {
namespace {

std::string MatMul(const std::string& a, const std::string& b, const std::string& attributes = "") {
  return absl::StrCat("model \"\" {\n  %0 \"a\" = Parameter() {element_type = f32, shape = ", a,
                      "}\n  %1 \"b\" = Parameter() {element_type = f32, shape = ", b, "}\n  %2 \"m\" = MatMul(%0, %1)",
                      attributes, "\n  %3 \"y\" = Result(%2)\n}");
}

constexpr double kRelative = 1e-5;

TEST(MatMulNodeTest, Matrices) {
  ExpectNode(MatMul("[5, 7]", "[7, 9]"), "MatMul", kRelative);
  ExpectNode(MatMul("[1, 33]", "[33, 65]"), "MatMul", kRelative);
  ExpectNode(MatMul("[40, 64]", "[64, 96]"), "MatMul", kRelative);
}

TEST(MatMulNodeTest, Transposed) {
  ExpectNode(MatMul("[7, 5]", "[7, 9]", " {transpose_a = true}"), "MatMul", kRelative);
  ExpectNode(MatMul("[5, 7]", "[9, 7]", " {transpose_b = true}"), "MatMul", kRelative);
  ExpectNode(MatMul("[3, 7, 5]", "[3, 9, 7]", " {transpose_a = true, transpose_b = true}"), "MatMul", kRelative);
}

TEST(MatMulNodeTest, Vectors) {
  ExpectNode(MatMul("[7]", "[7, 9]"), "MatMul", kRelative);
  ExpectNode(MatMul("[5, 7]", "[7]"), "MatMul", kRelative);
  ExpectNode(MatMul("[7]", "[7]"), "MatMul", kRelative);
  ExpectNode(MatMul("[7]", "[2, 7, 9]"), "MatMul", kRelative);
}

TEST(MatMulNodeTest, BatchesBroadcast) {
  ExpectNode(MatMul("[2, 3, 5, 7]", "[7, 9]"), "MatMul", kRelative);
  ExpectNode(MatMul("[5, 7]", "[2, 3, 7, 9]"), "MatMul", kRelative);
  ExpectNode(MatMul("[2, 1, 5, 7]", "[3, 7, 9]"), "MatMul", kRelative);
  ExpectNode(MatMul("[2, 3, 5, 7]", "[2, 1, 7, 9]"), "MatMul", kRelative);
}

TEST(MatMulNodeTest, NothingToSum) {
  ExpectNode(MatMul("[5, 0]", "[0, 9]"), "MatMul");
  ExpectNode(MatMul("[0, 7]", "[7, 9]"), "MatMul");
}

TEST(MatMulNodeTest, AConstantMatrixIsPacked) {
  ExpectNode(R"(model "" {
    %0 "a" = Parameter() {element_type = f32, shape = [4, 3]}
    %1 "b" = Constant() {value = f32[3, 2]{1, 2, 3, 4, 5, 6}}
    %2 "m" = MatMul(%0, %1)
    %3 "y" = Result(%2)
  })",
             "MatMul", kRelative);
}

TEST(MatMulNodeTest, ProductsThatShareBAreOne) {
  const jit::GemmSpec spec = MatMulSpec({}, {2, 3, 5, 7}, {7, 9});
  EXPECT_TRUE(spec.batch.empty());
  EXPECT_EQ(spec.m, 30);
  const jit::GemmSpec apart = MatMulSpec({}, {2, 3, 5, 7}, {2, 1, 7, 9});
  ASSERT_EQ(apart.batch.size(), 1);
  EXPECT_EQ(apart.m, 15);
}

}  // namespace
}  // namespace burin::cpu
