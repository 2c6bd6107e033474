#include "ir/ops/loop.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <memory>
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

constexpr ElementType kF32 = ElementType::kF32;
constexpr ElementType kI64 = ElementType::kI64;
constexpr ElementType kBoolean = ElementType::kBoolean;

// A body (i, sum, x) -> (sum + x < 10, sum + x, i as it came).
std::vector<std::unique_ptr<Model>> AddUntilTen(PartialShape shape = PartialShape::DynamicRank()) {
  auto body = std::make_unique<Model>("body");
  const Value i = *body->AddParameter("i", kI64, PartialShape{});
  const Value sum = *body->AddParameter("sum", kF32, shape);
  const Value x = *body->AddParameter("x", kF32, shape);
  const Value next = *body->Add(AddOp(), {sum, x});
  const Value limit = *body->AddConstant(F32({}, {10}));
  EXPECT_OK(body->AddResult(*body->Add(LessOp(), {next, limit}), "go_on"));
  EXPECT_OK(body->AddResult(next, "next"));
  EXPECT_OK(body->AddResult(i, "number"));
  std::vector<std::unique_ptr<Model>> bodies;
  bodies.push_back(std::move(body));
  return bodies;
}

// Input 2 is the initial sum, input 3 is x; the outputs are the last sum and all iterations' numbers.
LoopAttributes AddUntilTenPorts() {
  LoopAttributes attributes;
  attributes.parameter_inputs = {-1, 2, 3};
  attributes.back_edges = {-1, 1, -1};
  attributes.output_results = {1};
  return attributes;
}

// A body x -> (true, x).
std::vector<std::unique_ptr<Model>> Forever(PartialShape shape) {
  auto body = std::make_unique<Model>("body");
  const Value x = *body->AddParameter("x", kF32, std::move(shape));
  EXPECT_OK(body->AddResult(*body->AddConstant(Bool({}, {1})), "go_on"));
  EXPECT_OK(body->AddResult(x, "y"));
  std::vector<std::unique_ptr<Model>> bodies;
  bodies.push_back(std::move(body));
  return bodies;
}

// Slices input 2 along axis 0 and joins the slices along axis 0.
LoopAttributes SlicePorts(int64_t start, int64_t stride, int64_t part_size, int64_t end, int64_t direction) {
  LoopAttributes attributes;
  attributes.parameter_inputs = {2};
  attributes.slices = {0, 0, start, stride, part_size, end};
  attributes.output_results = {1};
  attributes.concatenations = {0, 0, direction};
  return attributes;
}

absl::StatusOr<std::vector<ValueInfo>> InferIt(const LoopAttributes& attributes, const std::vector<ValueInfo>& infos,
                                               const std::vector<std::unique_ptr<Model>>& bodies) {
  std::vector<const ValueInfo*> inputs;
  for (const ValueInfo& info : infos) inputs.push_back(&info);
  return InferOp(LoopOp(), attributes, inputs, bodies);
}

// Runs a Loop on `inputs` as a model whose parameters know nothing of their shapes.
absl::StatusOr<std::vector<Tensor>> RunIt(LoopAttributes attributes, const std::vector<Tensor>& inputs,
                                          std::vector<std::unique_ptr<Model>> bodies, const RunOptions& options = {}) {
  Model model;
  NodeSpec spec;
  spec.op = &LoopOp();
  for (const Tensor& input : inputs) {
    const absl::StatusOr<Value> parameter = model.AddParameter("in", input.element_type(), PartialShape::DynamicRank());
    if (!parameter.ok()) return parameter.status();
    spec.inputs.push_back(*parameter);
  }
  spec.attributes = std::make_unique<LoopAttributes>(std::move(attributes));
  spec.bodies = std::move(bodies);
  const absl::StatusOr<NodeId> node = model.AddNode(std::move(spec));
  if (!node.ok()) return node.status();
  for (int32_t i = 0; i < model.node(*node).output_count(); ++i) {
    const absl::StatusOr<NodeId> result = model.AddResult(Value{*node, i}, "out");
    if (!result.ok()) return result.status();
  }
  const absl::StatusOr<Evaluator> evaluator = Evaluator::Create(model);
  if (!evaluator.ok()) return evaluator.status();
  return evaluator->Run(inputs, options);
}

