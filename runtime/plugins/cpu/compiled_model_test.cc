#include "runtime/plugins/cpu/compiled_model.h"

#include <cstddef>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/dimension.h"
#include "ir/model.h"
#include "ir/runtime_info.h"
#include "ir/tensor.h"
#include "runtime/dev/async_infer_request.h"
#include "runtime/dev/compiled_model.h"
#include "runtime/dev/profiling/execution_info.h"
#include "runtime/dev/profiling_info.h"
#include "runtime/dev/properties.h"
#include "runtime/dev/remote_context.h"
#include "runtime/dev/slot.h"
#include "runtime/executor/cpu_allowance.h"
#include "runtime/executor/cpu_streams_executor.h"
#include "runtime/plugins/cpu/mlp_testlib.h"
#include "testing/gtest/status_matchers.h"

namespace burin::cpu {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

constexpr Slot kInput{Slot::Kind::kInput, 0};
constexpr Slot kOutput{Slot::Kind::kOutput, 0};

const CompiledModel& Cpu(const std::shared_ptr<ICompiledModel>& compiled) {
  return static_cast<const CompiledModel&>(*compiled);
}

// Runs a request of its own `times` times on inputs of `rows`, and compares.
void InferMany(ICompiledModel* compiled, int rows, int times) {
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<AsyncInferRequest> request, compiled->CreateInferRequest());
  for (int i = 0; i < times; ++i) {
    const ir::Tensor input = Varied({rows, 24}, 100 * rows + i);
    ASSERT_OK(request->SetTensor(kInput, input));
    // Some of them on the executor, which all share.
    ASSERT_OK(i % 2 == 0 ? request->Infer() : request->StartAsync());
    ASSERT_OK(request->Wait());
    ExpectMlp(request->GetTensor(kOutput).value(), input);
  }
}

TEST(CompiledModelTest, TellsItsProperties) {
  const auto compiled = CompiledOnCpu(*Mlp(3), {{"PERFORMANCE_HINT", "THROUGHPUT"}, {"PERF_COUNT", "YES"}});
  EXPECT_THAT(compiled->GetProperty("NETWORK_NAME"), IsOkAndHolds("mlp"));
  EXPECT_THAT(compiled->GetProperty("EXECUTION_DEVICES"), IsOkAndHolds("CPU"));
  EXPECT_THAT(compiled->GetProperty("PERFORMANCE_HINT"), IsOkAndHolds("THROUGHPUT"));
  EXPECT_THAT(compiled->GetProperty("PERF_COUNT"), IsOkAndHolds("YES"));
  EXPECT_THAT(compiled->GetProperty("OPTIMAL_NUMBER_OF_INFER_REQUESTS"),
              IsOkAndHolds(std::to_string(Cpu(compiled).streams().streams().size())));
  EXPECT_THAT(compiled->GetProperty("FULL_DEVICE_NAME"),
              StatusIs(absl::StatusCode::kNotFound, AllOf(HasSubstr("FULL_DEVICE_NAME"), HasSubstr("NETWORK_NAME"))));
}

TEST(CompiledModelTest, MakesTheStreamsThatAreAskedFor) {
  const auto one = CompiledOnCpu(*Mlp(3), {{"NUM_STREAMS", "1"}, {"INFERENCE_NUM_THREADS", "1"}});
  EXPECT_THAT(one->GetProperty("NUM_STREAMS"), IsOkAndHolds("1"));
  EXPECT_THAT(one->GetProperty("INFERENCE_NUM_THREADS"), IsOkAndHolds("1"));
  EXPECT_THAT(one->GetProperty("OPTIMAL_NUMBER_OF_INFER_REQUESTS"), IsOkAndHolds("1"));
  ASSERT_THAT(Cpu(one).streams().streams(), SizeIs(1));
  EXPECT_EQ(Cpu(one).streams().threads(0), 1);
  if (executor::ReadAffinityMask().size() < 2) GTEST_SKIP() << "needs two processors";
  const auto two = CompiledOnCpu(*Mlp(3), {{"NUM_STREAMS", "2"}});
  EXPECT_THAT(two->GetProperty("NUM_STREAMS"), IsOkAndHolds("2"));
  EXPECT_THAT(two->GetProperty("OPTIMAL_NUMBER_OF_INFER_REQUESTS"), IsOkAndHolds("2"));
  EXPECT_THAT(Cpu(two).streams().streams(), SizeIs(2));
}

