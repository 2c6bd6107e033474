#include "runtime/plugins/cpu/graph/edge_conflicts.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/plugins/cpu/graph/fake_nodes_testlib.h"
#include "runtime/plugins/cpu/graph/graph_draft.h"
#include "runtime/plugins/cpu/graph/value_desc.h"
#include "testing/gtest/status_matchers.h"

namespace burin::cpu {
namespace {

using ::testing::ElementsAre;

constexpr Layout kRow = Layout::kRowMajor;
constexpr Layout kLast = Layout::kChannelsLast;

// Adds a step of one input and output in these layouts; returns the output.
int AddStep(DraftBuilder& b, const char* name, int input, Layout from, Layout to) {
  const int output = b.Value();
  b.Step(name, {input}, {output});
  b.draft.steps.back().candidates = {{{from}, {to}, 0}};
  b.draft.values[output].desc.layout = to;
  return output;
}

TEST(EdgeConflictsTest, AReorderComesBetweenLayouts) {
  DraftBuilder b;
  const int y = AddStep(b, "a", b.Parameter(), kRow, kLast);
  b.Result(AddStep(b, "b", y, kRow, kRow));
  ASSERT_OK(ResolveEdgeConflicts(b.draft, FakeContext()));
  EXPECT_THAT(StepNames(b.draft), ElementsAre("a", "b", "b/reorder_0"));
  const GraphStep& reorder = b.draft.steps[2];
  EXPECT_THAT(reorder.inputs, ElementsAre(y));
  EXPECT_EQ(b.draft.steps[1].inputs, reorder.outputs);
  EXPECT_EQ(b.draft.values[reorder.outputs[0]].desc.layout, kRow);
  EXPECT_EQ(reorder.rank, b.draft.steps[1].rank);
}

TEST(EdgeConflictsTest, WhereTheBytesAreTheSameNothingDoes) {
  DraftBuilder b;
  const int x = b.Parameter({1, 16, 1, 1});
  const int y = AddStep(b, "a", x, kLast, kLast);
  b.draft.values[y].desc.shape = {1, 16, 1, 1};
  b.Result(y);
  ASSERT_OK(ResolveEdgeConflicts(b.draft, FakeContext()));
  EXPECT_THAT(StepNames(b.draft), ElementsAre("a"));
}

TEST(EdgeConflictsTest, ResultsAreRowMajorAndApart) {
  DraftBuilder b;
  const int x = b.Parameter();
  const int y = AddStep(b, "a", x, kRow, kRow);
  const int last = AddStep(b, "b", y, kRow, kLast);
  const int constant = b.Constant();
  for (const int value : {y, y, last, x, constant}) b.Result(value);
  ASSERT_OK(ResolveEdgeConflicts(b.draft, FakeContext()));
  EXPECT_THAT(StepNames(b.draft),
              ElementsAre("a", "b", "result_1/reorder", "result_2/reorder", "result_3/reorder", "result_4/reorder"));
  EXPECT_EQ(b.draft.results[0], y);
}

TEST(EdgeConflictsTest, AViewIsWhatItIsAViewOf) {
  DraftBuilder b;
  const int x = b.Parameter();
  const int of_input = AddStep(b, "view", x, kRow, kRow);
  const int y = AddStep(b, "a", x, kRow, kRow);
  const int of_result = AddStep(b, "other view", y, kRow, kRow);
  b.draft.steps[0].memory[0] = {OutputMemory::Kind::kView, 0};
  b.draft.steps[2].memory[0] = {OutputMemory::Kind::kView, 0};
  for (const int value : {of_input, y, of_result}) b.Result(value);
  ASSERT_OK(ResolveEdgeConflicts(b.draft, FakeContext()));
  EXPECT_THAT(StepNames(b.draft), ElementsAre("view", "a", "other view", "result_0/reorder", "result_2/reorder"));
}

TEST(EdgeConflictsTest, OneReorderServesAll) {
  DraftBuilder b;
  const int y = AddStep(b, "a", b.Parameter(), kRow, kLast);
  b.Result(AddStep(b, "b", y, kRow, kRow));
  b.Result(AddStep(b, "c", y, kRow, kRow));
  ASSERT_OK(ResolveEdgeConflicts(b.draft, FakeContext()));
  ASSERT_OK(ShareReorders(b.draft, FakeContext()));
  EXPECT_THAT(StepNames(b.draft), ElementsAre("a", "b", "c", "b/reorder_0"));
  EXPECT_EQ(b.draft.steps[1].inputs, b.draft.steps[2].inputs);
}

TEST(EdgeConflictsTest, ResultsShareNoReorder) {
  DraftBuilder b;
  const int y = AddStep(b, "a", b.Parameter(), kRow, kLast);
  b.Result(y);
  b.Result(y);
  ASSERT_OK(ResolveEdgeConflicts(b.draft, FakeContext()));
  ASSERT_OK(ShareReorders(b.draft, FakeContext()));
  EXPECT_NE(b.draft.results[0], b.draft.results[1]);
}

TEST(EdgeConflictsTest, ThereAndBackIsNothing) {
  DraftBuilder b;
  const int y = AddStep(b, "a", b.Parameter(), kRow, kLast);
  b.Result(AddStep(b, "b", y, kRow, kRow));
  ASSERT_OK(ResolveEdgeConflicts(b.draft, FakeContext()));
  // Another stage left a step that wants what the reorder gives in the layout of before.
  const int reordered = b.draft.steps[1].inputs[0];
  const int z = AddStep(b, "c", reordered, kLast, kRow);
  b.Result(z);
  const int results = static_cast<int>(b.draft.results.size());
  ASSERT_OK(ResolveEdgeConflicts(b.draft, FakeContext()));
  ASSERT_EQ(static_cast<int>(b.draft.results.size()), results);
  ASSERT_OK(ApplyImplSpecificGraphOptimizations(b.draft, FakeContext()));
  for (const GraphStep& step : b.draft.steps) {
    if (step.name == "c") {
      EXPECT_THAT(step.inputs, ElementsAre(y));
    }
  }
}

}  // namespace
}  // namespace burin::cpu
