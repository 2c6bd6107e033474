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
  static const ir::Tensor* const x = new ir::Tensor(F32({2, 3}, {0, 1, 2, 3, 4, 5}));
  return *x;
}

TEST(MovementTest, SliceInEachForm) {
  ExpectComputes(SingleNode("Slice", 9).Inputs({X()}).With([](::onnx::NodeProto& node) {
    SetInts(node, "starts", {0, 1});
    SetInts(node, "ends", {1, 1000});
  }),
                 {F32({1, 2}, {1, 2})});
  ExpectComputes(
      SingleNode("Slice", 13).Inputs({X(), I64({1}, {-1}), I64({1}, {INT64_MIN}), I64({1}, {1}), I64({1}, {-2})}),
      {F32({2, 2}, {2, 0, 5, 3})});
  ExpectComputes(SingleNode("Slice", 13).Inputs({X(), ir::I32({1}, {1}), ir::I32({1}, {2})}), {F32({1, 3}, {3, 4, 5})});
}

TEST(MovementTest, SplitInEachForm) {
  const auto axis = [](::onnx::NodeProto& node) { SetInt(node, "axis", 1); };
  const std::vector<ir::Tensor> parts = {F32({2, 2}, {0, 1, 3, 4}), F32({2, 1}, {2, 5})};
  ExpectComputes(SingleNode("Split", 13).Inputs({X(), I64({2}, {2, 1})}).Outputs({kFloat, kFloat}).With(axis), parts);
  ExpectComputes(SingleNode("Split", 11).Inputs({X()}).Outputs({kFloat, kFloat}).With([](::onnx::NodeProto& node) {
    SetInt(node, "axis", 1);
    SetInts(node, "split", {2, 1});
  }),
                 parts);
  // The last of unequal pieces is the small one.
  ExpectComputesStatic(
      SingleNode("Split", 18).Inputs({X()}).Outputs({kFloat, kFloat}).With([](::onnx::NodeProto& node) {
        SetInt(node, "axis", 1);
        SetInt(node, "num_outputs", 2);
      }),
      parts);
  ExpectComputes(SingleNode("Split", 13).Inputs({X()}).Outputs({kFloat, kFloat}),
                 {F32({1, 3}, {0, 1, 2}), F32({1, 3}, {3, 4, 5})});
}

TEST(MovementTest, PadInEachForm) {
  const ir::Tensor x = F32({2}, {1, 2});
  ExpectComputes(SingleNode("Pad", 2).Inputs({x}).With([](::onnx::NodeProto& node) {
    SetInts(node, "pads", {1, 0});
    SetFloat(node, "value", 9);
  }),
                 {F32({3}, {9, 1, 2})});
  ExpectComputes(SingleNode("Pad", 13).Inputs({x, I64({2}, {0, 2}), F32({}, {7})}), {F32({4}, {1, 2, 7, 7})});
  ExpectComputes(SingleNode("Pad", 13).Inputs({x, I64({2}, {1, 1})}).With([](::onnx::NodeProto& node) {
    SetString(node, "mode", "reflect");
  }),
                 {F32({4}, {2, 1, 2, 1})});
  ExpectComputes(SingleNode("Pad", 18).Inputs({X(), I64({2}, {0, 1}), ir::Tensor(), I64({1}, {-1})}),
                 {F32({2, 4}, {0, 1, 2, 0, 3, 4, 5, 0})});
}