TEST(CompiledModelTest, EveryListedPropertyCanBeRead) {
  const auto compiled = CompiledOnCpu(*Mlp(3));
  ASSERT_OK_AND_ASSIGN(const std::string text, compiled->GetProperty("SUPPORTED_PROPERTIES"));
  ASSERT_OK_AND_ASSIGN(const std::vector<std::string> entries, supported_properties.Parse(text));
  EXPECT_GE(entries.size(), 10U);
  for (const std::string& entry : entries) {
    EXPECT_OK(compiled->GetProperty(entry.substr(0, entry.find(':')))) << entry;
  }
}

TEST(CompiledModelTest, StreamsInferAtOnceAndDoNotDisturbEachOther) {
  const bool two = executor::ReadAffinityMask().size() >= 2;
  const auto compiled = CompiledOnCpu(*Mlp(ir::Dimension::Symbol("n")), {{"NUM_STREAMS", two ? "2" : "1"}});
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) threads.emplace_back([&compiled, i] { InferMany(compiled.get(), i + 1, 30); });
  for (std::thread& thread : threads) thread.join();
}

TEST(CompiledModelTest, ShapesBeyondThoseThatAreKeptStillRun) {
  const auto compiled = CompiledOnCpu(*Mlp(ir::Dimension::Symbol("n")), {{"NUM_STREAMS", "1"}});
  ASSERT_OK_AND_ASSIGN(const auto request, compiled->CreateInferRequest());
  const int most = static_cast<int>(PlanCache::kMostPlans);
  for (int i = 0; i < most + 10; ++i) {
    // From the largest down and to the smallest again: memory of a stream that grows, and that does not.
    const int rows = i % 3 == 0 ? i + 1 : most + 11 - i;
    const ir::Tensor input = Varied({rows, 24}, i);
    ASSERT_OK(request->SetTensor(kInput, input));
    ASSERT_OK(request->Infer());
    ExpectMlp(request->GetTensor(kOutput).value(), input);
  }
}

TEST(CompiledModelTest, DescribesWhatRuns) {
  // A model of static shapes knows its kernels before it runs, another one its nodes.
  const auto compiled = CompiledOnCpu(*Mlp(3), {{"PERF_COUNT", "YES"}});
  ASSERT_THAT(Cpu(compiled).running(), SizeIs(3));
  for (const ProfilingInfo& info : Cpu(compiled).running()) {
    EXPECT_FALSE(info.kernel.empty()) << info.node_name;
    EXPECT_EQ(info.precision, "f32") << info.node_name;
    EXPECT_GT(info.flops, 0) << info.node_name;
    EXPECT_GT(info.bytes, 0) << info.node_name;
  }
  EXPECT_THAT(Cpu(CompiledOnCpu(*Mlp(ir::Dimension()))).running(), SizeIs(3));
}

TEST(CompiledModelTest, TheRuntimeModelTellsTimesKernelsAndOriginalNames) {
  const auto compiled = CompiledOnCpu(*Mlp(3), {{"PERF_COUNT", "YES"}});
  InferMany(compiled.get(), 3, 1);
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<ir::Model> executed, compiled->GetRuntimeModel());
  std::vector<std::string> names;
  for (const ProfilingInfo& step : Cpu(compiled).running()) {
    const ir::NodeId id = executed->FindNode(step.node_name);
    ASSERT_NE(id, ir::NodeId::kNone) << step.node_name;
    const ir::RuntimeInfo& info = executed->node(id).runtime_info();
    EXPECT_NE(info.at(kExecTimeKey), "not_executed") << step.node_name;
    EXPECT_EQ(info.at(kPrimitiveTypeKey), step.kernel);
    names.push_back(info.at(kOriginalLayersNamesKey));
  }
  EXPECT_THAT(names, ElementsAre("first,relu,hidden", "second,logits", "softmax"));
}

TEST(CompiledModelTest, HasAHostContextAndOutlivesItsHandle) {
  std::shared_ptr<ICompiledModel> compiled = CompiledOnCpu(*Mlp(3));
  ASSERT_OK_AND_ASSIGN(const std::shared_ptr<IRemoteContext> context, compiled->GetContext());
  EXPECT_EQ(context->device_name(), "CPU");
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<AsyncInferRequest> request, compiled->CreateInferRequest());
  compiled.reset();
  const ir::Tensor input = Varied({3, 24});
  ASSERT_OK(request->SetTensor(kInput, input));
  ASSERT_OK(request->Infer());
  ExpectMlp(request->GetTensor(kOutput).value(), input);
}

}  // namespace
}  // namespace burin::cpu
