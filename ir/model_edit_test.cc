#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "base/element_type.h"
#include "ir/model.h"
#include "ir/ops/ops.h"
#include "ir/ops/split.h"
#include "ir/partial_shape.h"
#include "ir/tensor.h"
#include "testing/gtest/status_matchers.h"

namespace burin::ir {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(ModelEditTest, KeepsTheUsesOfEachOutput) {
  Model model;
  const Value x = *model.AddParameter("x", ElementType::kF32, PartialShape{1});
  const Value a = *model.Add(AddOp(), {x, x}, nullptr, "a");
  const Value b = *model.Add(ReluOp(), {x}, nullptr, "b");
  EXPECT_THAT(model.UsesOf(x), ElementsAre(Use{a.node, 0}, Use{a.node, 1}, Use{b.node, 0}));
  EXPECT_THAT(model.UsesOf(b), IsEmpty());
  const auto all = model.AllUses();
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[static_cast<size_t>(Index(x.node))].size(), 3u);
  EXPECT_FALSE(model.HasOneUse(x));
  EXPECT_FALSE(model.HasOneUse(b));
  EXPECT_EQ(model.OnlyReader(x), NodeId::kNone);
  EXPECT_EQ(model.OnlyReader(b), NodeId::kNone);
  model.SetInput(Use{a.node, 1}, b);
  EXPECT_TRUE(model.HasOneUse(b));
  EXPECT_EQ(model.OnlyReader(b), a.node);
  EXPECT_THAT(model.UsesOf(x), ElementsAre(Use{a.node, 0}, Use{b.node, 0}));
  EXPECT_THAT(model.UsesOf(b), ElementsAre(Use{a.node, 1}));
}

TEST(ModelEditTest, TellsTheReadersOfOneOutputFromThoseOfAnother) {
  Model model;
  const Value x = *model.AddParameter("x", ElementType::kF32, PartialShape{4});
  const Value axis = *model.AddConstant(*Tensor::CreateZeroed(ElementType::kI64, {}));
  NodeSpec spec;
  spec.op = &SplitOp();
  auto attributes = std::make_unique<SplitAttributes>();
  attributes->num_splits = 4;
  spec.attributes = std::move(attributes);
  spec.inputs = {x, axis};
  const NodeId split = *model.AddNode(std::move(spec));
  const Value a = *model.Add(AddOp(), {Value{split, 1}, Value{split, 1}}, nullptr, "a");
  const Value b = *model.Add(ReluOp(), {Value{split, 2}}, nullptr, "b");
  const Value c = *model.Add(AddOp(), {Value{split, 3}, b}, nullptr, "c");
  const Value d = *model.Add(ReluOp(), {Value{split, 3}}, nullptr, "d");
  EXPECT_EQ(model.UsesOf(Value{split, 3}).size(), 2u) << Index(d.node);
  EXPECT_FALSE(model.HasOneUse(Value{split, 0}));
  EXPECT_FALSE(model.HasOneUse(Value{split, 1}));
  EXPECT_TRUE(model.HasOneUse(Value{split, 2}));
  EXPECT_FALSE(model.HasOneUse(Value{split, 3}));
  EXPECT_EQ(model.OnlyReader(Value{split, 0}), NodeId::kNone);
  EXPECT_EQ(model.OnlyReader(Value{split, 1}), a.node);
  EXPECT_EQ(model.OnlyReader(Value{split, 2}), b.node);
  EXPECT_EQ(model.OnlyReader(Value{split, 3}), NodeId::kNone);
  EXPECT_EQ(model.OnlyReader(b), c.node);
}

TEST(ModelEditTest, ReplacesUsesAndMovesNames) {
  Model model;
  const Value x = *model.AddParameter("x", ElementType::kF32, PartialShape{1});
  const Value a = *model.Add(ReluOp(), {x}, nullptr, "a");
  const Value b = *model.Add(ReluOp(), {a}, nullptr, "b");
  model.SetOutputNames(a, {"a:0", "shared"});
  model.SetOutputNames(x, {"shared"});
  model.ReplaceUses(a, x);
  EXPECT_EQ(model.node(b.node).input(0), x);
  EXPECT_THAT(model.node(x.node).output_names(0), ElementsAre("shared", "a:0"));
  EXPECT_THAT(model.node(a.node).output_names(0), IsEmpty());
  EXPECT_FALSE(model.IsRead(a.node));
}

TEST(ModelEditTest, InsertsANodeByReplacingUses) {
  Model model;
  const Value x = *model.AddParameter("x", ElementType::kF32, PartialShape{1});
  const Value b = *model.Add(ReluOp(), {x}, nullptr, "b");
  const Value inserted = *model.Add(ReluOp(), {x}, nullptr, "inserted");
  model.ReplaceUses(x, inserted);
  EXPECT_EQ(model.node(inserted.node).input(0), x);
  EXPECT_EQ(model.node(b.node).input(0), inserted);
  EXPECT_OK(model.TopologicalOrder());
}

TEST(ModelEditTest, RemovesDeadNodesButParameters) {
  Model model;
  const Value x = *model.AddParameter("x", ElementType::kF32, PartialShape{1});
  const Value unused = *model.AddParameter("unused", ElementType::kF32, PartialShape{1});
  const Value a = *model.Add(ReluOp(), {x}, nullptr, "a");
  const Value dead = *model.Add(ReluOp(), {a}, nullptr, "dead");
  const Value deader = *model.Add(ReluOp(), {dead}, nullptr, "deader");
  ASSERT_OK(model.AddResult(a, "out"));
  EXPECT_EQ(model.RemoveDeadNodes(), 2);
  EXPECT_FALSE(model.Contains(dead.node));
  EXPECT_FALSE(model.Contains(deader.node));
  EXPECT_TRUE(model.Contains(unused.node));
  EXPECT_EQ(model.node_count(), 4);
  EXPECT_EQ(model.FindNode("dead"), NodeId::kNone);
  EXPECT_EQ(model.UsesOf(a).size(), 1u);
  const Value next = *model.Add(ReluOp(), {x}, nullptr, "next");
  EXPECT_GT(next.node, deader.node) << "ids are not used again";
}

TEST(ModelEditTest, RemovesListedNodesFromTheirLists) {
  Model model;
  const Value x = *model.AddParameter("x", ElementType::kF32, PartialShape{1});
  ASSERT_OK_AND_ASSIGN(const NodeId first, model.AddResult(x, "first"));
  ASSERT_OK_AND_ASSIGN(const NodeId second, model.AddResult(x, "second"));
  model.RemoveNode(first);
  EXPECT_THAT(model.results(), ElementsAre(second));
  model.RemoveNode(second);
  model.RemoveNode(x.node);
  EXPECT_THAT(model.parameters(), IsEmpty());
  EXPECT_EQ(model.node_count(), 0);
}

}  // namespace
}  // namespace burin::ir
