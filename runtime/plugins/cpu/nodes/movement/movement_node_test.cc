#include "runtime/plugins/cpu/nodes/movement/movement_node.h"

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/element_type.h"
#include "gtest/gtest.h"
#include "ir/model.h"
#include "ir/tensor.h"
#include "jit/kernels/copy_layout.h"
#include "runtime/plugins/cpu/graph/node.h"
#include "runtime/plugins/cpu/graph/value_desc.h"
#include "runtime/plugins/cpu/nodes/copy_primitive.h"
#include "runtime/plugins/cpu/nodes/node_runner_testlib.h"
#include "runtime/plugins/cpu/nodes/nodes_factory.h"
#include "testing/gtest/status_matchers.h"

namespace burin::cpu {
namespace {

NodeValues WithConstant(ir::Tensor constant) {
  NodeValues values;
  values.inputs.resize(1);
  values.inputs[0].exists = true;
  values.inputs[0].constant = std::move(constant);
  return values;
}

TEST(MovementNodeTest, ConstantsAreIntegersOfAnyType) {
  absl::StatusOr<ir::Tensor> tensor = ir::Tensor::CreateZeroed(ElementType::kI32, {2});
  ASSERT_OK(tensor.status());
  tensor->mutable_data_as<int32_t>()[1] = -3;
  const absl::StatusOr<std::vector<int64_t>> ints = ConstantInts(WithConstant(*tensor), 0);
  ASSERT_OK(ints.status());
  EXPECT_EQ(*ints, (std::vector<int64_t>{0, -3}));
  EXPECT_THAT(ConstantInts(WithConstant({}), 0).status(), StatusIs(absl::StatusCode::kUnimplemented));
}

TEST(MovementNodeTest, ElementsHaveWholeBytes) {
  EXPECT_OK(CheckWholeBytes(ElementType::kBoolean));
  EXPECT_OK(CheckWholeBytes(ElementType::kF64));
  EXPECT_THAT(CheckWholeBytes(ElementType::kI4), StatusIs(absl::StatusCode::kUnimplemented));
  EXPECT_THAT(CheckWholeBytes(ElementType::kString), StatusIs(absl::StatusCode::kUnimplemented));
}

TEST(MovementNodeTest, ViewsFollowTheLayout) {
  EXPECT_EQ(LayoutView({ElementType::kF32, {2, 3, 4, 5}, Layout::kRowMajor}).strides,
            (std::vector<int64_t>{60, 20, 5, 1}));
  EXPECT_EQ(LayoutView({ElementType::kF64, {2, 3, 4, 5}, Layout::kChannelsLast}).strides,
            (std::vector<int64_t>{60, 1, 15, 3}));
}

TEST(MovementNodeTest, ValuesOfTheOutputsRankMayHaveTheirChannelsLast) {
  const std::unique_ptr<ir::Model> model = ParseOrDie(R"(model "" {
    %0 "x" = Parameter() {element_type = f32, shape = [1, 3, 4, 5]}
    %1 "b" = Constant() {value = i64[4]{0, 0, 1, 1}}
    %2 "p" = Pad(%0, %1, %1) {pad_mode = constant}
    %3 "y" = Result(%2)
  })");
  ASSERT_OK_AND_ASSIGN(const auto node, MakeNode(OnlyNode(*model), HostContext(1)));
  NodeValues values;
  values.inputs.push_back({true, {ElementType::kF32, {1, 3, 4, 5}, Layout::kRowMajor}, {}});
  values.inputs.push_back({true, {ElementType::kI64, {4}, Layout::kRowMajor}, {}});
  values.inputs.push_back({true, {ElementType::kI64, {4}, Layout::kRowMajor}, {}});
  values.outputs.push_back({ElementType::kF32, {1, 3, 6, 7}, Layout::kRowMajor});
  const std::vector<NodeCandidate> candidates = node->Candidates(values, HostContext(1));
  ASSERT_EQ(candidates.size(), 2);
  EXPECT_EQ(candidates[0].inputs, std::vector<Layout>(3, Layout::kRowMajor));
  EXPECT_EQ(candidates[1].inputs, (std::vector<Layout>{Layout::kChannelsLast, Layout::kRowMajor, Layout::kRowMajor}));
  EXPECT_EQ(candidates[1].outputs, std::vector<Layout>{Layout::kChannelsLast});
}

// To make channels the last dimension of the model moves nothing where they are last in memory.
TEST(MovementNodeTest, WhatKeepsTheOrderInMemoryIsCheap) {
  const std::unique_ptr<ir::Model> model = ParseOrDie(R"(model "" {
    %0 "x" = Parameter() {element_type = f32, shape = [1, 30, 40, 50]}
    %1 "o" = Constant() {value = i64[4]{0, 2, 3, 1}}
    %2 "t" = Transpose(%0, %1)
    %3 "y" = Result(%2)
  })");
  const ir::Node& transpose = OnlyNode(*model);
  ASSERT_OK_AND_ASSIGN(const auto node, MakeNode(transpose, HostContext(1)));
  NodeValues values;
  values.inputs.push_back({true, {ElementType::kF32, {1, 30, 40, 50}, Layout::kRowMajor}, {}});
  values.inputs.push_back({true, {ElementType::kI64, {4}, Layout::kRowMajor}, {}});
  values.inputs[1].constant = model->info(transpose.input(1)).constant;
  values.outputs.push_back({ElementType::kF32, {1, 40, 50, 30}, Layout::kRowMajor});
  const std::vector<NodeCandidate> candidates = node->Candidates(values, HostContext(1));
  ASSERT_EQ(candidates.size(), 4);
  for (const NodeCandidate& candidate : candidates) {
    const bool keeps = candidate.inputs[0] == Layout::kChannelsLast && candidate.outputs[0] == Layout::kRowMajor;
    EXPECT_EQ(candidate.cycles < candidates[0].cycles / 2, keeps);
  }
}