TEST(LoopTest, RunsWhileTheConditionHolds) {
  // 0+4, 4+4, 8+4 = 12, which is not below 10.
  ASSERT_OK_AND_ASSIGN(
      const std::vector<Tensor> outputs,
      RunIt(AddUntilTenPorts(), {I64({}, {-1}), Bool({}, {1}), F32({}, {0}), F32({}, {4})}, AddUntilTen()));
  ExpectTensorEq(outputs[0], F32({}, {12}));
}

TEST(LoopTest, RunsUpToTheTripCount) {
  ASSERT_OK_AND_ASSIGN(
      const std::vector<Tensor> outputs,
      RunIt(AddUntilTenPorts(), {I64({1}, {2}), Bool({1}, {1}), F32({}, {0}), F32({}, {4})}, AddUntilTen()));
  ExpectTensorEq(outputs[0], F32({}, {8}));
}

TEST(LoopTest, GivesTheInitialValueWhereNoIterationRuns) {
  for (const auto& [trips, condition] : {std::pair<int64_t, int64_t>{0, 1}, {5, 0}, {0, 0}}) {
    ASSERT_OK_AND_ASSIGN(const std::vector<Tensor> outputs,
                         RunIt(AddUntilTenPorts(),
                               {I64({}, {trips}), Bool({}, {condition}), F32({1}, {3}), F32({1}, {1})}, AddUntilTen()));
    ExpectTensorEq(outputs[0], F32({1}, {3}));
  }
}

TEST(LoopTest, CountsIterationsFromZero) {
  LoopAttributes attributes = AddUntilTenPorts();
  attributes.output_results = {2, 1};
  ASSERT_OK_AND_ASSIGN(const std::vector<Tensor> outputs,
                       RunIt(attributes, {I64({}, {-1}), Bool({}, {1}), F32({}, {0}), F32({}, {4})}, AddUntilTen()));
  ExpectTensorEq(outputs[0], I64({}, {2}));
  ExpectTensorEq(outputs[1], F32({}, {12}));
}

TEST(LoopTest, SlicesAndJoinsForwards) {
  const Tensor input = F32({4, 2}, {1, 2, 3, 4, 5, 6, 7, 8});
  ASSERT_OK_AND_ASSIGN(
      const std::vector<Tensor> ones,
      RunIt(SlicePorts(0, 1, 1, -1, 1), {I64({}, {4}), Bool({}, {1}), input}, Forever(PartialShape{1, 2})));
  ExpectTensorEq(ones[0], input);
  ASSERT_OK_AND_ASSIGN(
      const std::vector<Tensor> pairs,
      RunIt(SlicePorts(0, 2, 2, -1, 1), {I64({}, {2}), Bool({}, {1}), input}, Forever(PartialShape{2, 2})));
  ExpectTensorEq(pairs[0], input);
}

TEST(LoopTest, SlicesBackwards) {
  const Tensor input = F32({4}, {1, 2, 3, 4});
  ASSERT_OK_AND_ASSIGN(
      const std::vector<Tensor> reversed,
      RunIt(SlicePorts(-1, -1, 1, 0, 1), {I64({}, {4}), Bool({}, {1}), input}, Forever(PartialShape{1})));
  ExpectTensorEq(reversed[0], F32({4}, {4, 3, 2, 1}));
  ASSERT_OK_AND_ASSIGN(
      const std::vector<Tensor> back_again,
      RunIt(SlicePorts(-1, -2, 2, 0, -1), {I64({}, {2}), Bool({}, {1}), input}, Forever(PartialShape{2})));
  ExpectTensorEq(back_again[0], input);
}

TEST(LoopTest, JoinsNothingWhereNoIterationRuns) {
  ASSERT_OK_AND_ASSIGN(
      const std::vector<Tensor> outputs,
      RunIt(SlicePorts(0, 1, 1, -1, 1), {I64({}, {0}), Bool({}, {1}), F32({4, 2}, {1, 2, 3, 4, 5, 6, 7, 8})},
            Forever(PartialShape::DynamicRank())));
  ExpectTensorEq(outputs[0], F32({0, 2}, {}));
}

