#include "runtime/plugins/cpu/sync_infer_request.h"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "base/element_type.h"
#include "base/status_macros.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/dimension.h"
#include "ir/model.h"
#include "ir/ops/op_testlib.h"
#include "ir/tensor.h"
#include "runtime/dev/compiled_model.h"
#include "runtime/dev/profiling_info.h"
#include "runtime/dev/properties.h"
#include "runtime/dev/slot.h"
#include "runtime/dev/sync_infer_request.h"
#include "runtime/plugins/cpu/compiled_model.h"
#include "runtime/plugins/cpu/mlp_testlib.h"
#include "testing/gtest/status_matchers.h"

namespace burin::cpu {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

Slot Input(size_t index) { return {Slot::Kind::kInput, index}; }
Slot Output(size_t index) { return {Slot::Kind::kOutput, index}; }

// A request with the model that it runs.
struct Running {
  explicit Running(const ir::Model& model, bool perf_count = false)
      : compiled(CompiledOnCpu(model, {burin::perf_count(perf_count)})),
        request(std::make_unique<SyncInferRequest>(static_cast<const CompiledModel*>(compiled.get()))) {}

  // As AsyncInferRequest does it.
  absl::Status Infer() const {
    BURIN_RETURN_IF_ERROR(request->PrepareInputs());
    return request->Infer();
  }
  ir::Tensor Result(size_t index) const { return request->GetTensor(Output(index)).value(); }

  std::shared_ptr<ICompiledModel> compiled;
  std::unique_ptr<SyncInferRequest> request;
};

// y = a + b, with a, b: f32[n].
constexpr char kSum[] = R"(model "sum" {
  %0 "a" = Parameter() {element_type = f32, shape = [n]}
  %1 "b" = Parameter() {element_type = f32, shape = [n]}
  %2 "add" = Add(%0, %1)
  %3 "y" = Result(%2)
})";

// y = x + 1, z = x * 2, with x: f32[4].
constexpr char kTwoResults[] = R"(model "two" {
  %0 "x" = Parameter() {element_type = f32, shape = [4]}
  %1 "one" = Constant() {value = f32[]{1}}
  %2 "two" = Constant() {value = f32[]{2}}
  %3 "add" = Add(%0, %1)
  %4 "double" = Multiply(%0, %2)
  %5 "y" = Result(%3)
  %6 "z" = Result(%4)
})";

TEST(SyncInferRequestTest, ComputesWhatTheReferenceComputes) {
  const Running fixed(*Mlp(3));
  const Running dynamic(*Mlp(ir::Dimension::Symbol("n")));
  for (const int seed : {1, 2}) {
    const ir::Tensor input = Varied({3, 24}, seed);
    ASSERT_OK(fixed.request->SetTensor(Input(0), input));
    ASSERT_OK(fixed.Infer());
    ExpectMlp(fixed.Result(0), input);
  }
  for (const int rows : {1, 7, 0, 100, 7}) {
    SCOPED_TRACE(rows);
    const ir::Tensor input = Varied({rows, 24}, rows);
    ASSERT_OK(dynamic.request->SetTensor(Input(0), input));
    ASSERT_OK(dynamic.Infer());
    ExpectMlp(dynamic.Result(0), input);
  }
}

TEST(SyncInferRequestTest, StaticModelsMayHaveNothingToCompute) {
  const Running running(*Mlp(0));
  ASSERT_OK(running.Infer());
  EXPECT_EQ(running.Result(0).shape(), ir::Shape({0, 10}));
}

TEST(SyncInferRequestTest, AnUnknownRankIsThatOfTheTensor) {
  const Running running(*ModelOf(R"(model "" {
    %0 "x" = Parameter() {element_type = f32, shape = [...]}
    %1 "relu" = Relu(%0)
    %2 "y" = Result(%1)
  })"));
  ASSERT_OK(running.request->SetTensor(Input(0), ir::F32({2, 2}, {1, -1, 2, -2})));
  ASSERT_OK(running.Infer());
  ir::ExpectTensorEq(running.Result(0), ir::F32({2, 2}, {1, 0, 2, 0}));
  ASSERT_OK(running.request->SetTensor(Input(0), ir::F32({}, {-3})));
  ASSERT_OK(running.Infer());
  ir::ExpectTensorEq(running.Result(0), ir::F32({}, {0}));
}

