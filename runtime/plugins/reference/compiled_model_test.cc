#include "runtime/plugins/reference/compiled_model.h"

#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/element_type.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/dimension.h"
#include "ir/model.h"
#include "ir/ops/op_testlib.h"
#include "ir/ops/ops.h"
#include "ir/partial_shape.h"
#include "ir/tensor.h"
#include "runtime/dev/async_infer_request.h"
#include "runtime/dev/compiled_model.h"
#include "runtime/dev/configuration.h"
#include "runtime/dev/properties.h"
#include "runtime/dev/remote_context.h"
#include "runtime/dev/slot.h"
#include "runtime/dev/sync_infer_request.h"
#include "runtime/plugins/reference/config.h"
#include "runtime/plugins/reference/usable_cores.h"
#include "testing/gtest/status_matchers.h"

namespace burin::reference {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

// y = relu(x + 1), with x: f32[n].
std::unique_ptr<ir::Model> Toy() {
  auto model = std::make_unique<ir::Model>("toy");
  const ir::Value x = *model->AddParameter("x", ElementType::kF32, ir::PartialShape{ir::Dimension::Symbol("n")});
  const ir::Value one = *model->AddConstant(ir::F32({1}, {1}), "one");
  const ir::Value sum = *model->Add(ir::AddOp(), {x, one}, nullptr, "sum");
  EXPECT_OK(model->AddResult(*model->Add(ir::ReluOp(), {sum}, nullptr, "relu"), "y"));
  return model;
}

absl::StatusOr<std::shared_ptr<ICompiledModel>> Compiled() {
  return CompiledModel::Create(Toy(), "REFERENCE", DefaultConfiguration("REFERENCE"));
}

TEST(CompiledModelTest, TellsItsProperties) {
  Configuration configuration = DefaultConfiguration("OTHER");
  ASSERT_OK(configuration.Apply({perf_count(true), device_id("0")}));
  ASSERT_OK_AND_ASSIGN(const std::shared_ptr<ICompiledModel> compiled,
                       CompiledModel::Create(Toy(), "OTHER", configuration));
  EXPECT_THAT(compiled->GetProperty("NETWORK_NAME"), IsOkAndHolds("toy"));
  EXPECT_THAT(compiled->GetProperty("EXECUTION_DEVICES"), IsOkAndHolds("OTHER"));
  EXPECT_THAT(compiled->GetProperty("OPTIMAL_NUMBER_OF_INFER_REQUESTS"), IsOkAndHolds(std::to_string(UsableCores())));
  EXPECT_THAT(compiled->GetProperty("PERF_COUNT"), IsOkAndHolds("YES"));
  EXPECT_THAT(compiled->GetProperty("DEVICE_ID"), IsOkAndHolds("0"));
  ASSERT_OK_AND_ASSIGN(const std::shared_ptr<ICompiledModel> plain, Compiled());
  EXPECT_THAT(plain->GetProperty("PERF_COUNT"), IsOkAndHolds("NO"));
}

TEST(CompiledModelTest, EveryListedPropertyCanBeReadAndNoOther) {
  ASSERT_OK_AND_ASSIGN(const std::shared_ptr<ICompiledModel> compiled, Compiled());
  ASSERT_OK_AND_ASSIGN(const std::string text, compiled->GetProperty("SUPPORTED_PROPERTIES"));
  ASSERT_OK_AND_ASSIGN(const std::vector<std::string> entries, supported_properties.Parse(text));
  EXPECT_THAT(entries, ElementsAre("DEVICE_ID:RO", "EXECUTION_DEVICES:RO", "NETWORK_NAME:RO",
                                   "OPTIMAL_NUMBER_OF_INFER_REQUESTS:RO", "PERF_COUNT:RO", "SUPPORTED_PROPERTIES:RO"));
  for (const std::string& entry : entries) {
    EXPECT_OK(compiled->GetProperty(entry.substr(0, entry.find(':')))) << entry;
  }
  EXPECT_THAT(compiled->GetProperty("FULL_DEVICE_NAME"),
              StatusIs(absl::StatusCode::kNotFound, AllOf(HasSubstr("FULL_DEVICE_NAME"), HasSubstr("NETWORK_NAME"))));
}

TEST(CompiledModelTest, RefusesAModelWithACycle) {
  std::unique_ptr<ir::Model> model = Toy();
  model->SetInput(ir::Use{model->FindNode("sum"), 0}, ir::Value{model->FindNode("relu"), 0});
  EXPECT_THAT(CompiledModel::Create(std::move(model), "REFERENCE", DefaultConfiguration("REFERENCE")),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("cycle")));
}

