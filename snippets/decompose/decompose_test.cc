#include "snippets/decompose/decompose.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "ir/model.h"
#include "ir/text.h"
#include "snippets/decompose/decompose_testlib.h"
#include "testing/gtest/status_matchers.h"

namespace burin::snippets {
namespace {

TEST(DecomposeTest, AttentionScores) {
  ExpectDecomposesAll(R"(model "" {
  %0 "scores" = Parameter() {element_type = $T, shape = [b,4,q,k]}
  %1 "mask" = Parameter() {element_type = $T, shape = [b,1,1,k]}
  %2 = Constant() {value = $T[]{0.125}}
  %3 = Multiply(%0, %2)
  %4 = Add(%3, %1)
  %5 = Softmax(%4) {axis = -1}
  %6 = Result(%5)
})",
                      {""});
}

TEST(DecomposeTest, LayerNormalisationWithScaleAndShift) {
  ExpectDecomposesAll(R"(model "" {
  %0 "x" = Parameter() {element_type = $T, shape = $S}
  %1 "residual" = Parameter() {element_type = $T, shape = $S}
  %2 = Add(%0, %1)
  %3 = Constant() {value = i64[1]{-1}}
  %4 = MVN(%2, %3) {eps = 0.00001}
  %5 = Constant() {value = $T[3]{1, 2, -0.5}}
  %6 = Multiply(%4, %5)
  %7 = Constant() {value = $T[3]{0.25, 0, 1}}
  %8 = Add(%6, %7)
  %9 = Gelu(%8)
  %10 = Result(%9)
  %11 = Result(%2)
})",
                      {"[n,m,3]", "[2,5,3]"});
}

TEST(DecomposeTest, OneBodyOfEverything) {
  ExpectDecomposes(R"(model "" {
  %0 "x" = Parameter() {shape = [n,3,4]}
  %1 = Constant() {value = i64[1]{2}}
  %2 = Constant() {value = f32[3]{1, 2, 3}}
  %3 = BatchNormInference(%0, %2, %2, %2, %2)
  %4 = PRelu(%0, %2)
  %5 = LogSoftmax(%0) {axis = 1}
  %6 = NormalizeL2(%0, %1)
  %7 = ReduceL1(%0, %1)
  %8 = ReduceL2(%0, %1) {keep_dims = true}
  %9 = Greater(%0, %8)
  %10 = ReduceLogicalOr(%9, %1) {keep_dims = true}
  %11 = Softmax(%0) {axis = 0}
  %12 = GroupNormalization(%0, %2, %2) {num_groups = 3}
  %13 = Result(%3)
  %14 = Result(%4)
  %15 = Result(%5)
  %16 = Result(%6)
  %17 = Result(%7)
  %18 = Result(%10)
  %19 = Result(%11)
  %20 = Result(%12)
})");
}

TEST(DecomposeTest, KeepsNamesOfTheUsersOperations) {
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<ir::Model> body, ir::ParseModel(R"(model "" {
  %0 "x" = Parameter() {shape = [n,3]}
  %1 "s" = Softmax(%0) names("probabilities") from("Softmax_12")
  %2 = Result(%1)
})"));
  ASSERT_OK(Decompose(*body));
  for (const ir::NodeId id : body->NodeIds()) {
    const ir::Node& node = body->node(id);
    if (node.input_count() == 0 || id == body->results()[0]) continue;
    EXPECT_THAT(node.original_names(), ::testing::ElementsAre("Softmax_12")) << ir::PrintNode(*body, id);
  }
  const ir::Value last = body->node(body->results()[0]).input(0);
  EXPECT_THAT(body->node(last.node).output_names(last.output), ::testing::ElementsAre("probabilities"));
}

TEST(DecomposeTest, ParametersThatNobodyReadsAnyMoreStay) {
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<ir::Model> body, ir::ParseModel(R"(model "" {
  %0 "x" = Parameter() {shape = [2,3]}
  %1 "shape" = Parameter() {element_type = i64, shape = [2]}
  %2 "y" = Parameter() {shape = [3]}
  %3 = ConvertLike(%2, %0)
  %4 = Add(%0, %3)
  %5 = Result(%4)
})"));
  ASSERT_OK(Decompose(*body));
  EXPECT_EQ(body->parameters().size(), 3u);
}

TEST(DecomposeTest, LeavesAPrimitiveBodyAsItIs) {
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<ir::Model> body, ir::ParseModel(R"(model "" {
  %0 "x" = Parameter() {element_type = f16, shape = [n,3]}
  %1 = HSwish(%0)
  %2 = Mish(%1)
  %3 = SoftPlus(%2)
  %4 = Gelu(%3) {approximation_mode = tanh}
  %5 = Constant() {value = f16[]{0.5}}
  %6 = Swish(%4, %5)
  %7 = HardSigmoid(%6, %5, %5)
  %8 = Selu(%7, %5, %5)
  %9 = FakeQuantize(%8, %5, %5, %5, %5)
  %10 = Result(%9)
})"));
  ASSERT_OK_AND_ASSIGN(const std::string before, ir::PrintModel(*body));
  ASSERT_OK(Decompose(*body));
  ASSERT_OK_AND_ASSIGN(const std::string after, ir::PrintModel(*body));
  EXPECT_EQ(after, before);
}

TEST(DecomposeTest, SaysWhatItCannotDecomposeAndWhy) {
  ExpectCannotDecompose(R"(model "" {
  %0 "x" = Parameter() {shape = [n,3]}
  %1 = Softmax(%0)
  %2 "product" = MatMul(%1, %0) {transpose_b = true}
  %3 = Result(%2)
})",
                        "Not an operation that a kernel is made of: 'product' (MatMul)");
  ExpectCannotDecompose(R"(model "" {
  %0 "x" = Parameter() {element_type = u64, shape = [n,3]}
  %1 "magnitude" = Abs(%0)
  %2 = Result(%1)
})",
                        "Kernels do not compute with the element type u64: 'magnitude' (Abs)");
  ExpectCannotDecompose(R"(model "" {
  %0 "x" = Parameter() {shape = [...]}
  %1 "s" = Softmax(%0)
  %2 = Result(%1)
})",
                        "The rank is not known: 's' (Softmax)");
}

}  // namespace
}  // namespace burin::snippets
