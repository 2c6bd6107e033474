#include "runtime/dev/async_infer_request.h"

#include <atomic>
#include <chrono>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "base/element_type.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/shape.h"
#include "ir/tensor.h"
#include "runtime/dev/async_infer_request_testlib.h"
#include "runtime/dev/event_testlib.h"
#include "runtime/dev/slot.h"
#include "runtime/dev/sync_infer_request.h"
#include "runtime/dev/task_executor.h"
#include "testing/gtest/status_matchers.h"

namespace burin::async_test {
namespace {

using ::testing::HasSubstr;

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
  Event started, release;
  auto request = Make([&] {
    started.Notify();
    release.Wait();
    return absl::OkStatus();
  });
  ASSERT_OK(request->StartAsync());
  started.Wait();
  EXPECT_THAT(request->StartAsync(), StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("Busy")));
  EXPECT_THAT(request->Infer(), StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("Busy")));
  EXPECT_THAT(request->GetTensor({Slot::Kind::kInput, 0}), StatusIs(absl::StatusCode::kFailedPrecondition));
  EXPECT_THAT(request->SetCallback(nullptr), StatusIs(absl::StatusCode::kFailedPrecondition));
  const Slot input{Slot::Kind::kInput, 0};
  const ir::Tensor tensor = ir::Tensor::Create(ElementType::kF32, {2, 3}).value();
  EXPECT_THAT(request->SetTensor(input, tensor), StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("Busy")));
  EXPECT_THAT(request->SetTensors(input, {tensor}), StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("Busy")));
  EXPECT_THAT(request->GetProfilingInfo(), StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("Busy")));
  ASSERT_OK_AND_ASSIGN(bool done, request->WaitFor(std::chrono::milliseconds(1)));
  EXPECT_FALSE(done);
  release.Notify();
  EXPECT_OK(request->Wait());
}

TEST_F(AsyncInferRequestTest, CancelEndsTheRunningInferenceAndNotTheNext) {
  Event started, release;
  bool first = true;
  auto request = Make([&] {
    if (!first) return absl::OkStatus();
    first = false;
    started.Notify();
    release.Wait();
    return absl::OkStatus();
  });
  ASSERT_OK(request->StartAsync());
  started.Wait();
  request->Cancel();
  release.Notify();
  EXPECT_THAT(request->Wait(), StatusIs(absl::StatusCode::kCancelled));
  request->Cancel();  // Nothing runs: no effect.
  EXPECT_OK(request->Infer());
}

TEST_F(AsyncInferRequestTest, CallbackMayStartTheNextInference) {
  auto request = Make();
  Event done;
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
  done.Wait();
  EXPECT_EQ(left, 0);
}

TEST_F(AsyncInferRequestTest, CallbackGetsTheErrorAndMayDropTheLastReference) {
  auto request = std::shared_ptr<AsyncInferRequest>(Make([] { return absl::InternalError("broken"); }));
  Event done;
  ASSERT_OK(request->SetCallback([holder = request, &done](absl::Status status) mutable {
    EXPECT_THAT(status, StatusIs(absl::StatusCode::kInternal, HasSubstr("broken")));
    holder.reset();
    done.Notify();
  }));
  ASSERT_OK(request->StartAsync());
  request.reset();
  done.Wait();
}

TEST_F(AsyncInferRequestTest, CallbackMayOwnTheRequest) {
  auto request = std::shared_ptr<AsyncInferRequest>(Make());
  const std::weak_ptr<AsyncInferRequest> watch = request;
  Event done;
  ASSERT_OK(request->SetCallback([holder = request, &done](absl::Status) mutable {
    holder.reset();  // There is one copy of the callback, so this was the last reference.
    done.Notify();
  }));
  ASSERT_OK(request->StartAsync());
  request.reset();
  done.Wait();
  EXPECT_TRUE(watch.expired());
}

TEST_F(AsyncInferRequestTest, CallbackMayDestroyARequestThatItHasStartedAgain) {
  Event second_started, destroyed;
  std::atomic<int> runs{0};
  std::atomic<bool> second_over{false};
  std::unique_ptr<AsyncInferRequest> request = Make([&] {
    if (++runs == 1) return absl::OkStatus();
    second_started.Notify();
    absl::SleepFor(absl::Milliseconds(20));
    second_over = true;
    return absl::OkStatus();
  });
  std::atomic<int> calls{0};
  ASSERT_OK(request->SetCallback([&](absl::Status) {
    ++calls;
    ASSERT_OK(request->StartAsync());
    second_started.Wait();
    request.reset();
    // It ran on another executor, so its memory may go now.
    EXPECT_TRUE(second_over);
    destroyed.Notify();
  }));
  ASSERT_OK(request->StartAsync());
  destroyed.Wait();
  Drain(callback_executor_.get());
  EXPECT_EQ(calls, 1);
}

