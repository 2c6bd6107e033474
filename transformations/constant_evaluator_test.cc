#include "transformations/constant_evaluator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "ir/model.h"
#include "ir/ops/op_testlib.h"
#include "ir/tensor.h"
#include "ir/text.h"
#include "testing/gtest/status_matchers.h"

namespace burin::transformations {
namespace {

constexpr char kSum[] = R"(model "m" {
  %0 "x" = Parameter() {shape = [2]}
  %1 "sum" = Add(%0, %0)
  %2 "out" = Result(%1)
})";

TEST(ConstantEvaluatorTest, TheReferenceComputesANode) {
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<ir::Model> model, ir::ParseModel(kSum));
  const ir::Tensor x = ir::F32({2}, {1.5F, -3});
  const ir::Node& sum = model->node(model->FindNode("sum"));
  ASSERT_OK_AND_ASSIGN(std::vector<ir::Tensor> outputs, ReferenceConstantEvaluator().Evaluate(sum, {x, x}));
  ASSERT_EQ(outputs.size(), 1U);
  ir::ExpectTensorEq(outputs[0], ir::F32({2}, {3, -6}));
}

TEST(ConstantEvaluatorTest, TheReferenceRefusesInputsThatDoNotFit) {
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<ir::Model> model, ir::ParseModel(kSum));
  const ir::Node& sum = model->node(model->FindNode("sum"));
  EXPECT_THAT(ReferenceConstantEvaluator().Evaluate(sum, {ir::F32({2}, {1, 2}), ir::F32({3}, {1, 2, 3})}),
              StatusIs(absl::StatusCode::kInvalidArgument));
}

}  // namespace
}  // namespace burin::transformations
