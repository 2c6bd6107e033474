#include "ir/evaluator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "base/element_type.h"
#include "ir/infer_context.h"
#include "ir/model.h"
#include "ir/op_def.h"
#include "ir/ops/assign.h"
#include "ir/ops/op_testlib.h"
#include "ir/ops/ops.h"
#include "ir/ops/read_value.h"
#include "ir/partial_shape.h"
#include "ir/reference_context.h"
#include "ir/storage.h"
#include "ir/tensor.h"
#include "testing/gtest/status_matchers.h"

namespace burin::ir {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

// out = relu(x + c), with x f32 [n, 2] and c = {1, -3}.
std::unique_ptr<Model> ReluOfSum() {
  auto model = std::make_unique<Model>();
  const Value x = *model->AddParameter("x", ElementType::kF32, PartialShape{Dimension::Symbol("n"), 2});
  const Value c = *model->AddConstant(F32({2}, {1, -3}), "c");
  const Value sum = *model->Add(AddOp(), {x, c}, nullptr, "sum");
  EXPECT_OK(model->AddResult(*model->Add(ReluOp(), {sum}, nullptr, "relu"), "out"));
  return model;
}

// A model that returns a variable "v" and adds 1 to it: f32 [1], starting from 10. Assign comes first by id.
std::unique_ptr<Model> Counter() {
  auto model = std::make_unique<Model>();
  EXPECT_OK(model->AddVariable(Variable{"v", ElementType::kF32, {1}}));
  const Value initial = *model->AddConstant(F32({1}, {10}));
  const Value one = *model->AddConstant(F32({1}, {1}));
  const auto read = [&model, initial] {
    auto attributes = std::make_unique<ReadValueAttributes>();
    attributes->variable_id = "v";
    attributes->variable_type = ElementType::kF32;
    attributes->variable_shape = {1};
    return *model->Add(ReadValueOp(), {initial}, std::move(attributes));
  };
  auto assign = std::make_unique<AssignAttributes>();
  assign->variable_id = "v";
  EXPECT_OK(model->Add(AssignOp(), {*model->Add(AddOp(), {read(), one})}, std::move(assign)));
  EXPECT_OK(model->AddResult(read(), "out"));
  return model;
}

TEST(EvaluatorTest, RunsAModelAnyNumberOfTimes) {
  const std::unique_ptr<Model> model = ReluOfSum();
  ASSERT_OK_AND_ASSIGN(const Evaluator evaluator, Evaluator::Create(*model));
  ASSERT_OK_AND_ASSIGN(const std::vector<Tensor> first, evaluator.Run({F32({1, 2}, {1, 2})}));
  ASSERT_EQ(first.size(), 1u);
  ExpectTensorEq(first[0], F32({1, 2}, {2, 0}));
  ASSERT_OK_AND_ASSIGN(const std::vector<Tensor> second, evaluator.Run({F32({2, 2}, {-5, 4, 0, 3})}));
  ExpectTensorEq(second[0], F32({2, 2}, {0, 1, 1, 0}));
  ASSERT_OK_AND_ASSIGN(const std::vector<Tensor> empty, evaluator.Run({F32({0, 2}, {})}));
  ExpectTensorEq(empty[0], F32({0, 2}, {}));
}

TEST(EvaluatorTest, HandsOnParametersAndConstants) {
  Model model;
  const Value x = *model.AddParameter("x", ElementType::kF32, PartialShape{2});
  const Tensor constant = F32({1}, {5});
  ASSERT_OK(model.AddResult(x, "same"));
  ASSERT_OK(model.AddResult(*model.AddConstant(constant), "constant"));
  ASSERT_OK_AND_ASSIGN(const Evaluator evaluator, Evaluator::Create(model));
  const Tensor input = F32({2}, {1, 2});
  ASSERT_OK_AND_ASSIGN(const std::vector<Tensor> results, evaluator.Run({input}));
  EXPECT_EQ(results[0].data(), input.data());
  EXPECT_EQ(results[1].data(), constant.data());
}

TEST(EvaluatorTest, AResultMayBeReadToo) {
  Model model;
  const Value x = *model.AddParameter("x", ElementType::kF32, PartialShape{2});
  const NodeId first = *model.AddResult(x, "first");
  const Value twice = *model.Add(AddOp(), {Value{first, 0}, Value{first, 0}});
  ASSERT_OK(model.AddResult(twice, "second"));
  ASSERT_OK_AND_ASSIGN(const Evaluator evaluator, Evaluator::Create(model));
  ASSERT_OK_AND_ASSIGN(const std::vector<Tensor> results, evaluator.Run({F32({2}, {1, -2})}));
  ASSERT_EQ(results.size(), 2u);
  ExpectTensorEq(results[0], F32({2}, {1, -2}));
  ExpectTensorEq(results[1], F32({2}, {2, -4}));
}

TEST(EvaluatorTest, TakesStridedInputs) {
  const std::unique_ptr<Model> model = ReluOfSum();
  ASSERT_OK_AND_ASSIGN(const Evaluator evaluator, Evaluator::Create(*model));
  ASSERT_OK_AND_ASSIGN(Tensor columns, F32({2, 3}, {1, 2, 9, 3, 4, 9}).Region({0, 0}, {2, 2}));
  ASSERT_OK_AND_ASSIGN(const std::vector<Tensor> results, evaluator.Run({columns}));
  ExpectTensorEq(results[0], F32({2, 2}, {2, 0, 4, 1}));
}

TEST(EvaluatorTest, ChecksInputsAgainstParametersByName) {
  const std::unique_ptr<Model> model = ReluOfSum();
  ASSERT_OK_AND_ASSIGN(const Evaluator evaluator, Evaluator::Create(*model));
  const auto refused = StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("Input 0 'x'"));
  EXPECT_THAT(evaluator.Run({F16({1, 2}, {1, 2})}), refused);
  EXPECT_THAT(evaluator.Run({F32({1, 3}, {1, 2, 3})}), refused);
  EXPECT_THAT(evaluator.Run({F32({2}, {1, 2})}), refused);
  EXPECT_THAT(evaluator.Run({Tensor()}), refused);
  EXPECT_THAT(evaluator.Run({}), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("number of inputs")));
}

