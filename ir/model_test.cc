#include "ir/model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/element_type.h"
#include "ir/ops/assign.h"
#include "ir/ops/constant.h"
#include "ir/ops/if.h"
#include "ir/ops/op_testlib.h"
#include "ir/ops/ops.h"
#include "ir/ops/parameter.h"
#include "ir/ops/read_value.h"
#include "ir/partial_shape.h"
#include "ir/runtime_info.h"
#include "testing/gtest/status_matchers.h"

namespace burin::ir {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Adds a node that must be accepted.
Value AddOk(Model& model, const OpDef& op, std::vector<Value> inputs, std::string name) {
  const absl::StatusOr<Value> value = model.Add(op, std::move(inputs), nullptr, std::move(name));
  EXPECT_OK(value);
  return value.value_or(Value::None());
}

Value ParameterOk(Model& model, std::string name, PartialShape shape) {
  const absl::StatusOr<Value> value = model.AddParameter(std::move(name), ElementType::kF32, std::move(shape));
  EXPECT_OK(value);
  return value.value_or(Value::None());
}

std::vector<std::string> Names(const Model& model, const std::vector<NodeId>& ids) {
  std::vector<std::string> names;
  for (const NodeId id : ids) names.push_back(model.node(id).name());
  return names;
}

TEST(ModelTest, BuildsAndInfers) {
  Model model("m");
  const Value x = ParameterOk(model, "x", {Dimension::Symbol("n"), 3});
  ASSERT_OK_AND_ASSIGN(const Value c, model.AddConstant(F32({3}, {1, 2, 3}), "c"));
  const Value sum = AddOk(model, AddOp(), {x, c}, "sum");
  ASSERT_OK_AND_ASSIGN(const NodeId result, model.AddResult(sum, "out"));
  EXPECT_EQ(model.node_count(), 4);
  EXPECT_EQ(model.info(sum).shape, (PartialShape{Dimension::Symbol("n"), 3}));
  EXPECT_EQ(model.node(result).output(0).type, ElementType::kF32);
  EXPECT_THAT(model.parameters(), ElementsAre(x.node));
  EXPECT_THAT(model.results(), ElementsAre(result));
  EXPECT_EQ(model.FindNode("sum"), sum.node);
  EXPECT_EQ(model.FindNode("nothing"), NodeId::kNone);
  EXPECT_EQ(model.node(c.node).attributes_as<ConstantAttributes>().value.element_count(), 3);
}

TEST(ModelTest, NamesAreUnique) {
  Model model;
  const Value x = ParameterOk(model, "x", {1});
  const Value a = AddOk(model, ReluOp(), {x}, "x");
  const Value b = AddOk(model, ReluOp(), {x}, "x");
  const Value c = AddOk(model, ReluOp(), {x}, "");
  EXPECT_THAT(Names(model, {a.node, b.node, c.node}), ElementsAre("x_1", "x_2", "Relu"));
  model.SetName(c.node, "x_1");
  EXPECT_EQ(model.node(c.node).name(), "x_1_1");
  EXPECT_EQ(model.FindNode("Relu"), NodeId::kNone);
  model.SetName(a.node, "first");
  model.SetName(b.node, "x_1");
  EXPECT_EQ(model.node(b.node).name(), "x_1");
}

TEST(ModelTest, RefusesWhatInferenceRefusesAndStaysUnchanged) {
  Model model;
  const Value a = ParameterOk(model, "a", {2});
  const Value b = ParameterOk(model, "b", {3});
  EXPECT_THAT(model.Add(AddOp(), {a, b}, nullptr, "sum"),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("Node 'sum' (Add)")));
  EXPECT_EQ(model.node_count(), 2);
  EXPECT_EQ(model.id_bound(), 2);
  EXPECT_FALSE(model.IsRead(a.node));
  EXPECT_EQ(model.FindNode("sum"), NodeId::kNone);
}

