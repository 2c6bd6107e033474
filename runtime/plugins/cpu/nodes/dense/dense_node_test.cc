#include "runtime/plugins/cpu/nodes/dense/dense_node.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "base/aligned_buffer.h"
#include "base/element_type.h"
#include "gtest/gtest.h"
#include "ir/model.h"
#include "ir/shape.h"
#include "runtime/executor/team.h"
#include "runtime/plugins/cpu/graph/node.h"
#include "runtime/plugins/cpu/graph/primitive.h"
#include "runtime/plugins/cpu/graph/value_desc.h"
#include "runtime/plugins/cpu/nodes/dense/dense_nodes.h"
#include "runtime/plugins/cpu/nodes/node_runner_testlib.h"
#include "testing/gtest/status_matchers.h"

namespace burin::cpu {
namespace {

// Is a node of a product of so many rows and steps with a residual operand, and its values.
struct Product {
  Product(int64_t rows, int64_t steps) {
    const std::string values =
        absl::StrCat("%0 \"x\" = Parameter() {element_type = f32, shape = [", rows, ", ", steps,
                     "]}\n%1 \"w\" = Parameter() {element_type = f32, shape = [", steps,
                     ", 3]}\n%2 \"r\" = Parameter() {element_type = f32, shape = [", rows, ", 3]}\n");
    const std::unique_ptr<ir::Model> model = ParseOrDie(
        absl::StrCat("model \"\" {\n", values, "%3 = Subgraph(%0, %1, %2) model \"body\" {\n", values,
                     "%3 = MatMul(%0, %1)\n%4 = Add(%3, %2)\n%5 = Relu(%4)\n%6 = Result(%5)\n}\n%4 = Result(%3)\n}"));
    absl::StatusOr<std::shared_ptr<const Node>> made = MakeAnchoredNode(OnlyNode(*model), HostContext(1));
    EXPECT_OK(made.status());
    node = *std::move(made);
    for (const ir::Shape& shape : {ir::Shape{rows, steps}, ir::Shape{steps, 3}, ir::Shape{rows, 3}}) {
      this->values.inputs.push_back({true, {ElementType::kF32, shape, Layout::kRowMajor}, {}});
    }
    this->values.outputs = {{ElementType::kF32, {rows, 3}, Layout::kRowMajor}};
  }

  std::shared_ptr<const Node> node;
  NodeValues values;
};

TEST(DenseNodeTest, RunsOverAResidualOperand) {
  const Product product(2, 2);
  EXPECT_TRUE(product.node->MayRunInPlace(product.values, 2, 0));
  EXPECT_FALSE(product.node->MayRunInPlace(product.values, 0, 0));

  const auto primitive = product.node->CreatePrimitive(product.values, HostContext(1));
  ASSERT_OK(primitive.status());
  const std::vector<float> x = {1, 2, 3, 4};
  const std::vector<float> w = {1, 0, 2, 0, 1, 3};
  std::vector<float> y = {1, -9, 1, 1, 1, 1};
  const std::vector<const void*> inputs = {x.data(), w.data(), y.data()};
  const std::vector<void*> outputs = {y.data()};
  executor::Team team(1, nullptr);
  RunErrors errors;
  absl::StatusOr<AlignedBuffer> scratch = AlignedBuffer::Create(static_cast<size_t>((*primitive)->ScratchBytes(1)));
  ASSERT_OK(scratch.status());
  (*primitive)->Execute({inputs, outputs, scratch->data(), &team, &errors});
  EXPECT_EQ(y, (std::vector<float>{2, 0, 9, 4, 5, 19}));
}

// The output holds sums before it is written, and the operand is read after that.
TEST(DenseNodeTest, DoesNotWhereSumsAreKept) {
  const Product product(1000, 100000);
  EXPECT_FALSE(product.node->MayRunInPlace(product.values, 2, 0));
}

TEST(DenseNodeTest, WhatTheOperationReadsIsNotOverwritten) {
  const std::unique_ptr<ir::Model> model = ParseOrDie(R"(model "" {
    %0 "x" = Parameter() {element_type = f32, shape = [4, 4]}
    %1 "w" = Parameter() {element_type = f32, shape = [4, 4]}
    %2 = Subgraph(%0, %1) model "body" {
      %0 "x" = Parameter() {element_type = f32, shape = [4, 4]}
      %1 "w" = Parameter() {element_type = f32, shape = [4, 4]}
      %2 = MatMul(%0, %1)
      %3 = Add(%2, %0)
      %4 = Result(%3)
    }
    %3 = Result(%2)
  })");
  const absl::StatusOr<std::shared_ptr<const Node>> node = MakeAnchoredNode(OnlyNode(*model), HostContext(1));
  ASSERT_OK(node.status());
  const ValueDesc desc = {ElementType::kF32, {4, 4}, Layout::kRowMajor};
  NodeValues values;
  values.inputs = {{true, desc, {}}, {true, desc, {}}};
  values.outputs = {desc};
  EXPECT_FALSE((*node)->MayRunInPlace(values, 0, 0));
}

TEST(DenseNodeTest, OperandsOfAllElementsHaveTheResultsLayout) {
  const std::unique_ptr<ir::Model> model = ParseOrDie(R"(model "" {
    %0 "x" = Parameter() {element_type = f32, shape = [1, 4, 5, 5]}
    %1 "w" = Parameter() {element_type = f32, shape = [6, 4, 1, 1]}
    %2 "r" = Parameter() {element_type = f32, shape = [1, 6, 5, 5]}
    %3 "b" = Parameter() {element_type = f32, shape = [1, 6, 1, 1]}
    %4 = Subgraph(%0, %1, %2, %3) model "body" {
      %0 "x" = Parameter() {element_type = f32, shape = [1, 4, 5, 5]}
      %1 "w" = Parameter() {element_type = f32, shape = [6, 4, 1, 1]}
      %2 "r" = Parameter() {element_type = f32, shape = [1, 6, 5, 5]}
      %3 "b" = Parameter() {element_type = f32, shape = [1, 6, 1, 1]}
      %4 = Convolution(%0, %1)
      %5 = Add(%4, %3)
      %6 = Add(%5, %2)
      %7 = Result(%6)
    }
    %5 = Result(%4)
  })");
  const absl::StatusOr<std::shared_ptr<const Node>> node = MakeAnchoredNode(OnlyNode(*model), HostContext(1));
  ASSERT_OK(node.status());
  NodeValues values;
  values.inputs.resize(4);
  values.outputs.resize(1);
  const std::vector<NodeCandidate> candidates = (*node)->Candidates(values, HostContext(1));
  ASSERT_EQ(candidates.size(), 1);
  EXPECT_EQ(candidates[0].inputs,
            (std::vector<Layout>{Layout::kChannelsLast, Layout::kRowMajor, Layout::kChannelsLast, Layout::kRowMajor}));
  EXPECT_EQ(candidates[0].outputs[0], Layout::kChannelsLast);
}

}  // namespace
}  // namespace burin::cpu
