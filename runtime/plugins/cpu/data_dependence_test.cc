#include "runtime/plugins/cpu/data_dependence.h"

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/model.h"
#include "ir/text.h"
#include "testing/gtest/status_matchers.h"

namespace burin::cpu {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> Names(absl::string_view text) {
  const absl::StatusOr<std::unique_ptr<ir::Model>> model = ir::ParseModel(text);
  EXPECT_OK(model.status());
  std::vector<std::string> names;
  if (!model.ok()) return names;
  for (const ir::NodeId id : NodesOfUnknownShape(**model)) names.push_back((*model)->node(id).name());
  return names;
}

TEST(DataDependenceTest, ARangeUpToADimensionHasAShape) {
  EXPECT_THAT(Names(R"(model "" {
    %0 "x" = Parameter() {element_type = f32, shape = [batch, 8]}
    %1 "shape" = ShapeOf(%0) {output_type = i64}
    %2 = Constant() {value = i64[]{0}}
    %3 "stop" = Gather(%1, %2, %2)
    %4 = Constant() {value = i64[]{1}}
    %5 "range" = Range(%2, %3, %4) {output_type = i64}
    %6 "y" = Result(%5)
  })"),
              IsEmpty());
}

TEST(DataDependenceTest, WhatTheDataTellsIsNamedOnce) {
  EXPECT_THAT(Names(R"(model "" {
    %0 "x" = Parameter() {element_type = f32, shape = [?, 8]}
    %1 "where" = NonZero(%0) {output_type = i64}
    %2 "abs" = Abs(%1)
    %3 "y" = Result(%2)
  })"),
              ElementsAre("where"));
}

TEST(DataDependenceTest, SizesThatTheModelRefusesAreNotTaken) {
  // Halves of 32 are the least that goes in.
  EXPECT_THAT(Names(R"(model "" {
    %0 "x" = Parameter() {element_type = f32, shape = [n]}
    %1 = Constant() {value = i64[2]{-1, 32}}
    %2 "rows" = Reshape(%0, %1) {special_zero = false}
    %3 "y" = Result(%2)
  })"),
              IsEmpty());
}

TEST(DataDependenceTest, WithoutARankTheOperationsSayIt) {
  EXPECT_THAT(Names(R"(model "" {
    %0 "x" = Parameter() {element_type = f32, shape = [...]}
    %1 "where" = NonZero(%0) {output_type = i64}
    %2 "abs" = Abs(%0)
    %3 "y" = Result(%1)
    %4 "z" = Result(%2)
  })"),
              ElementsAre("where"));
}

}  // namespace
}  // namespace burin::cpu
