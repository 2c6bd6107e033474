#include "snippets/tokenize/grouping.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "ir/model.h"
#include "ir/text.h"
#include "snippets/tokenize/fusion_report.h"
#include "testing/gtest/status_matchers.h"

namespace burin::snippets {
namespace {

using ::testing::ElementsAre;
using ::testing::UnorderedElementsAre;

struct Named {
  std::vector<std::vector<std::string>> groups;
  Grouping grouping;
};

Named Group(absl::string_view text) {
  Named named;
  const absl::StatusOr<std::unique_ptr<ir::Model>> model = ir::ParseModel(text);
  EXPECT_OK(model.status()) << text;
  absl::StatusOr<Grouping> grouping = GroupOps(**model);
  EXPECT_OK(grouping.status());
  named.grouping = *std::move(grouping);
  for (const std::vector<ir::NodeId>& group : named.grouping.groups) {
    named.groups.emplace_back();
    for (const ir::NodeId id : group) named.groups.back().push_back((*model)->node(id).name());
  }
  return named;
}

TEST(GroupOps, ASideBranchJoinsBeforeTheBranchesMeet) {
  EXPECT_THAT(Group(R"(model "" {
    %0 "x" = Parameter() {element_type = f32, shape = [2, 3]}
    %1 "a" = Exp(%0)
    %2 "b" = Relu(%1)
    %3 "c" = Abs(%2)
    %4 "d" = Add(%1, %3)
    %5 "out" = Result(%4)
  })")
                  .groups,
              ElementsAre(ElementsAre("a", "b", "c", "d")));
}

TEST(GroupOps, AChainOfViewsComesAlong) {
  EXPECT_THAT(Group(R"(model "" {
    %0 "x" = Parameter() {element_type = f32, shape = [2, 3]}
    %1 "a" = Exp(%0)
    %2 "order" = Constant() {value = i64[2]{1, 0}}
    %3 "turned" = Transpose(%1, %2)
    %4 "axes" = Constant() {value = i64[1]{0}}
    %5 "lifted" = Unsqueeze(%3, %4)
    %6 "b" = Relu(%5)
    %7 "out" = Result(%6)
  })")
                  .groups,
              ElementsAre(ElementsAre("a", "turned", "lifted", "b")));
}

TEST(GroupOps, ViewsAloneAreNoGroup) {
  EXPECT_TRUE(Group(R"(model "" {
    %0 "x" = Parameter() {element_type = f32, shape = [2, 3]}
    %1 "order" = Constant() {value = i64[2]{1, 0}}
    %2 "turned" = Transpose(%0, %1)
    %3 "out" = Result(%2)
  })")
                  .groups.empty());
}

TEST(GroupOps, AViewBehindAGroupStaysOutside) {
  EXPECT_THAT(Group(R"(model "" {
    %0 "x" = Parameter() {element_type = f32, shape = [2, 3]}
    %1 "a" = Exp(%0)
    %2 "order" = Constant() {value = i64[2]{1, 0}}
    %3 "turned" = Transpose(%1, %2)
    %4 "out" = Result(%3)
  })")
                  .groups,
              ElementsAre(ElementsAre("a")));
}

TEST(GroupOps, AReshapeThatSplitsWhatIsComputedParts) {
  const Named named = Group(R"(model "" {
    %0 "x" = Parameter() {element_type = f32, shape = [2, 12]}
    %1 "a" = Exp(%0)
    %2 "pattern" = Constant() {value = i64[3]{2, 3, 4}}
    %3 "split" = Reshape(%1, %2)
    %4 "b" = Relu(%3)
    %5 "out" = Result(%4)
  })");
  EXPECT_THAT(named.groups, ElementsAre(ElementsAre("a"), ElementsAre("split", "b")));
  ASSERT_EQ(named.grouping.refusals.size(), 1u);
  EXPECT_EQ(named.grouping.refusals[0].reason, FusionReason::kView);
}

TEST(GroupOps, NormalisationByGroupsTakesItsNeighboursIn) {
  EXPECT_THAT(Group(R"(model "" {
    %0 "x" = Parameter() {element_type = f32, shape = [1, 8, 4, 4]}
    %1 "scale" = Constant() {value = f32[8]{1, 2, 3, 4, 5, 6, 7, 8}}
    %2 "bias" = Constant() {value = f32[8]{8, 7, 6, 5, 4, 3, 2, 1}}
    %3 "a" = Relu(%0)
    %4 "norm" = GroupNormalization(%3, %1, %2) {num_groups = 2, epsilon = 1e-05}
    %5 "b" = Swish(%4)
    %6 "out" = Result(%5)
  })")
                  .groups,
              ElementsAre(ElementsAre("a", "norm", "b")));
}

