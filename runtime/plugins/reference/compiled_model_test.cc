#include "runtime/plugins/reference/compiled_model.h"

#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
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
#include "runtime/dev/properties.h"
#include "runtime/dev/sync_infer_request.h"
#include "runtime/plugins/reference/config.h"
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

TEST(CompiledModelTest, TellsItsProperties) {
  Config config;
  config.perf_count = true;
  ASSERT_OK_AND_ASSIGN(const std::shared_ptr<ICompiledModel> compiled, CompiledModel::Create(Toy(), config));
  EXPECT_THAT(compiled->GetProperty("NETWORK_NAME"), IsOkAndHolds("toy"));
  EXPECT_THAT(compiled->GetProperty("EXECUTION_DEVICES"), IsOkAndHolds("REFERENCE"));
  EXPECT_THAT(compiled->GetProperty("OPTIMAL_NUMBER_OF_INFER_REQUESTS"), IsOkAndHolds("1"));
  EXPECT_THAT(compiled->GetProperty("PERF_COUNT"), IsOkAndHolds("YES"));
  ASSERT_OK_AND_ASSIGN(const std::shared_ptr<ICompiledModel> plain, CompiledModel::Create(Toy(), Config()));
  EXPECT_THAT(plain->GetProperty("PERF_COUNT"), IsOkAndHolds("NO"));
}

TEST(CompiledModelTest, EveryListedPropertyCanBeReadAndNoOther) {
  ASSERT_OK_AND_ASSIGN(const std::shared_ptr<ICompiledModel> compiled, CompiledModel::Create(Toy(), Config()));
  ASSERT_OK_AND_ASSIGN(const std::string text, compiled->GetProperty("SUPPORTED_PROPERTIES"));
  ASSERT_OK_AND_ASSIGN(const std::vector<std::string> entries, supported_properties.Parse(text));
  EXPECT_THAT(entries, ElementsAre("EXECUTION_DEVICES:RO", "NETWORK_NAME:RO", "OPTIMAL_NUMBER_OF_INFER_REQUESTS:RO",
                                   "PERF_COUNT:RO", "SUPPORTED_PROPERTIES:RO"));
  for (const std::string& entry : entries) {
    EXPECT_OK(compiled->GetProperty(entry.substr(0, entry.find(':')))) << entry;
  }
  EXPECT_THAT(compiled->GetProperty("FULL_DEVICE_NAME"),
              StatusIs(absl::StatusCode::kNotFound, AllOf(HasSubstr("FULL_DEVICE_NAME"), HasSubstr("NETWORK_NAME"))));
}

TEST(CompiledModelTest, RefusesAModelWithACycle) {
  std::unique_ptr<ir::Model> model = Toy();
  model->SetInput(ir::Use{model->FindNode("sum"), 0}, ir::Value{model->FindNode("relu"), 0});
  EXPECT_THAT(CompiledModel::Create(std::move(model), Config()),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("cycle")));
}

TEST(CompiledModelTest, RequestsOfManyThreadsDoNotDisturbEachOther) {
  ASSERT_OK_AND_ASSIGN(const std::shared_ptr<ICompiledModel> compiled, CompiledModel::Create(Toy(), Config()));
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

}  // namespace
}  // namespace burin::reference
