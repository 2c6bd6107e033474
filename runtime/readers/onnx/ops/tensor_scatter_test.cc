#include "ir/ops/op_testlib.h"
#include "runtime/readers/onnx/onnx_model_testlib.h"
#include "testing/gtest/status_matchers.h"

namespace burin::onnx {
namespace {

using ::testing::HasSubstr;

using ir::F32;
using ir::I64;

const ir::Tensor& Cache() {
  static const ir::Tensor* const x = new ir::Tensor(F32({2, 3, 1}, {1, 2, 3, 4, 5, 6}));
  return *x;
}
const ir::Tensor& Update() {
  static const ir::Tensor* const x = new ir::Tensor(F32({2, 2, 1}, {10, 20, 30, 40}));
  return *x;
}

TEST(TensorScatterTest, WritesFromAPlaceOfEachElementOfTheBatch) {
  ExpectComputes(SingleNode("TensorScatter", 24).Inputs({Cache(), Update()}), {F32({2, 3, 1}, {10, 20, 3, 30, 40, 6})});
  ExpectComputes(SingleNode("TensorScatter", 24).Inputs({Cache(), Update(), I64({2}, {1, 0})}),
                 {F32({2, 3, 1}, {1, 10, 20, 30, 40, 6})});
}

TEST(TensorScatterTest, GoesRoundWhereItIsCircular) {
  ExpectComputes(
      SingleNode("TensorScatter", 24).Inputs({Cache(), Update(), I64({2}, {2, 1})}).With([](::onnx::NodeProto& node) {
        SetString(node, "mode", "circular");
      }),
      {F32({2, 3, 1}, {20, 2, 10, 4, 30, 40})});
}

TEST(TensorScatterTest, RefusesTheAxisOfTheBatch) {
  EXPECT_THAT(
      ReadBytes(FileOf(SingleNode("TensorScatter", 24).Inputs({Cache(), Update()}).With([](::onnx::NodeProto& node) {
        SetInt(node, "axis", -3);
      }))),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("batch")));
}

}  // namespace
}  // namespace burin::onnx