TEST(LoopTest, JoinsPiecesOfDifferentSizes) {
  // x grows from iteration to iteration: [1], [1,1], [1,1,1,1], and all are joined.
  auto body = std::make_unique<Model>("body");
  const Value x = *body->AddParameter("x", kF32, PartialShape{Dimension()});
  EXPECT_OK(body->AddResult(*body->AddConstant(Bool({}, {1})), "go_on"));
  EXPECT_OK(body->AddResult(x, "piece"));
  NodeSpec grow;
  grow.op = &LoopOp();
  auto inner = std::make_unique<LoopAttributes>();
  inner->parameter_inputs = {2};
  inner->output_results = {1};
  inner->concatenations = {0, 0, 1};
  grow.attributes = std::move(inner);
  grow.inputs = {*body->AddConstant(I64({}, {2})), *body->AddConstant(Bool({}, {1})), x};
  grow.bodies = Forever(PartialShape{Dimension()});
  ASSERT_OK_AND_ASSIGN(const NodeId twice, body->AddNode(std::move(grow)));
  EXPECT_OK(body->AddResult(Value{twice, 0}, "next"));
  std::vector<std::unique_ptr<Model>> bodies;
  bodies.push_back(std::move(body));
  LoopAttributes attributes;
  attributes.parameter_inputs = {2};
  attributes.back_edges = {2};
  attributes.output_results = {1, 2};
  attributes.concatenations = {0, 0, 1};
  ASSERT_OK_AND_ASSIGN(const std::vector<Tensor> outputs,
                       RunIt(attributes, {I64({}, {3}), Bool({}, {1}), F32({1}, {1})}, std::move(bodies)));
  ExpectTensorEq(outputs[0], F32({7}, {1, 1, 1, 1, 1, 1, 1}));
  EXPECT_EQ(outputs[1].shape(), (Shape{8}));
}

TEST(LoopTest, StopsWhenCancelled) {
  std::atomic<bool> cancelled{false};
  LoopAttributes attributes;
  attributes.parameter_inputs = {2};
  attributes.output_results = {1};
  int runs = 0;
  RunOptions options;
  options.cancelled = &cancelled;
  options.observer = [&](const Node&, int64_t, absl::Span<const Tensor>, absl::Span<const Tensor>) {
    cancelled = ++runs == 3;
  };
  EXPECT_THAT(RunIt(attributes, {I64({}, {-1}), Bool({}, {1}), F32({}, {1})}, Forever(PartialShape{}), options),
              StatusIs(absl::StatusCode::kCancelled));
}

TEST(LoopTest, InfersTheCountOfIterationsWhereItIsKnown) {
  const ValueInfo x = Known(kF32, {Dimension::Symbol("n"), 2});
  const LoopAttributes attributes = SlicePorts(0, 1, 1, -1, 1);
  const auto shape_for = [&](const ValueInfo& trips, const ValueInfo& condition) {
    const auto infos = InferIt(attributes, {trips, condition, x}, Forever(PartialShape::DynamicRank()));
    EXPECT_OK(infos);
    return infos.ok() ? (*infos)[0].shape : PartialShape();
  };
  const ValueInfo yes = Constant(Bool({}, {1}));
  EXPECT_EQ(shape_for(Constant(I64({}, {5})), yes), (PartialShape{5, 2}));
  EXPECT_EQ(shape_for(Constant(I64({}, {5})), Constant(Bool({}, {0}))), (PartialShape{0, 2}));
  EXPECT_EQ(shape_for(Constant(I64({}, {5})), Known(kBoolean, {})), (PartialShape{Dimension(0, 5), 2}));
  EXPECT_EQ(shape_for(Constant(I64({}, {-1})), yes), (PartialShape{Dimension(1, Dimension::kInfinite), 2}));
  EXPECT_EQ(shape_for(Known(kI64, {}), yes), (PartialShape{Dimension(), 2}));
}

TEST(LoopTest, InfersShapesThatNoIterationChanges) {
  const PartialShape shape{Dimension::Symbol("n")};
  ASSERT_OK_AND_ASSIGN(
      const std::vector<ValueInfo> infos,
      InferIt(AddUntilTenPorts(), {Known(kI64, {}), Known(kBoolean, {}), Known(kF32, shape), Known(kF32, {1})},
              AddUntilTen()));
  // The condition's result has the shape of the sum, which may be one element.
  EXPECT_EQ(infos[0].shape, shape);
}

TEST(LoopTest, WidensShapesThatIterationsChange) {
  // sum [1] + x [n, 3] has another rank than the sum it starts from.
  ASSERT_OK_AND_ASSIGN(
      const std::vector<ValueInfo> rank_changes,
      InferIt(AddUntilTenPorts(), {Known(kI64, {}), Known(kBoolean, {}), Known(kF32, {}), Known(kF32, {Dimension()})},
              AddUntilTen()));
  EXPECT_FALSE(rank_changes[0].shape.has_rank());
  ASSERT_OK_AND_ASSIGN(
      const std::vector<ValueInfo> size_changes,
      InferIt(AddUntilTenPorts(),
              {Known(kI64, {}), Known(kBoolean, {}), Known(kF32, {1}), Known(kF32, {Dimension(1, 4)})}, AddUntilTen()));
  EXPECT_EQ(size_changes[0].shape, (PartialShape{Dimension()}));
}