TEST(SyncInferRequestTest, StaticResultsKeepTheirMemoryAndDynamicOnesDoNot) {
  const Running fixed(*ModelOf(kTwoResults));
  ASSERT_OK(fixed.request->SetTensor(Input(0), ir::F32({4}, {1, 2, 3, 4})));
  ASSERT_OK(fixed.Infer());
  const ir::Tensor kept = fixed.Result(0);
  ASSERT_OK(fixed.request->SetTensor(Input(0), ir::F32({4}, {5, 6, 7, 8})));
  ASSERT_OK(fixed.Infer());
  ir::ExpectTensorEq(kept, ir::F32({4}, {6, 7, 8, 9}));

  const Running dynamic(*ModelOf(kSum));
  ASSERT_OK(dynamic.request->SetTensor(Input(0), ir::F32({2}, {1, 2})));
  ASSERT_OK(dynamic.request->SetTensor(Input(1), ir::F32({2}, {1, 2})));
  ASSERT_OK(dynamic.Infer());
  const ir::Tensor first = dynamic.Result(0);
  ASSERT_OK(dynamic.request->SetTensor(Input(1), ir::F32({2}, {7, 7})));
  ASSERT_OK(dynamic.Infer());
  ir::ExpectTensorEq(first, ir::F32({2}, {2, 4}));
  ir::ExpectTensorEq(dynamic.Result(0), ir::F32({2}, {8, 9}));
}

TEST(SyncInferRequestTest, StridedTensorsAreReadAndWrittenWhereTheyAre) {
  const Running running(*ModelOf(kSum));
  float values[] = {1, 2, 3, 4, 5, 6};
  ASSERT_OK_AND_ASSIGN(const ir::Tensor reversed, ir::Tensor::View(ElementType::kF32, {3}, values + 5, {-8}));
  ASSERT_OK_AND_ASSIGN(const ir::Tensor broadcast, ir::Tensor::View(ElementType::kF32, {3}, values, {0}));
  float results[] = {0, 0, 0, 0, 0, 0};
  ASSERT_OK_AND_ASSIGN(const ir::Tensor scattered, ir::Tensor::View(ElementType::kF32, {3}, results + 5, {-8}));
  ASSERT_OK(running.request->SetTensor(Input(0), reversed));
  ASSERT_OK(running.request->SetTensor(Input(1), broadcast));
  ASSERT_OK(running.request->SetTensor(Output(0), scattered));
  ASSERT_OK(running.Infer());
  EXPECT_THAT(results, ElementsAre(0, 3, 0, 5, 0, 7));
  values[0] = 10;  // The next inference sees the change.
  ASSERT_OK(running.Infer());
  EXPECT_THAT(results, ElementsAre(0, 12, 0, 14, 0, 16));
  // Dense again: nothing is left of the copies.
  const ir::Tensor dense = ir::F32({2}, {0, 0});
  ASSERT_OK(running.request->SetTensor(Input(0), ir::F32({2}, {1, 2})));
  ASSERT_OK(running.request->SetTensor(Input(1), ir::F32({2}, {1, 2})));
  ASSERT_OK(running.request->SetTensor(Output(0), dense));
  ASSERT_OK(running.Infer());
  ir::ExpectTensorEq(dense, ir::F32({2}, {2, 4}));
  EXPECT_THAT(results, ElementsAre(0, 12, 0, 14, 0, 16));
}

TEST(SyncInferRequestTest, OutputsMayLieInTheMemoryOfInputs) {
  // Both results are made of x, over which y is written.
  const Running running(*ModelOf(kTwoResults));
  const ir::Tensor input = ir::F32({4}, {1, 2, 3, 4});
  ASSERT_OK(running.request->SetTensor(Input(0), input));
  ASSERT_OK(running.request->SetTensor(Output(0), input));
  ASSERT_OK(running.Infer());
  ir::ExpectTensorEq(input, ir::F32({4}, {2, 3, 4, 5}));
  ir::ExpectTensorEq(running.Result(1), ir::F32({4}, {2, 4, 6, 8}));

  // One element further on.
  const ir::Tensor memory = ir::F32({5}, {1, 2, 3, 4, 0});
  ASSERT_OK(running.request->SetTensor(Input(0), memory.Region({0}, {4}).value()));
  ASSERT_OK(running.request->SetTensor(Output(0), memory.Region({1}, {5}).value()));
  ASSERT_OK(running.Infer());
  ir::ExpectTensorEq(memory, ir::F32({5}, {1, 2, 3, 4, 5}));
  ir::ExpectTensorEq(running.Result(1), ir::F32({4}, {2, 4, 6, 8}));
}

