#include "runtime/plugins/cpu/segments/cut_rule.h"

#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/model.h"
#include "ir/text.h"
#include "runtime/plugins/cpu/graph/known_values.h"

namespace burin::cpu {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Returns the names of what the node "op" of a model, which begins with `inputs`, waits for.
std::vector<std::string> WaitsFor(absl::string_view text) {
  const std::unique_ptr<ir::Model> model = ir::ParseModel(text).value();
  std::vector<std::string> names;
  for (const ir::Value& value : ContentsToWaitFor(model->node(model->FindNode("op")), KnownValues::Recorded(*model))) {
    names.push_back(model->node(value.node).name());
  }
  return names;
}

TEST(CutRuleTest, ASizeIsWaitedFor) {
  EXPECT_THAT(WaitsFor(R"(model "" {
    %0 "x" = Parameter() {element_type = f32, shape = [4, 9]}
    %1 "k" = Parameter() {element_type = i64, shape = []}
    %2 "op" = TopK(%0, %1) {axis = 1, mode = max, sort = value, index_element_type = i64}
    %3 "y" = Result(%2)
    %4 "z" = Result(%2.1)
  })"),
              ElementsAre("k"));
}

TEST(CutRuleTest, WhatIsKnownIsNot) {
  EXPECT_THAT(WaitsFor(R"(model "" {
    %0 "x" = Parameter() {element_type = f32, shape = [4, 9]}
    %1 "target" = Parameter() {element_type = i64, shape = [2]}
    %2 "axes" = Constant() {value = i64[2]{0, 1}}
    %3 "op" = Broadcast(%0, %1, %2) {mode = explicit}
    %4 "y" = Result(%3)
  })"),
              ElementsAre("target"));
}

TEST(CutRuleTest, ViewsAndSmallSlicesAreNotWorthAPlan) {
  EXPECT_THAT(WaitsFor(R"(model "" {
    %0 "x" = Parameter() {element_type = f32, shape = [4, 9]}
    %1 "target" = Parameter() {element_type = i64, shape = [2]}
    %2 "op" = Reshape(%0, %1) {special_zero = false}
    %3 "y" = Result(%2)
  })"),
              IsEmpty());
  constexpr absl::string_view kSlice = R"( ]}
    %1 "begin" = Parameter() {element_type = i64, shape = [1]}
    %2 "end" = Parameter() {element_type = i64, shape = [1]}
    %3 "step" = Constant() {value = i64[1]{1}}
    %4 "op" = Slice(%0, %1, %2, %3)
    %5 "y" = Result(%4)
  })";
  constexpr absl::string_view kX = R"(model "" { %0 "x" = Parameter() {element_type = f32, shape = [)";
  EXPECT_THAT(WaitsFor(absl::StrCat(kX, "16384", kSlice)), IsEmpty());
  EXPECT_THAT(WaitsFor(absl::StrCat(kX, "16385", kSlice)), ElementsAre("begin", "end"));
}

TEST(CutRuleTest, DataIsNotWaitedFor) {
  EXPECT_THAT(WaitsFor(R"(model "" {
    %0 "x" = Parameter() {element_type = i64, shape = [4]}
    %1 "op" = NonZero(%0) {output_type = i64}
    %2 "y" = Result(%1)
  })"),
              IsEmpty());
}

TEST(CutRuleTest, StatesAndBodiesAlwaysCut) {
  const std::unique_ptr<ir::Model> model = ir::ParseModel(R"(model "" {
    variable "v" : f32[4]
    sinks(%3)
    %0 "x" = Parameter() {element_type = f32, shape = [4]}
    %1 "read" = ReadValue() {variable_id = "v", variable_type = f32, variable_shape = [4]}
    %2 "sum" = Add(%1, %0)
    %3 "assign" = Assign(%2) {variable_id = "v"}
    %4 "y" = Result(%2)
  })")
                                               .value();
  std::vector<std::string> names;
  for (const ir::NodeId id : model->NodeIds()) {
    if (AlwaysCuts(model->node(id))) names.push_back(model->node(id).name());
  }
  EXPECT_THAT(names, ElementsAre("read", "assign"));
}

}  // namespace
}  // namespace burin::cpu
