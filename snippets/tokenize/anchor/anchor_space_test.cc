#include "snippets/tokenize/anchor/anchor_space.h"

#include <gtest/gtest.h>

#include <memory>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "ir/model.h"
#include "ir/text.h"
#include "snippets/anchor/anchored_body.h"
#include "snippets/tokenize/body_space.h"
#include "testing/gtest/status_matchers.h"

namespace burin::snippets {
namespace {

BodySpace Describe(absl::string_view text) {
  const absl::StatusOr<std::unique_ptr<ir::Model>> body = ir::ParseModel(text);
  EXPECT_OK(body.status());
  const absl::StatusOr<AnchoredBody> split = SplitAnchored(**body);
  EXPECT_OK(split.status());
  absl::StatusOr<BodySpace> space = DescribeEpilogue(*split);
  EXPECT_OK(space.status());
  return *std::move(space);
}

TEST(DescribeEpilogue, HasRowsAndColumns) {
  const BodySpace space = Describe(R"(model "" {
    %0 "x" = Parameter() {element_type = f32, shape = [b, 3, 8, 10]}
    %1 "w" = Parameter() {element_type = f32, shape = [5, 3, 1, 1]}
    %2 "conv" = Convolution(%0, %1) {strides = [1,1], pads_begin = [0,0], pads_end = [0,0], dilations = [1,1]}
    %3 "v" = Parameter() {element_type = f32, shape = [5, 1, 1]}
    %4 "tanh" = Tanh(%3)
    %5 "sum" = Add(%2, %4)
    %6 "out" = Result(%5)
  })");
  // In the order in which operations come: columns first.
  ASSERT_EQ(space.axes.size(), 2u);
  EXPECT_EQ(space.axes[0].extent, 5);
  EXPECT_EQ(space.axes[0].depth, 0);
  EXPECT_EQ(space.axes[1].extent, 80);
  EXPECT_EQ(space.axes[1].depth, 1);
  ASSERT_EQ(space.work.size(), 2u);
  EXPECT_EQ(space.work[0].axes, AxisMask{1});
  EXPECT_GT(space.work[0].dear, 0);
  EXPECT_EQ(space.work[1].axes, AxisMask{3});
  EXPECT_EQ(space.work[1].cheap, 1);
}

TEST(DescribeEpilogue, OneValueInAllHasNoAxes) {
  const BodySpace space = Describe(R"(model "" {
    %0 "x" = Parameter() {element_type = f32, shape = [1, 8]}
    %1 "w" = Parameter() {element_type = f32, shape = [8, 4]}
    %2 "product" = MatMul(%0, %1)
    %3 "v" = Parameter() {element_type = f32, shape = []}
    %4 "sum" = Add(%2, %3)
    %5 "out" = Result(%4)
  })");
  ASSERT_EQ(space.work.size(), 1u);
  EXPECT_EQ(space.work[0].cheap, 1);
}

TEST(DescribeEpilogue, OfAnAnchorAloneThereIsNoWork) {
  const BodySpace space = Describe(R"(model "" {
    %0 "x" = Parameter() {element_type = f32, shape = [1, 8]}
    %1 "w" = Parameter() {element_type = f32, shape = [8, 4]}
    %2 "product" = MatMul(%0, %1)
    %3 "out" = Result(%2)
  })");
  ASSERT_EQ(space.axes.size(), 1u);
  EXPECT_EQ(space.axes[0].extent, 4);
  EXPECT_TRUE(space.work.empty());
}

}  // namespace
}  // namespace burin::snippets
