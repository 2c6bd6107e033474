#include "runtime/plugins/cpu/nodes/nodes_factory.h"

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/model.h"
#include "runtime/plugins/cpu/nodes/node_runner_testlib.h"
#include "runtime/plugins/cpu/segments/cut_node.h"
#include "testing/gtest/status_matchers.h"

namespace burin::cpu {
namespace {

using ::testing::HasSubstr;

std::string TypeOf(absl::string_view text) {
  const std::unique_ptr<ir::Model> model = ParseOrDie(text);
  const auto node = MakeNode(OnlyNode(*model), HostContext(1));
  EXPECT_OK(node.status());
  return node.ok() ? (*node)->type_name() : "";
}

TEST(NodesFactoryTest, WhatHasNoKernelRunsByReference) {
  EXPECT_EQ(TypeOf(R"(model "" {
    %0 "a" = Parameter() {element_type = i32, shape = [5, 7]}
    %1 "b" = Parameter() {element_type = i32, shape = [7, 9]}
    %2 "m" = MatMul(%0, %1)
    %3 "y" = Result(%2)
  })"),
            "Reference");
  EXPECT_EQ(TypeOf(R"(model "" {
    %0 "a" = Parameter() {element_type = f32, shape = [5, 7]}
    %1 "b" = Parameter() {element_type = f32, shape = [7, 9]}
    %2 "m" = MatMul(%0, %1)
    %3 "y" = Result(%2)
  })"),
            "MatMul");
}

TEST(NodesFactoryTest, WhatHasAStateRunsBetweenGraphs) {
  const std::unique_ptr<ir::Model> model = ParseOrDie(R"(model "" {
    variable "v" : f32[2]
    %0 "x" = Parameter() {element_type = f32, shape = [2]}
    %1 "r" = ReadValue(%0) {variable_id = "v", variable_type = f32, variable_shape = [2]}
    %2 "y" = Result(%1)
  })");
  ASSERT_OK_AND_ASSIGN(const auto node, MakeNode(OnlyNode(*model), HostContext(1)));
  EXPECT_STREQ(node->type_name(), "ReadValue");
  EXPECT_THAT(MakeReferenceNode(OnlyNode(*model)).status(),
              StatusIs(absl::StatusCode::kUnimplemented, HasSubstr("has a state")));
}

TEST(NodesFactoryTest, BodiesHaveNodesOfTheirOwn) {
  const std::unique_ptr<ir::Model> model = ParseOrDie(R"(model "" {
    %0 "c" = Parameter() {element_type = boolean, shape = []}
    %1 "x" = Parameter() {element_type = f32, shape = [4, 2]}
    %2 "if" = If(%0, %1) {then_inputs = [1], else_inputs = [1]}
      model "then" {
        %0 "a" = Parameter() {element_type = f32, shape = [4, 2]}
        %1 "o" = Constant() {value = i64[2]{1, 0}}
        %2 "t" = Transpose(%0, %1)
        %3 "r" = Result(%2)
      }
      model "else" {
        %0 "a" = Parameter() {element_type = f32, shape = [4, 2]}
        %1 "r" = Result(%0)
      }
    %3 "y" = Result(%2)
  })");
  ASSERT_OK_AND_ASSIGN(const auto node, MakeNode(OnlyNode(*model), HostContext(1)));
  EXPECT_STREQ(node->type_name(), "If");
  const auto& bodies = static_cast<const CutNode&>(*node).bodies();
  ASSERT_EQ(bodies.size(), 2U);
  ASSERT_NE(bodies[0][2], nullptr);
  EXPECT_STREQ(bodies[0][2]->type_name(), "Transpose");
  EXPECT_EQ(bodies[0][1], nullptr);
}

}  // namespace
}  // namespace burin::cpu