TEST(SyncInferRequestTest, OutputsThatOverlapAreWrittenInTheirOrder) {
  const Running running(*ModelOf(kTwoResults));
  const ir::Tensor memory = ir::F32({6}, {0, 0, 0, 0, 0, 0});
  ASSERT_OK(running.request->SetTensor(Input(0), ir::F32({4}, {1, 2, 3, 4})));
  ASSERT_OK(running.request->SetTensor(Output(0), memory.Region({0}, {4}).value()));
  ASSERT_OK(running.request->SetTensor(Output(1), memory.Region({2}, {6}).value()));
  ASSERT_OK(running.Infer());
  ir::ExpectTensorEq(memory, ir::F32({6}, {2, 3, 2, 4, 6, 8}));
  // The first one backwards, on every second element.
  float values[] = {0, 0, 0, 0, 0, 0, 0};
  ASSERT_OK(running.request->SetTensor(Output(0), ir::Tensor::View(ElementType::kF32, {4}, values + 6, {-8}).value()));
  ASSERT_OK(running.request->SetTensor(Output(1), ir::Tensor::View(ElementType::kF32, {4}, values).value()));
  ASSERT_OK(running.Infer());
  EXPECT_THAT(values, ElementsAre(2, 4, 6, 8, 3, 0, 2));
}

TEST(SyncInferRequestTest, AnOutputOfAnotherShapeIsRefusedByName) {
  const Running running(*ModelOf(kSum));
  ASSERT_OK(running.request->SetTensor(Input(0), ir::F32({2}, {1, 2})));
  ASSERT_OK(running.request->SetTensor(Input(1), ir::F32({2}, {1, 2})));
  const ir::Tensor output = ir::F32({3}, {7, 7, 7});
  ASSERT_OK(running.request->SetTensor(Output(0), output));
  EXPECT_THAT(running.Infer(), StatusIs(absl::StatusCode::kInvalidArgument,
                                        AllOf(HasSubstr("Output \"y\""), HasSubstr("[3]"), HasSubstr("[2]"))));
  ir::ExpectTensorEq(output, ir::F32({3}, {7, 7, 7}));
}

TEST(SyncInferRequestTest, InputsWhoseShapesDisagreeAreRefused) {
  const Running running(*ModelOf(kSum));
  ASSERT_OK(running.request->SetTensor(Input(0), ir::F32({2}, {1, 2})));
  ASSERT_OK(running.request->SetTensor(Input(1), ir::F32({3}, {1, 2, 3})));
  EXPECT_THAT(running.Infer(), StatusIs(absl::StatusCode::kInvalidArgument));
  // The next one has nothing of it.
  ASSERT_OK(running.request->SetTensor(Input(1), ir::F32({2}, {1, 2})));
  ASSERT_OK(running.Infer());
  ir::ExpectTensorEq(running.Result(0), ir::F32({2}, {2, 4}));
}

