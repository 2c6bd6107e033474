#include "runtime/plugins/cpu/graph/resolve_memory.h"

#include "gtest/gtest.h"
#include "runtime/plugins/cpu/graph/fake_nodes_testlib.h"
#include "runtime/plugins/cpu/graph/graph_draft.h"
#include "testing/gtest/status_matchers.h"

namespace burin::cpu {
namespace {

using Kind = OutputMemory::Kind;

TEST(ResolveMemoryTest, ViewsSayOfWhat) {
  DraftBuilder b;
  b.Step("view", {b.Parameter()}, {b.Value()})->view_of = 0;
  ASSERT_OK(ResolveInplaceDirections(b.draft, FakeContext()));
  EXPECT_EQ(b.draft.steps[0].memory[0].kind, Kind::kView);
  EXPECT_EQ(b.draft.steps[0].memory[0].input, 0);
}

TEST(ResolveMemoryTest, AnInputThatNobodyElseReadsIsBest) {
  DraftBuilder b;
  const int x = b.Value();
  const int y = b.Value();
  b.Step("make", {b.Parameter()}, {x, y});
  b.Step("sum", {x, y}, {b.Value()})->in_place = {{0, 0}, {1, 0}};
  b.Step("other", {x}, {b.Value()});
  ASSERT_OK(ResolveInplaceDirections(b.draft, FakeContext()));
  EXPECT_EQ(b.draft.steps[1].memory[0].kind, Kind::kMayOverwrite);
  EXPECT_EQ(b.draft.steps[1].memory[0].input, 1);
}

TEST(ResolveMemoryTest, WhatIsNotTheGraphsIsNotOverwritten) {
  DraftBuilder b;
  const int x = b.Value({1, 4, 2, 3});
  b.Step("make", {b.Parameter()}, {x});
  // A parameter, a constant, a value of another size, and one that the node does not want.
  b.Step("sum", {b.Parameter(), b.Constant(), x}, {b.Value()})->in_place = {{0, 0}, {1, 0}, {2, 0}};
  b.Step("no", {x}, {b.Value({1, 4, 2, 3})});
  ASSERT_OK(ResolveInplaceDirections(b.draft, FakeContext()));
  EXPECT_EQ(b.draft.steps[1].memory[0].kind, Kind::kOwn);
  EXPECT_EQ(b.draft.steps[2].memory[0].kind, Kind::kOwn);
}

TEST(ResolveMemoryTest, TwoOutputsDoNotTakeOneInput) {
  DraftBuilder b;
  const int x = b.Value();
  b.Step("make", {b.Parameter()}, {x});
  b.Step("both", {x}, {b.Value(), b.Value()})->in_place = {{0, 0}, {0, 1}};
  ASSERT_OK(ResolveInplaceDirections(b.draft, FakeContext()));
  EXPECT_EQ(b.draft.steps[1].memory[0].kind, Kind::kMayOverwrite);
  EXPECT_EQ(b.draft.steps[1].memory[1].kind, Kind::kOwn);
}

}  // namespace
}  // namespace burin::cpu
