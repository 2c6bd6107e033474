#include "ir/ops/if.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "ir/evaluate_op.h"
#include "ir/evaluator.h"
#include "ir/model.h"
#include "ir/ops/op_testlib.h"
#include "ir/ops/ops.h"
#include "testing/gtest/status_matchers.h"

namespace burin::ir {
namespace {

using ::testing::HasSubstr;

// Returns a body with one parameter of that type and shape, on which it runs `op` (null: nothing).
std::unique_ptr<Model> Body(ElementType type, PartialShape shape, const OpDef* op) {
  auto body = std::make_unique<Model>();
  Value value = *body->AddParameter("p", type, std::move(shape));
  if (op != nullptr) value = *body->Add(*op, {value});
  EXPECT_OK(body->AddResult(value, "r"));
  return body;
}

std::vector<std::unique_ptr<Model>> Bodies(std::unique_ptr<Model> then_body, std::unique_ptr<Model> else_body) {
  std::vector<std::unique_ptr<Model>> bodies;
  bodies.push_back(std::move(then_body));
  bodies.push_back(std::move(else_body));
  return bodies;
}

// Negates in `then`, leaves as it is in `else`.
std::vector<std::unique_ptr<Model>> NegateOrNot() {
  return Bodies(Body(ElementType::kF32, PartialShape::DynamicRank(), &NegativeOp()),
                Body(ElementType::kF32, PartialShape::DynamicRank(), nullptr));
}

IfAttributes Ports(std::vector<int64_t> then_inputs, std::vector<int64_t> else_inputs) {
  IfAttributes attributes;
  attributes.then_inputs = std::move(then_inputs);
  attributes.else_inputs = std::move(else_inputs);
  return attributes;
}

absl::StatusOr<std::vector<ValueInfo>> InferIt(const IfAttributes& attributes, const std::vector<ValueInfo>& infos,
                                               const std::vector<std::unique_ptr<Model>>& bodies) {
  std::vector<const ValueInfo*> inputs;
  for (const ValueInfo& info : infos) inputs.push_back(&info);
  return InferOp(IfOp(), attributes, inputs, bodies);
}

// Returns a model of an If on the parameters cond, a, b.
std::unique_ptr<Model> ModelWithIf(IfAttributes attributes, std::vector<std::unique_ptr<Model>> bodies) {
  auto model = std::make_unique<Model>();
  const Value cond = *model->AddParameter("cond", ElementType::kBoolean, PartialShape{});
  const Value a = *model->AddParameter("a", ElementType::kF32, PartialShape::DynamicRank());
  const Value b = *model->AddParameter("b", ElementType::kF32, PartialShape::DynamicRank());
  NodeSpec spec;
  spec.op = &IfOp();
  spec.attributes = std::make_unique<IfAttributes>(std::move(attributes));
  spec.inputs = {cond, a, b};
  spec.bodies = std::move(bodies);
  const absl::StatusOr<NodeId> node = model->AddNode(std::move(spec));
  EXPECT_OK(node);
  EXPECT_OK(model->AddResult(Value{*node, 0}, "out"));
  return model;
}

TEST(IfTest, RunsTheBodyThatTheConditionChooses) {
  const std::unique_ptr<Model> model = ModelWithIf(Ports({1}, {2}), NegateOrNot());
  ASSERT_OK_AND_ASSIGN(const Evaluator evaluator, Evaluator::Create(*model));
  const Tensor a = F32({2}, {1, -2});
  const Tensor b = F32({3}, {7, 8, 9});
  ASSERT_OK_AND_ASSIGN(const std::vector<Tensor> chosen, evaluator.Run({Bool({}, {1}), a, b}));
  ExpectTensorEq(chosen[0], F32({2}, {-1, 2}));
  ASSERT_OK_AND_ASSIGN(const std::vector<Tensor> other, evaluator.Run({Bool({}, {0}), a, b}));
  ExpectTensorEq(other[0], b);
}

TEST(IfTest, TakesOutputsInTheOrderOfThePortMap) {
  auto two = [] {
    auto body = std::make_unique<Model>();
    const Value p = *body->AddParameter("p", ElementType::kF32, PartialShape::DynamicRank());
    EXPECT_OK(body->AddResult(p, "first"));
    EXPECT_OK(body->AddResult(*body->Add(NegativeOp(), {p}), "second"));
    return body;
  };
  IfAttributes attributes = Ports({1}, {1});
  attributes.then_outputs = {1};
  attributes.else_outputs = {0};
  const std::unique_ptr<Model> model = ModelWithIf(attributes, Bodies(two(), two()));
  ASSERT_OK_AND_ASSIGN(const Evaluator evaluator, Evaluator::Create(*model));
  const Tensor a = F32({1}, {5});
  ASSERT_OK_AND_ASSIGN(const std::vector<Tensor> chosen, evaluator.Run({Bool({}, {1}), a, a}));
  ExpectTensorEq(chosen[0], F32({1}, {-5}));
  ASSERT_OK_AND_ASSIGN(const std::vector<Tensor> other, evaluator.Run({Bool({}, {0}), a, a}));
  ExpectTensorEq(other[0], a);
}

TEST(IfTest, InfersWhatCoversBothBodies) {
  const PartialShape a{Dimension::Symbol("n"), 4, 2};
  const PartialShape b{Dimension::Symbol("n"), 6, 2};
  ASSERT_OK_AND_ASSIGN(
      const std::vector<ValueInfo> outputs,
      InferIt(Ports({1}, {2}),
              {Known(ElementType::kBoolean, {1}), Known(ElementType::kF32, a), Known(ElementType::kF32, b)},
              NegateOrNot()));
  ASSERT_EQ(outputs.size(), 1u);
  EXPECT_EQ(outputs[0].shape, (PartialShape{Dimension::Symbol("n"), Dimension(4, 6), 2}));
}

TEST(IfTest, InfersTheChosenBodyAloneWhereTheConditionIsKnown) {
  // The other body would refuse the input.
  std::vector<std::unique_ptr<Model>> bodies =
      Bodies(Body(ElementType::kF32, {Dimension()}, nullptr), Body(ElementType::kF32, {7, 7}, nullptr));
  ASSERT_OK_AND_ASSIGN(const std::vector<ValueInfo> outputs,
                       InferIt(Ports({1}, {1}), {Constant(Bool({}, {1})), Known(ElementType::kF32, {3})}, bodies));
  EXPECT_EQ(outputs[0].shape, (PartialShape{3}));
  EXPECT_THAT(InferIt(Ports({1}, {1}), {Constant(Bool({}, {0})), Known(ElementType::kF32, {3})}, bodies),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("If_c4")));
}

TEST(IfTest, SymbolsOfABodyStayInside) {
  std::vector<std::unique_ptr<Model>> bodies = Bodies(Body(ElementType::kF32, {Dimension::Symbol("n")}, nullptr),
                                                      Body(ElementType::kF32, {Dimension::Symbol("n")}, nullptr));
  ASSERT_OK_AND_ASSIGN(
      const std::vector<ValueInfo> outputs,
      InferIt(Ports({1}, {1}), {Known(ElementType::kBoolean, {}), Known(ElementType::kF32, {Dimension()})}, bodies));
  EXPECT_EQ(outputs[0].shape, (PartialShape{Dimension()}));
}

TEST(IfTest, If_c1_RefusesAConditionThatIsNotOneBoolean) {
  const ValueInfo x = Known(ElementType::kF32, {2});
  for (const ValueInfo& condition :
       {Known(ElementType::kI32, {}), Known(ElementType::kBoolean, {2}), Known(ElementType::kBoolean, {1, 1})}) {
    EXPECT_THAT(InferIt(Ports({1}, {1}), {condition, x}, NegateOrNot()),
                StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("If_c1")));
  }
}

