#include "snippets/tokenize/candidate_body.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "base/element_type.h"
#include "ir/infer_context.h"
#include "ir/model.h"
#include "ir/ops/ops.h"
#include "ir/tensor.h"
#include "ir/text.h"
#include "testing/gtest/status_matchers.h"

namespace burin::snippets {
namespace {

using ::testing::ElementsAre;

constexpr char kModel[] = R"(model "" {
  %0 "x" = Parameter() {element_type = f32, shape = [n, 3]}
  %1 "y" = Parameter() {element_type = f32, shape = [n, 3]}
  %2 "two" = Constant() {value = f32[]{2}}
  %3 "twice" = Multiply(%0, %2) from("user/twice")
  %4 "sum" = Add(%3, %1)
  %5 "square" = Multiply(%4, %4)
  %6 "first" = Result(%5)
  %7 "second" = Result(%3)
})";

TEST(CandidateBody, HasWhatGoesInAndOut) {
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<ir::Model> model, ir::ParseModel(kModel));
  const auto id = [&model](const char* name) { return model->FindNode(name); };
  ASSERT_OK_AND_ASSIGN(const CandidateBody candidate, BuildBody(*model, {id("twice"), id("sum"), id("square")}));
  EXPECT_THAT(candidate.inputs, ElementsAre(ir::Value{id("x"), 0}, ir::Value{id("y"), 0}));
  EXPECT_THAT(candidate.outputs, ElementsAre(ir::Value{id("twice"), 0}, ir::Value{id("square"), 0}));
  const ir::Model& body = *candidate.body;
  EXPECT_EQ(body.name(), "Multiply_Add_Multiply");
  ASSERT_EQ(body.parameters().size(), 2u);
  EXPECT_EQ(body.node(body.parameters()[0]).output(0).shape.ToString(), "[n,3]");
  EXPECT_EQ(body.results().size(), 2u);
  const ir::Node& twice = body.node(body.FindNode("twice"));
  EXPECT_THAT(twice.original_names(), ElementsAre("user/twice"));
  // Scalars come along.
  EXPECT_EQ(&body.node(twice.input(1).node).op(), &ir::ConstantOp());
}

TEST(CandidateBody, ReadsAValueOnce) {
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<ir::Model> model, ir::ParseModel(kModel));
  ASSERT_OK_AND_ASSIGN(const CandidateBody candidate, BuildBody(*model, {model->FindNode("square")}));
  EXPECT_EQ(candidate.inputs.size(), 1u);
  EXPECT_EQ(candidate.body->name(), "Multiply");
}

// Weights stay where they are, however small, and come first; a bias goes in.
TEST(CandidateBody, WhatAnAnchorReadsIsAnInput) {
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<ir::Model> model, ir::ParseModel(R"(model "" {
    %0 "x" = Parameter() {element_type = f32, shape = [n, 2]}
    %1 "y" = Parameter() {element_type = f32, shape = [n, 2]}
    %2 "exp" = Exp(%1)
    %3 "w" = Constant() {value = f32[2, 2]{1, 2, 3, 4}}
    %4 "product" = MatMul(%0, %3)
    %5 "bias" = Constant() {value = f32[2]{1, 2}}
    %6 "biased" = Add(%4, %5)
    %7 "sum" = Add(%6, %2)
    %8 "out" = Result(%7)
  })"));
  const auto id = [&model](const char* name) { return model->FindNode(name); };
  ASSERT_OK_AND_ASSIGN(const CandidateBody candidate,
                       BuildBody(*model, {id("exp"), id("product"), id("biased"), id("sum")}));
  EXPECT_THAT(candidate.inputs, ElementsAre(ir::Value{id("x"), 0}, ir::Value{id("w"), 0}, ir::Value{id("y"), 0}));
  const ir::Model& body = *candidate.body;
  EXPECT_EQ(&body.node(body.node(body.FindNode("biased")).input(1).node).op(), &ir::ConstantOp());
}

TEST(CandidateBody, LongNamesAreCut) {
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<ir::Model> model, ir::ParseModel(R"(model "" {
    %0 "x" = Parameter() {element_type = f32, shape = [3]}
    %1 "a" = Exp(%0)
    %2 "b" = Exp(%1)
    %3 "c" = Exp(%2)
    %4 "d" = Exp(%3)
    %5 "e" = Exp(%4)
    %6 "f" = Exp(%5)
    %7 "out" = Result(%6)
  })"));
  std::vector<ir::NodeId> nodes;
  for (const char* name : {"a", "b", "c", "d", "e", "f"}) nodes.push_back(model->FindNode(name));
  ASSERT_OK_AND_ASSIGN(const CandidateBody candidate, BuildBody(*model, nodes));
  EXPECT_EQ(candidate.body->name(), "Exp_Exp_Exp_Exp_and_2");
}

TEST(IsBodyConstant, IsTrueOfWhatIsSmall) {
  ir::ValueInfo info;
  EXPECT_FALSE(IsBodyConstant(info));
  ASSERT_OK_AND_ASSIGN(info.constant, ir::Tensor::Create(ElementType::kF32, {kMaxBodyConstantBytes / 4}));
  EXPECT_TRUE(IsBodyConstant(info));
  ASSERT_OK_AND_ASSIGN(info.constant, ir::Tensor::Create(ElementType::kF32, {kMaxBodyConstantBytes / 4 + 1}));
  EXPECT_FALSE(IsBodyConstant(info));
}

}  // namespace
}  // namespace burin::snippets
