#include "tools/coverage_doc/operator_coverage.h"

#include <string>
#include <vector>

#include "burin/core.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/ops/op_testlib.h"
#include "runtime/readers/onnx/onnx_model_testlib.h"

namespace burin::coverage_doc {
namespace {

using onnx::SingleNode;
using ::testing::ElementsAre;
using ::testing::SizeIs;

std::vector<ElementType> TypesBy(const InputGroup& group, CpuWay way) {
  std::vector<ElementType> types;
  for (const TypeCoverage& covered : group.types) {
    if (covered.cpu == way) types.push_back(covered.type);
  }
  return types;
}

TEST(OperatorCoverageTest, AsksEachGroupOfInputs) {
  Core core;
  const SingleNode node =
      SingleNode("Gather", 13).Inputs({ir::F32({2, 2}, {1, 2, 3, 4}), ir::I64({1}, {1})}).Variable(2);
  const OperatorCoverage coverage = CoverOperator(core, {node, SingleNode(node).With(nullptr)});
  EXPECT_EQ(coverage.op, "Gather");
  EXPECT_THAT(coverage.versions, ElementsAre(13));
  EXPECT_THAT(coverage.operations, ElementsAre("Gather"));
  ASSERT_THAT(coverage.groups, SizeIs(2));
  EXPECT_THAT(coverage.groups[0].inputs, ElementsAre(0));
  EXPECT_THAT(TypesBy(coverage.groups[0], CpuWay::kKernel), ::testing::Contains(ElementType::kF32));
  EXPECT_THAT(coverage.groups[1].inputs, ElementsAre(1));
  // Floats are no indices.
  EXPECT_THAT(TypesBy(coverage.groups[1], CpuWay::kKernel), ElementsAre(ElementType::kI32, ElementType::kI64));
}

TEST(OperatorCoverageTest, TellsHowTheCpuRuns) {
  Core core;
  const auto way = [&](const SingleNode& node) {
    const OperatorCoverage coverage = CoverOperator(core, {node});
    for (const TypeCoverage& covered : coverage.groups.at(0).types) {
      if (covered.type == ElementType::kF32) return covered.cpu;
    }
    return CpuWay::kRefused;
  };
  const ir::Tensor x = ir::F32({2, 2}, {1, 2, 3, 4});
  EXPECT_EQ(way(SingleNode("Exp", 13).Inputs({x})), CpuWay::kSubgraph);
  EXPECT_EQ(way(SingleNode("MatMul", 13).Inputs({x, x}).Variable(2)), CpuWay::kKernel);
  EXPECT_EQ(way(SingleNode("Shape", 13).Inputs({x}).Outputs({onnx::kInt64})), CpuWay::kNothing);
  EXPECT_EQ(way(SingleNode("Unique", 11).Inputs({x})), CpuWay::kReference);
}

TEST(OperatorCoverageTest, WhatDoesNotReadIsNotCovered) {
  Core core;
  const OperatorCoverage coverage = CoverOperator(core, {SingleNode("NoSuch", 13).Inputs({ir::F32({1}, {1})})});
  EXPECT_TRUE(coverage.operations.empty());
  ASSERT_THAT(coverage.groups, SizeIs(1));
  EXPECT_TRUE(coverage.groups[0].types.empty());
}

}  // namespace
}  // namespace burin::coverage_doc
