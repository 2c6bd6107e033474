#include "tools/models/onnx_builder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <string>

#include "base/element_type.h"
#include "ir/tensor.h"
#include "onnx/onnx.pb.h"
#include "testing/gtest/status_matchers.h"
#include "tools/models/network_builder.h"

namespace burin::models {
namespace {

using ::testing::HasSubstr;

TEST(OnnxBuilderTest, FileHasSignatureOpsetAndWeights) {
  OnnxBuilder builder("sample");
  const Value x = builder.Input("x", ElementType::kF32, {1, 2, 4, 4});
  const Value y = builder.Convolution(x, ir::Tensor::CreateZeroed(ElementType::kF32, {2, 1, 3, 3}),
                                      ir::Tensor::CreateZeroed(ElementType::kF32, {2}), {3, 2, 1}, 2);
  builder.Output(y, "y", ElementType::kF32, {1, 2, 2, 2});
  ASSERT_OK_AND_ASSIGN(std::string bytes, builder.Finish());

  ::onnx::ModelProto model;
  ASSERT_TRUE(model.ParseFromString(bytes));
  EXPECT_EQ(model.ir_version(), 8);
  ASSERT_EQ(model.opset_import_size(), 1);
  EXPECT_EQ(model.opset_import(0).version(), 17);
  const ::onnx::GraphProto& graph = model.graph();
  EXPECT_EQ(graph.name(), "sample");
  ASSERT_EQ(graph.input_size(), 1);
  EXPECT_EQ(graph.input(0).type().tensor_type().shape().dim(3).dim_value(), 4);
  ASSERT_EQ(graph.output_size(), 1);
  EXPECT_EQ(graph.output(0).name(), "y");
  ASSERT_EQ(graph.initializer_size(), 2);
  EXPECT_EQ(graph.initializer(0).name(), "weight");
  EXPECT_EQ(graph.initializer(0).raw_data().size(), 2 * 9 * sizeof(float));
  const ::onnx::NodeProto& conv = graph.node(0);
  EXPECT_EQ(conv.op_type(), "Conv");
  EXPECT_EQ(conv.attribute_size(), 4);
  for (const ::onnx::AttributeProto& attribute : conv.attribute()) {
    if (attribute.name() == "group") {
      EXPECT_EQ(attribute.i(), 2);
    } else if (attribute.name() == "pads") {
      EXPECT_EQ(attribute.ints_size(), 4);
      EXPECT_EQ(attribute.ints(3), 1);
    } else {
      EXPECT_EQ(attribute.ints_size(), 2) << attribute.name();
      EXPECT_EQ(attribute.ints(0), attribute.name() == "strides" ? 2 : 3) << attribute.name();
    }
  }
}

TEST(OnnxBuilderTest, NamesAreUnique) {
  OnnxBuilder builder("names");
  Value x = builder.Input("x", ElementType::kF32, {2});
  for (int i = 0; i < 3; ++i) x = builder.Binary(BinaryOp::kAdd, builder.Unary(UnaryOp::kRelu, x), builder.Scalar(1));
  builder.Output(x, "y", ElementType::kF32, {2});
  ASSERT_OK_AND_ASSIGN(std::string bytes, builder.Finish());
  ::onnx::ModelProto model;
  ASSERT_TRUE(model.ParseFromString(bytes));
  std::set<std::string> names;
  for (const ::onnx::NodeProto& node : model.graph().node()) {
    EXPECT_TRUE(names.insert(node.name()).second) << node.name();
    EXPECT_TRUE(names.insert(node.output(0)).second) << node.output(0);
  }
  for (const ::onnx::TensorProto& constant : model.graph().initializer()) {
    EXPECT_TRUE(names.insert(constant.name()).second) << constant.name();
  }
}

TEST(OnnxBuilderTest, TheFirstErrorIsReported) {
  OnnxBuilder builder("errors");
  const Value x = builder.Constant(absl::ResourceExhaustedError("no memory"), "x");
  builder.Output(builder.Convert(builder.Mean(x, 0), ElementType::kI64), "y", ElementType::kI64, {1});
  EXPECT_THAT(builder.Finish(), StatusIs(absl::StatusCode::kResourceExhausted, HasSubstr("no memory")));
}

TEST(OnnxBuilderTest, MoreThanOneFileHoldsIsRefused) {
  OnnxBuilder builder("large");
  // 2 GiB of which no page is touched, as they are refused unread.
  absl::StatusOr<ir::Tensor> large = ir::Tensor::Create(ElementType::kF32, {int64_t{1} << 29});
  ASSERT_OK(large);
  builder.Constant(*large, "weight");
  EXPECT_THAT(builder.Finish(), StatusIs(absl::StatusCode::kResourceExhausted, HasSubstr("at most 2 GiB")));
}

}  // namespace
}  // namespace burin::models
