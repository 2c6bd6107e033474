#include "ir/ops/subgraph.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "ir/dimension.h"
#include "ir/evaluate_op.h"
#include "ir/evaluator.h"
#include "ir/model.h"
#include "ir/op_def.h"
#include "ir/ops/op_testlib.h"
#include "ir/ops/ops.h"
#include "ir/partial_shape.h"
#include "ir/tolerance.h"
#include "testing/gtest/status_matchers.h"

namespace burin::ir {
namespace {

using ::testing::HasSubstr;

// Returns a body of the parameters a and b, of those shapes, whose results are (a + b) * a and a + b.
std::unique_ptr<Model> SumAndProduct(PartialShape a_shape, PartialShape b_shape) {
  auto body = std::make_unique<Model>("body");
  const Value a = *body->AddParameter("a", ElementType::kF32, std::move(a_shape));
  const Value b = *body->AddParameter("b", ElementType::kF32, std::move(b_shape));
  const Value sum = *body->Add(AddOp(), {a, b});
  EXPECT_OK(body->AddResult(*body->Add(MultiplyOp(), {sum, a}), "product"));
  EXPECT_OK(body->AddResult(sum, "sum"));
  return body;
}

// Returns a body of one parameter that runs `op` on it.
std::unique_ptr<Model> BodyOf(const OpDef& op) {
  auto body = std::make_unique<Model>("body");
  const Value x = *body->AddParameter("x", ElementType::kF32, PartialShape::DynamicRank());
  EXPECT_OK(body->AddResult(*body->Add(op, {x}), "y"));
  return body;
}

std::vector<std::unique_ptr<Model>> One(std::unique_ptr<Model> body) {
  std::vector<std::unique_ptr<Model>> bodies;
  bodies.push_back(std::move(body));
  return bodies;
}

absl::StatusOr<std::vector<ValueInfo>> InferIt(const std::vector<ValueInfo>& infos, std::unique_ptr<Model> body) {
  std::vector<const ValueInfo*> inputs;
  for (const ValueInfo& info : infos) inputs.push_back(&info);
  return InferOp(SubgraphOp(), NoAttributes(), inputs, One(std::move(body)));
}

Cost CostWith(const std::vector<ValueInfo>& infos, const Model& body) {
  std::vector<const ValueInfo*> inputs;
  for (const ValueInfo& info : infos) inputs.push_back(&info);
  const std::vector<std::unique_ptr<Model>> bodies = One(body.Clone());
  const absl::StatusOr<std::vector<ValueInfo>> outputs = InferOp(SubgraphOp(), NoAttributes(), inputs, bodies);
  EXPECT_OK(outputs);
  return CostOf(SubgraphOp(), CostContext(NoAttributes(), inputs, *outputs, bodies));
}

TEST(SubgraphTest, EvaluatesItsBody) {
  Model model;
  const Value a = *model.AddParameter("a", ElementType::kF32, PartialShape{2});
  const Value b = *model.AddParameter("b", ElementType::kF32, PartialShape{});
  NodeSpec spec;
  spec.op = &SubgraphOp();
  spec.inputs = {a, b};
  spec.bodies = One(SumAndProduct({2}, {}));
  ASSERT_OK_AND_ASSIGN(const NodeId node, model.AddNode(std::move(spec)));
  ASSERT_OK(model.AddResult(Value{node, 1}, "sum"));
  ASSERT_OK(model.AddResult(Value{node, 0}, "product"));
  ASSERT_OK_AND_ASSIGN(const Evaluator evaluator, Evaluator::Create(model));
  ASSERT_OK_AND_ASSIGN(const std::vector<Tensor> results, evaluator.Run({F32({2}, {1, -2}), F32({}, {10})}));
  ExpectTensorEq(results[0], F32({2}, {11, 8}));
  ExpectTensorEq(results[1], F32({2}, {11, -16}));
}

TEST(SubgraphTest, NeedsARunnerOfBodies) {
  HeapScratchAllocator scratch;
  ReferenceContext::Environment environment;
  environment.scratch = &scratch;
  EXPECT_THAT(EvaluateOp(SubgraphOp(), NoAttributes(), {F32({2}, {1, 2})}, environment, One(BodyOf(NegativeOp()))),
              StatusIs(absl::StatusCode::kFailedPrecondition));
}

TEST(SubgraphTest, InfersWhatTheBodyGives) {
  ASSERT_OK_AND_ASSIGN(const std::vector<ValueInfo> outputs,
                       InferIt({Known(ElementType::kF32, {Dimension::Symbol("n"), 1}),
                                Known(ElementType::kF32, {Dimension::Symbol("n"), 4})},
                               SumAndProduct(PartialShape::OfRank(2), PartialShape::OfRank(2))));
  ASSERT_EQ(outputs.size(), 2u);
  for (const ValueInfo& output : outputs) {
    EXPECT_EQ(output.type, ElementType::kF32);
    EXPECT_EQ(output.shape, (PartialShape{Dimension::Symbol("n"), 4}));
  }
}

TEST(SubgraphTest, SymbolsOfTheBodyStayInside) {
  ASSERT_OK_AND_ASSIGN(
      const std::vector<ValueInfo> outputs,
      InferIt({Known(ElementType::kF32, {Dimension()}), Known(ElementType::kF32, {Dimension::Symbol("m")})},
              SumAndProduct({Dimension::Symbol("n")}, {Dimension::Symbol("n")})));
  EXPECT_NE(outputs[0].shape[0].symbol(), "n");
}

TEST(SubgraphTest, InfersDynamicRank) {
  ASSERT_OK_AND_ASSIGN(const std::vector<ValueInfo> outputs,
                       InferIt({Known(ElementType::kF32, PartialShape::DynamicRank())}, BodyOf(NegativeOp())));
  EXPECT_FALSE(outputs[0].shape.has_rank());
}

TEST(SubgraphTest, CostsTheArithmeticOfItsBodyAndItsOwnTraffic) {
  const std::vector<ValueInfo> inputs = {Known(ElementType::kF32, {5, 1}), Known(ElementType::kF32, {5, 4})};
  // The body's own shapes, and others that it has to be inferred for.
  for (const PartialShape& a : {PartialShape{5, 1}, PartialShape::DynamicRank()}) {
    const Cost cost = CostWith(inputs, *SumAndProduct(a, PartialShape::OfRank(2)));
    EXPECT_EQ(cost.flops, 2 * 5 * 4);
    EXPECT_EQ(cost.bytes_read, 4 * (5 + 5 * 4));
    EXPECT_EQ(cost.bytes_written, 4 * (2 * 5 * 4));
  }
  EXPECT_EQ(CostWith({Known(ElementType::kF32, {3, 7})}, *BodyOf(SoftmaxOp())).flops, 5 * 3 * 7);
}

TEST(SubgraphTest, FlopsOfParametersThatTheBodyRefuses) {
  const std::unique_ptr<Model> body = SumAndProduct({5, 1}, {5, 4});
  const ValueInfo a = Known(ElementType::kF32, {3});
  const ValueInfo b = Known(ElementType::kF32, {7});
  EXPECT_THAT(SubgraphFlops(*body, {&a, &b}), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(SubgraphFlops(*body, {&a}), StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST(SubgraphTest, ToleranceIsTheLoosestOfTheBody) {
  EXPECT_EQ(SubgraphTolerance(*BodyOf(NegativeOp())), ToleranceClass::kExact);
  EXPECT_EQ(SubgraphTolerance(*BodyOf(SoftmaxOp())), ToleranceClass::kTranscendental);
  EXPECT_EQ(SubgraphTolerance(*SumAndProduct({2}, {2})), ToleranceClass::kRounded);
  auto outer = std::make_unique<Model>("outer");
  NodeSpec spec;
  spec.op = &SubgraphOp();
  spec.inputs = {*outer->AddParameter("x", ElementType::kF32, PartialShape{2, 3})};
  spec.bodies = One(BodyOf(SoftmaxOp()));
  ASSERT_OK(outer->AddNode(std::move(spec)));
  EXPECT_EQ(SubgraphTolerance(*outer), ToleranceClass::kTranscendental);
}

TEST(SubgraphTest, Subgraph_c1_RefusesAnotherNumberOfInputsAndNoResults) {
  const ValueInfo x = Known(ElementType::kF32, {2});
  EXPECT_THAT(InferIt({x}, SumAndProduct({2}, {2})),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("Subgraph_c1")));
  auto no_results = std::make_unique<Model>("body");
  ASSERT_OK(no_results->AddParameter("x", ElementType::kF32, PartialShape{2}));
  EXPECT_THAT(InferIt({x}, std::move(no_results)),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("Subgraph_c1")));
}

TEST(SubgraphTest, Subgraph_c2_RefusesEffectsAndShapesThatDependOnValues) {
  EXPECT_THAT(InferIt({Known(ElementType::kF32, {2})}, BodyOf(NonZeroOp())),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("Subgraph_c2")));
}

TEST(SubgraphTest, Subgraph_c3_RefusesInputsThatTheBodyRefuses) {
  const ValueInfo f32 = Known(ElementType::kF32, {2});
  EXPECT_THAT(InferIt({f32, Known(ElementType::kI32, {2})}, SumAndProduct({2}, {2})),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("Subgraph_c3: In the body")));
  EXPECT_THAT(InferIt({f32, Known(ElementType::kF32, {3})}, SumAndProduct({2}, PartialShape::OfRank(1))),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("Subgraph_c3: In the body")));
}

}  // namespace
}  // namespace burin::ir
