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

// Sizes 1 and 3 of 2 and 4 elements ask for 1/2 and 3/4: by 3/4 there are 1.5 elements, rounded up, and 3.
TEST(ResizeTest, RoundsWhatTheAspectRatioGives) {
  const auto policy = [](::onnx::NodeProto& node) {
    SetString(node, "keep_aspect_ratio_policy", "not_smaller");
    SetInts(node, "axes", {2, 3});
  };
  const SingleNode node =
      SingleNode("Resize", 19)
          .Inputs({F32({1, 1, 2, 4}, {1, 2, 3, 4, 5, 6, 7, 8}), ir::Tensor(), ir::Tensor(), I64({2}, {1, 3})})
          .With(policy);
  const ir::Tensor y = F32({1, 1, 2, 3}, {1, 2, 4, 5, 6, 8});
  ExpectComputes(node, {y});
  // The same with sizes that are known at run time.
  ExpectComputes(SingleNode(node).Variable(2), {y});
}

// Positions 1.5, 3 and 4.5 of elements 0 to 3, of which the last is outside; and axes in another order than the data's.
TEST(ResizeTest, CropsAndResizes) {
  const auto crop = [](::onnx::NodeProto& node) {
    SetString(node, "mode", "linear");
    SetString(node, "coordinate_transformation_mode", "tf_crop_and_resize");
    SetFloat(node, "extrapolation_value", 10);
    SetInts(node, "axes", {1, 0});
  };
  const ir::Tensor x = F32({1, 4}, {1, 2, 4, 8});
  ExpectComputes(
      SingleNode("Resize", 18).Inputs({x, F32({4}, {0.5, 0, 1.5, 1}), ir::Tensor(), I64({2}, {3, 1})}).With(crop),
      {F32({1, 3}, {3, 8, 10})});
}

TEST(ResizeTest, ExcludesOutsideAndAvoidsAliases) {
  const ir::Tensor x = F32({4}, {8, 16, 32, 64});
  const auto mode = [](const char* attribute) {
    return [attribute](::onnx::NodeProto& node) {
      SetString(node, "mode", attribute == std::string("antialias") ? "linear" : "cubic");
      SetFloat(node, "cubic_coeff_a", -0.5);
      SetInt(node, attribute, 1);
    };
  };
  const SingleNode node = SingleNode("Resize", 18).Inputs({x, ir::Tensor(), F32({1}, {0.5})});
  ExpectComputes(SingleNode(node).With(mode("antialias")), {F32({2}, {14, 46})});
  ExpectComputes(SingleNode(node).With(mode("exclude_outside")),
                 {F32({2}, {(9 * 8 + 9 * 16 - 32) / 17.0, (9 * 32 + 9 * 64 - 16) / 17.0})}, 1e-6);
}

TEST(ResizeTest, UnknownModes) {
  for (const char* const attribute : {"mode", "keep_aspect_ratio_policy"}) {
    EXPECT_THAT(ReadBytes(FileOf(SingleNode("Resize", 18)
                                     .Inputs({X(), ir::Tensor(), ir::Tensor(), I64({3}, {1, 1, 2})})
                                     .With(Modes({{attribute, "spline"}})))),
                StatusIs(absl::StatusCode::kInvalidArgument));
  }
}

}  // namespace
}  // namespace burin::onnx
