#include "runtime/dev/compiled_model.h"

#include <memory>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/element_type.h"
#include "base/status_macros.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/dimension.h"
#include "ir/layout.h"
#include "ir/model.h"
#include "ir/ops/ops.h"
#include "ir/partial_shape.h"
#include "ir/runtime_info.h"
#include "ir/tensor.h"
#include "runtime/dev/async_infer_request.h"
#include "runtime/dev/event_testlib.h"
#include "runtime/dev/port.h"
#include "runtime/dev/profiling_info.h"
#include "runtime/dev/slot.h"
#include "runtime/dev/sync_infer_request.h"
#include "runtime/dev/task_executor.h"
#include "testing/gtest/status_matchers.h"

namespace burin {
namespace {

using ::testing::ElementsAre;
using ::testing::Eq;

// r0 = relu(b), r1 = a; a: f32[n,2], b: i64 of any rank.
ir::Model TwoInTwoOut() {
  ir::Model model("two");
  const ir::Value a = *model.AddParameter("a", ElementType::kF32, ir::PartialShape{ir::Dimension::Symbol("n"), 2});
  const ir::Value b = *model.AddParameter("b", ElementType::kI64, ir::PartialShape::DynamicRank());
  const ir::Value relu = *model.Add(ir::ReluOp(), {b}, nullptr, "relu");
  EXPECT_OK(model.AddResult(relu, "r0"));
  EXPECT_OK(model.AddResult(a, "r1"));
  model.SetOutputNames(a, {"a:0", "a"});
  model.SetOutputNames(relu, {"relu_out"});
  return model;
}

// Says on which thread it ran.
class FakeRequest final : public ISyncInferRequest {
 public:
  FakeRequest(const std::vector<Port>* inputs, const std::vector<Port>* outputs, std::thread::id* ran_on)
      : ISyncInferRequest(inputs, outputs), ran_on_(ran_on) {}
  absl::Status Infer() override {
    *ran_on_ = std::this_thread::get_id();
    return absl::OkStatus();
  }
  absl::StatusOr<std::vector<ProfilingInfo>> GetProfilingInfo() const override {
    return absl::FailedPreconditionError("no profile");
  }

 private:
  std::thread::id* ran_on_;
};

class FakeCompiledModel final : public ICompiledModel {
 public:
  FakeCompiledModel(std::shared_ptr<ITaskExecutor> tasks, std::shared_ptr<ITaskExecutor> callbacks,
                    absl::Status status = absl::OkStatus())
      : ICompiledModel(TwoInTwoOut(), std::move(tasks), std::move(callbacks)), status_(std::move(status)) {}
  absl::StatusOr<std::string> GetProperty(const std::string&) const override { return std::string("value"); }

  mutable std::thread::id ran_on;

 protected:
  absl::StatusOr<std::unique_ptr<ISyncInferRequest>> CreateSyncInferRequest() const override {
    if (!status_.ok()) return status_;
    return std::make_unique<FakeRequest>(&inputs(), &outputs(), &ran_on);
  }