TEST(ModelTest, RefusesWrongInputsAndAttributes) {
  Model model;
  const Value a = ParameterOk(model, "a", {2});
  const auto invalid = StatusIs(absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(model.Add(ReluOp(), {}), invalid);
  EXPECT_THAT(model.Add(ReluOp(), {a, a}), invalid);
  EXPECT_THAT(model.Add(ReluOp(), {Value::None()}), invalid);
  EXPECT_THAT(model.Add(ReluOp(), {Value{a.node, 1}}), invalid);
  EXPECT_THAT(model.Add(ReluOp(), {Value{a.node, -1}}), invalid);
  EXPECT_THAT(model.Add(ReluOp(), {Value{static_cast<NodeId>(7), 0}}), invalid);
  EXPECT_THAT(model.Add(ReluOp(), {a}, std::make_unique<ParameterAttributes>()), invalid);
  NodeSpec with_body;
  with_body.op = &ReluOp();
  with_body.inputs = {a};
  with_body.bodies.push_back(std::make_unique<Model>());
  EXPECT_THAT(model.AddNode(std::move(with_body)), invalid);
  EXPECT_EQ(model.node_count(), 1);
}

TEST(ModelTest, DropsAbsentInputsAtTheEnd) {
  Model model;
  ASSERT_OK(model.AddVariable(Variable{"v", ElementType::kF32, {2}}));
  auto attributes = std::make_unique<ReadValueAttributes>();
  attributes->variable_id = "v";
  attributes->variable_type = ElementType::kF32;
  attributes->variable_shape = {2};
  ASSERT_OK_AND_ASSIGN(const Value v, model.Add(ReadValueOp(), {Value::None()}, std::move(attributes)));
  EXPECT_EQ(model.node(v.node).input_count(), 0);
}

TEST(ModelTest, TakesGivenIdsWithinBounds) {
  Model model;
  NodeSpec spec;
  spec.op = &ParameterOp();
  EXPECT_THAT(model.AddNodeWithId(static_cast<NodeId>(5), std::move(spec)), IsOkAndHolds(static_cast<NodeId>(5)));
  EXPECT_EQ(model.id_bound(), 6);
  EXPECT_FALSE(model.Contains(static_cast<NodeId>(0)));
  for (const int32_t id : {5, -1, 64 * (1 + 1024) + 1, 2147483647}) {
    NodeSpec bad;
    bad.op = &ParameterOp();
    EXPECT_THAT(model.AddNodeWithId(static_cast<NodeId>(id), std::move(bad)),
                StatusIs(absl::StatusCode::kInvalidArgument))
        << id;
  }
  NodeSpec gap;
  gap.op = &ParameterOp();
  EXPECT_OK(model.AddNodeWithId(static_cast<NodeId>(2), std::move(gap)));
  EXPECT_THAT(model.NodeIds(), ElementsAre(static_cast<NodeId>(2), static_cast<NodeId>(5)));
}

TEST(ModelTest, OrdersTopologicallyWithTheSmallestIdFirst) {
  Model model;
  const Value x = ParameterOk(model, "x", {1});
  const Value y = ParameterOk(model, "y", {1});
  const Value a = AddOk(model, ReluOp(), {x}, "a");
  const Value b = AddOk(model, ReluOp(), {y}, "b");
  model.SetInput(Use{a.node, 0}, b);
  ASSERT_OK_AND_ASSIGN(const std::vector<NodeId> order, model.TopologicalOrder());
  EXPECT_THAT(Names(model, order), ElementsAre("x", "y", "b", "a"));
}

TEST(ModelTest, NamesANodeOnACycle) {
  Model model;
  const Value x = ParameterOk(model, "x", {1});
  const Value a = AddOk(model, ReluOp(), {x}, "a");
  const Value b = AddOk(model, ReluOp(), {a}, "b");
  AddOk(model, ReluOp(), {b}, "after");
  model.SetInput(Use{a.node, 0}, b);
  EXPECT_THAT(model.TopologicalOrder(), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("cycle")));
  EXPECT_THAT(model.TopologicalOrder().status().message(), ::testing::Not(HasSubstr("after")));
  EXPECT_THAT(model.InferAll(), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("cycle")));
  EXPECT_THAT(model.InferFrom({a.node}), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("cycle")));
  model.SetInput(Use{a.node, 0}, x);
  EXPECT_OK(model.InferFrom({a.node}));
}

TEST(ModelTest, SetsTheOrderOfItsSignature) {
  Model model;
  const Value x = ParameterOk(model, "x", {1});
  const Value y = ParameterOk(model, "y", {1});
  ASSERT_OK_AND_ASSIGN(const NodeId first, model.AddResult(x, "first"));
  ASSERT_OK_AND_ASSIGN(const NodeId second, model.AddResult(y, "second"));
  ASSERT_OK(model.SetOrder({y.node, x.node}, {second, first}, {}));
  EXPECT_THAT(model.parameters(), ElementsAre(y.node, x.node));
  EXPECT_THAT(model.results(), ElementsAre(second, first));
  for (const std::vector<NodeId>& wrong :
       {std::vector<NodeId>{x.node}, {x.node, x.node}, {x.node, first}, {x.node, y.node, first}}) {
    EXPECT_THAT(model.SetOrder(wrong, {first, second}, {}), StatusIs(absl::StatusCode::kInvalidArgument));
  }
  EXPECT_THAT(model.results(), ElementsAre(second, first));
}

TEST(ModelTest, VariablesHaveUniqueIdsAndAreKnownWhenUsed) {
  Model model;
  EXPECT_THAT(model.AddVariable(Variable{}), StatusIs(absl::StatusCode::kInvalidArgument));
  ASSERT_OK(model.AddVariable(Variable{"v", ElementType::kF32, {2}}));
  EXPECT_THAT(model.AddVariable(Variable{"v", ElementType::kF32, {2}}), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_NE(model.FindVariable("v"), nullptr);
  EXPECT_EQ(model.FindVariable("w"), nullptr);
  const Value x = ParameterOk(model, "x", {2});
  auto known = std::make_unique<AssignAttributes>();
  known->variable_id = "v";
  ASSERT_OK_AND_ASSIGN(const Value assign, model.Add(AssignOp(), {x}, std::move(known)));
  EXPECT_THAT(model.sinks(), ElementsAre(assign.node));
  auto unknown = std::make_unique<AssignAttributes>();
  unknown->variable_id = "w";
  EXPECT_THAT(model.Add(AssignOp(), {x}, std::move(unknown)),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("variable")));
}