TEST(GroupOps, ABroadcastThatItsReaderDoesAnywayComesAlong) {
  EXPECT_THAT(Group(R"(model "" {
    %0 "x" = Parameter() {element_type = f32, shape = [3]}
    %1 "y" = Parameter() {element_type = f32, shape = [2, 3]}
    %2 "a" = Exp(%0)
    %3 "shape" = Constant() {value = i64[2]{2, 3}}
    %4 "wide" = Broadcast(%2, %3)
    %5 "sum" = Add(%4, %1)
    %6 "out" = Result(%5)
  })")
                  .groups,
              ElementsAre(ElementsAre("a", "wide", "sum")));
}

constexpr char kRotary[] = R"(model "" {
  %0 "x" = Parameter() {element_type = f32, shape = [1, n, 4, 16]}
  %1 "cos" = Parameter() {element_type = f32, shape = [1, 1, n, 8]}
  %2 "sin" = Parameter() {element_type = f32, shape = [1, 1, n, 8]}
  %3 "order" = Constant() {value = i64[4]{0, 2, 1, 3}}
  %4 "turned" = Transpose(%0, %3)
  %5 "axis" = Constant() {value = i64[]{3}}
  %6 "halves" = Split(%4, %5) {num_splits = 2}
  %7 "a" = Multiply(%6.0, %1)
  %8 "b" = Multiply(%6.1, %2)
  %9 "real" = Subtract(%7, %8)
  %10 "c" = Multiply(%6.0, %2)
  %11 "d" = Multiply(%6.1, %1)
  %12 "imaginary" = Add(%10, %11)
  %13 "joined" = Concat(%9, %12) {axis = -1}
  %14 "out" = Result(%13)
})";

TEST(GroupOps, ARotationOfHalvesIsOneGroup) {
  EXPECT_THAT(Group(kRotary).groups,
              ElementsAre(UnorderedElementsAre("turned", "halves", "a", "b", "c", "d", "real", "imaginary", "joined")));
}

TEST(GroupOps, WhatJoinsPiecesOfOthersStaysOutside) {
  EXPECT_THAT(Group(R"(model "" {
    %0 "x" = Parameter() {element_type = f32, shape = [2, 3]}
    %1 "y" = Parameter() {element_type = f32, shape = [2, 5]}
    %2 "a" = Exp(%0)
    %3 "with_memory" = Concat(%2, %1) {axis = 1}
    %4 "b" = Relu(%1)
    %5 "of_two" = Concat(%2, %4) {axis = 1}
    %6 "c" = Exp(%5)
    %7 "out" = Result(%3)
    %8 "other" = Result(%6)
  })")
                  .groups,
              ElementsAre(ElementsAre("a"), ElementsAre("b"), ElementsAre("c")));
}

TEST(GroupOps, AReductionOfEverythingStaysAlone) {
  const Named named = Group(R"(model "" {
    %0 "x" = Parameter() {element_type = f32, shape = [1000, 1000]}
    %1 "axes" = Constant() {value = i64[2]{0, 1}}
    %2 "total" = ReduceSum(%0, %1) {keep_dims = true}
    %3 "share" = Divide(%0, %2)
    %4 "out" = Result(%3)
  })");
  EXPECT_EQ(named.groups.size(), 2u);
  ASSERT_EQ(named.grouping.refusals.size(), 1u);
  EXPECT_EQ(named.grouping.refusals[0].reason, FusionReason::kParallelism);
}

TEST(GroupOps, ReductionsOfLargeRowsAndColumnsStayApart) {
  const Named named = Group(R"(model "" {
    %0 "x" = Parameter() {element_type = f32, shape = [64, 600, 600]}
    %1 "rows" = Softmax(%0) {axis = 2}
    %2 "columns" = Softmax(%1) {axis = 1}
    %3 "out" = Result(%2)
  })");
  EXPECT_EQ(named.groups.size(), 2u);
  ASSERT_EQ(named.grouping.refusals.size(), 1u);
  EXPECT_EQ(named.grouping.refusals[0].reason, FusionReason::kBuffer);
}

TEST(GroupOps, CodeHasALimit) {
  std::string text =
      "model \"\" {\n%0 \"x\" = Parameter() {element_type = "
      "f32, shape = [16, 64]}\n";
  constexpr int kOps = 600;
  for (int i = 1; i <= kOps; ++i) absl::StrAppend(&text, "%", i, " \"n", i, "\" = Tanh(%", i - 1, ")\n");
  absl::StrAppend(&text, "%", kOps + 1, " \"out\" = Result(%", kOps, ")\n}");
  const Named named = Group(text);
  EXPECT_GE(named.groups.size(), 2u);
  EXPECT_LE(named.groups.size(), 4u);
  EXPECT_EQ(named.grouping.refusals.size(), named.groups.size() - 1);
  for (const GroupRefusal& refusal : named.grouping.refusals) EXPECT_EQ(refusal.reason, FusionReason::kCodeSize);
}

}  // namespace
}  // namespace burin::snippets