TEST(SyncInferRequestTest, ResultsMayBeConstantsInputsAndTwiceTheSame) {
  const Running running(*ModelOf(R"(model "" {
    %0 "x" = Parameter() {element_type = f32, shape = [n]}
    %1 "c" = Constant() {value = f32[2]{5, 6}}
    %2 "relu" = Relu(%0)
    %3 "constant" = Result(%1)
    %4 "through" = Result(%0)
    %5 "once" = Result(%2)
    %6 "twice" = Result(%2)
  })"));
  const ir::Tensor input = ir::F32({3}, {1, -2, 3});
  ASSERT_OK(running.request->SetTensor(Input(0), input));
  ASSERT_OK(running.Infer());
  ir::ExpectTensorEq(running.Result(0), ir::F32({2}, {5, 6}));
  ir::ExpectTensorEq(running.Result(1), ir::F32({3}, {1, -2, 3}));
  ir::ExpectTensorEq(running.Result(2), ir::F32({3}, {1, 0, 3}));
  ir::ExpectTensorEq(running.Result(3), ir::F32({3}, {1, 0, 3}));
  // They are the user's to write to.
  running.Result(0).mutable_data_as<float>()[0] = 77;
  running.Result(2).mutable_data_as<float>()[0] = 77;
  ir::ExpectTensorEq(running.Result(3), ir::F32({3}, {1, 0, 3}));
  ir::ExpectTensorEq(input, ir::F32({3}, {1, -2, 3}));
  ASSERT_OK(running.Infer());
  ir::ExpectTensorEq(running.Result(0), ir::F32({2}, {5, 6}));
  // What passes through may lie over the input.
  const ir::Tensor memory = ir::F32({4}, {1, 2, 3, 4});
  ASSERT_OK(running.request->SetTensor(Input(0), memory.Region({0}, {3}).value()));
  ASSERT_OK(running.request->SetTensor(Output(1), memory.Region({1}, {4}).value()));
  ASSERT_OK(running.Infer());
  ir::ExpectTensorEq(memory, ir::F32({4}, {1, 1, 2, 3}));
}

TEST(SyncInferRequestTest, ACancelledInferenceSaysSo) {
  const Running running(*Mlp(3), /*perf_count=*/true);
  running.request->Cancel();
  EXPECT_THAT(running.Infer(), StatusIs(absl::StatusCode::kCancelled));
  running.request->ClearCancel();
  const ir::Tensor input = Varied({3, 24});
  ASSERT_OK(running.request->SetTensor(Input(0), input));
  ASSERT_OK(running.Infer());
  ExpectMlp(running.Result(0), input);
}

TEST(SyncInferRequestTest, ProfilesEachStep) {
  const Running running(*Mlp(3), /*perf_count=*/true);
  ASSERT_OK(running.Infer());
  ASSERT_OK(running.Infer());
  ASSERT_OK_AND_ASSIGN(const std::vector<ProfilingInfo> profile, running.request->GetProfilingInfo());
  ASSERT_THAT(profile, SizeIs(3));
  for (const ProfilingInfo& info : profile) {
    SCOPED_TRACE(info.node_name);
    EXPECT_EQ(info.status, ProfilingInfo::Status::kExecuted);
    EXPECT_EQ(info.count, 2);
    EXPECT_FALSE(info.kernel.empty());
    EXPECT_FALSE(info.isa.empty());
    EXPECT_FALSE(info.op_names.empty());
  }
  // The product, the bias and Relu.
  EXPECT_EQ(profile[0].flops, 2.0 * 3 * 24 * 40 + 2 * 3 * 40);
  EXPECT_THAT(Running(*Mlp(3)).request->GetProfilingInfo(),
              StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("PERF_COUNT")));
}

TEST(SyncInferRequestTest, ProfilesADynamicModelByItsNodes) {
  const Running running(*Mlp(ir::Dimension()), /*perf_count=*/true);
  for (const int rows : {2, 5}) {
    ASSERT_OK(running.request->SetTensor(Input(0), Varied({rows, 24})));
    ASSERT_OK(running.Infer());
    ASSERT_OK_AND_ASSIGN(const std::vector<ProfilingInfo> profile, running.request->GetProfilingInfo());
    ASSERT_THAT(profile, SizeIs(3));
    EXPECT_EQ(profile[0].flops, 2.0 * rows * 24 * 40 + 2 * rows * 40);
    for (const ProfilingInfo& info : profile) {
      EXPECT_EQ(info.status, ProfilingInfo::Status::kExecuted);
      EXPECT_FALSE(info.kernel.empty()) << info.node_name;
      EXPECT_FALSE(info.isa.empty()) << info.node_name;
      EXPECT_FALSE(info.layout.empty()) << info.node_name;
    }
  }
}

// Where x is not 0, and x with 1 added to it.
constexpr char kWhere[] = R"(model "where" {
  %0 "x" = Parameter() {element_type = f32, shape = [4]}
  %1 "where" = NonZero(%0) {output_type = i64}
  %2 "abs" = Abs(%1)
  %3 "one" = Constant() {value = f32[]{1}}
  %4 "add" = Add(%0, %3)
  %5 "y" = Result(%2)
  %6 "z" = Result(%4)
})";

