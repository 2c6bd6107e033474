#include "runtime/dev/async_infer_request.h"

#include <chrono>
#include <functional>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/notification.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "base/element_type.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/dimension.h"
#include "ir/partial_shape.h"
#include "ir/shape.h"
#include "ir/tensor.h"
#include "runtime/dev/port.h"
#include "runtime/dev/profiling_info.h"
#include "runtime/dev/sync_infer_request.h"
#include "runtime/dev/task_executor.h"
#include "testing/gtest/status_matchers.h"

namespace burin {
namespace {

using ::testing::HasSubstr;

std::vector<Port> StaticPorts() {
  Port port;
  port.names = {"x"};
  port.element_type = ElementType::kF32;
  port.shape = ir::PartialShape({2, 3});
  return {port};
}

std::vector<Port> DynamicPorts() {
  std::vector<Port> ports = StaticPorts();
  ports[0].names = {"y"};
  ports[0].shape = ir::PartialShape({ir::Dimension(), 3});
  return ports;
}

class FakeRequest final : public ISyncInferRequest {
 public:
  FakeRequest(const std::vector<Port>* inputs, const std::vector<Port>* outputs, std::function<absl::Status()> body)
      : ISyncInferRequest(inputs, outputs), body_(std::move(body)) {}
  absl::Status Infer() override {
    absl::Status status = body_ ? body_() : absl::OkStatus();
    if (cancelled()) return absl::CancelledError("stopped");
    return status;
  }
  absl::StatusOr<std::vector<ProfilingInfo>> GetProfilingInfo() const override {
    return absl::FailedPreconditionError("no profile");
  }

 private:
  std::function<absl::Status()> body_;
};

class AsyncInferRequestTest : public ::testing::Test {
 protected:
  std::unique_ptr<AsyncInferRequest> Make(std::function<absl::Status()> body = nullptr) {
    return std::make_unique<AsyncInferRequest>(std::make_unique<FakeRequest>(&inputs_, &outputs_, std::move(body)),
                                               task_executor_, callback_executor_, nullptr);
  }
  const std::vector<Port> inputs_ = StaticPorts();
  const std::vector<Port> outputs_ = DynamicPorts();
  std::shared_ptr<ITaskExecutor> task_executor_ = std::make_shared<QueueExecutor>();
  std::shared_ptr<ITaskExecutor> callback_executor_ = std::make_shared<QueueExecutor>();
};

TEST_F(AsyncInferRequestTest, TensorsAreCheckedAgainstTheirPort) {
  auto request = Make();
  const Slot input{Slot::Kind::kInput, 0};
  const ir::Tensor wrong_type = ir::Tensor::Create(ElementType::kI32, {2, 3}).value();
  EXPECT_THAT(request->SetTensor(input, wrong_type),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("expected element type f32, given i32")));
  const ir::Tensor wrong_shape = ir::Tensor::Create(ElementType::kF32, {2, 4}).value();
  EXPECT_THAT(request->SetTensor(input, wrong_shape),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("expected shape [2,3], given [2,4]")));
  EXPECT_THAT(request->SetTensor(input, ir::Tensor()),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("the tensor is empty")));
  const ir::Tensor right = ir::Tensor::Create(ElementType::kF32, {2, 3}).value();
  ASSERT_OK(request->SetTensor(input, right));
  EXPECT_EQ(request->GetTensor(input)->data(), right.data());
}

TEST_F(AsyncInferRequestTest, StaticSlotsHaveMemoryAndDynamicOnesSayWhyNot) {
  auto request = Make();
  ASSERT_OK_AND_ASSIGN(ir::Tensor tensor, request->GetTensor({Slot::Kind::kInput, 0}));
  EXPECT_EQ(tensor.shape(), (ir::Shape{2, 3}));
  EXPECT_THAT(request->GetTensor({Slot::Kind::kOutput, 0}),
              StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("after the first inference")));
}

TEST_F(AsyncInferRequestTest, WaitBeforeAnyStartIsAnError) {
  auto request = Make();
  EXPECT_THAT(request->Wait(), StatusIs(absl::StatusCode::kFailedPrecondition));
  EXPECT_THAT(request->WaitFor(std::chrono::milliseconds(1)), StatusIs(absl::StatusCode::kFailedPrecondition));
}

TEST_F(AsyncInferRequestTest, EverythingElseIsBusyWhileItRuns) {
  absl::Notification started, release;
  auto request = Make([&] {
    started.Notify();
    release.WaitForNotification();
    return absl::OkStatus();
  });
  ASSERT_OK(request->StartAsync());
  started.WaitForNotification();
  EXPECT_THAT(request->StartAsync(), StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("Busy")));
  EXPECT_THAT(request->Infer(), StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("Busy")));
  EXPECT_THAT(request->GetTensor({Slot::Kind::kInput, 0}), StatusIs(absl::StatusCode::kFailedPrecondition));
  EXPECT_THAT(request->SetCallback(nullptr), StatusIs(absl::StatusCode::kFailedPrecondition));
  ASSERT_OK_AND_ASSIGN(bool done, request->WaitFor(std::chrono::milliseconds(1)));
  EXPECT_FALSE(done);
  release.Notify();
  EXPECT_OK(request->Wait());
}

TEST_F(AsyncInferRequestTest, CancelEndsTheRunningInferenceAndNotTheNext) {
  absl::Notification started, release;
  bool first = true;
  auto request = Make([&] {
    if (!first) return absl::OkStatus();
    first = false;
    started.Notify();
    release.WaitForNotification();
    return absl::OkStatus();
  });
  ASSERT_OK(request->StartAsync());
  started.WaitForNotification();
  request->Cancel();
  release.Notify();
  EXPECT_THAT(request->Wait(), StatusIs(absl::StatusCode::kCancelled));
  request->Cancel();  // Nothing runs: no effect.
  EXPECT_OK(request->Infer());
}

TEST_F(AsyncInferRequestTest, CallbackMayStartTheNextInference) {
  auto request = Make();
  absl::Notification done;
  int left = 10;
  ASSERT_OK(request->SetCallback([&](absl::Status status) {
    ASSERT_OK(status);
    if (--left == 0) {
      done.Notify();
    } else {
      ASSERT_OK(request->StartAsync());
    }
  }));
  ASSERT_OK(request->StartAsync());
  done.WaitForNotification();
  EXPECT_EQ(left, 0);
}

TEST_F(AsyncInferRequestTest, CallbackGetsTheErrorAndMayDropTheLastReference) {
  auto request = std::shared_ptr<AsyncInferRequest>(Make([] { return absl::InternalError("broken"); }));
  absl::Notification done;
  ASSERT_OK(request->SetCallback([holder = request, &done](absl::Status status) mutable {
    EXPECT_THAT(status, StatusIs(absl::StatusCode::kInternal, HasSubstr("broken")));
    holder.reset();
    done.Notify();
  }));
  ASSERT_OK(request->StartAsync());
  request.reset();
  done.WaitForNotification();
}

TEST_F(AsyncInferRequestTest, DestructionWaitsForTheRunningInference) {
  absl::Notification started;
  bool finished = false;
  auto request = Make([&] {
    started.Notify();
    absl::SleepFor(absl::Milliseconds(20));
    finished = true;
    return absl::OkStatus();
  });
  ASSERT_OK(request->StartAsync());
  started.WaitForNotification();
  request.reset();
  EXPECT_TRUE(finished);
}

}  // namespace
}  // namespace burin
