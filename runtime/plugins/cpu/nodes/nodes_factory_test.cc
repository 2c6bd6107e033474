#include "runtime/plugins/cpu/nodes/nodes_factory.h"

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/model.h"
#include "runtime/plugins/cpu/nodes/node_runner_testlib.h"
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

TEST(NodesFactoryTest, WhatHasAStateIsRefused) {
  const std::unique_ptr<ir::Model> model = ParseOrDie(R"(model "" {
    variable "v" : f32[2]
    %0 "x" = Parameter() {element_type = f32, shape = [2]}
    %1 "r" = ReadValue(%0) {variable_id = "v", variable_type = f32, variable_shape = [2]}
    %2 "y" = Result(%1)
  })");
  EXPECT_THAT(MakeNode(OnlyNode(*model), HostContext(1)).status(),
              StatusIs(absl::StatusCode::kUnimplemented, HasSubstr("has a state")));
}

}  // namespace
}  // namespace burin::cpu
