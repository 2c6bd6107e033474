#include "runtime/plugins/cpu/nodes/channels_last_body.h"

#include <memory>
#include <optional>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"
#include "ir/model.h"
#include "ir/shape.h"
#include "ir/tensor.h"
#include "runtime/plugins/cpu/nodes/node_runner_testlib.h"

namespace burin::cpu {
namespace {

std::unique_ptr<ir::Model> Moved(absl::string_view nodes) {
  return ChannelsLastBody(*ParseOrDie(absl::StrCat("model \"\" {\n", nodes, "\n}")));
}

TEST(ChannelsLastBodyTest, ShapesAndConstantsAreMoved) {
  const std::unique_ptr<ir::Model> sum = Moved(R"(
    %0 "x" = Parameter() {element_type = f32, shape = [?, 2, 2, ?]}
    %1 "c" = Constant() {value = f32[2, 2, 1]{1, 2, 3, 4}}
    %2 "sum" = Add(%0, %1)
    %3 "y" = Result(%2))");
  ASSERT_NE(sum, nullptr);
  EXPECT_EQ(sum->node(sum->parameters()[0]).output(0).shape.ToString(), "[?,2,?,2]");
  const ir::Node& add = sum->node(sum->FindNode("sum"));
  const ir::Tensor& constant = sum->info(add.input(1)).constant;
  EXPECT_EQ(constant.ToString(), "f32[1,2,1,2]{1, 3, 2, 4}");
}

TEST(ChannelsLastBodyTest, OthersHaveNone) {
  EXPECT_EQ(Moved(R"(
    %0 "x" = Parameter() {element_type = f32, shape = [4, 2]}
    %1 = Abs(%0)
    %2 "y" = Result(%1))"),
            nullptr);
  EXPECT_EQ(Moved(R"(
    %0 "x" = Parameter() {element_type = f32, shape = [4, 2, 3]}
    %1 = Constant() {value = i64[1]{1}}
    %2 = ReduceMax(%0, %1) {keep_dims = true}
    %3 "y" = Result(%2))"),
            nullptr);
  EXPECT_EQ(Moved(R"(
    %0 "x" = Parameter() {element_type = f32, shape = [4, 2, 3]}
    %1 "w" = Parameter() {element_type = f32, shape = [4, 2, 3, 5]}
    %2 = Abs(%0)
    %3 = Abs(%1)
    %4 "y" = Result(%2)
    %5 "z" = Result(%3))"),
            nullptr);
}

TEST(ChannelsLastBodyTest, ShapesOfFewerDimensions) {
  EXPECT_EQ(ChannelsLastShape({2, 3, 4, 5}, 4), (ir::Shape{2, 4, 5, 3}));
  EXPECT_EQ(ChannelsLastShape({3, 1, 1}, 4), (ir::Shape{1, 1, 1, 3}));
  EXPECT_EQ(ChannelsLastShape({1, 4, 5}, 4), (ir::Shape{1, 4, 5, 1}));
  EXPECT_EQ(ChannelsLastShape({3, 4, 1}, 4), std::nullopt);
  EXPECT_EQ(ChannelsLastShape({4, 5}, 4), (ir::Shape{1, 4, 5, 1}));
  EXPECT_EQ(ChannelsLastShape({}, 4), (ir::Shape{1, 1, 1, 1}));
}

}  // namespace
}  // namespace burin::cpu