TEST(EvaluatorTest, RefusesInputsThatContradictASymbol) {
  Model model;
  const PartialShape shape{Dimension::Symbol("n")};
  ASSERT_OK(model.AddParameter("x", ElementType::kF32, shape));
  ASSERT_OK(model.AddParameter("y", ElementType::kF32, shape));
  ASSERT_OK_AND_ASSIGN(const Evaluator evaluator, Evaluator::Create(model));
  EXPECT_OK(evaluator.Run({F32({2}, {1, 2}), F32({2}, {1, 2})}));
  EXPECT_THAT(evaluator.Run({F32({2}, {1, 2}), F32({1}, {1})}),
              StatusIs(absl::StatusCode::kInvalidArgument, AllOf(HasSubstr("Input 1 'y'"), HasSubstr("'n'"))));
}

TEST(EvaluatorTest, NamesTheNodeThatFails) {
  Model model;
  const Value x = *model.AddParameter("x", ElementType::kF32, PartialShape{Dimension()});
  const Value y = *model.AddParameter("y", ElementType::kF32, PartialShape{Dimension()});
  ASSERT_OK(model.AddResult(*model.Add(AddOp(), {x, y}, nullptr, "sum"), "out"));
  ASSERT_OK_AND_ASSIGN(const Evaluator evaluator, Evaluator::Create(model));
  EXPECT_THAT(evaluator.Run({F32({2}, {1, 2}), F32({3}, {1, 2, 3})}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("Node 'sum' (Add): ")));
}

TEST(EvaluatorTest, FreesTensorsAfterTheirLastUse) {
  // Each step's input must be gone two steps later: the observer keeps weak handles on the storage.
  Model model;
  Value value = *model.AddParameter("x", ElementType::kF32, PartialShape{4});
  for (int i = 0; i < 5; ++i) value = *model.Add(ReluOp(), {value});
  ASSERT_OK(model.AddResult(value, "out"));
  ASSERT_OK_AND_ASSIGN(const Evaluator evaluator, Evaluator::Create(model));
  std::vector<std::weak_ptr<Storage>> storages;
  int alive_at_most = 0;
  RunOptions options;
  options.observer = [&](const Node& node, int64_t nanoseconds, absl::Span<const Tensor> inputs,
                         absl::Span<const Tensor> outputs) {
    EXPECT_GE(nanoseconds, 0);
    EXPECT_EQ(static_cast<int64_t>(inputs.size()), node.input_count());
    EXPECT_EQ(static_cast<int64_t>(outputs.size()), node.output_count());
    if (node.code() != OpCode::kRelu) return;
    storages.push_back(outputs[0].storage());
    int alive = 0;
    for (const auto& storage : storages) alive += storage.expired() ? 0 : 1;
    alive_at_most = std::max(alive_at_most, alive);
  };
  ASSERT_OK(evaluator.Run({F32({4}, {1, 2, 3, 4})}, options));
  EXPECT_EQ(storages.size(), 5u);
  EXPECT_EQ(alive_at_most, 2);
}

