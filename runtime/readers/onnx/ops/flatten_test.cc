#include "runtime/readers/onnx/ops/flatten.h"

#include <cstdint>

#include "ir/ops/op_testlib.h"
#include "runtime/readers/onnx/onnx_model_testlib.h"
#include "testing/gtest/status_matchers.h"

namespace burin::onnx {
namespace {

using ir::F32;

const ir::Tensor& X() {
  static const ir::Tensor* const x = new ir::Tensor(F32({1, 2, 3}, {0, 1, 2, 3, 4, 5}));
  return *x;
}

ir::Tensor XShaped(const ir::Shape& shape) { return *X().Reshaped(shape); }

TEST(FlattenTest, Flatten) {
  const auto axis = [](int64_t value) { return [value](::onnx::NodeProto& node) { SetInt(node, "axis", value); }; };
  ExpectComputes(SingleNode("Flatten", 13).Inputs({X()}), {XShaped({1, 6})});
  ExpectComputes(SingleNode("Flatten", 13).Inputs({X()}).With(axis(0)), {XShaped({1, 6})});
  ExpectComputes(SingleNode("Flatten", 13).Inputs({X()}).With(axis(2)), {XShaped({2, 3})});
  ExpectComputes(SingleNode("Flatten", 13).Inputs({X()}).With(axis(3)), {XShaped({6, 1})});
  ExpectComputes(SingleNode("Flatten", 13).Inputs({X()}).With(axis(-1)), {XShaped({2, 3})});
  ExpectComputes(SingleNode("Flatten", 13).Inputs({F32({0, 3}, {})}), {F32({0, 3}, {})});
}

TEST(FlattenTest, FlattenKeepsTheBatchSymbolic) {
  OnnxFile file(13);
  file.Input("x", kFloat, {-1, 2, 3});
  file.graph().mutable_input(0)->mutable_type()->mutable_tensor_type()->mutable_shape()->mutable_dim(0)->set_dim_param(
      "n");
  file.Node("Flatten", {"x"}, {"y"});
  file.Output("y", kFloat);
  ASSERT_OK_AND_ASSIGN(const auto model, ReadBytes(file.Bytes()));
  EXPECT_EQ(model->node(model->results()[0]).output(0).shape.ToString(), "[n,6]");
}

}  // namespace
}  // namespace burin::onnx
