#include "runtime/plugins/cpu/graph/sort_steps.h"

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/plugins/cpu/graph/fake_nodes_testlib.h"
#include "testing/gtest/status_matchers.h"

namespace burin::cpu {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(SortStepsTest, EachComesAfterWhatItReads) {
  DraftBuilder b;
  const int x = b.Parameter();
  const int y = b.Value();
  const int z = b.Value();
  b.Step("last", {z}, {b.Value()});
  b.Step("middle", {y}, {z});
  b.Step("first", {x}, {y});
  ASSERT_OK(SortTopologically(b.draft, FakeContext()));
  EXPECT_THAT(StepNames(b.draft), ElementsAre("first", "middle", "last"));
}

TEST(SortStepsTest, RanksDecideWhatIsFree) {
  DraftBuilder b;
  const int x = b.Parameter();
  b.Step("a", {x}, {b.Value()});
  b.Step("b", {x}, {b.Value()});
  b.draft.steps[0].rank = 7;
  b.draft.steps[1].rank = 3;
  ASSERT_OK(SortTopologically(b.draft, FakeContext()));
  EXPECT_THAT(StepNames(b.draft), ElementsAre("b", "a"));
  EXPECT_EQ(b.draft.steps[1].rank, 1);
}

TEST(SortStepsTest, ACycleIsAnError) {
  DraftBuilder b;
  const int x = b.Value();
  const int y = b.Value();
  b.Step("a", {x}, {y});
  b.Step("b", {y}, {x});
  EXPECT_THAT(SortTopologically(b.draft, FakeContext()),
              StatusIs(absl::StatusCode::kInternal, HasSubstr("wait for each other: 0 of 2")));
}

}  // namespace
}  // namespace burin::cpu