 private:
  const absl::Status status_;
};

std::shared_ptr<FakeCompiledModel> OnTheCaller(absl::Status status = absl::OkStatus()) {
  return std::make_shared<FakeCompiledModel>(std::make_shared<ImmediateExecutor>(),
                                             std::make_shared<ImmediateExecutor>(), std::move(status));
}

void SetInputs(AsyncInferRequest* request) {
  ASSERT_OK(request->SetTensor({Slot::Kind::kInput, 0}, ir::Tensor::CreateZeroed(ElementType::kF32, {1, 2}).value()));
  ASSERT_OK(request->SetTensor({Slot::Kind::kInput, 1}, ir::Tensor::CreateZeroed(ElementType::kI64, {3}).value()));
}

TEST(CompiledModelTest, InputPortsAreTheParametersInOrder) {
  const std::vector<Port> ports = InputPorts(TwoInTwoOut());
  ASSERT_EQ(ports.size(), 2u);
  EXPECT_EQ(ports[0].index, 0u);
  EXPECT_THAT(ports[0].names, ElementsAre("a:0", "a"));  // The node's name is among the tensor's names already.
  EXPECT_EQ(ToString(ports[0]), "\"a:0\" f32[n,2]");
  EXPECT_EQ(ports[1].index, 1u);
  EXPECT_THAT(ports[1].names, ElementsAre("b"));
  EXPECT_EQ(ToString(ports[1]), "\"b\" i64[...]");
}

TEST(CompiledModelTest, OutputPortsAreTheResultsUnderTheTensorsNames) {
  const std::vector<Port> ports = OutputPorts(TwoInTwoOut());
  ASSERT_EQ(ports.size(), 2u);
  EXPECT_EQ(ports[0].index, 0u);
  EXPECT_THAT(ports[0].names, ElementsAre("relu_out", "r0"));
  EXPECT_EQ(ToString(ports[0]), "\"relu_out\" i64[...]");
  EXPECT_EQ(ports[1].index, 1u);
  EXPECT_THAT(ports[1].names, ElementsAre("a:0", "a", "r1"));
  EXPECT_EQ(ToString(ports[1]), "\"a:0\" f32[n,2]");
}

TEST(CompiledModelTest, PortsFollowTheSignatureAndNotTheIds) {
  ir::Model model = TwoInTwoOut();
  const std::vector<ir::NodeId> parameters = model.parameters();
  const std::vector<ir::NodeId> results = model.results();
  ASSERT_OK(model.SetOrder({parameters[1], parameters[0]}, {results[1], results[0]}, {}));
  EXPECT_EQ(NamesOf(InputPorts(model)), "\"b\", \"a:0\"");
  EXPECT_EQ(NamesOf(OutputPorts(model)), "\"a:0\", \"relu_out\"");
  EXPECT_EQ(InputPorts(model)[1].index, 1u);
}

TEST(CompiledModelTest, TakesItsPortsFromTheModel) {
  const std::shared_ptr<FakeCompiledModel> compiled = OnTheCaller();
  EXPECT_EQ(NamesOf(compiled->inputs()), "\"a:0\", \"b\"");
  EXPECT_EQ(NamesOf(compiled->outputs()), "\"relu_out\", \"a:0\"");
}

TEST(CompiledModelTest, PortsHaveTheLayoutsThatTheModelTells) {
  ir::Model model = TwoInTwoOut();
  model.SetRuntimeInfo(model.parameters()[0], {{ir::kLayoutKey, "NC"}});
  model.SetRuntimeInfo(model.parameters()[1], {{ir::kLayoutKey, "no layout"}});
  model.SetRuntimeInfo(model.results()[0], {{ir::kLayoutKey, "N..."}});
  EXPECT_EQ(InputPorts(model)[0].layout, *ir::Layout::Parse("NC"));
  EXPECT_EQ(InputPorts(model)[1].layout, ir::Layout());
  EXPECT_EQ(OutputPorts(model)[0].layout, *ir::Layout::Parse("N..."));
  EXPECT_EQ(OutputPorts(model)[1].layout, ir::Layout());
}

TEST(CompiledModelTest, PortsAndNamesLeadToTheSameSlots) {
  const std::shared_ptr<FakeCompiledModel> compiled = OnTheCaller();
  EXPECT_EQ(compiled->inputs()[1].slot(), (Slot{Slot::Kind::kInput, 1}));
  EXPECT_EQ(compiled->outputs()[0].slot(), (Slot{Slot::Kind::kOutput, 0}));
  for (const char* name : {"b", "relu_out", "r1"}) ASSERT_NE(compiled->slots().Find(name), nullptr) << name;
  EXPECT_EQ(*compiled->slots().Find("b"), compiled->inputs()[1].slot());
  EXPECT_EQ(*compiled->slots().Find("relu_out"), compiled->outputs()[0].slot());
  EXPECT_EQ(*compiled->slots().Find("r1"), compiled->outputs()[1].slot());
  EXPECT_EQ(*compiled->slots().Find("a"), compiled->inputs()[0].slot());  // An output has the name as well.
}

TEST(CompiledModelTest, RequestsKeepTheModelAlive) {
  std::shared_ptr<FakeCompiledModel> compiled = OnTheCaller();
  const std::weak_ptr<FakeCompiledModel> watch = compiled;
  ASSERT_OK_AND_ASSIGN(std::unique_ptr<AsyncInferRequest> request, compiled->CreateInferRequest());
  SetInputs(request.get());
  compiled.reset();
  ASSERT_FALSE(watch.expired());
  EXPECT_OK(request->Infer());
  EXPECT_EQ(request->inputs().size(), 2u);
  request.reset();
  EXPECT_TRUE(watch.expired());
}

TEST(CompiledModelTest, RequestsRunAndCallBackOnTheGivenExecutors) {
  const auto tasks = std::make_shared<QueueExecutor>();
  const auto callbacks = std::make_shared<QueueExecutor>();
  const auto thread_of = [](ITaskExecutor* executor) {
    std::thread::id id;
    Event done;
    executor->Run([&] {
      id = std::this_thread::get_id();
      done.Notify();
    });
    done.Wait();
    return id;
  };
  const auto compiled = std::make_shared<FakeCompiledModel>(tasks, callbacks);
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<AsyncInferRequest> request, compiled->CreateInferRequest());
  SetInputs(request.get());
  Event done;
  std::thread::id called_on;
  ASSERT_OK(request->SetCallback([&](absl::Status status) {
    EXPECT_OK(status);
    called_on = std::this_thread::get_id();
    done.Notify();
  }));
  ASSERT_OK(request->StartAsync());
  done.Wait();
  EXPECT_EQ(compiled->ran_on, thread_of(tasks.get()));
  EXPECT_EQ(called_on, thread_of(callbacks.get()));
}

// Two stages on the executors that the model was given.
class StagedRequest final : public AsyncInferRequest {
 public:
  StagedRequest(std::unique_ptr<ISyncInferRequest> request, const std::shared_ptr<ITaskExecutor>& tasks,
                const std::shared_ptr<ITaskExecutor>& callbacks, std::shared_ptr<const void> keep_alive,
                std::vector<std::string>* ran)
      : AsyncInferRequest(std::move(request), tasks, callbacks, std::move(keep_alive)) {
    const auto stage = [ran](const char* name) {
      return [ran, name] {
        ran->push_back(name);
        return absl::OkStatus();
      };
    };
    SetPipeline({{tasks, stage("first")}, {callbacks, stage("second")}});
  }
};

class StagedCompiledModel final : public ICompiledModel {
 public:
  StagedCompiledModel()
      : ICompiledModel(TwoInTwoOut(), std::make_shared<QueueExecutor>(), std::make_shared<QueueExecutor>()) {}
  absl::StatusOr<std::string> GetProperty(const std::string&) const override { return std::string("value"); }
  absl::StatusOr<std::unique_ptr<AsyncInferRequest>> CreateInferRequest() override {
    BURIN_ASSIGN_OR_RETURN(std::unique_ptr<ISyncInferRequest> request, CreateSyncInferRequest());
    return std::make_unique<StagedRequest>(std::move(request), task_executor(), callback_executor(), shared_from_this(),
                                           &ran);
  }