TEST(LoopTest, Loop_c1_RefusesWrongCountsAndConditions) {
  const ValueInfo x = Known(kF32, {});
  for (const auto& [trips, condition] : {std::pair<ValueInfo, ValueInfo>{Known(kF32, {}), Known(kBoolean, {})},
                                         {Known(kI64, {2}), Known(kBoolean, {})},
                                         {Known(kI64, {}), Known(kI64, {})},
                                         {Known(kI64, {}), Known(kBoolean, {3})}}) {
    EXPECT_THAT(InferIt(AddUntilTenPorts(), {trips, condition, x, x}, AddUntilTen()),
                StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("Loop_c1")));
  }
}

TEST(LoopTest, Loop_c2_RefusesWrongPortMaps) {
  const ValueInfo x = Known(kF32, {});
  std::vector<LoopAttributes> wrong(11, AddUntilTenPorts());
  wrong[0].parameter_inputs = {-1, 2};
  wrong[1].parameter_inputs = {-1, 2, 4};
  wrong[2].parameter_inputs = {-1, 2, 1};
  wrong[3].parameter_inputs = {-1, 2, -2};
  wrong[4].back_edges = {-1, 3, -1};
  wrong[5].back_edges = {1, -1, -1};
  wrong[6].output_results = {3};
  wrong[7].condition_result = -1;
  wrong[8].slices = {1, 0, 0};
  wrong[9].slices = {1, 0, 0, 1, 1, -1};
  wrong[10].concatenations = {1, 0, 1};
  for (size_t i = 0; i < wrong.size(); ++i) {
    EXPECT_THAT(InferIt(wrong[i], {Known(kI64, {}), Known(kBoolean, {}), x, x}, AddUntilTen()),
                StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("Loop_c2")))
        << i;
  }
}

TEST(LoopTest, Loop_c3_RefusesAConditionThatIsNotOneBoolean) {
  LoopAttributes attributes = AddUntilTenPorts();
  attributes.condition_result = 1;
  const ValueInfo x = Known(kF32, {});
  EXPECT_THAT(InferIt(attributes, {Known(kI64, {}), Known(kBoolean, {}), x, x}, AddUntilTen()),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("Loop_c3")));
  EXPECT_THAT(
      RunIt(AddUntilTenPorts(), {I64({}, {3}), Bool({}, {1}), F32({2}, {0, 0}), F32({2}, {4, 4})}, AddUntilTen()),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("Loop_c3")));
}

TEST(LoopTest, Loop_c4_RefusesABackEdgeOfAnotherType) {
  LoopAttributes attributes = AddUntilTenPorts();
  attributes.back_edges = {-1, 2, -1};
  const ValueInfo x = Known(kF32, {});
  EXPECT_THAT(InferIt(attributes, {Known(kI64, {}), Known(kBoolean, {}), x, x}, AddUntilTen()),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("Loop_c4")));
}

TEST(LoopTest, Loop_c5_RefusesAnIterationParameterThatIsNotOneInteger) {
  LoopAttributes attributes = AddUntilTenPorts();
  attributes.parameter_inputs = {2, -1, 3};
  attributes.back_edges = {};
  EXPECT_THAT(
      InferIt(attributes, {Known(kI64, {}), Known(kBoolean, {}), Known(kI64, {}), Known(kF32, {})}, AddUntilTen()),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("Loop_c5")));
}

TEST(LoopTest, Loop_c6_RefusesWrongAxesAndStrides) {
  const std::vector<ValueInfo> inputs = {Known(kI64, {}), Known(kBoolean, {}), Known(kF32, {4})};
  LoopAttributes axis = SlicePorts(0, 1, 1, -1, 1);
  axis.slices[1] = 1;
  LoopAttributes joined = SlicePorts(0, 1, 1, -1, 1);
  joined.concatenations[1] = -2;
  for (const LoopAttributes& attributes :
       {axis, joined, SlicePorts(0, 0, 1, -1, 1), SlicePorts(0, 1, 0, -1, 1), SlicePorts(0, 1, -3, -1, 1)}) {
    EXPECT_THAT(InferIt(attributes, inputs, Forever(PartialShape::DynamicRank())),
                StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("Loop_c6")));
  }
}