TEST_F(AsyncInferRequestTest, CallbackMayDestroyARequestThatNeedsItsThread) {
  // One thread for everything: waiting for what is queued behind the callback would never end.
  callback_executor_ = task_executor_;
  std::unique_ptr<AsyncInferRequest> a = Make();
  std::unique_ptr<AsyncInferRequest> b = Make();
  Event done;
  std::atomic<int> calls_of_b{0};
  ASSERT_OK(b->SetCallback([&](absl::Status) { ++calls_of_b; }));
  ASSERT_OK(a->SetCallback([&](absl::Status) {
    ASSERT_OK(b->StartAsync());
    ASSERT_OK(a->StartAsync());
    b.reset();
    a.reset();
    done.Notify();
  }));
  ASSERT_OK(a->StartAsync());
  done.Wait();
  Drain(task_executor_.get());  // Both inferences.
  Drain(task_executor_.get());  // What they may have left.
  EXPECT_EQ(calls_of_b, 0);
}

TEST_F(AsyncInferRequestTest, CallbackMayWaitForAnotherRequest) {
  // One callback thread for both: the other one settles without it.
  Event release, done;
  auto other = Make([&] {
    release.Wait();
    return absl::OkStatus();
  });
  std::atomic<int> calls{0};
  ASSERT_OK(other->SetCallback([&](absl::Status) { ++calls; }));
  task_executor_ = std::make_shared<QueueExecutor>();
  auto request = Make();
  ASSERT_OK(request->SetCallback([&](absl::Status) {
    release.Notify();
    EXPECT_OK(other->Wait());
    EXPECT_EQ(calls, 0);
    done.Notify();
  }));
  ASSERT_OK(other->StartAsync());
  ASSERT_OK(request->StartAsync());
  done.Wait();
  other.reset();
  EXPECT_EQ(calls, 1);
}

TEST_F(AsyncInferRequestTest, DestructionWaitsForCallbacksOfSettledInferences) {
  Event in_callback;
  std::atomic<bool> over{false};
  auto request = Make();
  ASSERT_OK(request->SetCallback([&](absl::Status) {
    in_callback.Notify();
    absl::SleepFor(absl::Milliseconds(20));
    over = true;
  }));
  ASSERT_OK(request->StartAsync());
  ASSERT_OK(request->Wait());
  request.reset();
  EXPECT_TRUE(in_callback.has_happened());
  EXPECT_TRUE(over);
}

TEST_F(AsyncInferRequestTest, ARequestDestroyedWhileRunningDoesNotCallBack) {
  Event started;
  std::atomic<int> calls{0};
  auto request = Make([&] {
    started.Notify();
    absl::SleepFor(absl::Milliseconds(5));
    return absl::OkStatus();
  });
  ASSERT_OK(request->SetCallback([&](absl::Status) { ++calls; }));
  ASSERT_OK(request->StartAsync());
  started.Wait();
  request.reset();
  Drain(task_executor_.get());
  Drain(callback_executor_.get());
  EXPECT_EQ(calls, 0);
}

TEST_F(AsyncInferRequestTest, EveryInferenceCallsBackOnceThoughTheNextHasBegun) {
  constexpr int kRuns = 200;
  std::atomic<int> calls{0};
  auto request = Make();
  ASSERT_OK(request->SetCallback([&](absl::Status) { ++calls; }));
  for (int i = 0; i < kRuns; ++i) {
    ASSERT_OK(request->StartAsync());
    ASSERT_OK(request->Wait());
  }
  ASSERT_OK(request->Infer());  // Not asynchronous: no call.
  request.reset();
  EXPECT_EQ(calls, kRuns);
}

TEST_F(AsyncInferRequestTest, ImmediateExecutorsNeedNoThread) {
  task_executor_ = std::make_shared<ImmediateExecutor>();
  callback_executor_ = std::make_shared<ImmediateExecutor>();
  std::unique_ptr<AsyncInferRequest> request = Make();
  int left = 3;
  ASSERT_OK(request->SetCallback([&](absl::Status) {
    if (--left > 0) {
      ASSERT_OK(request->StartAsync());
    } else {
      request.reset();
    }
  }));
  ASSERT_OK(request->StartAsync());
  EXPECT_EQ(left, 0);
  EXPECT_EQ(request, nullptr);
}

