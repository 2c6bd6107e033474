#include "snippets/tokenize/fusion_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

namespace burin::snippets {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::Pair;

FusionReport Example() {
  FusionReport report;
  report.eligible_ops = 3;
  report.eligible_edges = 2;
  report.fused_edges = 1;
  report.subgraphs.push_back({"sum", {"exp (Exp)", "sum (Add)"}, {"x", "y"}, {"sum"}, 48, ""});
  report.refusals.push_back({"sum", "norm", FusionReason::kBuffer, "Too many bytes"});
  report.ineligible.push_back({"m1", "MatMul", "Not an operation that a kernel is made of: 'm1' (MatMul)"});
  report.ineligible.push_back({"m2", "MatMul", "Not an operation that a kernel is made of: 'm2' (MatMul)"});
  return report;
}

TEST(FusionReport, CountsRefusalsByReason) {
  FusionReport report = Example();
  report.refusals.push_back(report.refusals[0]);
  report.refusals.push_back({"a", "b", FusionReason::kCycle, "Around"});
  EXPECT_THAT(report.RefusalsByReason(), ElementsAre(Pair(FusionReason::kCycle, 1), Pair(FusionReason::kBuffer, 2)));
}

TEST(FusionReport, PrintsWhatThereIs) {
  const std::string text = Example().ToString();
  EXPECT_THAT(text, HasSubstr("3 eligible operations, 1 Subgraphs, 1 of 2 edges fused"));
  EXPECT_THAT(text, HasSubstr("refused by buffer: 1"));
  EXPECT_THAT(text, HasSubstr("Subgraph \"sum\": 2 operations, 48 bytes saved"));
  EXPECT_THAT(text, HasSubstr("reads x, y"));
  EXPECT_THAT(text, HasSubstr("not fused: sum -> norm: buffer: Too many bytes"));
}

TEST(FusionReport, PutsLikeIneligibleOperationsTogether) {
  const std::string text = Example().ToString();
  EXPECT_THAT(text, HasSubstr("not eligible: 2 MatMul: Not an operation that a kernel is made of  [m1, m2]"));
  FusionReport report = Example();
  for (int i = 3; i < 6; ++i) report.ineligible.push_back(report.ineligible[0]);
  EXPECT_THAT(report.ToString(), HasSubstr("[m1, m2, m1, ...]"));
}

TEST(FusionReport, TellsOfAnchors) {
  FusionReport report = Example();
  EXPECT_THAT(report.ToString(), Not(HasSubstr("anchor")));
  report.eligible_anchors = 2;
  report.subgraphs.push_back(
      {"relu", {"conv (Convolution)", "relu (Relu)"}, {"x", "w"}, {"relu"}, 48, "conv (Convolution)"});
  const std::string text = report.ToString();
  EXPECT_THAT(text, HasSubstr("1 of 2 dense anchors have an epilogue"));
  EXPECT_THAT(text, HasSubstr("Subgraph \"relu\": 2 operations, 48 bytes saved\n  anchored by conv (Convolution)\n"));
}

TEST(FusionReport, EveryReasonHasAName) {
  std::set<std::string> names;
  for (int i = 0; i <= static_cast<int>(FusionReason::kSingleOps); ++i) {
    names.insert(Name(static_cast<FusionReason>(i)));
  }
  EXPECT_EQ(names.size(), static_cast<size_t>(FusionReason::kSingleOps) + 1);
  EXPECT_THAT(names, Not(::testing::Contains("unknown")));
}

}  // namespace
}  // namespace burin::snippets