TEST(IfTest, If_c2_RefusesWrongPortMaps) {
  const std::vector<ValueInfo> inputs = {Known(ElementType::kBoolean, {}), Known(ElementType::kF32, {2})};
  IfAttributes no_such_result = Ports({1}, {1});
  no_such_result.else_outputs = {1};
  IfAttributes fewer_results = Ports({1}, {1});
  fewer_results.then_outputs = {0, 0};
  for (const IfAttributes& attributes :
       {Ports({}, {1}), Ports({1}, {0}), Ports({2}, {1}), Ports({-1}, {1}), no_such_result, fewer_results}) {
    EXPECT_THAT(InferIt(attributes, inputs, NegateOrNot()),
                StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("If_c2")));
  }
}

TEST(IfTest, If_c3_RefusesDifferentElementTypes) {
  EXPECT_THAT(InferIt(Ports({1}, {2}),
                      {Known(ElementType::kBoolean, {}), Known(ElementType::kF32, {2}), Known(ElementType::kI32, {2})},
                      Bodies(Body(ElementType::kF32, {2}, nullptr), Body(ElementType::kI32, {2}, nullptr))),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("If_c3")));
}

TEST(IfTest, If_c4_RefusesInputsThatABodyRefuses) {
  EXPECT_THAT(
      InferIt(Ports({1}, {1}), {Known(ElementType::kBoolean, {}), Known(ElementType::kI32, {2})}, NegateOrNot()),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("If_c4: In the then body")));
}

TEST(IfTest, HasTwoBodies) {
  EXPECT_THAT(InferIt(Ports({}, {}), {Known(ElementType::kBoolean, {})}, {}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("bodies")));
}

}  // namespace
}  // namespace burin::ir