TEST_F(AsyncInferRequestTest, WaitsForTheInferenceThatRunsAndNotForIdleness) {
  // The callback starts one inference after the other; a wait that needed an idle moment might never see one.
  Event enough;
  auto request = Make([] {
    absl::SleepFor(absl::Microseconds(200));
    return absl::OkStatus();
  });
  std::atomic<bool> stop{false};
  ASSERT_OK(request->SetCallback([&](absl::Status) {
    if (!stop) {
      ASSERT_OK(request->StartAsync());
    } else {
      enough.Notify();
    }
  }));
  ASSERT_OK(request->StartAsync());
  for (int i = 0; i < 20; ++i) {
    ASSERT_OK(request->Wait());
    EXPECT_THAT(request->WaitFor(std::chrono::hours(1)), IsOkAndHolds(true));
  }
  stop = true;
  enough.Wait();
}

TEST_F(AsyncInferRequestTest, TimeoutsOfAnySizeWork) {
  Event release;
  auto request = Make([&] {
    release.Wait();
    return absl::OkStatus();
  });
  ASSERT_OK(request->StartAsync());
  EXPECT_THAT(request->WaitFor(std::chrono::milliseconds(0)), IsOkAndHolds(false));
  EXPECT_THAT(request->WaitFor(std::chrono::milliseconds(-1)), IsOkAndHolds(false));
  EXPECT_THAT(request->WaitFor(std::chrono::milliseconds::min()), IsOkAndHolds(false));
  release.Notify();
  EXPECT_THAT(request->WaitFor(std::chrono::milliseconds::max()), IsOkAndHolds(true));
  EXPECT_THAT(request->WaitFor(std::chrono::milliseconds(0)), IsOkAndHolds(true));
}

TEST_F(AsyncInferRequestTest, CancelReachesAnInferenceThatHasNotBegun) {
  Event started, release;
  task_executor_->Run([&] {
    started.Notify();
    release.Wait();
  });
  started.Wait();
  bool ran = false;
  auto request = Make([&] {
    ran = true;
    return absl::OkStatus();
  });
  ASSERT_OK(request->StartAsync());
  request->Cancel();
  release.Notify();
  EXPECT_THAT(request->Wait(), StatusIs(absl::StatusCode::kCancelled));
  EXPECT_FALSE(ran);
  EXPECT_OK(request->Infer());
  EXPECT_TRUE(ran);
}

TEST_F(AsyncInferRequestTest, AnInputThatIsMissingIsTheInferencesError) {
  auto request = std::make_unique<AsyncInferRequest>(std::make_unique<FakeRequest>(&outputs_, &outputs_, nullptr),
                                                     task_executor_, callback_executor_, nullptr);
  ASSERT_OK(request->StartAsync());
  EXPECT_THAT(request->Wait(), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("has not been set")));
  EXPECT_THAT(request->Infer(), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("has not been set")));
}

TEST_F(AsyncInferRequestTest, StatesAreBusyWhileItRunsAndOutliveIt) {
  Event started, release;
  auto request = Make([&] {
    started.Notify();
    release.Wait();
    return absl::OkStatus();
  });
  ASSERT_OK_AND_ASSIGN(const std::vector<std::shared_ptr<IVariableState>> states, request->QueryState());
  ASSERT_EQ(states.size(), 1u);
  EXPECT_EQ(states[0]->name(), "v");
  const ir::Tensor value = ir::Tensor::CreateZeroed(ElementType::kF32, {1}).value();
  ASSERT_OK(states[0]->SetState(value));
  ASSERT_OK(request->StartAsync());
  started.Wait();
  const auto busy = StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("Busy"));
  EXPECT_THAT(states[0]->GetState(), busy);
  EXPECT_THAT(states[0]->SetState(value), busy);
  EXPECT_THAT(states[0]->Reset(), busy);
  EXPECT_THAT(request->QueryState(), busy);
  EXPECT_THAT(request->ResetState(), busy);
  release.Notify();
  ASSERT_OK(request->Wait());
  EXPECT_EQ(states[0]->GetState()->data(), value.data());
  ASSERT_OK(request->ResetState());
  EXPECT_THAT(states[0]->GetState(), StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("no value")));
  ASSERT_OK(states[0]->SetState(value));
  request.reset();
  EXPECT_EQ(states[0]->GetState()->data(), value.data());
}

TEST_F(AsyncInferRequestTest, DestructionWaitsForTheRunningInference) {
  Event started;
  bool finished = false;
  auto request = Make([&] {
    started.Notify();
    absl::SleepFor(absl::Milliseconds(20));
    finished = true;
    return absl::OkStatus();
  });
  ASSERT_OK(request->StartAsync());
  started.Wait();
  request.reset();
  EXPECT_TRUE(finished);
}

}  // namespace
}  // namespace burin::async_test
