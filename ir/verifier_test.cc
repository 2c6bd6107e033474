#include "ir/verifier.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "base/element_type.h"
#include "ir/model.h"
#include "ir/op_def.h"
#include "ir/ops/if.h"
#include "ir/ops/ops.h"
#include "ir/ops/parameter.h"
#include "ir/ops/read_value.h"
#include "ir/partial_shape.h"
#include "testing/gtest/status_matchers.h"

namespace burin::ir {
namespace {

using ::testing::StartsWith;

auto Breaks(const std::string& label) { return StatusIs(absl::StatusCode::kInternal, StartsWith(label + ": ")); }

// x -> a -> b -> out, all f32 [2]. An op given takes the place of Relu in a.
struct Chain {
  explicit Chain(const OpDef& op = ReluOp()) {
    x = *model.AddParameter("x", ElementType::kF32, PartialShape{2});
    a = *model.Add(op, {x}, nullptr, "a");
    b = *model.Add(ReluOp(), {a}, nullptr, "b");
    result = *model.AddResult(b, "out");
  }
  Model model;
  Value x;
  Value a;
  Value b;
  NodeId result = NodeId::kNone;
};

TEST(VerifierTest, AcceptsASoundModel) {
  const Chain chain;
  EXPECT_OK(Verify(chain.model));
  EXPECT_OK(Verify(Model()));
}

TEST(VerifierTest, M1_RefusesAnAbsentInputThatTheOpNeeds) {
  Chain chain;
  chain.model.SetInput(Use{chain.b.node, 0}, Value::None());
  EXPECT_THAT(Verify(chain.model), Breaks("M1"));
}

TEST(VerifierTest, M2_RefusesACycle) {
  Chain chain;
  chain.model.SetInput(Use{chain.a.node, 0}, chain.b);
  EXPECT_THAT(Verify(chain.model), Breaks("M2"));
}

TEST(VerifierTest, M3_RefusesCountsThatTheOpDoesNotDeclare) {
  for (void (*change)(OpDef&) :
       {+[](OpDef& op) { op.min_inputs = op.max_inputs = 2; }, +[](OpDef& op) { op.min_inputs = op.max_inputs = 0; },
        +[](OpDef& op) { op.outputs = 2; }, +[](OpDef& op) { op.bodies = 1; }}) {
    OpDef op = ReluOp();
    const Chain chain(op);
    ASSERT_OK(Verify(chain.model));
    change(op);
    EXPECT_THAT(Verify(chain.model), Breaks("M3"));
  }
}

TEST(VerifierTest, M4_RefusesListsThatLackANode) {
  OpDef op = ReluOp();
  const Chain chain(op);
  for (const OpCode code : {OpCode::kParameter, OpCode::kResult, OpCode::kAssign}) {
    op.code = code;
    EXPECT_THAT(Verify(chain.model), Breaks("M4"));
  }
}

TEST(VerifierTest, M5_RefusesTheAttributesOfAnotherOp) {
  Chain chain;
  chain.model.SetAttributes(chain.b.node, std::make_unique<ParameterAttributes>());
  EXPECT_THAT(Verify(chain.model), Breaks("M5"));
}

TEST(VerifierTest, M6_RefusesOutputsThatInferenceContradicts) {
  Chain type;
  auto attributes = std::make_unique<ParameterAttributes>();
  attributes->element_type = ElementType::kF16;
  attributes->shape = {2};
  type.model.SetAttributes(type.x.node, std::move(attributes));
  EXPECT_THAT(Verify(type.model), Breaks("M6"));

  Chain shape;
  attributes = std::make_unique<ParameterAttributes>();
  attributes->shape = {3};
  shape.model.SetAttributes(shape.x.node, std::move(attributes));
  EXPECT_THAT(Verify(shape.model), Breaks("M6"));

  Chain refused;
  attributes = std::make_unique<ParameterAttributes>();
  attributes->shape = {-1};
  refused.model.SetAttributes(refused.x.node, std::move(attributes));
  EXPECT_THAT(Verify(refused.model), Breaks("M6"));
}

TEST(VerifierTest, M6_AcceptsLessKnowledge) {
  Chain chain;
  auto attributes = std::make_unique<ParameterAttributes>();
  attributes->shape = PartialShape::DynamicRank();
  chain.model.SetAttributes(chain.x.node, std::move(attributes));
  EXPECT_OK(Verify(chain.model));
}

TEST(VerifierTest, M7_RefusesAnEmptyName) {
  OpDef op = ReluOp();
  Chain chain(op);
  op.name = "";
  chain.model.SetName(chain.a.node, "");
  EXPECT_THAT(Verify(chain.model), Breaks("M7"));
}

TEST(VerifierTest, M8_RefusesAnUnknownVariable) {
  Model model;
  ASSERT_OK(model.AddVariable(Variable{"v", ElementType::kF32, {2}}));
  auto attributes = std::make_unique<ReadValueAttributes>();
  attributes->variable_id = "v";
  attributes->variable_type = ElementType::kF32;
  attributes->variable_shape = {2};
  ASSERT_OK_AND_ASSIGN(const Value read, model.Add(ReadValueOp(), {}, attributes->Clone()));
  ASSERT_OK(Verify(model));
  attributes->variable_id = "w";
  model.SetAttributes(read.node, std::move(attributes));
  EXPECT_THAT(Verify(model), Breaks("M8"));
}

TEST(VerifierTest, M8_RefusesAValueThatDoesNotFitItsVariable) {
  Model model;
  ASSERT_OK(model.AddVariable(Variable{"v", ElementType::kF32, {2}}));
  auto attributes = std::make_unique<ReadValueAttributes>();
  attributes->variable_id = "v";
  attributes->variable_type = ElementType::kF32;
  attributes->variable_shape = {3};
  ASSERT_OK(model.Add(ReadValueOp(), {}, std::move(attributes)));
  EXPECT_THAT(Verify(model), Breaks("M8"));
}

TEST(VerifierTest, M9_RefusesABrokenBody) {
  Model model;
  const Value condition = *model.AddParameter("c", ElementType::kBoolean, PartialShape{});
  const Value x = *model.AddParameter("x", ElementType::kF32, PartialShape{2});
  NodeSpec spec;
  spec.op = &IfOp();
  spec.inputs = {condition, x};
  auto attributes = std::make_unique<IfAttributes>();
  attributes->then_inputs = {1};
  attributes->else_inputs = {1};
  spec.attributes = std::move(attributes);
  for (int i = 0; i < 2; ++i) {
    Chain chain;
    spec.bodies.push_back(std::make_unique<Model>(std::move(chain.model)));
  }
  ASSERT_OK_AND_ASSIGN(const NodeId node, model.AddNode(std::move(spec)));
  ASSERT_OK(Verify(model));
  Model& body = *model.node(node).bodies()[1];
  body.SetAttributes(body.FindNode("b"), std::make_unique<ParameterAttributes>());
  EXPECT_THAT(Verify(model), Breaks("M9"));
  EXPECT_THAT(Verify(model).message(), ::testing::HasSubstr("M5"));
}

}  // namespace
}  // namespace burin::ir