TEST(CompiledModelTest, RequestsOfManyThreadsDoNotDisturbEachOther) {
  ASSERT_OK_AND_ASSIGN(const std::shared_ptr<ICompiledModel> compiled, Compiled());
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&compiled, i] {
      ASSERT_OK_AND_ASSIGN(const std::unique_ptr<AsyncInferRequest> request, compiled->CreateInferRequest());
      for (int k = 0; k < 20; ++k) {
        const double value = i * 100 + k;
        ASSERT_OK(request->SetTensor({Slot::Kind::kInput, 0}, ir::F32({2}, {value, -value - 2})));
        // Half of them on the executor, which all share.
        ASSERT_OK(i % 2 == 0 ? request->Infer() : request->StartAsync());
        ASSERT_OK(request->Wait());
        ASSERT_OK_AND_ASSIGN(const ir::Tensor result, request->GetTensor({Slot::Kind::kOutput, 0}));
        ir::ExpectTensorEq(result, ir::F32({2}, {value + 1, 0}));
        EXPECT_THAT(compiled->GetProperty("NETWORK_NAME"), IsOkAndHolds("toy"));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

// Takes many seconds, in small steps.
std::unique_ptr<ir::Model> Slow() {
  auto model = std::make_unique<ir::Model>("slow");
  ir::Value value = *model->AddParameter("x", ElementType::kF32, ir::PartialShape{100000});
  const ir::Value one = *model->AddConstant(ir::F32({1}, {1}));
  for (int i = 0; i < 20000; ++i) value = *model->Add(ir::AddOp(), {value, one});
  EXPECT_OK(model->AddResult(value, "y"));
  return model;
}

TEST(CompiledModelTest, RunsSeveralRequestsAtOnce) {
  if (UsableCores() < 2) GTEST_SKIP() << "needs two processors";
  ASSERT_OK_AND_ASSIGN(const std::shared_ptr<ICompiledModel> compiled,
                       CompiledModel::Create(Slow(), "REFERENCE", DefaultConfiguration("REFERENCE")));
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<AsyncInferRequest> first, compiled->CreateInferRequest());
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<AsyncInferRequest> second, compiled->CreateInferRequest());
  ASSERT_OK(first->StartAsync());
  ASSERT_OK(second->StartAsync());
  // Behind the first one it would not even see that it is cancelled.
  second->Cancel();
  EXPECT_THAT(second->WaitFor(std::chrono::minutes(1)), StatusIs(absl::StatusCode::kCancelled));
  EXPECT_THAT(first->WaitFor(std::chrono::milliseconds(0)), IsOkAndHolds(false));
  first->Cancel();
  EXPECT_THAT(first->Wait(), StatusIs(absl::StatusCode::kCancelled));
}

TEST(CompiledModelTest, HasAHostContext) {
  ASSERT_OK_AND_ASSIGN(const std::shared_ptr<ICompiledModel> compiled,
                       CompiledModel::Create(Toy(), "OTHER", DefaultConfiguration("OTHER")));
  ASSERT_OK_AND_ASSIGN(const std::shared_ptr<IRemoteContext> context, compiled->GetContext());
  EXPECT_EQ(context->device_name(), "OTHER");
  ASSERT_OK_AND_ASSIGN(const ir::Tensor tensor, context->CreateHostTensor(ElementType::kF32, {2}));
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<AsyncInferRequest> request, compiled->CreateInferRequest());
  ASSERT_OK(request->SetTensor({Slot::Kind::kOutput, 0}, tensor));
  ASSERT_OK(request->SetTensor({Slot::Kind::kInput, 0}, ir::F32({2}, {1, 2})));
  ASSERT_OK(request->Infer());
  ir::ExpectTensorEq(tensor, ir::F32({2}, {2, 3}));
}

}  // namespace
}  // namespace burin::reference
