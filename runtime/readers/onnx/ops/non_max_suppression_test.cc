#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/ops/op_testlib.h"
#include "runtime/readers/onnx/onnx_model_testlib.h"
#include "testing/gtest/status_matchers.h"

namespace burin::onnx {
namespace {

using ::testing::HasSubstr;

using ir::F32;
using ir::I64;

// Two batches of three boxes of height 1: 0 to 4, 1 to 5 (3 of 5 in common with the first) and 6 to 8; two classes.
SingleNode Node(const ir::Tensor& most, const ir::Tensor& iou_threshold, const ir::Tensor& score_threshold) {
  const ir::Tensor boxes = F32({2, 3, 4}, {0, 0, 1, 4, 0, 1, 1, 5, 0, 6, 1, 8, 0, 0, 1, 4, 0, 1, 1, 5, 0, 6, 1, 8});
  const ir::Tensor scores = F32({2, 2, 3}, {0.5, 0.75, -1, 0.5, 0.25, 0.75, 0, 0, 0, 0.125, 0.25, 0.5});
  return SingleNode("NonMaxSuppression", 11)
      .Inputs({boxes, scores, most, iou_threshold, score_threshold})
      .Variable(2)
      .Outputs({kInt64});
}

TEST(NonMaxSuppressionTest, SelectsClassByClass) {
  ExpectComputes(Node(I64({1}, {9}), F32({1}, {0.5}), F32({1}, {0.25})),
                 {I64({5, 3}, {0, 0, 1, 0, 1, 2, 0, 1, 0, 1, 1, 2, 1, 1, 1})});
  ExpectComputes(Node(I64({}, {1}), F32({}, {0.75}), F32({}, {0.5})), {I64({3, 3}, {0, 0, 1, 0, 1, 2, 1, 1, 2})});
}

TEST(NonMaxSuppressionTest, LimitsMayBeComputed) {
  ExpectComputes(Node(I64({1}, {9}), F32({1}, {0.5}), F32({1}, {0.25})).Variable(5),
                 {I64({5, 3}, {0, 0, 1, 0, 1, 2, 0, 1, 0, 1, 1, 2, 1, 1, 1})});
}

TEST(NonMaxSuppressionTest, WithoutThresholdsAllScoresCountAndNothingMayOverlap) {
  ExpectComputes(Node(I64({}, {9}), ir::Tensor(), ir::Tensor()),
                 {I64({8, 3}, {0, 0, 1, 0, 0, 2, 0, 1, 2, 0, 1, 0, 1, 0, 0, 1, 0, 2, 1, 1, 2, 1, 1, 1})});
  ExpectComputes(Node(ir::Tensor(), ir::Tensor(), ir::Tensor()), {I64({0, 3}, {})});
}

TEST(NonMaxSuppressionTest, BoxesAroundTheirMiddle) {
  const auto center = [](int64_t value) {
    return SingleNode("NonMaxSuppression", 10)
        .Inputs(
            {F32({1, 2, 4}, {2, 0.5, 4, 1, 3, 0.5, 4, 1}), F32({1, 1, 2}, {0.5, 0.75}), I64({}, {9}), F32({}, {0.5})})
        .Variable(2)
        .Outputs({kInt64})
        .With([value](::onnx::NodeProto& node) { SetInt(node, "center_point_box", value); });
  };
  ExpectComputes(center(1), {I64({1, 3}, {0, 0, 1})});
  EXPECT_THAT(ReadBytes(FileOf(center(2))),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("center_point_box")));
}

}  // namespace
}  // namespace burin::onnx
