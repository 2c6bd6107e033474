#include "ir/ops/family/recurrence.h"

#include <atomic>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "base/element_type.h"
#include "base/status_macros.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/attributes.h"
#include "ir/dimension.h"
#include "ir/evaluate_op.h"
#include "ir/infer_context.h"
#include "ir/op_def.h"
#include "ir/ops/op_testlib.h"
#include "ir/partial_shape.h"
#include "ir/reference_context.h"
#include "ir/shape.h"
#include "ir/tensor.h"
#include "testing/gtest/status_matchers.h"

namespace burin::ir {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

// h' = f(W x + R h + b) with one gate, for one hidden element.
RecurrentCell SimpleCell() {
  return {"Simple", 1, 1, false, {"relu"}, [](const RecurrentStep& step, double* hidden, double*) {
            *hidden = step.Activate(0, step.InputProduct(0) + step.StateProduct(0, hidden) + step.b[0]);
          }};
}

// h' = f0(W0 x + R0 h + b0) + c and c' = f1(W1 x + R1 h + b1), for one hidden element.
RecurrentCell TwoStateCell() {
  return {"TwoState", 2, 2, true, {"relu", "relu"}, [](const RecurrentStep& step, double* hidden, double* cell) {
            const double old_hidden = *hidden;
            const double old_cell = *cell;
            *hidden = step.Activate(0, step.InputProduct(0) + step.StateProduct(0, &old_hidden) + step.b[0]) + old_cell;
            *cell = step.Activate(1, step.InputProduct(1) + step.StateProduct(1, &old_hidden) + step.b[1]);
          }};
}

RecurrentParameters Parameters(RecurrentDirection direction) {
  RecurrentParameters parameters;
  parameters.direction = direction;
  return parameters;
}

absl::StatusOr<std::vector<PartialShape>> InferShapes(const RecurrentCell& cell, const RecurrentParameters& parameters,
                                                      const std::vector<ValueInfo>& infos) {
  std::vector<const ValueInfo*> inputs;
  for (const ValueInfo& info : infos) inputs.push_back(&info);
  const NoAttributes attributes;
  InferContext context(attributes, inputs, cell.has_cell_state ? 3 : 2);
  BURIN_RETURN_IF_ERROR(InferRecurrence(context, cell, parameters));
  std::vector<PartialShape> shapes;
  for (const ValueInfo& output : context.outputs()) shapes.push_back(output.shape);
  return shapes;
}

// Returns an output before it is written.
Tensor FilledWithNines(const Shape& shape) {
  int64_t count = 1;
  for (const int64_t size : shape) count *= size;
  return F32(shape, std::vector<double>(static_cast<size_t>(count), 9));
}

// Evaluates in f32.
absl::StatusOr<std::vector<Tensor>> RunSteps(const RecurrentCell& cell, const RecurrentParameters& parameters,
                                             const std::vector<Tensor>& inputs, bool cancelled = false) {
  const NoAttributes attributes;
  HeapScratchAllocator scratch;
  const std::atomic<bool> flag(cancelled);
  ReferenceContext::Environment environment;
  environment.scratch = &scratch;
  environment.cancelled = &flag;
  const Shape& x = inputs[0].shape();
  const Shape& hidden = inputs[1].shape();
  std::vector<Tensor> outputs = {FilledWithNines({hidden[0], hidden[1], x[1], hidden[2]}), FilledWithNines(hidden)};
  if (cell.has_cell_state) outputs.push_back(FilledWithNines(hidden));
  const std::vector<ElementType> types(outputs.size(), ElementType::kF32);
  ReferenceContext context(attributes, inputs, absl::MakeSpan(outputs), types, environment);
  BURIN_RETURN_IF_ERROR(ReferenceRecurrence(context, cell, parameters));
  return outputs;
}

TEST(RecurrenceTest, StepMultipliesRows) {
  const double x[] = {1, 2, 3};
  const double w[] = {1, 1, 1, 1, 10, 100};
  const double r[] = {1, 1, 1, 10};
  const double state[] = {5, 6};
  RecurrentStep step;
  step.x = x;
  step.w = w;
  step.r = r;
  step.input_size = 3;
  step.hidden_size = 2;
  EXPECT_EQ(step.InputProduct(0), 6);
  EXPECT_EQ(step.InputProduct(1), 321);
  EXPECT_EQ(step.StateProduct(0, state), 11);
  EXPECT_EQ(step.StateProduct(1, state), 65);
}

TEST(RecurrenceTest, StepClipsBeforeItActivates) {
  RecurrentStep step;
  const auto linear = [](double value, double alpha, double beta) { return alpha * value + beta; };
  step.activations = {{linear, 1, 0}, {linear, 2, 0}};
  EXPECT_EQ(step.Activate(0, 10), 10);
  EXPECT_EQ(step.Activate(1, -10), -20);
  step.clip = 3;
  EXPECT_EQ(step.Activate(1, 10), 6);
  EXPECT_EQ(step.Activate(1, -10), -6);
  EXPECT_EQ(step.Activate(1, 2), 4);
  EXPECT_TRUE(std::isnan(step.Activate(0, std::numeric_limits<double>::quiet_NaN())));
}

// Two batches of three steps, of which the second uses two; the cell sums up what it sees.
std::vector<Tensor> Sums() {
  return {F32({2, 3, 1}, {1, 2, 4, 10, 20, 40}),
          F32({2, 1, 1}, {0, 100}),
          I32({2}, {3, 2}),
          F32({1, 1, 1}, {1}),
          F32({1, 1, 1}, {1}),
          F32({1, 1}, {0})};
}

TEST(RecurrenceTest, RunsForwardAndReverseToEachLength) {
  ASSERT_OK_AND_ASSIGN(const std::vector<Tensor> forward,
                       RunSteps(SimpleCell(), Parameters(RecurrentDirection::kForward), Sums()));
  ExpectTensorEq(forward[0], F32({2, 1, 3, 1}, {1, 3, 7, 110, 130, 0}));
  ExpectTensorEq(forward[1], F32({2, 1, 1}, {7, 130}));
  ASSERT_OK_AND_ASSIGN(const std::vector<Tensor> reverse,
                       RunSteps(SimpleCell(), Parameters(RecurrentDirection::kReverse), Sums()));
  ExpectTensorEq(reverse[0], F32({2, 1, 3, 1}, {7, 6, 4, 130, 120, 0}));
  ExpectTensorEq(reverse[1], F32({2, 1, 1}, {7, 130}));
}

TEST(RecurrenceTest, EachDirectionHasItsOwnWeightsAndStates) {
  std::vector<Tensor> inputs = Sums();
  inputs[1] = F32({2, 2, 1}, {0, 0, 100, 1000});
  inputs[3] = F32({2, 1, 1}, {1, 2});
  inputs[4] = F32({2, 1, 1}, {1, 1});
  inputs[5] = F32({2, 1}, {0, 0});
  ASSERT_OK_AND_ASSIGN(const std::vector<Tensor> results,
                       RunSteps(SimpleCell(), Parameters(RecurrentDirection::kBidirectional), inputs));
  ExpectTensorEq(results[0], F32({2, 2, 3, 1}, {1, 3, 7, 14, 12, 8, 110, 130, 0, 1060, 1040, 0}));
  ExpectTensorEq(results[1], F32({2, 2, 1}, {7, 14, 130, 1060}));
}

TEST(RecurrenceTest, CarriesTheCellStateAndFindsEachGate) {
  ASSERT_OK_AND_ASSIGN(
      const std::vector<Tensor> results,
      RunSteps(TwoStateCell(), Parameters(RecurrentDirection::kBidirectional),
               {F32({1, 2, 1}, {1, 2}), F32({1, 2, 1}, {1, 0}), F32({1, 2, 1}, {10, 0}), I64({1}, {2}),
                F32({2, 2, 1}, {1, 2, 3, 4}), F32({2, 2, 1}, {1, 0, 0, 1}), F32({2, 2}, {0, 100, 5, 0})}));
  // Forward:  h = 1 + 1 + 10, c = 2 + 100;  then h = 2 + 12 + 102, c = 4 + 100.
  // Reverse:  h = 6 + 5,      c = 8;        then h = 3 + 5 + 8,    c = 4 + 11.
  ExpectTensorEq(results[0], F32({1, 2, 2, 1}, {12, 116, 16, 11}));
  ExpectTensorEq(results[1], F32({1, 2, 1}, {116, 16}));
  ExpectTensorEq(results[2], F32({1, 2, 1}, {104, 15}));
}

TEST(RecurrenceTest, KeepsTheStateOverNoSteps) {
  std::vector<Tensor> inputs = Sums();
  inputs[2] = I32({2}, {0, 1});
  ASSERT_OK_AND_ASSIGN(const std::vector<Tensor> results, RunSteps(SimpleCell(), {}, inputs));
  ExpectTensorEq(results[0], F32({2, 1, 3, 1}, {0, 0, 0, 110, 0, 0}));
  ExpectTensorEq(results[1], F32({2, 1, 1}, {0, 110}));
}

TEST(RecurrenceTest, HandlesEmptyTensors) {
  std::vector<Tensor> inputs = Sums();
  inputs[0] = F32({2, 0, 1}, {});
  inputs[2] = I32({2}, {0, 0});
  ASSERT_OK_AND_ASSIGN(const std::vector<Tensor> no_steps, RunSteps(SimpleCell(), {}, inputs));
  ExpectTensorEq(no_steps[0], F32({2, 1, 0, 1}, {}));
  ExpectTensorEq(no_steps[1], inputs[1]);
  inputs[0] = F32({0, 3, 1}, {});
  inputs[1] = F32({0, 1, 1}, {});
  inputs[2] = I32({0}, {});
  ASSERT_OK_AND_ASSIGN(const std::vector<Tensor> no_batch, RunSteps(SimpleCell(), {}, inputs));
  ExpectTensorEq(no_batch[0], F32({0, 1, 3, 1}, {}));
  // Without inputs the bias alone drives it.
  ASSERT_OK_AND_ASSIGN(const std::vector<Tensor> no_inputs,
                       RunSteps(SimpleCell(), {},
                                {F32({1, 2, 0}, {}), F32({1, 1, 1}, {1}), I32({1}, {2}), F32({1, 1, 0}, {}),
                                 F32({1, 1, 1}, {2}), F32({1, 1}, {3})}));
  ExpectTensorEq(no_inputs[0], F32({1, 1, 2, 1}, {5, 13}));
}

TEST(RecurrenceTest, AppliesTheActivationsNamed) {
  std::vector<Tensor> inputs = Sums();
  inputs[0] = F32({2, 3, 1}, {-1, 0, 0, 0, 0, 0});
  inputs[1] = F32({2, 1, 1}, {0, 0});
  inputs[2] = I32({2}, {1, 0});
  const auto result = [&](const std::vector<std::string>& activations) {
    RecurrentParameters parameters;
    parameters.activations = activations;
    const absl::StatusOr<std::vector<Tensor>> results = RunSteps(SimpleCell(), parameters, inputs);
    EXPECT_OK(results);
    return results.ok() ? Doubles((*results)[1])[0] : std::nan("");
  };
  EXPECT_EQ(result({}), 0);
  EXPECT_EQ(result({"relu"}), 0);
  EXPECT_NEAR(result({"tanh"}), -0.76159416, 1e-7);
  EXPECT_NEAR(result({"sigmoid"}), 0.26894142, 1e-7);
  EXPECT_EQ(result({"affine"}), -1);
  EXPECT_NEAR(result({"elu"}), -0.63212056, 1e-7);
  EXPECT_NEAR(result({"hardsigmoid"}), 0.3, 1e-7);
  EXPECT_NEAR(result({"leakyrelu"}), -0.01, 1e-9);
  EXPECT_NEAR(result({"scaledtanh"}), -0.76159416, 1e-7);
  EXPECT_NEAR(result({"softplus"}), 0.31326169, 1e-7);
  EXPECT_EQ(result({"softsign"}), -0.5);
  EXPECT_EQ(result({"thresholdedrelu"}), 0);
}

// Three steps of 1, 2, 4 in either direction: 2 x + 1 forwards, x from 3 on backwards.
TEST(RecurrenceTest, DirectionsHaveTheirOwnActivationsAndParameters) {
  RecurrentParameters parameters = Parameters(RecurrentDirection::kBidirectional);
  parameters.activations = {"affine", "thresholdedrelu"};
  parameters.activations_alpha = {2, 3};
  parameters.activations_beta = {1};
  const std::vector<Tensor> inputs = {F32({1, 3, 1}, {1, 2, 4}), F32({1, 2, 1}, {0, 0}), I32({1}, {3}),
                                      F32({2, 1, 1}, {1, 1}),    F32({2, 1, 1}, {0, 0}), F32({2, 1}, {0, 0})};
  ASSERT_OK_AND_ASSIGN(const std::vector<Tensor> results, RunSteps(SimpleCell(), parameters, inputs));
  ExpectTensorEq(results[0], F32({1, 2, 3, 1}, {3, 5, 9, 0, 0, 4}));
  parameters.direction = RecurrentDirection::kForward;
  EXPECT_THAT(RunSteps(SimpleCell(), parameters, inputs),
              StatusIs(absl::StatusCode::kInvalidArgument, StartsWith("Simple_c3")));
}

TEST(RecurrenceTest, C4_RefusesLengths) {
  for (const int64_t length : {int64_t{-1}, int64_t{4}, INT64_MIN, INT64_MAX}) {
    std::vector<Tensor> inputs = Sums();
    inputs[2] = I64({2}, {3, length});
    EXPECT_THAT(RunSteps(SimpleCell(), {}, inputs),
                StatusIs(absl::StatusCode::kInvalidArgument, StartsWith("Simple_c4")));
  }
}

TEST(RecurrenceTest, StopsWhenCancelled) {
  EXPECT_THAT(RunSteps(SimpleCell(), {}, Sums(), /*cancelled=*/true), StatusIs(absl::StatusCode::kCancelled));
}

// Inputs of TwoState with a hidden size of 3, an input size of 5 and one direction.
std::vector<ValueInfo> TwoStateInputs() {
  const Dimension batch = Dimension::Symbol("batch");
  const Dimension time = Dimension::Symbol("time");
  return {Known(ElementType::kF16, {batch, time, 5}),
          Known(ElementType::kF16, {batch, 1, 3}),
          Known(ElementType::kF16, {batch, 1, 3}),
          Known(ElementType::kI32, {batch}),
          Known(ElementType::kF16, {1, 6, 5}),
          Known(ElementType::kF16, {1, 6, 3}),
          Known(ElementType::kF16, {1, 6})};
}

RecurrentParameters HiddenSize(int64_t size) {
  RecurrentParameters parameters;
  parameters.hidden_size = size;
  return parameters;
}

TEST(RecurrenceTest, InfersFromWhatIsKnown) {
  const Dimension batch = Dimension::Symbol("batch");
  const Dimension time = Dimension::Symbol("time");
  std::vector<ValueInfo> infos = TwoStateInputs();
  ASSERT_OK_AND_ASSIGN(std::vector<PartialShape> shapes, InferShapes(TwoStateCell(), HiddenSize(3), infos));
  EXPECT_EQ(shapes[0], PartialShape({batch, 1, time, 3}));
  EXPECT_EQ(shapes[1], PartialShape({batch, 1, 3}));
  EXPECT_EQ(shapes[2], PartialShape({batch, 1, 3}));
  // The batch follows from the lengths alone.
  for (ValueInfo& info : infos) info.shape = PartialShape::DynamicRank();
  infos[3].shape = PartialShape({7});
  ASSERT_OK_AND_ASSIGN(shapes, InferShapes(TwoStateCell(), HiddenSize(3), infos));
  EXPECT_EQ(shapes[0], PartialShape({7, 1, Dimension(), 3}));
}

void ExpectRefused(size_t input, const ValueInfo& info, const char* label) {
  std::vector<ValueInfo> infos = TwoStateInputs();
  infos[input] = info;
  EXPECT_THAT(InferShapes(TwoStateCell(), HiddenSize(3), infos),
              StatusIs(absl::StatusCode::kInvalidArgument, StartsWith(label)))
      << "input " << input;
}

TEST(RecurrenceTest, RefusesTypesAndShapes) {
  ExpectRefused(0, Known(ElementType::kI32, {1, 4, 5}), "TwoState_c1");
  ExpectRefused(2, Known(ElementType::kF32, {1, 1, 3}), "TwoState_c1");
  ExpectRefused(3, Known(ElementType::kF16, PartialShape({1})), "TwoState_c1");
  ExpectRefused(6, Known(ElementType::kF32, {1, 6}), "TwoState_c1");
  ExpectRefused(0, Known(ElementType::kF16, {1, 4}), "TwoState_c2");
  ExpectRefused(1, Known(ElementType::kF16, {1, 2, 3}), "TwoState_c2");
  ExpectRefused(2, Known(ElementType::kF16, {1, 1, 4}), "TwoState_c2");
  ExpectRefused(3, Known(ElementType::kI32, PartialShape({})), "TwoState_c2");
  ExpectRefused(4, Known(ElementType::kF16, {1, 6, 4}), "TwoState_c2");
  ExpectRefused(5, Known(ElementType::kF16, {1, 3, 3}), "TwoState_c2");
  ExpectRefused(6, Known(ElementType::kF16, {1, 12}), "TwoState_c2");
}

TEST(RecurrenceTest, RefusesParameters) {
  const auto refused = [](const RecurrentParameters& parameters) {
    EXPECT_THAT(InferShapes(TwoStateCell(), parameters, TwoStateInputs()),
                StatusIs(absl::StatusCode::kInvalidArgument, StartsWith("TwoState_c3")));
  };
  for (const int64_t size : {int64_t{0}, int64_t{-1}, INT64_MAX}) refused(HiddenSize(size));
  RecurrentParameters parameters = HiddenSize(3);
  for (const double clip : {-1.0, std::nan(""), std::numeric_limits<double>::infinity()}) {
    parameters.clip = clip;
    refused(parameters);
  }
  parameters.clip = 0;
  parameters.activations = {"tanh"};
  refused(parameters);
  parameters.activations = {"tanh", "sine"};
  EXPECT_THAT(InferShapes(TwoStateCell(), parameters, TwoStateInputs()),
              StatusIs(absl::StatusCode::kUnimplemented, HasSubstr("sine")));
}

TEST(RecurrenceTest, CostsTwoFlopsPerWeightAndStep) {
  const std::vector<ValueInfo> infos = {Known(ElementType::kF32, {4, 3, 5}),      Known(ElementType::kF32, {4, 1, 2}),
                                        Known(ElementType::kI32, {Dimension(4)}), Known(ElementType::kF32, {1, 2, 5}),
                                        Known(ElementType::kF32, {1, 2, 2}),      Known(ElementType::kF32, {1, 2})};
  std::vector<const ValueInfo*> inputs;
  for (const ValueInfo& info : infos) inputs.push_back(&info);
  const std::vector<ValueInfo> outputs = {Known(ElementType::kF32, {4, 1, 3, 2}), Known(ElementType::kF32, {4, 1, 2})};
  const NoAttributes attributes;
  EXPECT_EQ(RecurrenceCost(CostContext(attributes, inputs, outputs)).flops, 2 * (4 * 3) * (10 + 4));
}

}  // namespace
}  // namespace burin::ir
