#include "snippets/lowering/memory_view.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/status_macros.h"
#include "ir/model.h"
#include "ir/text.h"
#include "testing/gtest/status_matchers.h"

namespace burin::snippets {
namespace {

using ::testing::ElementsAre;

// Returns the view that the first result of a model is.
absl::StatusOr<std::optional<MemoryView>> View(absl::string_view nodes) {
  BURIN_ASSIGN_OR_RETURN(const std::unique_ptr<ir::Model> body,
                         ir::ParseModel(absl::StrCat("model \"\" {\n", nodes, "\n}")));
  return ViewOf(SizedBody{*body, *body}, body->node(body->results()[0]).input(0));
}

std::vector<int64_t> Strides(const MemoryView& view) {
  std::vector<int64_t> strides;
  for (const ViewDim& dim : view.dims) strides.push_back(dim.stride);
  return strides;
}

std::vector<bool> Packed(const MemoryView& view) {
  std::vector<bool> packed;
  for (const ViewDim& dim : view.dims) packed.push_back(dim.packed);
  return packed;
}

TEST(MemoryViewTest, AParameterIsDense) {
  ASSERT_OK_AND_ASSIGN(const std::optional<MemoryView> view, View(R"(
    %0 "x" = Parameter() {element_type = f16, shape = [2,1,5]}
    %1 "out" = Result(%0))"));
  ASSERT_TRUE(view.has_value());
  EXPECT_THAT(Strides(*view), ElementsAre(10, 10, 2));
  EXPECT_TRUE(view->dims[1].is_one);
  EXPECT_EQ(view->offset, 0);
}

TEST(MemoryViewTest, ASliceHasAnOffsetAndIsNotPackedAround) {
  ASSERT_OK_AND_ASSIGN(const std::optional<MemoryView> view, View(R"(
    %0 "x" = Parameter() {element_type = f32, shape = [3,8]}
    %1 = Constant() {value = i64[1]{2}}
    %2 = Constant() {value = i64[1]{6}}
    %3 = Constant() {value = i64[1]{1}}
    %4 = Constant() {value = i64[1]{-1}}
    %5 = Slice(%0, %1, %2, %3, %4)
    %6 "out" = Result(%5))"));
  ASSERT_TRUE(view.has_value());
  EXPECT_EQ(view->offset, 8);
  EXPECT_EQ(view->dims[1].extent, 4);
  EXPECT_THAT(Strides(*view), ElementsAre(32, 4));
  EXPECT_THAT(Packed(*view), ElementsAre(false, true));
}

TEST(MemoryViewTest, StepsAreStridesAndMayGoBackwards) {
  ASSERT_OK_AND_ASSIGN(const std::optional<MemoryView> view, View(R"(
    %0 "x" = Parameter() {element_type = f32, shape = [3,8]}
    %1 = Constant() {value = i64[1]{7}}
    %2 = Constant() {value = i64[1]{-9}}
    %3 = Constant() {value = i64[1]{-2}}
    %4 = Constant() {value = i64[1]{1}}
    %5 = Slice(%0, %1, %2, %3, %4)
    %6 "out" = Result(%5))"));
  ASSERT_TRUE(view.has_value());
  EXPECT_EQ(view->offset, 28);
  EXPECT_THAT(Strides(*view), ElementsAre(32, -8));
  EXPECT_EQ(view->dims[0].step, 8);
  EXPECT_EQ(view->dims[1].step, -2);
  EXPECT_THAT(Packed(*view), ElementsAre(false, false));
}

// Queries, keys and values out of one projection, by heads.
TEST(MemoryViewTest, PiecesSplitIntoHeadsAndAreTransposed) {
  ASSERT_OK_AND_ASSIGN(const std::optional<MemoryView> view, View(R"(
    %0 "x" = Parameter() {element_type = f32, shape = [2,5,36]}
    %1 = Constant() {value = i64[]{2}}
    %2 = Split(%0, %1) {num_splits = 3}
    %5 = Constant() {value = i64[4]{2, 5, 3, 4}}
    %6 = Reshape(%2.1, %5)
    %7 = Constant() {value = i64[4]{0, 2, 1, 3}}
    %8 = Transpose(%6, %7)
    %9 "out" = Result(%8))"));
  ASSERT_TRUE(view.has_value());
  EXPECT_EQ(view->offset, 12 * 4);
  EXPECT_THAT(Strides(*view), ElementsAre(5 * 36 * 4, 16, 36 * 4, 4));
  EXPECT_THAT(Packed(*view), ElementsAre(true, true, false, true));
}

TEST(MemoryViewTest, WhatIsTransposedDoesNotMerge) {
  ASSERT_OK_AND_ASSIGN(const std::optional<MemoryView> view, View(R"(
    %0 "x" = Parameter() {element_type = f32, shape = [3,4]}
    %1 = Constant() {value = i64[2]{1, 0}}
    %2 = Transpose(%0, %1)
    %3 = Constant() {value = i64[1]{12}}
    %4 = Reshape(%2, %3)
    %5 "out" = Result(%4))"));
  EXPECT_FALSE(view.has_value());
}

TEST(MemoryViewTest, WhatIsComputedIsNoView) {
  ASSERT_OK_AND_ASSIGN(const std::optional<MemoryView> view, View(R"(
    %0 "x" = Parameter() {element_type = f32, shape = [3,4]}
    %1 = Exp(%0)
    %2 "out" = Result(%1))"));
  EXPECT_FALSE(view.has_value());
}

}  // namespace
}  // namespace burin::snippets
