#include <cstdint>
#include <vector>

#include "ir/ops/op_testlib.h"
#include "runtime/readers/onnx/onnx_model_testlib.h"
#include "testing/gtest/status_matchers.h"

namespace burin::onnx {
namespace {

using ir::F32;
using ir::I64;

const ir::Tensor& X() {
  static const ir::Tensor* const x = new ir::Tensor(F32({1, 2, 3}, {0, 1, 2, 3, 4, 5}));
  return *x;
}

ir::Tensor XShaped(const ir::Shape& shape) { return *X().Reshaped(shape); }

TEST(ShapeTest, Reshape) {
  ExpectComputes(SingleNode("Reshape", 13).Inputs({X(), I64({2}, {0, -1})}), {XShaped({1, 6})});
  ExpectComputes(SingleNode("Reshape", 13).Inputs({X(), I64({2}, {3, 2})}).Variable(2), {XShaped({3, 2})});
  ExpectComputes(SingleNode("Reshape", 1).Inputs({X()}).With([](::onnx::NodeProto& node) {
    SetInts(node, "shape", {-1, 2});
  }),
                 {XShaped({3, 2})});
  ExpectComputes(
      SingleNode("Reshape", 14).Inputs({F32({0, 3}, {}), I64({2}, {3, 0})}).With([](::onnx::NodeProto& node) {
        SetInt(node, "allowzero", 1);
      }),
      {F32({3, 0}, {})});
}

TEST(ShapeTest, ShapeOfSomeAxes) {
  const auto range = [](int64_t start, int64_t end) {
    return [start, end](::onnx::NodeProto& node) {
      SetInt(node, "start", start);
      SetInt(node, "end", end);
    };
  };
  ExpectComputes(SingleNode("Shape", 13).Inputs({X()}).Outputs({kInt64}), {I64({3}, {1, 2, 3})});
  ExpectComputes(SingleNode("Shape", 15).Inputs({X()}).Outputs({kInt64}).With(range(1, 2)), {I64({1}, {2})});
  ExpectComputes(SingleNode("Shape", 15).Inputs({X()}).Outputs({kInt64}).With(range(-2, 100)), {I64({2}, {2, 3})});
  ExpectComputes(SingleNode("Shape", 15).Inputs({X()}).Outputs({kInt64}).With(range(2, 1)), {I64({0}, {})});
  ExpectComputes(SingleNode("Size", 13).Inputs({X()}).Outputs({kInt64}), {I64({}, {6})});
}

TEST(ShapeTest, SqueezeAndUnsqueezeInBothForms) {
  const auto axes = [](std::vector<int64_t> values) {
    return [values](::onnx::NodeProto& node) { SetInts(node, "axes", values); };
  };
  ExpectComputes(SingleNode("Squeeze", 11).Inputs({X()}).With(axes({0})), {XShaped({2, 3})});
  ExpectComputes(SingleNode("Squeeze", 13).Inputs({X(), I64({1}, {-3})}), {XShaped({2, 3})});
  ExpectComputesStatic(SingleNode("Squeeze", 13).Inputs({X()}), {XShaped({2, 3})});
  ExpectComputes(SingleNode("Unsqueeze", 11).Inputs({X()}).With(axes({0, 4})), {XShaped({1, 1, 2, 3, 1})});
  ExpectComputes(SingleNode("Unsqueeze", 13).Inputs({X(), I64({1}, {-1})}), {XShaped({1, 2, 3, 1})});
}

TEST(ShapeTest, TransposeReversesByDefault) {
  ExpectComputes(SingleNode("Transpose").Inputs({X()}), {F32({3, 2, 1}, {0, 3, 1, 4, 2, 5})});
  ExpectComputes(SingleNode("Transpose").Inputs({X()}).With([](::onnx::NodeProto& node) {
    SetInts(node, "perm", {0, 2, 1});
  }),
                 {F32({1, 3, 2}, {0, 3, 1, 4, 2, 5})});
}

TEST(ShapeTest, ExpandIsBidirectional) {
  ExpectComputes(SingleNode("Expand").Inputs({F32({2, 1}, {1, 2}), I64({2}, {1, 2})}), {F32({2, 2}, {1, 1, 2, 2})});
}

TEST(ShapeTest, ConstantOfShape) {
  ExpectComputes(SingleNode("ConstantOfShape").Inputs({I64({2}, {1, 2})}), {F32({1, 2}, {0, 0})});
  ExpectComputes(
      SingleNode("ConstantOfShape").Inputs({I64({0}, {})}).Outputs({kInt64}).With([](::onnx::NodeProto& node) {
        SetTensor(node, "value", I64({1}, {7}));
      }),
      {I64({}, {7})});
}

TEST(ShapeTest, ConcatNeedsAnAxis) {
  ExpectComputes(
      SingleNode("Concat").Inputs({X(), X()}).With([](::onnx::NodeProto& node) { SetInt(node, "axis", -3); }),
      {F32({2, 2, 3}, {0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5})});
  EXPECT_THAT(ReadBytes(FileOf(SingleNode("Concat").Inputs({X(), X()}))), StatusIs(absl::StatusCode::kInvalidArgument));
}

}  // namespace
}  // namespace burin::onnx
