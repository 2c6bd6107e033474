#include "runtime/readers/onnx/scope.h"

#include "ir/ops/ops.h"
#include "testing/gtest/status_matchers.h"

namespace burin::onnx {
namespace {

using ::testing::ElementsAre;

class ScopeTest : public ::testing::Test {
 protected:
  Scope::Binding Parameter(const char* name) {
    return Scope::Binding{*model_.AddParameter(name, ElementType::kF32, {2})};
  }

  ir::Model model_;
  ir::Model body_;
  ReadBudget budget_{0};
  TensorImporter tensors_{nullptr, ExternalSource(), &budget_};
};

TEST_F(ScopeTest, DefinesEachNameOnce) {
  Scope scope(&model_, nullptr, &tensors_, &budget_, true);
  EXPECT_OK(scope.Define("x", Parameter("p")));
  EXPECT_THAT(scope.Define("x", Parameter("q")), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(scope.Define("", Parameter("r")), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_TRUE(scope.Knows("x"));
  EXPECT_FALSE(scope.Knows("y"));
  ASSERT_OK_AND_ASSIGN(const auto found, scope.Find("x"));
  EXPECT_THAT(model_.node(found->value.node).output_names(0), ElementsAre("x"));
  ASSERT_OK_AND_ASSIGN(const auto unknown, scope.Find("y"));
  EXPECT_FALSE(unknown.has_value());
}

TEST_F(ScopeTest, InitialisersBecomeConstantsWhenRead) {
  TensorMessage tensor;
  tensor.data_type = 1;
  tensor.has_raw_data = true;
  tensor.dims = {0};
  Scope scope(&model_, nullptr, &tensors_, &budget_, true);
  ASSERT_OK(scope.DefineInitializer("w", &tensor));
  EXPECT_EQ(model_.node_count(), 0);
  ASSERT_OK_AND_ASSIGN(const auto first, scope.Find("w"));
  ASSERT_OK_AND_ASSIGN(const auto second, scope.Find("w"));
  EXPECT_EQ(first->value, second->value);
  EXPECT_EQ(model_.node_count(), 1);
}

TEST_F(ScopeTest, OuterValuesAreCapturedOnce) {
  Scope outer(&model_, nullptr, &tensors_, &budget_, true);
  const Scope::Binding x = Parameter("p");
  ASSERT_OK(outer.Define("x", x));
  Scope inner(&body_, &outer, &tensors_, &budget_, true);
  EXPECT_TRUE(inner.Knows("x"));
  ASSERT_OK_AND_ASSIGN(const auto first, inner.Find("x"));
  ASSERT_OK_AND_ASSIGN(const auto second, inner.Find("x"));
  EXPECT_EQ(first->value, second->value);
  EXPECT_THAT(inner.captures(), ElementsAre(x.value));
  ASSERT_EQ(body_.parameters().size(), 1u);
  EXPECT_EQ(body_.info(first->value).shape.ToString(), "[2]");
}

TEST_F(ScopeTest, OuterConstantsAreMadeAgain) {
  Scope outer(&model_, nullptr, &tensors_, &budget_, true);
  ASSERT_OK_AND_ASSIGN(const ir::Tensor tensor, ir::Tensor::CreateZeroed(ElementType::kF32, {3}));
  ASSERT_OK_AND_ASSIGN(const ir::Value constant, model_.AddConstant(tensor));
  ASSERT_OK(outer.Define("c", Scope::Binding{constant}));
  Scope inner(&body_, &outer, &tensors_, &budget_, true);
  ASSERT_OK_AND_ASSIGN(const auto found, inner.Find("c"));
  EXPECT_TRUE(inner.captures().empty());
  EXPECT_EQ(body_.node(found->value.node).code(), ir::OpCode::kConstant);
  EXPECT_EQ(body_.info(found->value).constant.data(), tensor.data());
}

TEST_F(ScopeTest, UnusableNamesStayUnusable) {
  Scope outer(&model_, nullptr, &tensors_, &budget_, true);
  ASSERT_OK(outer.Define("x", Scope::Binding{ir::Value::None(), false}));
  Scope inner(&body_, &outer, &tensors_, &budget_, true);
  ASSERT_OK_AND_ASSIGN(const auto found, inner.Find("x"));
  ASSERT_TRUE(found.has_value());
  EXPECT_FALSE(found->usable);
}

}  // namespace
}  // namespace burin::onnx
