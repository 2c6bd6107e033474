#include "ir/ops/op_testlib.h"
#include "runtime/readers/onnx/onnx_model_testlib.h"
#include "testing/gtest/status_matchers.h"

namespace burin::onnx {
namespace {

using ::testing::HasSubstr;

using ir::F32;
using ir::I64;

void Window(::onnx::NodeProto& node) {
  SetInts(node, "kernel_shape", {2, 2});
  SetInts(node, "strides", {2, 2});
}

TEST(MaxUnpoolTest, PutsMaximaWhereTheyWere) {
  const ir::Tensor x = F32({1, 1, 1, 2}, {7, 9});
  const ir::Tensor places = I64({1, 1, 1, 2}, {5, 3});
  ExpectComputes(SingleNode("MaxUnpool", 11).Inputs({x, places}).With(Window),
                 {F32({1, 1, 2, 4}, {0, 0, 0, 9, 0, 7, 0, 0})});
  // Zeros follow.
  ExpectComputes(SingleNode("MaxUnpool", 11).Inputs({x, places, I64({4}, {1, 1, 3, 5})}).With(Window),
                 {F32({1, 1, 3, 5}, {0, 0, 0, 9, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0, 0})});
}

TEST(MaxUnpoolTest, RefusesAttributesOfOtherAxes) {
  const ir::Tensor x = F32({1, 1, 2}, {7, 9});
  EXPECT_THAT(ReadBytes(FileOf(SingleNode("MaxUnpool", 11).Inputs({x, I64({1, 1, 2}, {0, 1})}).With(Window))),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("each axis")));
}

}  // namespace
}  // namespace burin::onnx
