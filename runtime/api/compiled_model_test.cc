#include "burin/compiled_model.h"

#include <map>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/statusor.h"
#include "burin/core.h"
#include "burin/infer_request.h"
#include "burin/model.h"
#include "burin/operation.h"
#include "burin/properties.h"
#include "burin/remote_context.h"
#include "burin/tensor.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/api/toy_model_testlib.h"
#include "testing/gtest/status_matchers.h"

namespace burin {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(CompiledModelTest, RequestOutlivesCoreModelAndCompiledModel) {
  absl::StatusOr<InferRequest> request = absl::InternalError("unset");
  {
    Core core;
    ASSERT_OK_AND_ASSIGN(CompiledModel compiled, core.CompileModel(ToyModel(), ""));
    request = compiled.CreateInferRequest();
  }
  ASSERT_OK(request);
  ASSERT_OK(request->SetInputTensor(Row({1, 2, 3})));
  EXPECT_OK(request->Infer());
  EXPECT_EQ(request->GetCompiledModel().inputs().size(), 1u);
}

TEST(CompiledModelTest, PortsAreThoseOfTheModelWhenItWasCompiled) {
  Core core;
  Model model = ToyModel();
  ASSERT_OK_AND_ASSIGN(const CompiledModel compiled, core.CompileModel(model));
  ASSERT_OK(model.Reshape(PartialShape({1, 3})));
  EXPECT_EQ(compiled.input("x").value().shape.ToString(), "[n,3]");
  EXPECT_EQ(compiled.input(0).value().name(), "x");
  EXPECT_EQ(compiled.output("y").value().index, 0u);
  EXPECT_EQ(compiled.output(0).value().shape.ToString(), "[n,3]");
  EXPECT_THAT(compiled.input(1), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("there are 1: \"x\"")));
  EXPECT_THAT(compiled.input("y"), StatusIs(absl::StatusCode::kNotFound, HasSubstr("no input \"y\"")));
  EXPECT_THAT(compiled.output(1), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("there are 1: \"y\"")));
  EXPECT_THAT(compiled.output("x"), StatusIs(absl::StatusCode::kNotFound, HasSubstr("no output \"x\"")));
}

TEST(CompiledModelTest, PropertiesAreReadByNameOrTyped) {
  Core core;
  ASSERT_OK_AND_ASSIGN(const CompiledModel compiled, core.CompileModel(ToyModel(), "REFERENCE", {perf_count(true)}));
  EXPECT_THAT(compiled.GetProperty("PERF_COUNT"), IsOkAndHolds("YES"));
  EXPECT_THAT(compiled.GetProperty(perf_count), IsOkAndHolds(true));
  EXPECT_THAT(compiled.GetProperty(network_name), IsOkAndHolds("toy"));
  EXPECT_GE(compiled.GetProperty(optimal_number_of_infer_requests).value(), 1);
  EXPECT_THAT(compiled.GetProperty("NO_SUCH"), StatusIs(absl::StatusCode::kNotFound, HasSubstr("NETWORK_NAME")));
  EXPECT_THAT(compiled.GetProperty(full_device_name), StatusIs(absl::StatusCode::kNotFound));
}

TEST(CompiledModelTest, RequestsOfOneModelRunAtOnce) {
  Core core;
  ASSERT_OK_AND_ASSIGN(const CompiledModel compiled, core.CompileModel(ToyModel()));
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([compiled, i] {
      ASSERT_OK_AND_ASSIGN(InferRequest request, compiled.CreateInferRequest());
      const float value = static_cast<float>(i);
      for (int k = 0; k < 20; ++k) {
        ASSERT_OK(request.SetInputTensor(Row({value, -value, value})));
        ASSERT_OK(request.StartAsync());
        ASSERT_OK(request.Wait());
        EXPECT_THAT(Elements(request.GetOutputTensor().value()), ElementsAre(10 + value, 20, 30 + value));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(CompiledModelTest, HasAContextThatGivesHostTensors) {
  Core core;
  ASSERT_OK_AND_ASSIGN(const CompiledModel compiled, core.CompileModel(ToyModel(), "REFERENCE"));
  ASSERT_OK_AND_ASSIGN(const RemoteContext context, compiled.GetContext());
  EXPECT_EQ(context.device_name(), "REFERENCE");
  ASSERT_OK_AND_ASSIGN(const Tensor output, context.CreateHostTensor(ElementType::kF32, {1, 3}));
  ASSERT_OK_AND_ASSIGN(InferRequest request, compiled.CreateInferRequest());
  ASSERT_OK(request.SetInputTensor(Row({1, 2, 3})));
  ASSERT_OK(request.SetOutputTensor(output));
  ASSERT_OK(request.Infer());
  EXPECT_THAT(Elements(output), ElementsAre(11, 22, 33));
  EXPECT_THAT(context.CreateTensor(ElementType::kF32, {1, 3}),
              StatusIs(absl::StatusCode::kUnimplemented, HasSubstr("REFERENCE")));
}

TEST(CompiledModelTest, TellsWhatRunsAndHowLong) {
  Core core;
  ASSERT_OK_AND_ASSIGN(CompiledModel compiled, core.CompileModel(ToyModel(), "REFERENCE", {perf_count(true)}));
  EXPECT_EQ(compiled.GetRuntimeModel()->GetOperation("relu")->runtime_info.at("execTimeMcs"), "not_executed");
  for (int i = 0; i < 2; ++i) {
    ASSERT_OK_AND_ASSIGN(InferRequest request, compiled.CreateInferRequest());
    ASSERT_OK(request.SetInputTensor(Row({1, 2, 3})));
    ASSERT_OK(request.Infer());
  }
  ASSERT_OK_AND_ASSIGN(const Model executed, compiled.GetRuntimeModel());
  ASSERT_OK_AND_ASSIGN(const std::vector<Operation> operations, executed.GetOperations());
  ASSERT_EQ(operations.size(), 5u);
  for (size_t i = 0; i < operations.size(); ++i) {
    const std::map<std::string, std::string>& facts = operations[i].runtime_info;
    EXPECT_EQ(facts.at("execOrder"), std::to_string(i));
    EXPECT_EQ(facts.at("primitiveType"), "reference");
    EXPECT_EQ(facts.at("execTimeMcs") == "not_executed", operations[i].type == "Constant") << operations[i].name;
    for (const char* key : {"runtimePrecision", "outputLayouts", "originalLayersNames", "isa"}) {
      EXPECT_EQ(facts.count(key), 1u) << key;
    }
  }
  EXPECT_EQ(executed.GetOperation("sum")->runtime_info.at("flops"), "3");
}

TEST(CompiledModelTest, WhatIsNotThereYetSaysSo) {
  Core core;
  const auto unimplemented = StatusIs(absl::StatusCode::kUnimplemented);
  ASSERT_OK_AND_ASSIGN(CompiledModel compiled, core.CompileModel(ToyModel()));
  EXPECT_THAT(compiled.ReleaseMemory(), unimplemented);
  EXPECT_THAT(compiled.SetProperty({{"A", "B"}}), unimplemented);
  std::ostringstream out;
  EXPECT_THAT(compiled.ExportModel(out), unimplemented);
}

}  // namespace
}  // namespace burin
