#include "runtime/plugins/cpu/graph/graph_draft.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/plugins/cpu/graph/fake_nodes_testlib.h"

namespace burin::cpu {
namespace {

using ::testing::ElementsAre;

TEST(GraphDraftTest, KnowsWhoMakesAndReads) {
  DraftBuilder b;
  const int x = b.Parameter();
  const int y = b.Value();
  const int z = b.Value();
  b.Step("a", {x}, {y});
  b.Step("b", {y, -1, y}, {z});
  EXPECT_THAT(b.draft.Producers(), ElementsAre(-1, 0, 1));
  EXPECT_THAT(b.draft.Readers(), ElementsAre(ElementsAre(0), ElementsAre(1), ElementsAre()));
}

TEST(GraphDraftTest, FollowsViews) {
  DraftBuilder b;
  const int x = b.Parameter();
  const int y = b.Value();
  const int z = b.Value();
  b.Step("a", {x}, {y});
  b.Step("b", {y}, {z});
  b.draft.steps[1].memory[0] = {OutputMemory::Kind::kView, 0};
  EXPECT_EQ(b.draft.Viewed(z, b.draft.Producers()), y);
  b.draft.steps[0].memory[0] = {OutputMemory::Kind::kView, 0};
  EXPECT_EQ(b.draft.Viewed(z, b.draft.Producers()), x);
}

TEST(GraphDraftTest, TellsNodesOfTheirValues) {
  DraftBuilder b;
  const int constant = b.Constant();
  b.Step("a", {-1, constant}, {b.Value({7})});
  const NodeValues values = b.draft.ValuesOf(b.draft.steps[0]);
  EXPECT_FALSE(values.inputs[0].exists);
  EXPECT_TRUE(values.inputs[1].constant.has_value());
  EXPECT_EQ(values.outputs[0].shape, (ir::Shape{7}));
}

}  // namespace
}  // namespace burin::cpu
