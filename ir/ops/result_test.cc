#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/status/status.h"
#include "ir/ops/op_testlib.h"
#include "ir/ops/ops.h"
#include "testing/gtest/status_matchers.h"

namespace burin::ir {
namespace {

TEST(ResultTest, InfersWhatItsInputIs) {
  const PartialShape shape{Dimension::Symbol("n"), 4};
  ASSERT_OK_AND_ASSIGN(const ValueInfo info, InferOne(ResultOp(), NoAttributes(), {Known(ElementType::kU8, shape)}));
  EXPECT_EQ(info.type, ElementType::kU8);
  EXPECT_EQ(info.shape, shape);
  EXPECT_OK(InferOne(ResultOp(), NoAttributes(), {Known(ElementType::kF32, PartialShape::DynamicRank())}));
}

TEST(ResultTest, SharesItsInput) {
  const Tensor input = F32({2}, {1, 2});
  ASSERT_OK_AND_ASSIGN(const Tensor output, Evaluate(ResultOp(), NoAttributes(), {input}));
  EXPECT_EQ(output.data(), input.data());
  ExpectTensorEq(output, input);
}

TEST(ResultTest, HasOneInput) {
  EXPECT_THAT(InferOne(ResultOp(), NoAttributes(), {}), StatusIs(absl::StatusCode::kInvalidArgument));
}

}  // namespace
}  // namespace burin::ir