TEST(LoopTest, Loop_c7_RefusesSlicesOutsideOfTheInput) {
  const Tensor input = F32({4}, {1, 2, 3, 4});
  constexpr int64_t kHuge = INT64_MAX;
  for (const LoopAttributes& attributes :
       {SlicePorts(0, 1, 1, -1, 1), SlicePorts(2, 2, 1, -1, 1), SlicePorts(0, 1, 2, 2, 1), SlicePorts(-9, 1, 1, -1, 1),
        SlicePorts(0, kHuge, 1, -1, 1), SlicePorts(-1, INT64_MIN, 1, 0, 1), SlicePorts(kHuge, 1, 1, -1, 1)}) {
    EXPECT_THAT(RunIt(attributes, {I64({}, {5}), Bool({}, {1}), input}, Forever(PartialShape::DynamicRank())),
                StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("Loop_c7")));
  }
}

TEST(LoopTest, Loop_c8_RefusesAnOutputThatNothingGives) {
  LoopAttributes attributes = AddUntilTenPorts();
  attributes.output_results = {2};
  EXPECT_THAT(RunIt(attributes, {I64({}, {0}), Bool({}, {1}), F32({}, {0}), F32({}, {4})}, AddUntilTen()),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("Loop_c8")));
}

TEST(LoopTest, Loop_c9_RefusesToJoinShapesThatDiffer) {
  // The sum is [1,1] in the first iteration and [1,2] in the second, so the two do not join along axis 0.
  auto body = std::make_unique<Model>("body");
  const Value sum = *body->AddParameter("sum", kF32, PartialShape{1, Dimension()});
  const Value x = *body->AddParameter("x", kF32, PartialShape{1, Dimension()});
  EXPECT_OK(body->AddResult(*body->AddConstant(Bool({}, {1})), "go_on"));
  EXPECT_OK(body->AddResult(*body->Add(AddOp(), {sum, x}), "next"));
  EXPECT_OK(body->AddResult(sum, "old"));
  std::vector<std::unique_ptr<Model>> bodies;
  bodies.push_back(std::move(body));
  LoopAttributes attributes;
  attributes.parameter_inputs = {2, 3};
  attributes.back_edges = {1, -1};
  attributes.output_results = {2};
  attributes.concatenations = {0, 0, 1};
  EXPECT_THAT(
      RunIt(attributes, {I64({}, {2}), Bool({}, {1}), F32({1, 1}, {0}), F32({1, 2}, {4, 4})}, std::move(bodies)),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("Loop_c9")));
}

TEST(LoopTest, Loop_c10_RefusesInputsThatTheBodyRefuses) {
  EXPECT_THAT(InferIt(AddUntilTenPorts(), {Known(kI64, {}), Known(kBoolean, {}), Known(kI64, {}), Known(kF32, {})},
                      AddUntilTen()),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("Loop_c10")));
}

TEST(LoopTest, DeeplyNestedLoopsAreInferredQuickly) {
  // Each level runs the one below on its value.
  std::vector<std::unique_ptr<Model>> bodies = Forever(PartialShape::DynamicRank());
  LoopAttributes attributes;
  attributes.parameter_inputs = {2};
  attributes.back_edges = {1};
  attributes.output_results = {1};
  for (int level = 0; level < 60; ++level) {
    auto body = std::make_unique<Model>("body");
    const Value x = *body->AddParameter("x", kF32, PartialShape::DynamicRank());
    const Value yes = *body->AddConstant(Bool({}, {1}));
    EXPECT_OK(body->AddResult(yes, "go_on"));
    NodeSpec spec;
    spec.op = &LoopOp();
    spec.attributes = std::make_unique<LoopAttributes>(attributes);
    spec.inputs = {*body->AddConstant(I64({}, {1})), yes, x};
    spec.bodies = std::move(bodies);
    ASSERT_OK_AND_ASSIGN(const NodeId inner, body->AddNode(std::move(spec)));
    EXPECT_OK(body->AddResult(Value{inner, 0}, "y"));
    bodies.clear();
    bodies.push_back(std::move(body));
  }
  ASSERT_OK_AND_ASSIGN(const std::vector<Tensor> outputs,
                       RunIt(attributes, {I64({}, {1}), Bool({}, {1}), F32({1}, {5})}, std::move(bodies)));
  ExpectTensorEq(outputs[0], F32({1}, {5}));
}

}  // namespace
}  // namespace burin::ir