TEST(EvaluatorTest, ObservesEachNodeInOrder) {
  const std::unique_ptr<Model> model = ReluOfSum();
  ASSERT_OK_AND_ASSIGN(const Evaluator evaluator, Evaluator::Create(*model));
  std::vector<std::string> names;
  RunOptions options;
  options.observer = [&](const Node& node, int64_t, absl::Span<const Tensor>, absl::Span<const Tensor>) {
    names.push_back(node.name());
  };
  ASSERT_OK(evaluator.Run({F32({1, 2}, {1, 2})}, options));
  EXPECT_THAT(names, ElementsAre("x", "c", "sum", "relu", "out"));
}

TEST(EvaluatorTest, ObserversSeeWhatEachNodeReadAndGave) {
  const std::unique_ptr<Model> model = ReluOfSum();
  ASSERT_OK_AND_ASSIGN(const Evaluator evaluator, Evaluator::Create(*model));
  int nodes_with_inputs = 0;
  RunOptions options;
  options.observer = [&](const Node& node, int64_t, absl::Span<const Tensor> inputs, absl::Span<const Tensor> outputs) {
    EXPECT_EQ(inputs.empty(), node.name() == "x" || node.name() == "c");
    if (inputs.empty()) return;
    ++nodes_with_inputs;
    if (node.name() == "sum") {
      ASSERT_EQ(inputs.size(), 2u);
      ExpectTensorEq(inputs[0], F32({2, 2}, {1, 2, 3, 4}));
      ExpectTensorEq(inputs[1], F32({2}, {1, -3}));
      ExpectTensorEq(outputs[0], F32({2, 2}, {2, -1, 4, 1}));
    } else {
      ASSERT_EQ(inputs.size(), 1u);
      ExpectTensorEq(inputs[0], node.name() == "relu" ? F32({2, 2}, {2, -1, 4, 1}) : F32({2, 2}, {2, 0, 4, 1}));
    }
  };
  ASSERT_OK(evaluator.Run({F32({2, 2}, {1, 2, 3, 4})}, options));
  EXPECT_EQ(nodes_with_inputs, 3);  // sum, relu and the result.
}

TEST(EvaluatorTest, ObserversSeeAbsentInputsAsEmptyTensors) {
  OpDef op = ReluOp();
  op.min_inputs = 2;
  op.max_inputs = 2;
  op.absent_inputs = 1u << 0;
  op.infer = [](InferContext& context) {
    context.SetOutput(0, context.input_type(1), context.input_shape(1));
    return absl::OkStatus();
  };
  op.reference = [](ReferenceContext& context) {
    context.SetOutput(0, context.input(1));
    return absl::OkStatus();
  };
  Model model;
  const Value x = *model.AddParameter("x", ElementType::kF32, PartialShape{2});
  ASSERT_OK_AND_ASSIGN(const Value second, model.Add(op, {Value::None(), x}, nullptr, "second"));
  ASSERT_OK(model.AddResult(second, "out"));
  ASSERT_OK_AND_ASSIGN(const Evaluator evaluator, Evaluator::Create(model));
  int seen = 0;
  RunOptions options;
  options.observer = [&](const Node& node, int64_t, absl::Span<const Tensor> inputs, absl::Span<const Tensor>) {
    if (node.name() != "second") return;
    ++seen;
    ASSERT_EQ(inputs.size(), 2u);
    EXPECT_FALSE(inputs[0].has_value());
    ExpectTensorEq(inputs[1], F32({2}, {1, 2}));
  };
  ASSERT_OK(evaluator.Run({F32({2}, {1, 2})}, options));
  EXPECT_EQ(seen, 1);
}

