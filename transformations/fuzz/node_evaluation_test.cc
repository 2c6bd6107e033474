#include "transformations/fuzz/node_evaluation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>

#include "ir/evaluator.h"
#include "ir/model.h"
#include "ir/ops/op_testlib.h"
#include "ir/tensor.h"
#include "ir/text.h"
#include "testing/gtest/status_matchers.h"

namespace burin::transformations {
namespace {

TEST(NodeEvaluationTest, EvaluatesANodeWithABody) {
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<ir::Model> model, ir::ParseModel(R"(model "" {
    %0 "c" = Parameter() {element_type = boolean, shape = []}
    %1 "x" = Parameter() {shape = [2]}
    %2 "if" = If(%0, %1, %1) {then_inputs = [1], else_inputs = [2]}
      model "then" {
        %0 "p" = Parameter() {shape = [2]}
        %1 "y" = Negative(%0)
        %2 "r" = Result(%1)
      }
      model "else" {
        %0 "p" = Parameter() {shape = [2]}
        %1 "r" = Result(%0)
      }
    %3 "out" = Result(%2)
  })"));
  const ir::Tensor x = ir::F32({2}, {1, 2});
  ir::MapVariableStore variables;
  const ir::Node& node = model->node(model->FindNode("if"));
  ASSERT_OK_AND_ASSIGN(const auto taken, EvaluateNode(node, {ir::Bool({}, {1}), x, x}, &variables));
  ir::ExpectTensorEq(taken[0], ir::F32({2}, {-1, -2}));
  ASSERT_OK_AND_ASSIGN(const auto other, EvaluateNode(node, {ir::Bool({}, {0}), x, x}, &variables));
  ir::ExpectTensorEq(other[0], x);
}

TEST(NodeEvaluationTest, AssignsToTheVariablesGiven) {
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<ir::Model> model, ir::ParseModel(R"(model "" {
    variable "v" : f32[1]
    %0 "x" = Parameter() {shape = [1]}
    %1 "a" = Assign(%0) {variable_id = "v"}
  })"));
  ir::MapVariableStore variables;
  ASSERT_OK(EvaluateNode(model->node(model->FindNode("a")), {ir::F32({1}, {3})}, &variables).status());
  ASSERT_NE(variables.Find("v"), nullptr);
  ir::ExpectTensorEq(*variables.Find("v"), ir::F32({1}, {3}));
}

}  // namespace
}  // namespace burin::transformations