TEST(MovementNodeTest, MovesAreInBytes) {
  std::vector<ElementMove> moves;
  AppendMove(ElementType::kI64, {2, 0}, {1, {3, {4, 1}}}, {2, {5, {6, 1}}}, &moves);
  EXPECT_TRUE(moves.empty());
  AppendMove(ElementType::kI64, {2, 3}, {1, {3, {-4, 1}}}, {2, {5, {6, 2}}}, &moves);
  ASSERT_EQ(moves.size(), 1);
  EXPECT_EQ(moves[0].input, 1);
  EXPECT_EQ(moves[0].output, 2);
  EXPECT_EQ(moves[0].input_offset, 24);
  EXPECT_EQ(moves[0].output_offset, 40);
  EXPECT_EQ(moves[0].spec.element_bytes, 8);
  ASSERT_EQ(moves[0].spec.dims.size(), 2);
  EXPECT_EQ(moves[0].spec.dims[0], (jit::CopyDim{2, -32, 48}));
  EXPECT_EQ(moves[0].spec.dims[1], (jit::CopyDim{3, 8, 16}));
}

TEST(MovementNodeTest, WhatDependsOnDataRunsByReference) {
  const std::unique_ptr<ir::Model> model = ParseOrDie(R"(model "" {
    %0 "x" = Parameter() {element_type = f32, shape = [2, 3]}
    %1 "axis" = Parameter() {element_type = i64, shape = []}
    %2 "s" = Split(%0, %1) {num_splits = 1}
    %3 "y" = Result(%2)
  })");
  const auto node = MakeNode(OnlyNode(*model), HostContext(1));
  ASSERT_OK(node.status());
  NodeValues values = WithConstant({});
  values.inputs[0].desc = {ElementType::kF32, {2, 3}, Layout::kRowMajor};
  values.inputs.emplace_back();
  values.inputs[1].exists = true;
  values.inputs[1].desc = {ElementType::kI64, {}, Layout::kRowMajor};
  values.outputs = {values.inputs[0].desc};
  auto primitive = (*node)->CreatePrimitive(values, HostContext(1));
  ASSERT_OK(primitive.status());
  EXPECT_EQ((*primitive)->kernel_name(), "reference");

  absl::StatusOr<ir::Tensor> axis = ir::Tensor::CreateZeroed(ElementType::kI64, {});
  ASSERT_OK(axis.status());
  values.inputs[1].constant = *axis;
  primitive = (*node)->CreatePrimitive(values, HostContext(1));
  ASSERT_OK(primitive.status());
  EXPECT_NE((*primitive)->kernel_name(), "reference");
}

}  // namespace
}  // namespace burin::cpu