TEST(ModelTest, ClonesDeeplyWithIdsNamesAndProvenance) {
  Model model("m");
  const Value x = ParameterOk(model, "x", {2});
  ASSERT_OK_AND_ASSIGN(const Value c, model.AddConstant(F32({2}, {1, 2}), "c"));
  const Value dead = AddOk(model, ReluOp(), {x}, "dead");
  NodeSpec spec;
  spec.op = &AddOp();
  spec.inputs = {x, c};
  spec.name = "sum";
  spec.original_names = {"Add_1"};
  spec.output_names = {{"y"}};
  spec.runtime_info = {{"origin", "here"}};
  model.set_runtime_info({{"options/mode", "fast"}});
  ASSERT_OK_AND_ASSIGN(const NodeId sum, model.AddNode(std::move(spec)));
  ASSERT_OK(model.AddResult(Value{sum, 0}, "out"));
  model.RemoveNode(dead.node);

  const std::unique_ptr<Model> copy = model.Clone();
  EXPECT_EQ(copy->name(), "m");
  EXPECT_EQ(copy->NodeIds(), model.NodeIds());
  EXPECT_EQ(copy->id_bound(), model.id_bound());
  EXPECT_THAT(copy->node(sum).original_names(), ElementsAre("Add_1"));
  EXPECT_THAT(copy->node(sum).output_names(0), ElementsAre("y"));
  EXPECT_EQ(copy->node(sum).runtime_info(), (RuntimeInfo{{"origin", "here"}}));
  EXPECT_EQ(copy->runtime_info(), (RuntimeInfo{{"options/mode", "fast"}}));
  EXPECT_EQ(copy->node(c.node).attributes_as<ConstantAttributes>().value.data(),
            model.node(c.node).attributes_as<ConstantAttributes>().value.data());
  EXPECT_EQ(copy->UsesOf(x), model.UsesOf(x));
  copy->SetRuntimeInfo(sum, {});
  EXPECT_EQ(model.node(sum).runtime_info().size(), 1u);
  copy->SetName(sum, "other");
  EXPECT_EQ(model.node(sum).name(), "sum");
  copy->SetInput(Use{sum, 1}, x);
  EXPECT_EQ(model.node(sum).input(1), c);
}

TEST(ModelTest, RefusesBodiesNestedTooDeep) {
  // Returns a model of one result: what `inner` gives, or a constant without one.
  const auto around = [](std::unique_ptr<Model> inner) -> absl::StatusOr<std::unique_ptr<Model>> {
    auto model = std::make_unique<Model>();
    absl::StatusOr<Value> value = model->AddConstant(Bool({}, {1}));
    if (inner != nullptr) {
      NodeSpec spec;
      spec.op = &IfOp();
      spec.inputs = {*value};
      spec.bodies.push_back(std::move(inner));
      spec.bodies.push_back(std::make_unique<Model>());
      EXPECT_OK(spec.bodies[1]->AddResult(*spec.bodies[1]->AddConstant(Bool({}, {0})), "r"));
      const absl::StatusOr<NodeId> node = model->AddNode(std::move(spec));
      if (!node.ok()) return node.status();
      value = Value{*node, 0};
    }
    EXPECT_OK(model->AddResult(*value, "out"));
    return model;
  };
  ASSERT_OK_AND_ASSIGN(std::unique_ptr<Model> model, around(nullptr));
  for (int32_t depth = 1; depth <= kMaxBodyDepth; ++depth) {
    ASSERT_OK_AND_ASSIGN(model, around(std::move(model)));
    ASSERT_EQ(model->BodyDepth(), depth);
  }
  EXPECT_EQ(model->Clone()->BodyDepth(), kMaxBodyDepth);
  EXPECT_THAT(around(std::move(model)), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("nested")));
}

TEST(ModelTest, SurvivesAVeryLongChain) {
  constexpr int kLength = 1000000;
  Model model;
  Value value = ParameterOk(model, "x", {1});
  for (int i = 0; i < kLength; ++i) {
    ASSERT_OK_AND_ASSIGN(value, model.Add(ResultOp(), {value}, nullptr, "r"));
  }
  ASSERT_OK_AND_ASSIGN(const std::vector<NodeId> order, model.TopologicalOrder());
  EXPECT_EQ(order.size(), kLength + 1u);
  const std::unique_ptr<Model> copy = model.Clone();
  EXPECT_EQ(copy->node_count(), kLength + 1);
  EXPECT_OK(copy->InferAll());
  EXPECT_OK(copy->InferFrom({copy->parameters()[0]}));
}

}  // namespace
}  // namespace burin::ir
