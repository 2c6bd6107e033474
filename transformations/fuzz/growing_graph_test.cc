#include "transformations/fuzz/growing_graph.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "base/element_type.h"
#include "ir/evaluator.h"
#include "ir/model.h"
#include "ir/ops/op_testlib.h"
#include "ir/partial_shape.h"
#include "ir/tensor.h"
#include "ir/verifier.h"
#include "testing/gtest/status_matchers.h"

namespace burin::transformations {
namespace {

using ir::Value;

TEST(GrowingGraphTest, WitnessesAreWhatTheModelComputes) {
  std::mt19937_64 random(1);
  GrowingGraph graph(random, {}, GraphStyle());
  const Value x = graph.Parameter(ElementType::kF32, {2, 3});
  const Value y = graph.Add("Multiply", {graph.Add("Relu", {x}), graph.Scalar(ElementType::kF32, 2)});
  ASSERT_TRUE(y.exists());
  graph.AddResult(y);
  EXPECT_OK(ir::Verify(graph.model()));
  ASSERT_OK_AND_ASSIGN(const ir::Evaluator evaluator, ir::Evaluator::Create(graph.model()));
  ASSERT_OK_AND_ASSIGN(const std::vector<ir::Tensor> outputs, evaluator.Run(graph.ParameterWitnesses()));
  ir::ExpectTensorEq(outputs[0], graph.Witness(y));
}

TEST(GrowingGraphTest, LeavesOutWhatWouldNotRun) {
  std::mt19937_64 random(1);
  GrowingGraph graph(random, {}, GraphStyle());
  const Value x = graph.Parameter(ir::PartialShape::DynamicRank(), ir::F32({2, 3}, {1, 2, 3, 4, 5, 6}));
  const int64_t nodes = graph.model().node_count();
  // Inference cannot know it, the witness does: the axis is out of range.
  const Value y = graph.Add("Softmax", {x}, {{"axis", 5}});
  EXPECT_FALSE(y.exists());
  EXPECT_EQ(graph.model().node_count(), nodes);
  EXPECT_FALSE(graph.Add("Relu", {y}).exists());
  EXPECT_TRUE(graph.AddAll("TopK", {y, x}).empty());
}

TEST(GrowingGraphTest, KeepsToItsStyle) {
  std::mt19937_64 random(1);
  GrowingGraph graph(random, {}, GraphStyle{ElementType::kF64, 100});
  for (int i = 0; i < 100; ++i) EXPECT_EQ(graph.AnyType(Types::kFloat), ElementType::kF64);
  const Value x = graph.Scalar(ElementType::kF64, 60);
  EXPECT_FALSE(graph.Add("Add", {x, x}).exists());
  EXPECT_FALSE(graph.Add("Divide", {x, graph.Scalar(ElementType::kF64, 0)}).exists());
  EXPECT_TRUE(graph.Add("Negative", {x}).exists());
}

TEST(GrowingGraphTest, OperandsBroadcastAndDisguisedIntegersKeepTheirValues) {
  std::mt19937_64 random(7);
  int broadcasts = 0;
  for (int i = 0; i < 300; ++i) {
    GrowingGraph graph(random, {}, GraphStyle());
    const Value x = graph.Pick(Types::kFloat);
    broadcasts += graph.Add("Equal", {x, graph.Operand(x)}).exists() ? 1 : 0;
    EXPECT_EQ(ir::Ints(graph.Witness(graph.Ints({3, -1, 4}))), (std::vector<int64_t>{3, -1, 4}));
    EXPECT_EQ(ir::Ints(graph.Witness(graph.Int(-2))), (std::vector<int64_t>{-2}));
  }
  // Where it does not, the result would be too large.
  EXPECT_GT(broadcasts, 280);
}

TEST(GrowingGraphTest, OtherInputsChangeElementsButNotWhatDecidesOnShapes) {
  std::mt19937_64 random(3);
  GrowingGraph graph(random, {}, GraphStyle());
  for (int i = 0; i < 200; ++i) graph.Ints({2, 0, 1});
  const size_t lists = graph.model().parameters().size();
  ASSERT_GT(lists, 0u);
  const Value x = graph.Parameter(ElementType::kF64, {4, 4});
  const std::vector<ir::Tensor> inputs = graph.OtherInputs(false);
  for (size_t i = 0; i < lists; ++i) EXPECT_EQ(ir::Ints(inputs[i]), (std::vector<int64_t>{2, 0, 1}));
  EXPECT_EQ(inputs.back().shape(), graph.ShapeOf(x));
  EXPECT_NE(ir::Doubles(inputs.back()), ir::Doubles(graph.Witness(x)));
}

}  // namespace
}  // namespace burin::transformations
