#include "snippets/tokenize/grouping.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "ir/model.h"
#include "ir/text.h"
#include "snippets/tokenize/anchor/checked_epilogues.h"
#include "snippets/tokenize/fusion_report.h"
#include "testing/gtest/status_matchers.h"

namespace burin::snippets {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::UnorderedElementsAre;

struct Named {
  std::vector<std::vector<std::string>> groups;
  Grouping grouping;
};

Named Group(absl::string_view text, const GroupingOptions& options = {}) {
  Named named;
  const absl::StatusOr<std::unique_ptr<ir::Model>> model = ir::ParseModel(text);
  EXPECT_OK(model.status()) << text;
  CheckedEpilogues checked;
  absl::StatusOr<Grouping> grouping = GroupOps(**model, &checked, options);
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

Named GroupAnchored(absl::string_view nodes) {
  GroupingOptions options;
  options.dense_anchors = true;
  return Group(absl::StrCat("model \"\" {\n", nodes, "\n}"), options);
}

const GroupRefusal* RefusalOf(const Named& named, FusionReason reason) {
  for (const GroupRefusal& refusal : named.grouping.refusals) {
    if (refusal.reason == reason) return &refusal;
  }
  return nullptr;
}

constexpr char kTwoConvolutions[] = R"(
    %0 "x" = Parameter() {element_type = f32, shape = [b, 3, 6, 6]}
    %1 "w" = Parameter() {element_type = f32, shape = [4, 3, 1, 1]}
    %2 "first" = Convolution(%0, %1) {strides = [1,1], pads_begin = [0,0], pads_end = [0,0], dilations = [1,1]}
    %3 "second" = Convolution(%0, %1) {strides = [1,1], pads_begin = [0,0], pads_end = [0,0], dilations = [1,1]}
    %4 "bias" = Parameter() {element_type = f32, shape = [4, 1, 1]}
)";

TEST(GroupOps, OfTwoAnchorsTheLaterTakesTheirSum) {
  // Whichever of its operands comes first.
  for (const char* order : {"%5, %6", "%6, %5"}) {
    const Named named = GroupAnchored(absl::StrCat(kTwoConvolutions, R"(
    %5 "second_biased" = Add(%3, %4)
    %6 "first_biased" = Add(%2, %4)
    %7 "sum" = Add()",
                                                   order, R"()
    %8 "relu" = Relu(%7)
    %9 "out" = Result(%8))"));
    EXPECT_THAT(named.groups, UnorderedElementsAre(ElementsAre("first", "first_biased"),
                                                   UnorderedElementsAre("second", "second_biased", "sum", "relu")));
    const GroupRefusal* refusal = RefusalOf(named, FusionReason::kAnchors);
    ASSERT_NE(refusal, nullptr);
    EXPECT_EQ(refusal->text, "Both have a dense anchor: 'first' and 'second'");
    EXPECT_EQ(named.grouping.eligible_anchors, 2);
  }
}

TEST(GroupOps, AnEpilogueIsAnyGraphWithSeveralOutputs) {
  EXPECT_THAT(GroupAnchored(absl::StrCat(kTwoConvolutions, R"(
    %5 "biased" = Add(%2, %4)
    %6 "sigmoid" = Sigmoid(%5)
    %7 "gated" = Multiply(%5, %6)
    %8 "is_large" = Greater(%2, %7)
    %9 "chosen" = Select(%8, %7, %2)
    %10 "half" = Convert(%9) {destination_type = f16}
    %11 "raw" = Result(%2)
    %12 "gate" = Result(%6)
    %13 "out" = Result(%10)
    %14 "other" = Result(%3))"))
                  .groups,
              ElementsAre(ElementsAre("first", "biased", "sigmoid", "gated", "is_large", "chosen", "half")));
}

TEST(GroupOps, EpiloguesThatWereCheckedAreNotCompiledAgain) {
  const absl::StatusOr<std::unique_ptr<ir::Model>> model = ir::ParseModel(R"(model "" {
    %0 "a" = Parameter() {element_type = f32, shape = [m, 8]}
    %1 "b" = Parameter() {element_type = f32, shape = [8, n]}
    %2 "product" = MatMul(%0, %1)
    %3 "tanh" = Tanh(%2)
    %4 "out" = Result(%3)
  })");
  ASSERT_OK(model);
  CheckedEpilogues checked;
  ASSERT_OK(GroupOps(**model, &checked, GroupingOptions{/*dense_anchors=*/true}).status());
  // That of the anchor alone, and that of the group.
  EXPECT_EQ(checked.compiled(), 2);
  ASSERT_OK(GroupOps(**model, &checked, GroupingOptions{/*dense_anchors=*/true}).status());
  EXPECT_EQ(checked.compiled(), 2);
}

TEST(GroupOps, OperandsOfOtherFormsStayOutside) {
  const Named named = GroupAnchored(absl::StrCat(kTwoConvolutions, R"(
    %5 "excitation" = Parameter() {element_type = f32, shape = [b, 4, 1, 1]}
    %6 "relu" = Relu(%2)
    %7 "excited" = Multiply(%6, %5)
    %8 "out" = Result(%7)
    %9 "other" = Result(%3))"));
  EXPECT_THAT(named.groups, ElementsAre(ElementsAre("first", "relu"), ElementsAre("excited")));
  ASSERT_NE(RefusalOf(named, FusionReason::kEpilogue), nullptr);
  EXPECT_THAT(RefusalOf(named, FusionReason::kEpilogue)->text, HasSubstr("[b,4,1,1]"));
}

TEST(GroupOps, AnchorsReadWhatComesBeforeThem) {
  // The scale would be inside on both sides of the anchor.
  EXPECT_THAT(GroupAnchored(R"(
    %0 "x" = Parameter() {element_type = f32, shape = [6, 6]}
    %1 "scaled" = Exp(%0)
    %2 "product" = MatMul(%1, %0)
    %3 "sum" = Add(%2, %1)
    %4 "out" = Result(%3))")
                  .groups,
              ElementsAre(ElementsAre("scaled"), ElementsAre("product", "sum")));
}

TEST(GroupOps, BiasAndResidualGoToTheAnchorTheNormalisationStaysApart) {
  const Named named = GroupAnchored(R"(
    %0 "x" = Parameter() {element_type = f32, shape = [b, s, 64]}
    %1 "w" = Parameter() {element_type = f32, shape = [64, 64]}
    %2 "product" = MatMul(%0, %1)
    %3 "bias" = Parameter() {element_type = f32, shape = [64]}
    %4 "biased" = Add(%2, %3)
    %5 "sum" = Add(%0, %4)
    %6 "axes" = Constant() {value = i64[1]{2}}
    %7 "norm" = MVN(%5, %6) {normalize_variance = true, eps = 1e-05}
    %8 "scaled" = Multiply(%7, %3)
    %9 "out" = Result(%8))");
  EXPECT_THAT(named.groups, ElementsAre(ElementsAre("product", "biased", "sum"), ElementsAre("norm", "scaled")));
  EXPECT_NE(RefusalOf(named, FusionReason::kEpilogue), nullptr);
}

constexpr char kScores[] = R"(
    %0 "q" = Parameter() {element_type = f32, shape = [b, 4, s, 8]}
    %1 "k" = Parameter() {element_type = f32, shape = [b, 4, 8, s]}
    %2 "product" = MatMul(%0, %1)
    %3 "scale" = Constant() {value = f32[]{0.25}}
    %4 "scaled" = Multiply(%2, %3)
    %6 "masked" = Add(%4, %5)
    %7 "weights" = Softmax(%6) {axis = 3}
    %8 "out" = Result(%7))";

TEST(GroupOps, AScaleStaysWithTheMaskAndTheSoftmax) {
  const Named named =
      GroupAnchored(absl::StrCat("%5 \"mask\" = Parameter() {element_type = f32, shape = [b, 1, 1, s]}\n", kScores));
  EXPECT_THAT(named.groups, ElementsAre(ElementsAre("scaled", "masked", "weights")));
  ASSERT_NE(RefusalOf(named, FusionReason::kEpilogue), nullptr);
  EXPECT_EQ(RefusalOf(named, FusionReason::kEpilogue)->text, "It goes with the reduction that follows");
}

TEST(GroupOps, SaysWhichBodiesWereTried) {
  // Of what axes tell nothing is tried; what is left of an anchor's group that hands something on was not.
  const Named named = GroupAnchored(R"(
    %0 "q" = Parameter() {element_type = f32, shape = [b, 4, s, 8]}
    %1 "k" = Parameter() {element_type = f32, shape = [b, 4, 8, s]}
    %2 "product" = MatMul(%0, %1)
    %3 "tanh" = Tanh(%2)
    %4 "scale" = Constant() {value = f32[]{0.25}}
    %5 "scaled" = Multiply(%3, %4)
    %6 "mask" = Parameter() {element_type = f32, shape = [b, 1, 1, s]}
    %7 "masked" = Add(%5, %6)
    %8 "weights" = Softmax(%7) {axis = 3}
    %9 "abs" = Abs(%6)
    %10 "exp" = Exp(%9)
    %11 "out" = Result(%8)
    %12 "other" = Result(%10))");
  EXPECT_THAT(named.groups, UnorderedElementsAre(ElementsAre("product", "tanh"), ElementsAre("abs", "exp"),
                                                 ElementsAre("scaled", "masked", "weights")));
  ASSERT_EQ(named.grouping.is_tried.size(), named.groups.size());
  for (size_t i = 0; i < named.groups.size(); ++i) {
    EXPECT_EQ(named.grouping.is_tried[i], named.groups[i][0] == "scaled") << named.groups[i][0];
  }
  const Named epilogue = GroupAnchored(R"(
    %0 "a" = Parameter() {element_type = f32, shape = [m, 8]}
    %1 "b" = Parameter() {element_type = f32, shape = [8, n]}
    %2 "product" = MatMul(%0, %1)
    %3 "tanh" = Tanh(%2)
    %4 "out" = Result(%3))");
  EXPECT_THAT(epilogue.grouping.is_tried, ElementsAre(true));
}

TEST(GroupOps, AMaskOfColumnsGoesToTheAnchorWithItsScale) {
  EXPECT_THAT(
      GroupAnchored(absl::StrCat("%5 \"mask\" = Parameter() {element_type = f32, shape = [s]}\n", kScores)).groups,
      ElementsAre(ElementsAre("product", "scaled", "masked"), ElementsAre("weights")));
}

TEST(GroupOps, ViewsAndTailsStayApartFromAnchors) {
  const Named named = GroupAnchored(absl::StrCat(kTwoConvolutions, R"(
    %5 "relu" = Relu(%2)
    %6 "exp" = Exp(%2)
    %7 "joined" = Concat(%5, %6) {axis = 1}
    %8 "order" = Constant() {value = i64[4]{0, 2, 3, 1}}
    %9 "turned" = Transpose(%3, %8)
    %10 "tanh" = Tanh(%9)
    %11 "out" = Result(%7)
    %12 "other" = Result(%10))"));
  EXPECT_THAT(named.groups, UnorderedElementsAre(ElementsAre("first", "relu", "exp"), ElementsAre("turned", "tanh")));
  ASSERT_NE(RefusalOf(named, FusionReason::kEpilogue), nullptr);
  EXPECT_THAT(RefusalOf(named, FusionReason::kEpilogue)->text, HasSubstr("A view beside a dense anchor"));
}

TEST(GroupOps, WhatAnAnchorFeedsAndReadsAgainWouldCloseACycle) {
  const Named named = GroupAnchored(R"(
    %0 "x" = Parameter() {element_type = f32, shape = [6, 6]}
    %1 "product" = MatMul(%0, %0)
    %2 "axis" = Constant() {value = i64[]{0}}
    %3 "scan" = CumSum(%1, %2)
    %4 "sum" = Add(%1, %3)
    %5 "out" = Result(%4))");
  EXPECT_THAT(named.groups, ElementsAre(ElementsAre("sum")));
  EXPECT_NE(RefusalOf(named, FusionReason::kCycle), nullptr);
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
