#include "tools/benchmark/data/shapes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/element_type.h"
#include "ir/dimension.h"
#include "testing/gtest/status_matchers.h"

namespace burin::benchmark {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<Port> Inputs() {
  Port data;
  data.index = 0;
  data.names = {"data", "data:0"};
  data.element_type = ElementType::kF32;
  data.shape = ir::PartialShape{ir::Dimension(), 3};
  Port ids = data;
  ids.index = 1;
  ids.names = {"ids"};
  ids.shape = ir::PartialShape{1, ir::Dimension(1, 8)};
  return {data, ids};
}

TEST(ShapesTest, NamesAssignShapes) {
  ASSERT_OK_AND_ASSIGN(auto shapes, ParseShapes("ids[1,?],data:0[1..10,-1]", Inputs()));
  ASSERT_EQ(shapes.size(), 2);
  EXPECT_EQ(shapes[0].first, 0);
  EXPECT_EQ(shapes[0].second.ToString(), "[1..10,?]");
  EXPECT_EQ(shapes[1].first, 1);
  EXPECT_EQ(shapes[1].second.ToString(), "[1,?]");
}

TEST(ShapesTest, AShapeWithoutANameIsForEveryInput) {
  ASSERT_OK_AND_ASSIGN(auto shapes, ParseShapes("[2,3]", Inputs()));
  ASSERT_EQ(shapes.size(), 2);
  EXPECT_EQ(shapes[0].second.ToString(), "[2,3]");
  EXPECT_EQ(shapes[1].second.ToString(), "[2,3]");
}

TEST(ShapesTest, DataShapesMayBeSeveral) {
  ASSERT_OK_AND_ASSIGN(auto shapes, ParseDataShapes("data[1,3][4,3][1,3]", Inputs()));
  EXPECT_THAT(shapes[0], ElementsAre(ir::Shape{1, 3}, ir::Shape{4, 3}, ir::Shape{1, 3}));
  EXPECT_THAT(shapes[1], IsEmpty());
}

TEST(ShapesTest, BrokenTextIsRefused) {
  for (const char* text : {"", "data", "data[1,3", "data[1,3]ids[1,2]", "data[1,3],", "data[1,3..2]", "data[]]"}) {
    EXPECT_THAT(ParseShapes(text, Inputs()), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("Option -shape")))
        << text;
    EXPECT_THAT(ParseDataShapes(text, Inputs()),
                StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("Option -data_shape")))
        << text;
  }
}

TEST(ShapesTest, WrongInputsAndShapesAreRefused) {
  EXPECT_THAT(ParseShapes("other[1,3]", Inputs()),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("there are: \"data\", \"ids\"")));
  EXPECT_THAT(ParseShapes("data[1,3],data:0[1,3]", Inputs()),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("named twice")));
  EXPECT_THAT(ParseShapes("data[1,3][2,3]", Inputs()),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("-data_shape takes several")));
  EXPECT_THAT(ParseDataShapes("data[1,4]", Inputs()),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("\"data\" f32[?,3]")));
  EXPECT_THAT(ParseDataShapes("data[?,3]", Inputs()),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("static shape")));
}

TEST(ShapesTest, LayoutsGoIntoThePorts) {
  std::vector<Port> inputs = Inputs();
  ASSERT_OK(ParseLayouts("data[N,Channels],ids[N?]", &inputs));
  EXPECT_EQ(inputs[0].layout.Find("CHANNELS", 2).value(), 1);
  EXPECT_EQ(inputs[1].layout.Find("N", 2).value(), 0);
  ASSERT_OK(ParseLayouts("[C...]", &inputs));
  EXPECT_EQ(inputs[0].layout.ToString(), "[C,...]");
  EXPECT_EQ(inputs[1].layout.ToString(), "[C,...]");
}

TEST(ShapesTest, WrongLayoutsAreRefused) {
  std::vector<Port> inputs = Inputs();
  for (const char* text : {"", "data", "data[NN]", "data[NC][CN]", "[]", "other[NC]"}) {
    EXPECT_THAT(ParseLayouts(text, &inputs), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("Option -layout")))
        << text;
  }
  EXPECT_THAT(
      ParseLayouts("data[NCHW]", &inputs),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("[N,C,H,W] does not fit the rank of input \"data\"")));
}

}  // namespace
}  // namespace burin::benchmark