  std::vector<std::string> ran;

 protected:
  absl::StatusOr<std::unique_ptr<ISyncInferRequest>> CreateSyncInferRequest() const override {
    return std::make_unique<FakeRequest>(&inputs(), &outputs(), nullptr);
  }
};

TEST(CompiledModelTest, ADeviceMayHaveRequestsOfItsOwn) {
  const auto compiled = std::make_shared<StagedCompiledModel>();
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<AsyncInferRequest> request, compiled->CreateInferRequest());
  SetInputs(request.get());
  ASSERT_OK(request->Infer());
  EXPECT_THAT(compiled->ran, ElementsAre("first", "second"));
  ASSERT_OK(request->StartAsync());
  ASSERT_OK(request->Wait());
  EXPECT_THAT(compiled->ran, ElementsAre("first", "second", "first", "second"));
}

TEST(CompiledModelTest, HandsOnTheErrorOfCreatingARequest) {
  EXPECT_THAT(OnTheCaller(absl::ResourceExhaustedError("no memory"))->CreateInferRequest().status(),
              StatusIs(absl::StatusCode::kResourceExhausted, Eq("no memory")));
}

TEST(CompiledModelTest, WhatADeviceDoesNotOverrideIsUnimplemented) {
  const std::shared_ptr<FakeCompiledModel> compiled = OnTheCaller();
  const auto unimplemented = [](const char* text) { return StatusIs(absl::StatusCode::kUnimplemented, Eq(text)); };
  EXPECT_THAT(compiled->SetProperty("K", "V"),
              unimplemented("This device's compiled models have no property that can be set"));
  std::ostringstream stream;
  EXPECT_THAT(compiled->Export(stream), unimplemented("This device cannot export compiled models"));
  EXPECT_EQ(stream.str(), "");
  EXPECT_THAT(compiled->GetRuntimeModel().status(), unimplemented("This device has no runtime model"));
  EXPECT_THAT(compiled->GetContext().status(), unimplemented("This device has no remote contexts"));
  EXPECT_THAT(compiled->ReleaseMemory(),
              unimplemented("This device's compiled models keep no memory that can be released"));
}

}  // namespace
}  // namespace burin