TEST(MovementTest, PadsTheAxesOfAnInput) {
  const SingleNode pad = SingleNode("Pad", 18).Inputs({X(), I64({2}, {1, -1}), F32({}, {9}), ir::I32({1}, {-1})});
  const ir::Tensor y = F32({2, 3}, {9, 0, 1, 9, 3, 4});
  ExpectComputes(pad, {y});
  ExpectComputes(SingleNode(pad).Variable(4), {y});
  EXPECT_THAT(ReadBytes(FileOf(SingleNode("Pad", 18).Inputs({X(), I64({2}, {0, 1}), ir::Tensor(), I64({1}, {2})}))),
              StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST(MovementTest, PadsByWrappingAround) {
  const auto wrap = [](::onnx::NodeProto& node) { SetString(node, "mode", "wrap"); };
  ExpectComputes(SingleNode("Pad", 19).Inputs({X(), I64({4}, {1, -1, 0, 1})}).With(wrap),
                 {F32({3, 3}, {4, 5, 3, 1, 2, 0, 4, 5, 3})});
  // More than once around, with pads that are known at run time.
  ExpectComputes(SingleNode("Pad", 19).Inputs({F32({2}, {1, 2}), I64({2}, {3, 2})}).With(wrap).Variable(2),
                 {F32({7}, {2, 1, 2, 1, 2, 1, 2})});
}

TEST(MovementTest, TileInEachForm) {
  ExpectComputes(SingleNode("Tile", 13).Inputs({F32({1, 2}, {1, 2}), I64({2}, {2, 1})}), {F32({2, 2}, {1, 2, 1, 2})});
  ExpectComputes(SingleNode("Tile", 1).Inputs({F32({1, 2}, {1, 2}), I64({1}, {2}), I64({1}, {1})}),
                 {F32({1, 4}, {1, 2, 1, 2})});
}

TEST(MovementTest, Trilu) {
  const ir::Tensor x = F32({2, 3}, {1, 2, 3, 4, 5, 6});
  ExpectComputes(SingleNode("Trilu").Inputs({x}), {F32({2, 3}, {1, 2, 3, 0, 5, 6})});
  ExpectComputes(
      SingleNode("Trilu").Inputs({x, I64({}, {1})}).With([](::onnx::NodeProto& node) { SetInt(node, "upper", 0); }),
      {F32({2, 3}, {1, 2, 0, 4, 5, 6})});
}

TEST(MovementTest, RangeTakesTensorsOfOneElement) {
  ExpectComputes(SingleNode("Range").Inputs({I64({1}, {1}), I64({1}, {7}), I64({}, {3})}).Outputs({kInt64}),
                 {I64({2}, {1, 4})});
}

TEST(MovementTest, Compress) {
  const ir::Tensor condition = ir::Bool({2}, {0, 1});
  ExpectComputes(
      SingleNode("Compress").Inputs({X(), condition}).With([](::onnx::NodeProto& node) { SetInt(node, "axis", 1); }),
      {F32({2, 1}, {1, 4})});
  ExpectComputes(SingleNode("Compress").Inputs({X(), ir::Bool({5}, {0, 1, 0, 0, 1})}), {F32({2}, {1, 4})});
}

TEST(MovementTest, DepthAndSpace) {
  const ir::Tensor depth = F32({1, 4, 1, 1}, {1, 2, 3, 4});
  const ir::Tensor space = F32({1, 1, 2, 2}, {1, 2, 3, 4});
  const auto block = [](::onnx::NodeProto& node) { SetInt(node, "blocksize", 2); };
  ExpectComputes(SingleNode("DepthToSpace").Inputs({depth}).With(block), {space});
  ExpectComputes(SingleNode("SpaceToDepth").Inputs({space}).With(block), {depth});
}

TEST(MovementTest, EyeLike) {
  ExpectComputes(SingleNode("EyeLike").Inputs({X()}).Outputs({kInt64}).With([](::onnx::NodeProto& node) {
    SetInt(node, "dtype", kInt64);
    SetInt(node, "k", 1);
  }),
                 {I64({2, 3}, {0, 1, 0, 0, 0, 1})});
}

TEST(MovementTest, ReverseSequence) {
  ExpectComputes(SingleNode("ReverseSequence").Inputs({X(), I64({2}, {2, 1})}).With([](::onnx::NodeProto& node) {
    SetInt(node, "batch_axis", 0);
    SetInt(node, "time_axis", 1);
  }),
                 {F32({2, 3}, {1, 0, 2, 3, 4, 5})});
}

}  // namespace
}  // namespace burin::onnx
