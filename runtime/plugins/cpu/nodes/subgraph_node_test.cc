#include "runtime/plugins/cpu/nodes/subgraph_node.h"

#include <memory>

#include "absl/status/statusor.h"
#include "base/element_type.h"
#include "gtest/gtest.h"
#include "ir/model.h"
#include "ir/shape.h"
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

// Of each kind of input: of all dimensions, of the channels alone, of fewer dimensions, of one element; and a constant.
constexpr char kElementwise[] = R"(model "" {
  %0 "x" = Parameter() {element_type = f32, shape = [2, 5, 6, 7]}
  %1 "bias" = Parameter() {element_type = f32, shape = [1, 5, 1, 1]}
  %2 "scale" = Parameter() {element_type = f32, shape = [5, 1, 1]}
  %3 "row" = Parameter() {element_type = f32, shape = [7]}
  %4 "one" = Parameter() {element_type = f32, shape = []}
  %5 "s" = Subgraph(%0, %1, %2, %3, %4) model "body" {
    %0 "x" = Parameter() {element_type = f32, shape = [?, 5, ?, ?]}
    %1 "bias" = Parameter() {element_type = f32, shape = [1, 5, 1, 1]}
    %2 "scale" = Parameter() {element_type = f32, shape = [5, 1, 1]}
    %3 "row" = Parameter() {element_type = f32, shape = [?]}
    %4 "one" = Parameter() {element_type = f32, shape = []}
    %5 = Multiply(%0, %2)
    %6 = Add(%5, %1)
    %7 = Add(%6, %3)
    %8 = Multiply(%7, %4)
    %9 = Constant() {value = f32[5, 1, 1]{1, 2, 3, 4, 5}}
    %10 = Add(%8, %9)
    %11 = Relu(%10)
    %12 "y" = Result(%11)
    %13 "z" = Result(%8)
  }
  %6 "y" = Result(%5.0)
  %7 "z" = Result(%5.1)
})";

TEST(SubgraphNodeTest, ElementwiseBodiesRunInBothLayouts) {
  ExpectNode(kElementwise, "Subgraph", 1e-6);
  const std::unique_ptr<ir::Model> model = ParseOrDie(kElementwise);
  const auto node = SubgraphNode::Create(OnlyNode(*model), HostContext(1));
  ASSERT_OK(node.status());
  NodeValues values;
  for (const ir::Shape& shape :
       {ir::Shape{2, 5, 6, 7}, ir::Shape{1, 5, 1, 1}, ir::Shape{5, 1, 1}, ir::Shape{7}, ir::Shape{}}) {
    values.inputs.push_back({true, {ElementType::kF32, shape, Layout::kRowMajor}, {}});
  }
  values.outputs.assign(2, {ElementType::kF32, {2, 5, 6, 7}, Layout::kRowMajor});
  ASSERT_EQ((*node)->Candidates(values, HostContext(1)).size(), 2);
  EXPECT_EQ((*node)->Candidates(values, HostContext(1))[1].inputs[0], Layout::kChannelsLast);
  EXPECT_EQ((*node)->Candidates(values, HostContext(1))[1].inputs[2], Layout::kRowMajor);
  // Channels of fewer dimensions would have to be moved.
  values.inputs[2].desc.shape = {5, 6, 7};
  EXPECT_EQ((*node)->Candidates(values, HostContext(1)).size(), 1);
}

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
