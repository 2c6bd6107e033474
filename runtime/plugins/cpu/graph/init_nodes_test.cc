#include "runtime/plugins/cpu/graph/init_nodes.h"

#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/model.h"
#include "runtime/plugins/cpu/graph/fake_nodes_testlib.h"
#include "runtime/plugins/cpu/graph/node.h"
#include "testing/gtest/status_matchers.h"

namespace burin::cpu {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(InitNodesTest, MakesANodeForEachStep) {
  DraftBuilder b;
  b.Step("a", {b.Parameter()}, {b.Value()});
  b.draft.steps[0].node = nullptr;
  ASSERT_OK(InitNodes(b.draft, FakeContext()));
  EXPECT_NE(b.draft.steps[0].node, nullptr);
}

TEST(InitNodesTest, ListsAllThatCannotBeMade) {
  DraftBuilder b;
  b.Step("a", {b.Parameter()}, {b.Value()});
  b.Step("b", {b.Parameter()}, {b.Value()});
  ConfigureContext context = FakeContext();
  context.make_node = [](const ir::Node&, const NodeContext&) -> absl::StatusOr<std::shared_ptr<const Node>> {
    return absl::UnimplementedError("no kernel");
  };
  EXPECT_THAT(InitNodes(b.draft, context), StatusIs(absl::StatusCode::kUnimplemented,
                                                    AllOf(HasSubstr("2: a: no kernel"), HasSubstr("b: no kernel"))));
  context.make_node = [](const ir::Node&, const NodeContext&) -> absl::StatusOr<std::shared_ptr<const Node>> {
    return absl::InternalError("broken");
  };
  EXPECT_THAT(InitNodes(b.draft, context), StatusIs(absl::StatusCode::kInternal, "broken"));
}

TEST(InitNodesTest, WhatNoResultNeedsIsDropped) {
  DraftBuilder b;
  const int x = b.Parameter();
  const int y = b.Value();
  const int unread = b.Value();
  b.Step("needed", {x, -1}, {y, b.Value()});
  b.Step("unneeded", {y}, {unread});
  b.Step("nor this", {unread}, {b.Value()});
  b.Result(y);
  ASSERT_OK(ApplyCommonGraphOptimizations(b.draft, FakeContext()));
  EXPECT_THAT(StepNames(b.draft), ElementsAre("needed"));
}

TEST(InitNodesTest, TheOrderOfStepsDoesNotMatterForThat) {
  DraftBuilder b;
  const int x = b.Parameter();
  const int y = b.Value();
  const int z = b.Value();
  b.Step("second", {y}, {z});
  b.Step("first", {x}, {y});
  b.Result(z);
  ASSERT_OK(ApplyCommonGraphOptimizations(b.draft, FakeContext()));
  EXPECT_THAT(StepNames(b.draft), ElementsAre("second", "first"));
}

TEST(InitNodesTest, CandidatesFitTheStep) {
  DraftBuilder b;
  FakeNode* node = b.Step("a", {b.Parameter()}, {b.Value()});
  b.draft.steps[0].candidates.clear();
  ASSERT_OK(InitDescriptors(b.draft, FakeContext()));
  EXPECT_EQ(b.draft.steps[0].candidates.size(), 1);
  node->candidates = {{{}, {Layout::kRowMajor}, 0}};
  EXPECT_THAT(InitDescriptors(b.draft, FakeContext()),
              StatusIs(absl::StatusCode::kInternal, HasSubstr("Node a has a candidate for other inputs")));
}

TEST(InitNodesTest, FallbacksAreMadeWithTheNodes) {
  DraftBuilder b;
  b.Step("a", {b.Parameter()}, {b.Value()});
  ConfigureContext context = FakeContext();
  context.make_fallback = context.make_node;
  ASSERT_OK(InitNodes(b.draft, context));
  EXPECT_NE(b.draft.steps[0].fallback, nullptr);
  // Not every operation has one.
  b.draft.steps[0].fallback = nullptr;
  context.make_fallback = [](const ir::Node&, const NodeContext&) -> absl::StatusOr<std::shared_ptr<const Node>> {
    return absl::UnimplementedError("no evaluation");
  };
  ASSERT_OK(InitNodes(b.draft, context));
  EXPECT_EQ(b.draft.steps[0].fallback, nullptr);
  context.make_fallback = [](const ir::Node&, const NodeContext&) -> absl::StatusOr<std::shared_ptr<const Node>> {
    return absl::InternalError("broken");
  };
  EXPECT_THAT(InitNodes(b.draft, context), StatusIs(absl::StatusCode::kInternal, "broken"));
}

TEST(InitNodesTest, TheFallbackTakesThePlaceOfANodeThatCannotRun) {
  DraftBuilder b;
  b.Step("a", {b.Parameter()}, {b.Value()})->has_no_candidate = true;
  const auto fallback = std::make_shared<FakeNode>();
  b.draft.steps[0].fallback = fallback;
  ASSERT_OK(InitDescriptors(b.draft, FakeContext()));
  EXPECT_EQ(b.draft.steps[0].node, fallback);
  EXPECT_EQ(b.draft.steps[0].candidates.size(), 1);
}

TEST(InitNodesTest, ListsAllThatHaveNoWayToRun) {
  DraftBuilder b;
  b.Step("a", {b.Parameter()}, {b.Value()})->has_no_candidate = true;
  b.Step("b", {b.Parameter()}, {b.Value()})->has_no_candidate = true;
  b.Step("c", {b.Parameter()}, {b.Value()});
  EXPECT_THAT(InitDescriptors(b.draft, FakeContext()),
              StatusIs(absl::StatusCode::kUnimplemented,
                       AllOf(HasSubstr("2: a: Fake has no kernel"), HasSubstr("; b: Fake has no kernel"))));
}

}  // namespace
}  // namespace burin::cpu