TEST(EvaluatorTest, StopsBetweenNodesWhenCancelled) {
  const std::unique_ptr<Model> model = ReluOfSum();
  ASSERT_OK_AND_ASSIGN(const Evaluator evaluator, Evaluator::Create(*model));
  std::atomic<bool> cancelled{false};
  std::vector<std::string> names;
  RunOptions options;
  options.cancelled = &cancelled;
  options.observer = [&](const Node& node, int64_t, absl::Span<const Tensor>, absl::Span<const Tensor>) {
    names.push_back(node.name());
    if (node.name() == "sum") cancelled = true;
  };
  EXPECT_THAT(evaluator.Run({F32({1, 2}, {1, 2})}, options), StatusIs(absl::StatusCode::kCancelled));
  EXPECT_EQ(names.back(), "sum");
}

TEST(EvaluatorTest, VariablesLastFromRunToRun) {
  const std::unique_ptr<Model> model = Counter();
  ASSERT_OK_AND_ASSIGN(const Evaluator evaluator, Evaluator::Create(*model));
  MapVariableStore store;
  RunOptions options;
  options.variables = &store;
  for (const float expected : {10.f, 11.f, 12.f}) {
    ASSERT_OK_AND_ASSIGN(const std::vector<Tensor> results, evaluator.Run({}, options));
    ExpectTensorEq(results[0], F32({1}, {expected}));
  }
  store.Reset("another");
  ASSERT_NE(store.Find("v"), nullptr);
  store.Reset("v");
  EXPECT_EQ(store.Find("v"), nullptr);
  ASSERT_OK_AND_ASSIGN(const std::vector<Tensor> again, evaluator.Run({}, options));
  ExpectTensorEq(again[0], F32({1}, {10}));
  store.ResetAll();
  EXPECT_EQ(store.Find("v"), nullptr);
}

TEST(EvaluatorTest, VariablesLiveForTheRunWithoutAStore) {
  const std::unique_ptr<Model> model = Counter();
  ASSERT_OK_AND_ASSIGN(const Evaluator evaluator, Evaluator::Create(*model));
  for (int i = 0; i < 2; ++i) {
    ASSERT_OK_AND_ASSIGN(const std::vector<Tensor> results, evaluator.Run({}));
    ExpectTensorEq(results[0], F32({1}, {10}));
  }
}

TEST(EvaluatorTest, AFailedRunLeavesVariablesAsTheyWere) {
  const std::unique_ptr<Model> model = Counter();
  ASSERT_OK_AND_ASSIGN(const Evaluator evaluator, Evaluator::Create(*model));
  MapVariableStore store;
  std::atomic<bool> cancelled{false};
  RunOptions options;
  options.variables = &store;
  options.cancelled = &cancelled;
  options.observer = [&](const Node& node, int64_t, absl::Span<const Tensor>, absl::Span<const Tensor>) {
    if (node.code() == OpCode::kAssign) cancelled = true;
  };
  EXPECT_THAT(evaluator.Run({}, options), StatusIs(absl::StatusCode::kCancelled));
  EXPECT_EQ(store.Find("v"), nullptr);
}

TEST(EvaluatorTest, RefusesACycle) {
  const std::unique_ptr<Model> model = ReluOfSum();
  model->SetInput(Use{model->FindNode("sum"), 0}, Value{model->FindNode("relu"), 0});
  EXPECT_THAT(Evaluator::Create(*model), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("cycle")));
}

TEST(EvaluatorTest, SurvivesAVeryLongChain) {
  Model model;
  Value value = *model.AddParameter("x", ElementType::kF32, PartialShape{1});
  for (int i = 0; i < 20000; ++i) value = *model.Add(ReluOp(), {value});
  ASSERT_OK(model.AddResult(value, "out"));
  ASSERT_OK_AND_ASSIGN(const Evaluator evaluator, Evaluator::Create(model));
  ASSERT_OK_AND_ASSIGN(const std::vector<Tensor> results, evaluator.Run({F32({1}, {3})}));
  ExpectTensorEq(results[0], F32({1}, {3}));
}

}  // namespace
}  // namespace burin::ir
