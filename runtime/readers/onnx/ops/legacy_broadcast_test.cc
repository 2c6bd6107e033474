#include "runtime/readers/onnx/ops/legacy_broadcast.h"

#include "ir/ops/op_testlib.h"
#include "runtime/readers/onnx/onnx_model_testlib.h"
#include "testing/gtest/status_matchers.h"

namespace burin::onnx {
namespace {

using ir::F32;

TEST(LegacyBroadcastTest, OldBroadcastAlignsAtAnAxis) {
  const auto at_axis_0 = [](::onnx::NodeProto& node) {
    SetInt(node, "broadcast", 1);
    SetInt(node, "axis", 0);
  };
  ExpectComputes(SingleNode("Add", 6).Inputs({F32({2, 3}, {0, 1, 2, 3, 4, 5}), F32({2}, {10, 20})}).With(at_axis_0),
                 {F32({2, 3}, {10, 11, 12, 23, 24, 25})});
  ExpectComputes(SingleNode("Div", 6).Inputs({F32({2, 2}, {2, 4, 6, 8}), F32({2}, {2, 4})}).With(at_axis_0),
                 {F32({2, 2}, {1, 2, 1.5, 2})});
}

TEST(LegacyBroadcastTest, RefusesWhatReachesPastTheEnd) {
  const auto at_axis_1 = [](::onnx::NodeProto& node) {
    SetInt(node, "broadcast", 1);
    SetInt(node, "axis", 1);
  };
  EXPECT_THAT(ReadBytes(FileOf(SingleNode("Add", 6).Inputs({F32({2}, {1, 2}), F32({2}, {1, 2})}).With(at_axis_1))),
              StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(
      ReadBytes(FileOf(SingleNode("Add", 6).Inputs({F32({2, 1}, {1, 2}), F32({2, 1}, {1, 2})}).With(at_axis_1))),
      StatusIs(absl::StatusCode::kInvalidArgument));
}

}  // namespace
}  // namespace burin::onnx
