#include "ir/ops/constant.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "ir/ops/op_testlib.h"
#include "ir/ops/ops.h"
#include "testing/gtest/status_matchers.h"

namespace burin::ir {
namespace {

using ::testing::HasSubstr;

ConstantAttributes Make(Tensor value) {
  ConstantAttributes attributes;
  attributes.value = std::move(value);
  return attributes;
}

TEST(ConstantTest, InfersTypeShapeAndContent) {
  ASSERT_OK_AND_ASSIGN(const ValueInfo info, InferOne(ConstantOp(), Make(I64({3}, {1, -2, 3})), {}));
  EXPECT_EQ(info.type, ElementType::kI64);
  EXPECT_EQ(info.shape, (PartialShape{3}));
  ASSERT_TRUE(info.constant.has_value());
  ExpectTensorEq(info.constant, I64({3}, {1, -2, 3}));
  ASSERT_TRUE(info.content.has_value());
  EXPECT_EQ((*info.content)[1], Dimension(-2));
}

TEST(ConstantTest, SharesTheBytesWithCopiesAndRuns) {
  const ConstantAttributes attributes = Make(F32({2}, {1, 2}));
  const std::unique_ptr<Attributes> copy = attributes.Clone();
  EXPECT_EQ(AttributesAs<ConstantAttributes>(*copy)->value.data(), attributes.value.data());
  ASSERT_OK_AND_ASSIGN(const Tensor value, Evaluate(ConstantOp(), attributes, {}));
  EXPECT_EQ(value.data(), attributes.value.data());
}

TEST(ConstantTest, AcceptsScalarAndEmptyTensors) {
  EXPECT_OK(InferOne(ConstantOp(), Make(F32({}, {1})), {}));
  EXPECT_OK(InferOne(ConstantOp(), Make(U8({0, 3}, {})), {}));
}

TEST(ConstantTest, Constant_c1_RefusesNoValue) {
  EXPECT_THAT(InferOne(ConstantOp(), ConstantAttributes(), {}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("Constant_c1")));
}

TEST(ConstantTest, Constant_c2_RefusesStrides) {
  ASSERT_OK_AND_ASSIGN(Tensor column, F32({2, 2}, {1, 2, 3, 4}).Region({0, 0}, {2, 1}));
  EXPECT_THAT(InferOne(ConstantOp(), Make(std::move(column)), {}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("Constant_c2")));
}

}  // namespace
}  // namespace burin::ir
