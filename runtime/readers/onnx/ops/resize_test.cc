#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "ir/ops/op_testlib.h"
#include "runtime/readers/onnx/onnx_model_testlib.h"
#include "testing/gtest/status_matchers.h"

namespace burin::onnx {
namespace {

using ir::F32;
using ir::I64;

std::function<void(::onnx::NodeProto&)> Modes(std::vector<std::pair<std::string, std::string>> modes) {
  return [modes](::onnx::NodeProto& node) {
    for (const auto& [name, value] : modes) SetString(node, name, value);
  };
}

const ir::Tensor& X() {
  static const ir::Tensor* const x = new ir::Tensor(F32({1, 1, 2}, {1, 3}));
  return *x;
}

TEST(ResizeTest, OldFormsRoundDown) {
  const ir::Tensor scales = F32({3}, {1, 1, 2});
  const ir::Tensor y = F32({1, 1, 4}, {1, 1, 3, 3});
  ExpectComputes(SingleNode("Upsample", 9).Inputs({X(), scales}), {y});
  ExpectComputes(SingleNode("Upsample", 7).Inputs({X()}).With([](::onnx::NodeProto& node) {
    SetFloats(node, "scales", {1, 1, 2});
  }),
                 {y});
  ExpectComputes(SingleNode("Resize", 10).Inputs({X(), scales}), {y});
  ExpectComputes(SingleNode("Resize", 10).Inputs({X(), scales}).With(Modes({{"mode", "linear"}})),
                 {F32({1, 1, 4}, {1, 2, 3, 3})});
}

TEST(ResizeTest, ScalesAndSizes) {
  const auto linear = Modes({{"mode", "linear"}, {"coordinate_transformation_mode", "half_pixel"}});
  const ir::Tensor y = F32({1, 1, 4}, {1, 1.5, 2.5, 3});
  ExpectComputes(SingleNode("Resize", 13).Inputs({X(), ir::Tensor(), F32({3}, {1, 1, 2})}).With(linear), {y});
  ExpectComputes(SingleNode("Resize", 13).Inputs({X(), ir::Tensor(), ir::Tensor(), I64({3}, {1, 1, 4})}).With(linear),
                 {y});
  const auto one_axis = [](::onnx::NodeProto& node) {
    SetString(node, "mode", "linear");
    SetInts(node, "axes", {-1});
  };
  ExpectComputes(SingleNode("Resize", 18).Inputs({X(), ir::Tensor(), ir::Tensor(), I64({1}, {4})}).With(one_axis), {y});
}

TEST(ResizeTest, NothingToDo) {
  ExpectComputes(SingleNode("Resize", 13).Inputs({X(), ir::Tensor(), F32({3}, {1, 1, 1})}), {X()});
}

TEST(ResizeTest, KeepsTheAspectRatio) {
  const ir::Tensor x = F32({1, 1, 1, 2}, {1, 3});
  const auto with_axes = [](const char* name) {
    return [name](::onnx::NodeProto& node) {
      SetString(node, "keep_aspect_ratio_policy", name);
      SetInts(node, "axes", {2, 3});
    };
  };
  ExpectComputesStatic(
      SingleNode("Resize", 18).Inputs({x, ir::Tensor(), ir::Tensor(), I64({2}, {3, 4})}).With(with_axes("not_larger")),
      {F32({1, 1, 2, 4}, {1, 1, 3, 3, 1, 1, 3, 3})});
}

TEST(ResizeTest, PositionsFollowTheLengthBeforeItIsRoundedDown) {
  const ir::Tensor x = F32({1, 1, 4}, {1, 2, 3, 4});
  const ir::Tensor scales = F32({3}, {1, 1, 0.625f});
  // 4 * 0.625 = 2.5 elements: the second stands at 3 / 1.5 behind the first.
  ExpectComputes(SingleNode("Resize", 13)
                     .Inputs({x, ir::Tensor(), scales})
                     .With(Modes({{"mode", "linear"}, {"coordinate_transformation_mode", "align_corners"}})),
                 {F32({1, 1, 2}, {1, 3})});
  ExpectComputes(SingleNode("Resize", 19)
                     .Inputs({x, ir::Tensor(), scales})
                     .With(Modes({{"mode", "linear"}, {"coordinate_transformation_mode", "half_pixel_symmetric"}})),
                 {F32({1, 1, 2}, {1.7f, 3.3f})});
}

TEST(ResizeTest, UnsupportedModes) {
  EXPECT_THAT(ReadBytes(FileOf(SingleNode("Resize", 19)
                                   .Inputs({X(), ir::Tensor(), F32({3}, {1, 1, 2})})
                                   .With(Modes({{"coordinate_transformation_mode", "tf_crop_and_resize"}})))),
              StatusIs(absl::StatusCode::kUnimplemented));
  EXPECT_THAT(
      ReadBytes(FileOf(
          SingleNode("Resize", 13).Inputs({X(), ir::Tensor(), F32({3}, {1, 1, 2})}).With(Modes({{"mode", "spline"}})))),
      StatusIs(absl::StatusCode::kInvalidArgument));
}

}  // namespace
}  // namespace burin::onnx
