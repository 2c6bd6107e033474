#include "snippets/tokenize/body_space.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "base/element_type.h"
#include "ir/dimension.h"
#include "ir/infer_context.h"
#include "ir/model.h"
#include "ir/partial_shape.h"
#include "ir/text.h"
#include "testing/gtest/status_matchers.h"

namespace burin::snippets {
namespace {

using ::testing::ElementsAre;

BodySpace Describe(absl::string_view text) {
  const absl::StatusOr<std::unique_ptr<ir::Model>> body = ir::ParseModel(text);
  EXPECT_OK(body.status());
  absl::StatusOr<BodySpace> space = DescribeBody(**body);
  EXPECT_OK(space.status());
  return *std::move(space);
}

TEST(BodySpace, BroadcastOperandsShareAxes) {
  const BodySpace space = Describe(R"(model "" {
    %0 "x" = Parameter() {element_type = f32, shape = [n, 8]}
    %1 "y" = Parameter() {element_type = f32, shape = [8]}
    %2 "sum" = Add(%0, %1)
    %3 "out" = Result(%2)
  })");
  ASSERT_EQ(space.axes.size(), 2u);
  EXPECT_TRUE(space.axes[0].is_dynamic);
  EXPECT_EQ(space.axes[0].depth, 1);
  EXPECT_EQ(space.axes[1].extent, 8);
  EXPECT_EQ(space.axes[0].together, 3u);
  EXPECT_THAT(*space.parameters[0].read, ElementsAre(0, 1));
  EXPECT_THAT(*space.parameters[1].read, ElementsAre(1));
  EXPECT_THAT(*space.results[0].made, ElementsAre(0, 1));
  ASSERT_EQ(space.work.size(), 1u);
  EXPECT_EQ(space.work[0].cheap, 1);
  EXPECT_EQ(space.work[0].dear, 0);
}

TEST(BodySpace, ReductionsAreSeparateWork) {
  const BodySpace space = Describe(R"(model "" {
    %0 "x" = Parameter() {element_type = f32, shape = [4, 8]}
    %1 "exp" = Exp(%0)
    %2 "axes" = Constant() {value = i64[1]{1}}
    %3 "sum" = ReduceSum(%1, %2) {keep_dims = true}
    %4 "root" = Sqrt(%3)
    %5 "out" = Result(%4)
  })");
  ASSERT_EQ(space.axes.size(), 2u);
  EXPECT_FALSE(space.axes[0].is_reduced);
  EXPECT_TRUE(space.axes[1].is_reduced);
  EXPECT_THAT(*space.results[0].made, ElementsAre(0, -1));
  ASSERT_EQ(space.work.size(), 2u);
  EXPECT_EQ(space.work[0].axes, 3u);
  EXPECT_GT(space.work[0].dear, 0);
  EXPECT_GT(space.work[0].reducing, 0);
  EXPECT_EQ(space.work[1].axes, 1u);
}

TEST(BodySpace, TransposesRename) {
  const BodySpace space = Describe(R"(model "" {
    %0 "x" = Parameter() {element_type = f32, shape = [4, 8]}
    %1 "order" = Constant() {value = i64[2]{1, 0}}
    %2 "turned" = Transpose(%0, %1)
    %3 "exp" = Exp(%2)
    %4 "out" = Result(%3)
  })");
  ASSERT_EQ(space.parameters[0].renamed.size(), 1u);
  EXPECT_FALSE(space.parameters[0].read.has_value());
  const std::vector<int> read = space.parameters[0].renamed[0];
  EXPECT_THAT(*space.results[0].made, ElementsAre(read[1], read[0]));
}

TEST(BodySpace, OnesAreNoAxes) {
  const BodySpace space = Describe(R"(model "" {
    %0 "x" = Parameter() {element_type = f32, shape = [1, 4, 1]}
    %1 "shape" = Constant() {value = i64[2]{1, 4}}
    %2 "flat" = Reshape(%0, %1)
    %3 "exp" = Exp(%2)
    %4 "out" = Result(%3)
  })");
  ASSERT_EQ(space.axes.size(), 1u);
  EXPECT_THAT(space.parameters[0].renamed, ElementsAre(ElementsAre(-1, 0, -1)));
  EXPECT_THAT(*space.results[0].made, ElementsAre(-1, 0));
}

TEST(BodySpace, OtherViewsAreOfMemory) {
  const BodySpace read = Describe(R"(model "" {
    %0 "x" = Parameter() {element_type = f32, shape = [12, 4]}
    %1 "shape" = Constant() {value = i64[3]{3, 4, 4}}
    %2 "split" = Reshape(%0, %1)
    %3 "exp" = Exp(%2)
    %4 "out" = Result(%3)
  })");
  EXPECT_TRUE(read.parameters[0].read_in_memory);
  EXPECT_FALSE(read.results[0].made_in_memory);
  const BodySpace made = Describe(R"(model "" {
    %0 "x" = Parameter() {element_type = f32, shape = [12, 4]}
    %1 "shape" = Constant() {value = i64[3]{3, 4, 4}}
    %2 "exp" = Exp(%0)
    %3 "split" = Reshape(%2, %1)
    %4 "out" = Result(%3)
  })");
  EXPECT_FALSE(made.parameters[0].read_in_memory);
  EXPECT_TRUE(made.results[0].made_in_memory);
}

TEST(TypicalExtents, TheFirstOfSeveralIsABatch) {
  const ir::Dimension unknown;
  EXPECT_THAT(TypicalExtents(ir::PartialShape({unknown, unknown, ir::Dimension(7)})), ElementsAre(1, 256, 7));
  EXPECT_THAT(TypicalExtents(ir::PartialShape({unknown})), ElementsAre(256));
  EXPECT_THAT(TypicalExtents(ir::PartialShape({ir::Dimension(2, 8), ir::Dimension(2, 8)})), ElementsAre(2, 8));
}

TEST(TypicalBytes, DynamicDimensionsCountWithinTheirBounds) {
  ir::ValueInfo info;
  info.type = ElementType::kF16;
  info.shape = ir::PartialShape({ir::Dimension(2, 3), ir::Dimension(10)});
  EXPECT_EQ(TypicalBytes(info), 2 * 2 * 10);
  info.shape = ir::PartialShape({ir::Dimension(), ir::Dimension(10)});
  EXPECT_EQ(TypicalBytes(info), 20);
  info.shape = ir::PartialShape();
  EXPECT_EQ(TypicalBytes(info), 2);
}

}  // namespace
}  // namespace burin::snippets
