#include "tools/models/network_builder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>

#include "base/element_type.h"
#include "ir/model.h"
#include "testing/gtest/status_matchers.h"
#include "tools/models/ir_builder.h"

namespace burin::models {
namespace {

using ::testing::HasSubstr;

TEST(NetworkBuilderTest, ScopesNestAndEnd) {
  IrBuilder builder("scopes");
  const Value x = builder.Input("x", ElementType::kF32, {2});
  Value y;
  {
    NetworkBuilder::Scope outer(&builder, "outer");
    {
      NetworkBuilder::Scope inner(&builder, "inner");
      y = builder.Unary(UnaryOp::kRelu, x);
    }
    y = builder.Unary(UnaryOp::kTanh, y);
  }
  y = builder.Unary(UnaryOp::kSqrt, y);
  builder.Output(y, "y", ElementType::kF32, {2});
  ASSERT_OK_AND_ASSIGN(std::unique_ptr<ir::Model> model, builder.Finish());
  EXPECT_NE(model->FindNode("outer/inner/Relu_1"), ir::NodeId::kNone);
  EXPECT_NE(model->FindNode("outer/Tanh_2"), ir::NodeId::kNone);
  EXPECT_NE(model->FindNode("Sqrt_3"), ir::NodeId::kNone);
}

TEST(NetworkBuilderTest, TheFirstErrorSticks) {
  IrBuilder builder("errors");
  const Value x = builder.Input("x", ElementType::kF32, {2});
  builder.Fail(absl::InvalidArgumentError("first"));
  builder.Fail(absl::InternalError("second"));
  EXPECT_FALSE(builder.ok());
  const Value y = builder.Unary(UnaryOp::kRelu, builder.Binary(BinaryOp::kAdd, x, builder.Scalar(1)));
  EXPECT_EQ(y.index, -1);
  builder.Output(y, "y", ElementType::kF32, {2});
  EXPECT_THAT(builder.Finish(), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("first")));
}

}  // namespace
}  // namespace burin::models
