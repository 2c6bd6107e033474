#include "runtime/plugins/cpu/graph/storage_groups.h"

#include "gtest/gtest.h"
#include "runtime/plugins/cpu/graph/fake_nodes_testlib.h"
#include "runtime/plugins/cpu/graph/graph_draft.h"

namespace burin::cpu {
namespace {

using Kind = OutputMemory::Kind;

// Makes output 0 of the last step say how it gets its memory.
void Says(DraftBuilder& b, Kind kind, int input = 0) { b.draft.steps.back().memory[0] = {kind, input}; }

TEST(StorageGroupsTest, EachValueLivesFromItsStepToItsLastReader) {
  DraftBuilder b;
  const int x = b.Parameter();
  const int y = b.Value();
  const int z = b.Value();
  b.Step("a", {x}, {y});
  b.Step("b", {y}, {z});
  b.Step("c", {y, z}, {b.Value()});
  const StorageGroups storage = GroupStorage(b.draft);
  const StorageGroup& group = storage.groups[storage.group_of[y]];
  EXPECT_EQ(group.first, 0);
  EXPECT_EQ(group.last, 2);
  EXPECT_EQ(storage.groups[storage.group_of[x]].parameter, 0);
}

TEST(StorageGroupsTest, AViewKeepsWhatItIsAViewOf) {
  DraftBuilder b;
  const int y = b.Value();
  const int view = b.Value();
  b.Step("a", {b.Parameter()}, {y});
  b.Step("view", {y}, {view});
  Says(b, Kind::kView);
  b.Step("b", {b.Parameter()}, {b.Value()});
  b.Step("c", {view}, {b.Value()});
  const StorageGroups storage = GroupStorage(b.draft);
  EXPECT_EQ(storage.group_of[y], storage.group_of[view]);
  EXPECT_EQ(storage.groups[storage.group_of[y]].last, 3);
}

TEST(StorageGroupsTest, TheLastReaderOverwrites) {
  DraftBuilder b;
  const int y = b.Value();
  const int z = b.Value();
  b.Step("a", {b.Parameter()}, {y});
  b.Step("b", {y}, {z});
  Says(b, Kind::kMayOverwrite);
  const StorageGroups storage = GroupStorage(b.draft);
  EXPECT_EQ(storage.group_of[y], storage.group_of[z]);
}

TEST(StorageGroupsTest, WhatIsReadLaterIsNotOverwritten) {
  DraftBuilder b;
  const int y = b.Value();
  const int z = b.Value();
  b.Step("a", {b.Parameter()}, {y});
  b.Step("b", {y}, {z});
  Says(b, Kind::kMayOverwrite);
  b.Step("c", {y}, {b.Value()});
  const StorageGroups storage = GroupStorage(b.draft);
  EXPECT_NE(storage.group_of[y], storage.group_of[z]);
}

TEST(StorageGroupsTest, NorThroughAView) {
  DraftBuilder b;
  const int y = b.Value();
  const int view = b.Value();
  const int z = b.Value();
  b.Step("a", {b.Parameter()}, {y});
  b.Step("view", {y}, {view});
  Says(b, Kind::kView);
  b.Step("b", {y}, {z});
  Says(b, Kind::kMayOverwrite);
  b.Step("c", {view}, {b.Value()});
  const StorageGroups storage = GroupStorage(b.draft);
  EXPECT_NE(storage.group_of[y], storage.group_of[z]);
}

TEST(StorageGroupsTest, NorWhatAnotherInputOfTheStepIs) {
  DraftBuilder b;
  const int y = b.Value();
  const int view = b.Value();
  const int z = b.Value();
  b.Step("a", {b.Parameter()}, {y});
  b.Step("view", {y}, {view});
  Says(b, Kind::kView);
  b.Step("b", {y, view}, {z});
  Says(b, Kind::kMayOverwrite);
  const StorageGroups storage = GroupStorage(b.draft);
  EXPECT_NE(storage.group_of[y], storage.group_of[z]);
}

TEST(StorageGroupsTest, NorAResultNorWhatIsNotTheGraphs) {
  DraftBuilder b;
  const int y = b.Value();
  const int z = b.Value();
  const int x = b.Parameter();
  b.Step("a", {x}, {y});
  Says(b, Kind::kMayOverwrite);
  b.Step("b", {y}, {z});
  Says(b, Kind::kMayOverwrite);
  b.Result(y);
  const StorageGroups storage = GroupStorage(b.draft);
  EXPECT_NE(storage.group_of[x], storage.group_of[y]);
  EXPECT_NE(storage.group_of[y], storage.group_of[z]);
  EXPECT_EQ(storage.groups[storage.group_of[y]].last, StorageGroup::kForever);
  EXPECT_EQ(storage.groups[storage.group_of[y]].result, 0);
}

TEST(StorageGroupsTest, AChainEndsInTheUsersMemory) {
  DraftBuilder b;
  int value = b.Value();
  b.Step("a", {b.Parameter()}, {value});
  const int first = value;
  for (int i = 0; i < 3; ++i) {
    const int next = b.Value();
    b.Step("b", {value}, {next});
    Says(b, Kind::kMayOverwrite);
    value = next;
  }
  b.Result(value);
  const StorageGroups storage = GroupStorage(b.draft);
  EXPECT_EQ(storage.group_of[first], storage.group_of[value]);
  EXPECT_EQ(storage.groups[storage.group_of[first]].result, 0);
}

}  // namespace
}  // namespace burin::cpu
