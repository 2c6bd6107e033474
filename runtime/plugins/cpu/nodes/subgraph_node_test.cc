#include "runtime/plugins/cpu/nodes/subgraph_node.h"

#include <memory>

#include "absl/status/statusor.h"
#include "base/element_type.h"
#include "gtest/gtest.h"
#include "ir/model.h"
#include "runtime/plugins/cpu/graph/node.h"
#include "runtime/plugins/cpu/graph/value_desc.h"
#include "runtime/plugins/cpu/nodes/node_runner_testlib.h"
#include "testing/gtest/status_matchers.h"

namespace burin::cpu {
namespace {

constexpr char kSoftmax[] = R"(model "" {
  %0 "x" = Parameter() {element_type = f32, shape = [9, 33]}
  %1 "b" = Parameter() {element_type = f32, shape = [33]}
  %2 "s" = Subgraph(%0, %1) model "body" {
    %0 "x" = Parameter() {element_type = f32, shape = [?, ?]}
    %1 "b" = Parameter() {element_type = f32, shape = [?]}
    %2 "sum" = Add(%0, %1)
    %3 "softmax" = Softmax(%2) {axis = 1}
    %4 "y" = Result(%3)
  }
  %3 "y" = Result(%2)
})";

TEST(SubgraphNodeTest, RunsItsBody) { ExpectNode(kSoftmax, "Subgraph", 1e-6); }

TEST(SubgraphNodeTest, MayRunOverWhatHasTheSameShape) {
  const std::unique_ptr<ir::Model> model = ParseOrDie(kSoftmax);
  const auto node = SubgraphNode::Create(OnlyNode(*model), HostContext(1));
  ASSERT_OK(node.status());
  NodeValues values;
  values.inputs.push_back({true, {ElementType::kF32, {9, 33}, Layout::kRowMajor}, {}});
  values.inputs.push_back({true, {ElementType::kF32, {33}, Layout::kRowMajor}, {}});
  values.outputs.push_back({ElementType::kF32, {9, 33}, Layout::kRowMajor});
  EXPECT_TRUE((*node)->MayRunInPlace(values, 0, 0));
  EXPECT_FALSE((*node)->MayRunInPlace(values, 1, 0));
}

}  // namespace
}  // namespace burin::cpu
