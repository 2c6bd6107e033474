#include "runtime/api/describe_operation.h"

#include <map>
#include <memory>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/model.h"
#include "ir/text.h"
#include "testing/gtest/status_matchers.h"

namespace burin {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::StartsWith;

Operation Describe(const ir::Model& model, const char* name) { return DescribeOperation(model, model.FindNode(name)); }

TEST(DescribeOperationTest, TellsAllThatTheModelSays) {
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<ir::Model> model, ir::ParseModel(R"(model "m" {
    %0 "x" = Parameter() {shape = [n,4]} : f32[n,4] info("layout" = "NC")
    %1 "axis" = Constant() {value = i64[]{1}} : i64[]
    %2 "halves" = Split(%0, %1) {num_splits = 2} : f32[n,2], f32[n,2] names("left", "l"; "right") from("Split_3")
    %3 "sum" = Add(%2.1, %2.0)
    %4 "low" = Constant() {value = f32[]{0}}
    %5 "out" = Result(%3)
  })"));
  const Operation split = Describe(*model, "halves");
  EXPECT_EQ(split.name, "halves");
  EXPECT_EQ(split.type, "Split");
  EXPECT_EQ(split.opset, "opset1");
  ASSERT_EQ(split.inputs.size(), 2u);
  EXPECT_EQ(split.inputs[0].operation, "x");
  EXPECT_EQ(split.inputs[1].operation, "axis");
  ASSERT_EQ(split.outputs.size(), 2u);
  EXPECT_THAT(split.outputs[0].names, ElementsAre("left", "l"));
  EXPECT_THAT(split.outputs[1].names, ElementsAre("right"));
  EXPECT_EQ(split.outputs[1].element_type, ElementType::kF32);
  EXPECT_EQ(split.outputs[1].shape.ToString(), "[n,2]");
  EXPECT_THAT(split.attributes, ElementsAre(Pair("num_splits", "2")));
  EXPECT_THAT(split.original_names, ElementsAre("Split_3"));
  EXPECT_THAT(split.runtime_info, IsEmpty());

  const Operation sum = Describe(*model, "sum");
  EXPECT_EQ(sum.inputs[0].operation, "halves");
  EXPECT_EQ(sum.inputs[0].output, 1u);
  EXPECT_EQ(sum.inputs[1].output, 0u);
  // Attributes that have their defaults are shown as well.
  EXPECT_EQ(sum.attributes.at("auto_broadcast"), "numpy");
  EXPECT_THAT(Describe(*model, "x").runtime_info, ElementsAre(Pair("layout", "NC")));
}

TEST(DescribeOperationTest, ShowsSmallConstantsAndAbsentInputs) {
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<ir::Model> model, ir::ParseModel(R"(model "m" {
    %0 "small" = Constant() {value = i32[2]{1, 2}}
    %1 "large" = Constant() {value = u8[65]{0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,
        0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0}}
    %2 "x" = Parameter() {shape = [1,3,8]}
    %3 "sizes" = Constant() {value = i64[1]{1}}
    %4 "begin" = Constant() {value = i64[1]{0}}
    %5 "out" = Result(%2)
  })"));
  EXPECT_EQ(Describe(*model, "small").attributes.at("value"), "i32[2]{1, 2}");
  EXPECT_THAT(Describe(*model, "large").attributes.at("value"), StartsWith("u8[65]#"));
  EXPECT_EQ(Describe(*model, "x").attributes.at("shape"), "[1,3,8]");
}

}  // namespace
}  // namespace burin
