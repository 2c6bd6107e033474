#include <cstdint>

#include "ir/ops/op_testlib.h"
#include "runtime/readers/onnx/onnx_model_testlib.h"
#include "testing/gtest/status_matchers.h"

namespace burin::onnx {
namespace {

using ir::F32;
using ir::I64;

TEST(TypeTest, CastByNumberAndByName) {
  const ir::Tensor x = F32({2}, {-1.5, 2.9});
  ExpectComputes(SingleNode("Cast", 13).Inputs({x}).Outputs({kInt64}).With([](::onnx::NodeProto& node) {
    SetInt(node, "to", kInt64);
  }),
                 {I64({2}, {-1, 2})});
  ExpectComputes(SingleNode("Cast", 1).Inputs({x}).Outputs({kInt64}).With(
                     [](::onnx::NodeProto& node) { SetString(node, "to", "INT64"); }),
                 {I64({2}, {-1, 2})});
  ExpectComputes(SingleNode("CastLike").Inputs({x, I64({}, {0})}).Outputs({kInt64}), {I64({2}, {-1, 2})});
  EXPECT_THAT(
      ReadBytes(FileOf(SingleNode("Cast").Inputs({x}).With([](::onnx::NodeProto& node) { SetInt(node, "to", 8); }))),
      StatusIs(absl::StatusCode::kUnimplemented));
  EXPECT_THAT(ReadBytes(FileOf(SingleNode("Cast").Inputs({x}))), StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST(TypeTest, ConstantInEachForm) {
  const auto constant = [] { return SingleNode("Constant", 13); };
  ExpectComputes(constant().With([](::onnx::NodeProto& node) {
    SetTensor(node, "value", F32({2}, {1, 2}));
  }),
                 {F32({2}, {1, 2})});
  ExpectComputes(constant().With([](::onnx::NodeProto& node) { SetFloat(node, "value_float", 0.1f); }),
                 {F32({}, {0.1f})});
  ExpectComputes(constant().With([](::onnx::NodeProto& node) {
    SetFloats(node, "value_floats", {1, 2});
  }),
                 {F32({2}, {1, 2})});
  ExpectComputes(
      constant().Outputs({kInt64}).With([](::onnx::NodeProto& node) { SetInt(node, "value_int", INT64_MIN); }),
      {I64({}, {INT64_MIN})});
  ExpectComputes(constant().Outputs({kInt64}).With([](::onnx::NodeProto& node) { SetInts(node, "value_ints", {3}); }),
                 {I64({1}, {3})});
  ExpectComputes(constant().With([](::onnx::NodeProto& node) {
    ::onnx::AttributeProto& attribute = *node.add_attribute();
    attribute.set_name("sparse_value");
    attribute.set_type(::onnx::AttributeProto::SPARSE_TENSOR);
    *attribute.mutable_sparse_tensor()->mutable_values() = ToProto(F32({1}, {5}));
    *attribute.mutable_sparse_tensor()->mutable_indices() = ToProto(I64({1}, {1}));
    attribute.mutable_sparse_tensor()->add_dims(3);
  }),
                 {F32({3}, {0, 5, 0})});
  EXPECT_THAT(ReadBytes(FileOf(constant())), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(ReadBytes(FileOf(constant().With([](::onnx::NodeProto& node) { SetString(node, "value_string", "x"); }))),
              StatusIs(absl::StatusCode::kUnimplemented));
}

TEST(TypeTest, DropoutDropsNothing) {
  const ir::Tensor x = F32({2}, {1, 2});
  ExpectComputes(SingleNode("Dropout", 7).Inputs({x}), {x});
  ExpectComputes(SingleNode("Dropout", 13).Inputs({x, F32({}, {0.5})}).Outputs({kFloat, kBool}),
                 {x, ir::Bool({2}, {1, 1})});
  EXPECT_THAT(ReadBytes(FileOf(SingleNode("Dropout", 13).Inputs({x, F32({}, {0.5}), ir::Bool({}, {1})}))),
              StatusIs(absl::StatusCode::kUnimplemented));
}

}  // namespace
}  // namespace burin::onnx