TEST(SyncInferRequestTest, ResultsHaveTheShapesThatTheDataTells) {
  const Running running(*ModelOf(kWhere));
  ASSERT_OK(running.request->SetTensor(Input(0), ir::F32({4}, {0, 1, 0, 2})));
  ASSERT_OK(running.Infer());
  const ir::Tensor first = running.Result(0);
  ir::ExpectTensorEq(first, ir::I64({1, 2}, {1, 3}));
  ir::ExpectTensorEq(running.Result(1), ir::F32({4}, {1, 2, 1, 3}));
  ASSERT_OK(running.request->SetTensor(Input(0), ir::F32({4}, {3, 0, 0, 0})));
  ASSERT_OK(running.Infer());
  ir::ExpectTensorEq(running.Result(0), ir::I64({1, 1}, {0}));
  // What the user has of an earlier inference stays.
  ir::ExpectTensorEq(first, ir::I64({1, 2}, {1, 3}));
}

TEST(SyncInferRequestTest, AResultOfAnotherShapeThanTheUsersTensorIsAnError) {
  const Running running(*ModelOf(kWhere));
  ASSERT_OK(running.request->SetTensor(Input(0), ir::F32({4}, {0, 1, 0, 2})));
  ASSERT_OK(running.request->SetTensor(Output(0), ir::I64({1, 3}, {0, 0, 0})));
  EXPECT_THAT(running.Infer(), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("\"y\"")));
  ASSERT_OK(running.request->SetTensor(Input(0), ir::F32({4}, {1, 1, 0, 2})));
  ASSERT_OK(running.Infer());
  ir::ExpectTensorEq(running.Result(0), ir::I64({1, 3}, {0, 1, 3}));
}

TEST(SyncInferRequestTest, StatesLastUntilTheyAreReset) {
  const Running running(*ModelOf(R"(model "" {
    variable "v" : f32[2]
    sinks(%3)
    %0 "x" = Parameter() {element_type = f32, shape = [2]}
    %1 "read" = ReadValue() {variable_id = "v", variable_type = f32, variable_shape = [2]}
    %2 "sum" = Add(%1, %0)
    %3 "assign" = Assign(%2) {variable_id = "v"}
    %4 "y" = Result(%2)
  })"));
  ASSERT_OK(running.request->SetTensor(Input(0), ir::F32({2}, {1, 10})));
  ASSERT_OK(running.Infer());
  ASSERT_OK(running.Infer());
  ir::ExpectTensorEq(running.Result(0), ir::F32({2}, {2, 20}));
  const std::vector<std::shared_ptr<IVariableState>> states = running.request->QueryState();
  ASSERT_THAT(states, SizeIs(1));
  EXPECT_EQ(states[0]->name(), "v");
  ir::ExpectTensorEq(states[0]->GetState().value(), ir::F32({2}, {2, 20}));
  ASSERT_OK(states[0]->SetState(ir::F32({2}, {5, 5})));
  ASSERT_OK(running.Infer());
  ir::ExpectTensorEq(running.Result(0), ir::F32({2}, {6, 15}));
  ASSERT_OK(states[0]->Reset());
  ASSERT_OK(running.Infer());
  ir::ExpectTensorEq(running.Result(0), ir::F32({2}, {1, 10}));
}

TEST(SyncInferRequestTest, ProfilesOfSegmentsNameEveryNode) {
  const Running running(*ModelOf(kWhere), /*perf_count=*/true);
  ASSERT_OK(running.request->SetTensor(Input(0), ir::F32({4}, {0, 1, 0, 2})));
  ASSERT_OK(running.Infer());
  ASSERT_OK_AND_ASSIGN(const std::vector<ProfilingInfo> profile, running.request->GetProfilingInfo());
  for (const ProfilingInfo& info : profile) {
    EXPECT_EQ(info.status, ProfilingInfo::Status::kExecuted) << info.node_name;
  }
  EXPECT_THAT(profile, SizeIs(3));
}

}  // namespace
}  // namespace burin::cpu
