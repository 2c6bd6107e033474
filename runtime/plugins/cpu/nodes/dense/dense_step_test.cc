#include "runtime/plugins/cpu/nodes/dense/dense_step.h"

#include <memory>

#include "absl/status/statusor.h"
#include "base/element_type.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/model.h"
#include "runtime/plugins/cpu/graph/node.h"
#include "runtime/plugins/cpu/graph/value_desc.h"
#include "runtime/plugins/cpu/nodes/node_runner_testlib.h"
#include "snippets/anchor/anchored_body.h"
#include "testing/gtest/status_matchers.h"

namespace burin::cpu {
namespace {

using ::testing::ElementsAre;

TEST(DenseStepTest, AnOperationByItselfReadsItsInputs) {
  const std::unique_ptr<ir::Model> model = ParseOrDie(R"(model "" {
    %0 "a" = Parameter() {element_type = f32, shape = [4, 3]}
    %1 "b" = Parameter() {element_type = f32, shape = [3, 2]}
    %2 "m" = MatMul(%0, %1)
    %3 "y" = Result(%2)
  })");
  const DenseStep step = DenseStep::Alone(OnlyNode(*model));
  EXPECT_THAT(step.inputs, ElementsAre(0, 1));
  EXPECT_EQ(step.epilogue, nullptr);
  EXPECT_EQ(step.InputOf(2), -1);
}

TEST(DenseStepTest, AnAnchorReadsParametersOfItsBody) {
  const std::unique_ptr<ir::Model> body = ParseOrDie(R"(model "body" {
    %0 "bias" = Parameter() {element_type = f32, shape = [2]}
    %1 "b" = Parameter() {element_type = f32, shape = [3, 2]}
    %2 "a" = Parameter() {element_type = f32, shape = [?, 3]}
    %3 "m" = MatMul(%2, %1)
    %4 = Add(%3, %0)
    %5 = Convert(%4) {destination_type = f16}
    %6 "y" = Result(%5)
  })");
  const absl::StatusOr<snippets::AnchoredBody> split = snippets::SplitAnchored(*body);
  ASSERT_OK(split.status());
  const absl::StatusOr<DenseStep> step = DenseStep::OfAnchor(*split);
  ASSERT_OK(step.status());
  EXPECT_THAT(step->inputs, ElementsAre(2, 1));
  EXPECT_TRUE(step->OperationReads(1));
  EXPECT_FALSE(step->OperationReads(0));
  EXPECT_TRUE(step->epilogue->Reads(0));

  NodeValues values;
  values.inputs.resize(3);
  values.inputs[2].desc.shape = {4, 3};
  values.outputs = {{ElementType::kF16, {4, 2}, Layout::kRowMajor}};
  const NodeValues of_operation = step->OperationValues(values);
  ASSERT_EQ(of_operation.inputs.size(), 2);
  EXPECT_THAT(of_operation.inputs[0].desc.shape, ElementsAre(4, 3));
  ASSERT_EQ(of_operation.outputs.size(), 1);
  EXPECT_EQ(of_operation.outputs[0].type, ElementType::kF32);
}

}  // namespace
}  // namespace burin::cpu
