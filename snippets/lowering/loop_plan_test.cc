#include "snippets/lowering/loop_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "ir/model.h"
#include "ir/text.h"
#include "snippets/linear/linear_ir.h"
#include "snippets/lowering/body_graph.h"

namespace burin::snippets {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Holds what a plan is made of.
struct Body {
  explicit Body(absl::string_view text)
      : model(ir::ParseModel(text).value()), graph(BodyGraph::Create(*model).value()) {}

  // Returns the index of the node that a named operation is.
  int32_t IndexOf(absl::string_view name) const {
    const ir::NodeId id = model->FindNode(name);
    for (size_t i = 0; i < graph.nodes.size(); ++i) {
      if (graph.nodes[i].node == id) return static_cast<int32_t>(i);
    }
    return -1;
  }

  const BodyNode& Node(absl::string_view name) const { return graph.nodes[static_cast<size_t>(IndexOf(name))]; }

  std::unique_ptr<ir::Model> model;
  BodyGraph graph;
};

// The sum along `axis` of what is added up.
Body SumOf(absl::string_view type, absl::string_view op, int axis) {
  return Body(absl::StrCat("model \"\" {\n%0 \"x\" = Parameter() {element_type = ", type,
                           ", shape = [3,5]}\n%1 \"term\" = ", op, "\n%2 = Constant() {value = i64[1]{", axis,
                           "}}\n%3 \"sum\" = ReduceSum(%1, %2) {keep_dims = true}\n%4 \"out\" = Result(%3)\n}"));
}

TEST(LoopPlan, ReducedAxesLieInside) {
  const Body body = SumOf("f32", "Exp(%0)", 0);
  const LoopPlan plan(body.graph, *body.model, -1);
  EXPECT_EQ(plan.axis_count(), 2);
  EXPECT_TRUE(plan.IsReduced(0));
  EXPECT_FALSE(plan.IsReduced(1));
  EXPECT_EQ(plan.vector_axis(), 1);
  EXPECT_FALSE(plan.one_element());
  EXPECT_THAT(plan.LoopsOf(body.Node("sum"), 0), ElementsAre(1, 0));
  EXPECT_THAT(plan.LoopsOf(body.Node("term"), 0), ElementsAre(1, 0));
  // An axis that is open at the root takes no loop.
  EXPECT_THAT(plan.LoopsOf(body.Node("sum"), AxisBit(1)), ElementsAre(0));
  EXPECT_EQ(plan.AxesOf(body.Node("sum")), AxisBit(1));
}

TEST(LoopPlan, VectorsLieAlongWhatIsSideBySide) {
  const Body body(R"(model "" {
    %0 "x" = Parameter() {element_type = f32, shape = [40,30]}
    %1 "y" = Parameter() {element_type = f32, shape = [40,30]}
    %2 = Constant() {value = i64[2]{1, 0}}
    %3 "sum" = Add(%0, %1)
    %4 "turned" = Transpose(%3, %2)
    %5 "out" = Result(%4)
  })");
  // Two loads have rows side by side, one store has columns.
  const LoopPlan plan(body.graph, *body.model, -1);
  EXPECT_EQ(plan.vector_axis(), 0);
  EXPECT_THAT(plan.LoopsOf(body.Node("sum"), 0), ElementsAre(1, 0));
  const LoopPlan told(body.graph, *body.model, 1);
  EXPECT_EQ(told.vector_axis(), 1);
  EXPECT_THAT(told.LoopsOf(body.Node("sum"), 0), ElementsAre(0, 1));
}

TEST(LoopPlan, AProductThatOneSumReadsIsPartOfIt) {
  const Body body = SumOf("f32", "Multiply(%0, %0)", 1);
  const LoopPlan plan(body.graph, *body.model, -1);
  const int32_t product = body.IndexOf("term");
  EXPECT_TRUE(plan.IsSummand(product));
  EXPECT_EQ(plan.TermsOf(body.IndexOf("sum")), body.graph.nodes[static_cast<size_t>(product)].inputs);
  for (const Body& other : {SumOf("f32", "Add(%0, %0)", 1), SumOf("i32", "Multiply(%0, %0)", 1)}) {
    const LoopPlan rounds(other.graph, *other.model, -1);
    EXPECT_FALSE(rounds.IsSummand(other.IndexOf("term")));
    EXPECT_THAT(rounds.TermsOf(other.IndexOf("sum")), ElementsAre(other.IndexOf("term")));
  }
}

TEST(LoopPlan, AProductThatOthersReadIsNoPartOfASum) {
  const Body body(R"(model "" {
    %0 "x" = Parameter() {element_type = f32, shape = [3,5]}
    %1 "term" = Multiply(%0, %0)
    %2 = Constant() {value = i64[1]{1}}
    %3 "sum" = ReduceSum(%1, %2) {keep_dims = true}
    %4 "all" = Add(%1, %3)
    %5 "out" = Result(%4)
  })");
  EXPECT_FALSE(LoopPlan(body.graph, *body.model, -1).IsSummand(body.IndexOf("term")));
}

TEST(LoopPlan, AMaximumHasNoSummands) {
  const Body body(R"(model "" {
    %0 "x" = Parameter() {element_type = f32, shape = [3,5]}
    %1 "term" = Multiply(%0, %0)
    %2 = Constant() {value = i64[1]{1}}
    %3 "most" = ReduceMax(%1, %2) {keep_dims = true}
    %4 "out" = Result(%3)
  })");
  EXPECT_FALSE(LoopPlan(body.graph, *body.model, -1).IsSummand(body.IndexOf("term")));
}

TEST(LoopPlan, WhatNoStoreReadsIsNotNeeded) {
  Body body = SumOf("f32", "Exp(%0)", 1);
  BodyNode unread = body.Node("term");
  body.graph.nodes.push_back(std::move(unread));
  const LoopPlan plan(body.graph, *body.model, -1);
  EXPECT_FALSE(plan.IsNeeded(static_cast<int32_t>(body.graph.nodes.size()) - 1));
  EXPECT_TRUE(plan.IsNeeded(body.IndexOf("term")));
  EXPECT_TRUE(plan.IsNeeded(body.IndexOf("sum")));
}

TEST(LoopPlan, OneElementIsARowOfOne) {
  const Body body(R"(model "" {
    %0 "x" = Parameter() {element_type = f32, shape = [1,1]}
    %1 "one" = Constant() {value = f32[]{1}}
    %2 "sum" = Add(%0, %1)
    %3 "out" = Result(%2)
  })");
  const LoopPlan plan(body.graph, *body.model, -1);
  EXPECT_TRUE(plan.one_element());
  EXPECT_EQ(plan.axis_count(), 1);
  EXPECT_THAT(plan.LoopsOf(body.Node("sum"), 0), ElementsAre(0));
  for (const BodyNode& node : body.graph.nodes) {
    if (node.kind != BodyNode::Kind::kConstant) continue;
    EXPECT_THAT(plan.LoopsOf(node, 0), IsEmpty());
  }
}

}  // namespace
}  // namespace burin::snippets
