#include <cstdint>
#include <functional>
#include <vector>

#include "ir/ops/op_testlib.h"
#include "runtime/readers/onnx/onnx_model_testlib.h"
#include "testing/gtest/status_matchers.h"

namespace burin::onnx {
namespace {

using ::testing::HasSubstr;

using ir::F32;
using ir::I64;

TEST(Col2ImTest, BlocksThatOverlapAreAddedUp) {
  // Blocks of 1 x 2 in an image of 1 x 3: the middle is in both.
  ExpectComputes(SingleNode("Col2Im", 18).Inputs({F32({1, 2, 2}, {1, 2, 10, 20}), I64({2}, {1, 3}), I64({2}, {1, 2})}),
                 {F32({1, 1, 1, 3}, {1, 12, 20})});
}

TEST(Col2ImTest, ChannelsStridesAndDilations) {
  const std::function<void(::onnx::NodeProto&)> attributes = [](::onnx::NodeProto& node) {
    SetInts(node, "strides", {1, 3});
    SetInts(node, "dilations", {1, 2});
  };
  // Blocks at 0 and 3, of elements 2 apart, in an image of 1 x 6; two channels.
  ExpectComputes(SingleNode("Col2Im", 18)
                     .Inputs({F32({1, 4, 2}, {1, 2, 3, 4, 5, 6, 7, 8}), I64({2}, {1, 6}), I64({2}, {1, 2})})
                     .With(attributes),
                 {F32({1, 2, 1, 6}, {1, 0, 3, 2, 0, 4, 5, 0, 7, 6, 0, 8})});
}

TEST(Col2ImTest, PaddingIsCutAway) {
  // Blocks of 1 x 2 at -1, 0 and 1 of an image of 1 x 2.
  ExpectComputes(SingleNode("Col2Im", 18)
                     .Inputs({F32({1, 2, 3}, {1, 2, 3, 10, 20, 30}), I64({2}, {1, 2}), I64({2}, {1, 2})})
                     .With([](::onnx::NodeProto& node) {
                       SetInts(node, "pads", {0, 1, 0, 1});
                     }),
                 {F32({1, 1, 1, 2}, {12, 23})});
}

TEST(Col2ImTest, SizesAtRunTime) {
  ExpectComputes(
      SingleNode("Col2Im", 18).Inputs({F32({1, 2, 2}, {1, 2, 10, 20}), I64({2}, {1, 3}), I64({2}, {1, 2})}).Variable(3),
      {F32({1, 1, 1, 3}, {1, 12, 20})});
}

TEST(Col2ImTest, RefusesWhatIsNoImage) {
  const auto read = [](const ir::Tensor& x, const std::vector<int64_t>& pads) {
    return ReadBytes(FileOf(
        SingleNode("Col2Im", 18).Inputs({x, I64({2}, {1, 1}), I64({2}, {1, 2})}).With([=](::onnx::NodeProto& node) {
          SetInts(node, "pads", pads);
        })));
  };
  constexpr absl::StatusCode kInvalid = absl::StatusCode::kInvalidArgument;
  EXPECT_THAT(read(F32({1, 2, 1}, {1, 2}), {0, 0, 0, 0}), StatusIs(kInvalid, HasSubstr("Col2Im_c5")));
  EXPECT_THAT(read(F32({1, 2, 2}, {1, 2, 3, 4}), {0, 1, 0}), StatusIs(kInvalid, HasSubstr("two for each axis")));
  EXPECT_THAT(read(F32({2, 2}, {1, 2, 3, 4}), {0, 1, 0, 0}), StatusIs(kInvalid, HasSubstr("three axes")));
}

}  // namespace
}  // namespace burin::onnx
