#include <cstdint>
#include <limits>
#include <vector>

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

// 1000 is beyond the 448 of f8e4m3fn, which has no infinity, and 1e6 beyond f8e5m2, which has one.
TEST(TypeTest, CastsSaturateUnlessToldNotTo) {
  const ir::Tensor x = F32({3}, {1000, -1e6, 3});
  const auto cast = [&](ElementType type, int saturate, const std::vector<double>& values) {
    const ir::Tensor y = ir::FloatTensor(type, {3}, values);
    const auto attributes = [=](::onnx::NodeProto& node) {
      if (node.op_type() == "Cast") SetInt(node, "to", OnnxNumberOf(type));
      SetInt(node, "saturate", saturate);
    };
    ExpectComputes(SingleNode("Cast", 19).Inputs({x}).Outputs({OnnxNumberOf(type)}).With(attributes), {y});
    ExpectComputes(SingleNode("CastLike", 19)
                       .Inputs({x, ir::FloatTensor(type, {}, {1})})
                       .Outputs({OnnxNumberOf(type)})
                       .With(attributes),
                   {y});
  };
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  cast(ElementType::kF8E4M3FN, 1, {448, -448, 3});
  cast(ElementType::kF8E4M3FN, 0, {kNan, kNan, 3});
  cast(ElementType::kF8E5M2, 1, {1024, -57344, 3});
  // The builder of expected tensors saturates, but keeps an infinity that is asked for where there is one.
  ASSERT_OK_AND_ASSIGN(const std::vector<ir::Tensor> y,
                       ReadAndRun(FileOf(SingleNode("Cast", 19)
                                             .Inputs({x})
                                             .Outputs({OnnxNumberOf(ElementType::kF8E5M2)})
                                             .With([](::onnx::NodeProto& node) {
                                               SetInt(node, "to", OnnxNumberOf(ElementType::kF8E5M2));
                                               SetInt(node, "saturate", 0);
                                             })),
                                  {x}));
  EXPECT_EQ(ir::Doubles(y[0]), (std::vector<double>{1024, -std::numeric_limits<double>::infinity(), 3}));
}

TEST(TypeTest, CastsToPowersOfTwoRoundAsTold) {
  const auto cast = [&](const char* mode, const std::vector<double>& values) {
    const int type = OnnxNumberOf(ElementType::kF8E8M0);
    ExpectComputes(SingleNode("Cast", 24).Inputs({F32({2}, {5, 7})}).Outputs({type}).With([=](::onnx::NodeProto& node) {
      SetInt(node, "to", type);
      SetString(node, "round_mode", mode);
    }),
                   {ir::FloatTensor(ElementType::kF8E8M0, {2}, values)});
  };
  cast("up", {8, 8});
  cast("down", {4, 4});
  cast("nearest", {4, 8});
  EXPECT_THAT(ReadBytes(FileOf(SingleNode("Cast", 24).Inputs({F32({1}, {1})}).With([](::onnx::NodeProto& node) {
                SetInt(node, "to", OnnxNumberOf(ElementType::kF8E8M0));
                SetString(node, "round_mode", "sideways");
              }))),
              StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST(TypeTest, BitCast) {
  const auto to = [](int type) { return [=](::onnx::NodeProto& node) { SetInt(node, "to", type); }; };
  ExpectComputes(SingleNode("BitCast", 26).Inputs({F32({2}, {1, -2})}).Outputs({kInt32}).With(to(kInt32)),
                 {ir::I32({2}, {0x3F800000, -0x40000000})});
  for (const int type : {kInt64, 8, 99}) {
    EXPECT_THAT(ReadBytes(FileOf(SingleNode("BitCast", 26).Inputs({F32({1}, {1})}).With(to(type)))),
                StatusIs(absl::StatusCode::kInvalidArgument));
  }
}

}  // namespace
}  // namespace burin::onnx
