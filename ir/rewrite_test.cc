#include "ir/rewrite.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "base/element_type.h"
#include "ir/dimension.h"
#include "ir/model.h"
#include "ir/ops/op_testlib.h"
#include "ir/ops/ops.h"
#include "ir/partial_shape.h"
#include "ir/runtime_info.h"
#include "ir/structural.h"
#include "ir/verifier.h"
#include "testing/gtest/status_matchers.h"

namespace burin::ir {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// x -> a (Relu, from "A") -> b (Relu, from "B") -> out; f32 [2].
struct Chain {
  Chain() {
    x = *model.AddParameter("x", ElementType::kF32, PartialShape{2});
    a = *model.Add(ReluOp(), {x}, nullptr, "a");
    b = *model.Add(ReluOp(), {a}, nullptr, "b");
    result = *model.AddResult(b, "out");
    const std::vector<std::string> a_names = {"A"};
    const std::vector<std::string> b_names = {"B"};
    model.AddOriginalNames(a.node, a_names);
    model.AddOriginalNames(b.node, b_names);
    model.SetOutputNames(b, {"y"});
  }
  Model model;
  Value x;
  Value a;
  Value b;
  NodeId result = NodeId::kNone;
};

// Expects that the patch is refused, and that the model is as it was.
void ExpectRefused(Patch patch, Model* model, const std::string& what,
                   absl::StatusCode code = absl::StatusCode::kInvalidArgument) {
  const std::unique_ptr<Model> before = model->Clone();
  EXPECT_THAT(std::move(patch).Apply(model), StatusIs(code, HasSubstr(what)));
  StructuralOptions names;
  names.compare_names = true;
  EXPECT_OK(CompareStructure(*before, *model, names));
  EXPECT_EQ(before->NodeIds(), model->NodeIds());
  EXPECT_EQ(before->id_bound(), model->id_bound());
  EXPECT_EQ(before->AllUses(), model->AllUses());
  for (const NodeId id : model->NodeIds()) {
    for (int64_t i = 0; i < model->node(id).output_count(); ++i) {
      EXPECT_EQ(before->node(id).output(i), model->node(id).output(i));
    }
  }
  EXPECT_OK(Verify(*model));
}

TEST(RewriteTest, TellsWhichNodesAreTouched) {
  // x -> a -> b -> out, and x -> other -> kept, which the edit does not concern.
  Chain chain;
  const Value other = *chain.model.Add(NegativeOp(), {chain.x}, nullptr, "other");
  const NodeId kept = *chain.model.AddResult(other, "kept");
  Patch patch(chain.model);
  const Value fused = patch.Add(NegativeOp(), {chain.x});
  patch.Replace(chain.b, fused);
  std::vector<NodeId> touched;
  ASSERT_OK(std::move(patch).Apply(&chain.model, &touched));
  // The parameter lost a reader and gained one, the result reads another value, the new node is new.
  EXPECT_THAT(touched, ElementsAre(chain.x.node, chain.result, fused.node));
  EXPECT_TRUE(chain.model.Contains(kept));
}

TEST(RewriteTest, WhatIsInferredAnewIsTouched) {
  Model model;
  const Value x = *model.AddParameter("x", ElementType::kF32, PartialShape{Dimension(), 2});
  const Value y = *model.AddParameter("y", ElementType::kF32, PartialShape{3, 2});
  const Value a = *model.Add(ReluOp(), {x}, nullptr, "a");
  const Value b = *model.Add(ReluOp(), {a}, nullptr, "b");
  const Value c = *model.Add(ReluOp(), {b}, nullptr, "c");
  const NodeId out = *model.AddResult(c, "out");
  Patch patch(model);
  patch.SetInput(Use{a.node, 0}, y);
  std::vector<NodeId> touched;
  ASSERT_OK(std::move(patch).Apply(&model, &touched));
  EXPECT_THAT(touched, ElementsAre(x.node, y.node, a.node, b.node, c.node, out));
}

TEST(RewriteTest, ReplacesTwoNodesByOne) {
  Chain chain;
  Patch patch(chain.model);
  const Value fused = patch.Add(NegativeOp(), {chain.x});
  patch.Replace(chain.b, fused);
  EXPECT_FALSE(patch.empty());
  EXPECT_THAT(patch.added(), ElementsAre(fused.node));
  ASSERT_OK(std::move(patch).Apply(&chain.model));
  EXPECT_OK(Verify(chain.model));
  EXPECT_EQ(chain.model.node_count(), 3);
  EXPECT_FALSE(chain.model.Contains(chain.a.node));
  EXPECT_FALSE(chain.model.Contains(chain.b.node));
  EXPECT_EQ(chain.model.node(chain.result).input(0), fused);
  const Node& node = chain.model.node(fused.node);
  EXPECT_EQ(node.name(), "b");
  EXPECT_THAT(node.original_names(), ElementsAre("A", "B"));
  EXPECT_THAT(node.output_names(0), ElementsAre("y"));
}

TEST(RewriteTest, RuntimeInfoGoesWithTheNodeAndStaysWithOthers) {
  Chain chain;
  chain.model.SetRuntimeInfo(chain.b.node, {{"fact", "of b"}});
  chain.model.SetRuntimeInfo(chain.x.node, {{kLayoutKey, "N"}});
  chain.model.set_runtime_info({{"origin", "here"}});
  Patch patch(chain.model);
  const Value fused = patch.Add(NegativeOp(), {chain.x});
  patch.Replace(chain.b, fused);
  ASSERT_OK(std::move(patch).Apply(&chain.model));
  EXPECT_EQ(chain.model.node(fused.node).runtime_info(), RuntimeInfo());
  EXPECT_EQ(chain.model.node(chain.x.node).runtime_info(), (RuntimeInfo{{kLayoutKey, "N"}}));
  EXPECT_EQ(chain.model.runtime_info(), (RuntimeInfo{{"origin", "here"}}));
}

TEST(RewriteTest, KeepsWhatOthersStillRead) {
  Chain chain;
  ASSERT_OK_AND_ASSIGN(const NodeId second, chain.model.AddResult(chain.a, "second"));
  Patch patch(chain.model);
  const Value fused = patch.Add(NegativeOp(), {chain.x}, nullptr, "fused");
  patch.Replace(chain.b, fused);
  ASSERT_OK(std::move(patch).Apply(&chain.model));
  EXPECT_TRUE(chain.model.Contains(chain.a.node));
  EXPECT_EQ(chain.model.node(second).input(0), chain.a);
  EXPECT_EQ(chain.model.node(fused.node).name(), "fused");
  EXPECT_THAT(chain.model.node(fused.node).original_names(), ElementsAre("B"));
}

TEST(RewriteTest, AWantedNameBecomesFreeWithTheNodeThatHadIt) {
  Chain chain;
  Patch patch(chain.model);
  patch.Replace(chain.b, patch.Add(NegativeOp(), {chain.x}, nullptr, "a"));
  ASSERT_OK(std::move(patch).Apply(&chain.model));
  EXPECT_NE(chain.model.FindNode("a"), NodeId::kNone);
}

TEST(RewriteTest, SourcesCanBeGiven) {
  Chain chain;
  Patch patch(chain.model);
  const Value fused = patch.Add(NegativeOp(), {chain.x});
  patch.Replace(chain.b, fused);
  patch.SetSources({chain.a.node});
  ASSERT_OK(std::move(patch).Apply(&chain.model));
  EXPECT_THAT(chain.model.node(fused.node).original_names(), ElementsAre("A"));
}

TEST(RewriteTest, InsertsAfterAValue) {
  Chain chain;
  Patch patch(chain.model);
  const Value inserted = patch.Add(NegativeOp(), {chain.a}, nullptr, "inserted");
  patch.Replace(chain.a, inserted);
  ASSERT_OK(std::move(patch).Apply(&chain.model));
  EXPECT_OK(Verify(chain.model));
  EXPECT_EQ(chain.model.node(inserted.node).input(0), chain.a);
  EXPECT_EQ(chain.model.node(chain.b.node).input(0), inserted);
}

TEST(RewriteTest, ReplacesAllValuesAsOfTheStart) {
  // The readers of a read x, and those of b read a.
  Chain chain;
  const Value other = *chain.model.Add(NegativeOp(), {chain.a}, nullptr, "other");
  ASSERT_OK(chain.model.AddResult(other, "other_out"));
  Patch patch(chain.model);
  patch.Replace(chain.a, chain.x);
  patch.Replace(chain.b, chain.a);
  ASSERT_OK(std::move(patch).Apply(&chain.model));
  EXPECT_EQ(chain.model.node(other.node).input(0), chain.x);
  EXPECT_EQ(chain.model.node(chain.result).input(0), chain.a);
  EXPECT_FALSE(chain.model.Contains(chain.b.node));
}

TEST(RewriteTest, SwapsNodesThoughHalfOfTheEditWouldBeACycle) {
  Chain chain;
  Patch patch(chain.model);
  patch.SetInput(Use{chain.a.node, 0}, chain.b);
  patch.SetInput(Use{chain.b.node, 0}, chain.x);
  patch.SetInput(Use{chain.result, 0}, chain.a);
  ASSERT_OK(std::move(patch).Apply(&chain.model));
  EXPECT_OK(Verify(chain.model));
  EXPECT_EQ(chain.model.node(chain.a.node).input(0), chain.b);
}

TEST(RewriteTest, DropsNewNodesThatNobodyReads) {
  Chain chain;
  Patch patch(chain.model);
  const Value unused = patch.Add(NegativeOp(), {patch.AddConstant(F32({2}, {1, 2}))});
  ASSERT_OK(std::move(patch).Apply(&chain.model));
  EXPECT_FALSE(chain.model.Contains(unused.node));
  EXPECT_EQ(chain.model.node_count(), 4);
}

TEST(RewriteTest, NewConstantsTakeTheNamesOfWhatWasFolded) {
  Model model;
  const Value c = *model.AddConstant(F32({1}, {2}), "c");
  const Value negated = *model.Add(NegativeOp(), {c}, nullptr, "n");
  const std::vector<std::string> names = {"N"};
  model.AddOriginalNames(negated.node, names);
  const std::vector<std::string> weight = {"W"};
  model.AddOriginalNames(c.node, weight);
  ASSERT_OK(model.AddResult(negated, "out"));
  Patch patch(model);
  const Value folded = patch.AddConstant(F32({1}, {-2}));
  patch.Replace(negated, folded);
  ASSERT_OK(std::move(patch).Apply(&model));
  EXPECT_EQ(model.node_count(), 2);
  EXPECT_THAT(model.node(folded.node).original_names(), ElementsAre("N"));
}

TEST(RewriteTest, InfersOnwardFromWhatChanges) {
  Model model;
  const Value x = *model.AddParameter("x", ElementType::kF32, PartialShape{Dimension(), 2});
  const Value y = *model.AddParameter("y", ElementType::kF32, PartialShape{5, 2});
  const Value a = *model.Add(ReluOp(), {x});
  const Value b = *model.Add(ReluOp(), {a});
  ASSERT_OK(model.AddResult(b, "out"));
  Patch patch(model);
  patch.SetInput(Use{a.node, 0}, y);
  ASSERT_OK(std::move(patch).Apply(&model));
  EXPECT_EQ(model.info(b).shape, (PartialShape{5, 2}));
}

TEST(RewriteTest, RefusesAnotherTypeOrShape) {
  Chain chain;
  Patch type(chain.model);
  type.Replace(chain.a, type.AddConstant(I32({2}, {1, 2})));
  ExpectRefused(std::move(type), &chain.model, "replacement");
  Patch shape(chain.model);
  shape.Replace(chain.a, shape.AddConstant(F32({3}, {1, 2, 3})));
  ExpectRefused(std::move(shape), &chain.model, "replacement");
}

TEST(RewriteTest, RefusesANewNodeThatInferenceRefuses) {
  Chain chain;
  Patch patch(chain.model);
  patch.Replace(chain.b, patch.Add(AddOp(), {chain.x, patch.AddConstant(F32({3}, {1, 2, 3}))}, nullptr, "bad"));
  ExpectRefused(std::move(patch), &chain.model, "'bad' (Add)");
}

TEST(RewriteTest, RefusesACycle) {
  Chain chain;
  Patch patch(chain.model);
  patch.Replace(chain.a, patch.Add(NegativeOp(), {chain.b}));
  ExpectRefused(std::move(patch), &chain.model, "cycle");
  Patch self(chain.model);
  self.SetInput(Use{chain.a.node, 0}, chain.a);
  ExpectRefused(std::move(self), &chain.model, "cycle");
}

TEST(RewriteTest, RefusesWhereAReaderOnwardRefuses) {
  Chain chain;
  const Value wide = *chain.model.AddParameter("wide", ElementType::kF32, PartialShape{7});
  const Value sum = *chain.model.Add(AddOp(), {chain.a, chain.x}, nullptr, "sum");
  ASSERT_OK(chain.model.AddResult(sum, "sum_out"));
  Patch patch(chain.model);
  patch.SetInput(Use{chain.a.node, 0}, wide);
  ExpectRefused(std::move(patch), &chain.model, "'sum' (Add)", absl::StatusCode::kFailedPrecondition);
}

TEST(RewriteTest, RefusesValuesAndInputsThatDoNotExist) {
  Chain chain;
  const Value nowhere{static_cast<NodeId>(99), 0};
  Patch from(chain.model);
  from.Replace(nowhere, chain.x);
  ExpectRefused(std::move(from), &chain.model, "replaced value");
  Patch to(chain.model);
  to.Replace(chain.a, nowhere);
  ExpectRefused(std::move(to), &chain.model, "replacement");
  Patch use(chain.model);
  use.SetInput(Use{chain.a.node, 1}, chain.x);
  ExpectRefused(std::move(use), &chain.model, "rewired input");
  Patch value(chain.model);
  value.SetInput(Use{chain.a.node, 0}, Value{chain.x.node, 3});
  ExpectRefused(std::move(value), &chain.model, "new value");
  Patch absent(chain.model);
  absent.SetInput(Use{chain.a.node, 0}, Value::None());
  ExpectRefused(std::move(absent), &chain.model, "Relu", absl::StatusCode::kFailedPrecondition);
}

TEST(RewriteTest, RefusesAModelInAnotherState) {
  Chain chain;
  Patch patch(chain.model);
  patch.Replace(chain.b, chain.a);
  ASSERT_OK(chain.model.AddParameter("late", ElementType::kF32, PartialShape{1}));
  ExpectRefused(std::move(patch), &chain.model, "another state");
}

TEST(RewriteTest, AppliesToACloneInTheSameState) {
  Chain chain;
  Patch patch(chain.model);
  patch.Replace(chain.b, chain.a);
  const std::unique_ptr<Model> copy = chain.model.Clone();
  ASSERT_OK(std::move(patch).Apply(copy.get()));
  EXPECT_EQ(copy->node_count(), 3);
  EXPECT_EQ(chain.model.node_count(), 4);
}

// Many edits of a long chain stay fast, in whichever direction they come: each touches its neighbourhood alone.
TEST(RewriteTest, ManyEditsOfALongChain) {
  constexpr int kLength = 20000;
  Model model;
  Value value = *model.AddParameter("x", ElementType::kF32, PartialShape{1});
  std::vector<Value> chain;
  for (int i = 0; i < kLength; ++i) chain.push_back(value = *model.Add(ReluOp(), {value}));
  ASSERT_OK(model.AddResult(value, "out"));
  for (int i = 0; i < kLength; i += 2) {  // From the front: a node more.
    Patch patch(model);
    patch.Replace(chain[static_cast<size_t>(i)], patch.Add(NegativeOp(), {chain[static_cast<size_t>(i)]}));
    ASSERT_OK(std::move(patch).Apply(&model));
  }
  for (int i = kLength - 1; i > 0; i -= 2) {  // From the back: a node less.
    Patch patch(model);
    patch.Replace(chain[static_cast<size_t>(i)], model.node(chain[static_cast<size_t>(i)].node).input(0));
    ASSERT_OK(std::move(patch).Apply(&model));
  }
  EXPECT_EQ(model.node_count(), kLength + 2);
  EXPECT_OK(Verify(model));
}

TEST(RewriteTest, ContextFindsServicesByType) {
  const int number = 7;
  const std::string text = "service";
  PassContext context;
  context.Provide(&number);
  EXPECT_EQ(context.Find<int>(), &number);
  EXPECT_EQ(context.Find<std::string>(), nullptr);
  context.Provide(&text);
  EXPECT_EQ(context.Find<std::string>(), &text);
  const int other = 8;
  context.Provide(&other);
  EXPECT_EQ(context.Find<int>(), &other);
}

}  // namespace
}  // namespace burin::ir
